package build

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

const (
	// leastOfCounty is the part of a ZIP's outline that a second county must
	// hold for the ZIP to count as one of several counties.
	leastOfCounty = 0.01
	// leastInCounties is the part of a ZIP's outline that the outlines of
	// counties must cover for them to decide.
	leastInCounties = 0.98
	// leastWide is the width in metres, on average along a side of the ZIP,
	// that generalised outlines of the same border can be apart. A ZIP that
	// owes its second county to no more is told in the report.
	leastWide = 100
)

// countyShare is the part of a ZIP's outline, 0 to 1, that a county holds.
type countyShare struct {
	county dataset.CountyID
	part   float64
}

// deriveCountyShares decides by exact overlaps whether a ZIP lies in several
// counties: whether one other than the ZIP's own, or than the largest where it
// has none, holds at least 1 % of its outline. Outlines of counties that cover
// less than 98 % of it do not decide if only one of them holds 1 %. Then the
// City State product's second county stays.
func deriveCountyShares(ctx context.Context, b *builder) error {
	s := b.tables.bounds
	if s == nil || len(s.zips.polygons)+len(s.points.polygons) == 0 || len(s.counties.polygons) == 0 {
		return nil
	}
	for _, id := range []string{srcZCTAAreas, srcCountyAreas} {
		if f := b.files[id]; f == nil || !f.FitForShares {
			b.report.applied("no shares of counties, for outlines that are absent or too coarse", id)
			return nil
		}
	}
	m, err := newCountyMeter(s.counties)
	if err != nil {
		return err
	}
	for _, set := range []*outlineSet[dataset.ZIP]{s.zips, s.points} {
		outlines, err := set.layOut()
		if err != nil {
			return err
		}
		shares, sides, err := m.all(ctx, outlines)
		if err != nil {
			return err
		}
		for i, zip := range set.keys() {
			b.decideCounties(b.tables.zipAt[zip], shares[i], sides[i])
		}
	}
	return nil
}

// decideCounties sets what the shares of counties say of a ZIP, which is as
// large as a square with a side of so many metres.
func (b *builder) decideCounties(z *zipDraft, shares []countyShare, side float64) {
	sum, large, own := 0.0, 0, z.row.County
	for _, p := range shares {
		sum += p.part
		if p.part >= leastOfCounty {
			large++
		}
	}
	text := func() string {
		parts := []string{}
		for _, p := range shares {
			parts = append(parts, fmt.Sprintf("%.1f %% in %s", 100*p.part, b.tables.counties[p.county-1].FIPS))
		}
		return z.row.ZIP.String() + ": " + strings.Join(parts, ", ")
	}
	if sum < leastInCounties && large < 2 {
		b.report.applied("several counties or one: the outlines of counties do not cover that of the ZIP", text())
		return
	}
	if own == 0 {
		own = shares[0].county
	}
	at := slices.IndexFunc(shares, func(p countyShare) bool { return p.county == own })
	if at < 0 || shares[at].part < leastOfCounty {
		b.report.applied("county of the sources that holds less than 1 % of the ZIP's outline, kept", text())
	}
	second := 0.0 // the largest part of another county
	for _, p := range shares {
		if p.county != own {
			second = max(second, p.part)
		}
	}
	switch {
	case second >= leastOfCounty:
		b.report.applied("ZIP of several counties, by the outlines", text())
		if second*side < leastWide {
			b.report.applied("ZIP of several counties by a part less than 100 m wide, which may be that outlines are generalized", text())
		}
		z.row.MultiCounty = dataset.Yes
	case z.row.MultiCounty == dataset.Yes:
		b.report.applied("ZIP of several counties, by the City State product alone", text())
	default:
		b.report.applied("ZIP of one county, by the outlines", z.row.ZIP.String())
		z.row.MultiCounty = dataset.No
	}
}

// countyMeter measures areas against the outlines of counties.
type countyMeter struct {
	ids      []dataset.CountyID // ascending
	outlines []*geo.Outline
	index    *geo.OverlapIndex
}

func newCountyMeter(s *outlineSet[dataset.CountyID]) (*countyMeter, error) {
	outlines, err := s.layOut()
	return &countyMeter{s.keys(), outlines, geo.NewOverlapIndex(outlines)}, err
}

// all measures the areas, and returns the sides of squares as large as they.
func (m *countyMeter) all(ctx context.Context, areas []*geo.Outline) (shares [][]countyShare, sides []float64, err error) {
	shares, sides = make([][]countyShare, len(areas)), make([]float64, len(areas))
	err = parallelWith(len(areas), func() func(int) error {
		finder := m.index.Finder()
		var meter geo.OverlapMeter
		var near []int32
		return func(i int) error {
			near = finder.AppendMeeting(near[:0], areas[i])
			sides[i] = math.Sqrt(float64(areas[i].Area()))
			shares[i] = m.shares(&meter, areas[i], near)
			return ctx.Err()
		}
	})
	return shares, sides, err
}

// shares measures one area against counties near it: the largest part first.
func (m *countyMeter) shares(meter *geo.OverlapMeter, o *geo.Outline, near []int32) []countyShare {
	const noise = 1e-9 // of the area: the rounding of an overlap of nothing
	var out []countyShare
	for _, i := range near {
		if part := float64(meter.Area(o, m.outlines[i])) / float64(o.Area()); part > noise {
			out = append(out, countyShare{m.ids[i], part})
		}
	}
	slices.SortStableFunc(out, func(p, q countyShare) int { return cmp.Compare(q.part, p.part) })
	return out
}
