package acs

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/internal/fault"
)

// carriedNote returns the note of lines on the areas of one census. It names the
// weights of divided areas.
func (r *Reader) carriedNote(ctx context.Context, l Level, parts []Part) (string, error) {
	var people, land bool
	for _, p := range parts {
		bridges, err := r.data.Bridges(ctx, l, p.GEOID)
		if err != nil {
			return "", err
		}
		for _, b := range bridges {
			people, land = people || b.ByPeople && b.Tenths < 1000, land || !b.ByPeople && b.Tenths < 1000
		}
	}
	weights := "land area"
	if people {
		weights = "people in 2020"
	}
	if people && land {
		weights += ", or of land area"
	}
	return "Figures to 2019 are carried over from areas of the census of 2010 to those of 2020, by their shares of " + weights + ".", nil
}

// figuresOn computes figures like [Reader.Figures] on the areas of opt.Geography.
// The years ascend.
func (r *Reader) figuresOn(ctx context.Context, l Level, parts []Part, fields []*Field, years []int, opt SeriesOptions) ([]Figure, error) {
	if opt.Geography == 0 {
		return r.Figures(ctx, l, parts, fields, years, opt.FigureOptions)
	}
	if opt.Geography != firstOf2020 {
		return nil, &fault.Error{Op: "survey", Kind: fault.InvalidParam, Param: "Geography", Input: strconv.Itoa(opt.Geography), Range: "2020"}
	}
	if has, err := r.data.HasBridges(ctx, l); err != nil {
		return nil, err
	} else if !has {
		return nil, &fault.Error{Op: "survey", Kind: fault.Unavailable, Param: "Geography", Lacks: "relationships between areas of 2010 and 2020"}
	}
	at, _ := slices.BinarySearch(years, firstOf2020)
	carried, err := r.carried(ctx, l, counted(parts, opt.Whole), fields, years[:at], opt.FigureOptions)
	if err != nil {
		return nil, err
	}
	published, err := r.Figures(ctx, l, parts, fields, years[at:], opt.FigureOptions)
	return append(carried, published...), err
}

// carried computes figures of areas of 2020 from those of 2010.
func (r *Reader) carried(ctx context.Context, l Level, parts []Part, fields []*Field, years []int, opt FigureOptions) ([]Figure, error) {
	opt.Whole = false
	var from, divided []Part
	for _, p := range parts {
		bridges, err := r.data.Bridges(ctx, l, p.GEOID)
		if err != nil {
			return nil, err
		}
		for _, b := range bridges {
			from = append(from, Part{GEOID: b.From, Percent: p.Percent * float64(b.Tenths) / 1000})
		}
	}
	from = sumParts(from)
	for _, p := range from {
		if p.Percent < 100 {
			divided = append(divided, p)
		}
	}
	figures, err := r.Figures(ctx, l, from, fields, years, opt)
	if err != nil {
		return nil, err
	}
	people := []*Field{MustField("demographic.sex_and_age.total_population")}
	all, err := r.Figures(ctx, l, from, people, years, FigureOptions{})
	if err != nil {
		return nil, err
	}
	estimated, err := r.Figures(ctx, l, divided, people, years, FigureOptions{})
	if err != nil {
		return nil, err
	}
	for i := range figures {
		f := &figures[i]
		total, known := all[i/len(fields)].Estimate.Float64()
		if part, _ := estimated[i/len(fields)].Estimate.Float64(); known && total > 0 && f.Status == Available {
			f.CarriedOver = Round(math.Min(100*part/total, 100), 1)
		}
	}
	return figures, nil
}

// sumParts adds the shares of parts with the same area.
func sumParts(parts []Part) []Part {
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Compare(a.GEOID, b.GEOID) })
	list := parts[:0]
	for _, p := range parts {
		if n := len(list); n > 0 && list[n-1].GEOID == p.GEOID {
			list[n-1].Percent += p.Percent
		} else {
			list = append(list, p)
		}
	}
	return list
}
