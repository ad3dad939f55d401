package synth

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A SurveyLayout is a published format of the tables.
type SurveyLayout uint8

// The layouts.
const (
	SurveyData       SurveyLayout = iota // "-Data.csv" of data.census.gov
	SurveyFactFinder                     // "with_ann" of the former American FactFinder
)

// LayoutOf returns the first published layout of a year's tables.
func LayoutOf(year int) SurveyLayout {
	if year <= 2017 {
		return SurveyFactFinder
	}
	return SurveyData
}

// FileName returns the name of the downloaded file in a layout.
func (t *SurveyTable) FileName(l SurveyLayout) string {
	if l == SurveyFactFinder {
		return fmt.Sprintf("ACS_%02d_5YR_%s_with_ann.csv", t.layout.Year%100, t.layout.Name)
	}
	return fmt.Sprintf("ACSDP5Y%d.%s-Data.csv", t.layout.Year, t.layout.Name)
}

// Write writes the rows of the areas in a layout.
func (t *SurveyTable) Write(ctx context.Context, w io.Writer, l SurveyLayout, areas []SurveyArea) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := t.writeData(ctx, b, l, areas); err != nil {
		return err
	}
	return b.Flush()
}

// geoID returns the identifier of an area in the table, and its digits.
func (t *SurveyTable) geoID(a *SurveyArea) (id, digits string) {
	if t.layout.Level == store.ACSTract {
		digits = fmt.Sprintf("%011d", a.GEOID)
	} else {
		digits = fmt.Sprintf("%05d", a.GEOID)
	}
	return acs.GeoID(t.layout.Level, digits, t.layout.Year), digits
}

// label returns the label of a column in dollars of the table's year.
func (t *SurveyTable) label(i int) string {
	return strings.ReplaceAll(t.fields[i].Label, "(IN 2023 INFLATION", fmt.Sprintf("(IN %d INFLATION", t.layout.Year))
}

// figures appends the four printed figures of a column.
func (t *SurveyTable) figures(dst []string, i int, c *store.ACSCell) []string {
	d := t.fields[i].Decimals
	dst = append(dst, printed(c.Estimate, d), printed(c.MOE, d))
	if t.layout.Columns[i].Class != store.ACSPlain {
		return append(dst, printed(c.Percent, 1), printed(c.PercentMOE, 1))
	}
	if t.fields[i].Universe {
		return append(dst, printed(c.Estimate, d), "(X)") // totals repeat their estimate
	}
	return append(dst, "(X)", "(X)")
}

func printed(f store.ACSFigure, decimals uint8) string {
	switch f.Mark {
	case store.ACSNumber:
		return fixed(f.N, decimals)
	case store.ACSAtLeast:
		return thousands(fixed(f.N, decimals)) + "+"
	case store.ACSAtMost:
		return thousands(fixed(f.N, decimals)) + "-"
	default:
		return f.Mark.Sign()
	}
}

func fixed(n int32, decimals uint8) string {
	s := strconv.Itoa(int(n))
	if decimals == 0 {
		return s
	}
	for len(s) <= int(decimals) {
		s = "0" + s
	}
	return s[:len(s)-int(decimals)] + "." + s[len(s)-int(decimals):]
}

// thousands puts commas into a number.
func thousands(s string) string {
	whole, fraction, ok := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if ok {
		return whole + "." + fraction
	}
	return whole
}

var surveyMeasures = [...]struct{ id, data, factFinder string }{
	{"E", "Estimate!!", "Estimate; "},
	{"M", "Margin of Error!!", "Margin of Error; "},
	{"PE", "Percent!!", "Percent; "},
	{"PM", "Percent Margin of Error!!", "Percent Margin of Error; "},
}

// writeData writes the two layouts with two header rows. FactFinder numbers the
// lines of its screen, headings included.
func (t *SurveyTable) writeData(ctx context.Context, w *bufio.Writer, l SurveyLayout, areas []SurveyArea) error {
	ids, labels := []string{"GEO_ID", "NAME"}, []string{"Geography", "Geographic Area Name"}
	if l == SurveyFactFinder {
		ids, labels = []string{"GEO.id", "GEO.id2", "GEO.display-label"}, []string{"Id", "Id2", "Geography"}
	}
	line, section := 2, ""
	for i, f := range t.fields {
		if line++; f.Section != section {
			line, section = line+1, f.Section
		}
		for m, of := range surveyMeasures {
			if l == SurveyFactFinder {
				ids = append(ids, fmt.Sprintf("HC%02d_VC%02d", m+1, line))
				labels = append(labels, of.factFinder+strings.ReplaceAll(t.label(i), "!!", " - "))
			} else {
				ids = append(ids, fmt.Sprintf("%s_%04d%s", t.layout.Name, f.Number(t.layout.Year), of.id))
				labels = append(labels, of.data+t.label(i))
			}
		}
	}
	write := func(fields []string) {
		for i, s := range fields {
			if i > 0 {
				w.WriteByte(',')
			}
			if l == SurveyFactFinder && !strings.ContainsAny(s, ",") {
				w.WriteString(s)
				continue
			}
			w.WriteByte('"')
			w.WriteString(s) // quotes within are not doubled, as in the published files
			w.WriteByte('"')
		}
		w.WriteByte('\n')
	}
	write(ids)
	write(labels)
	var cells []store.ACSCell
	var fields []string
	for k := range areas {
		if err := ctx.Err(); err != nil {
			return err
		}
		id, digits := t.geoID(&areas[k])
		fields = append(fields[:0], id)
		if l == SurveyFactFinder {
			fields = append(fields, digits)
		}
		fields = append(fields, t.name(&areas[k], digits))
		cells = t.Row(areas[k], cells)
		for i := range cells {
			fields = t.figures(fields, i, &cells[i])
		}
		write(fields)
	}
	return nil
}

func (t *SurveyTable) name(a *SurveyArea, digits string) string {
	if a.Name != "" {
		return a.Name
	}
	return "ZCTA5 " + digits
}

// SurveyOptions configures [Country.WriteSurvey]. The zero value selects no
// tables.
type SurveyOptions struct {
	// Fields is the list of fields. If nil, the built-in list is used.
	Fields *acs.Registry
	// Years and TractYears are the years of the tables of ZCTAs and of tracts.
	Years, TractYears []int
	// ZIPs and the metropolitan areas CBSAs select the ZCTAs of the tables. If
	// both are empty, the tables have all ZCTAs.
	ZIPs  []dataset.ZIP
	CBSAs []string
	// Since maps new ZCTAs to the first year of their rows.
	Since map[dataset.ZIP]int
	// Tracts is the maximum number of tracts. The tracts nearest to the ZIPs are
	// selected by turns.
	Tracts int
}

// tractPeople is the mean population of a tract.
const tractPeople = 4000

// WriteSurvey writes the four profiles of each year to files in dir, in the
// layouts of their time, and returns their paths. It creates dir.
func (c *Country) WriteSurvey(ctx context.Context, dir string, o SurveyOptions) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	s := NewSurvey(c.seed, o.Fields)
	var paths []string
	tracts := c.surveyedTracts(o)
	for _, part := range []struct {
		level store.ACSLevel
		years []int
		areas func(year int) []SurveyArea
	}{
		{store.ACSZCTA, o.Years, func(year int) []SurveyArea { return c.surveyed(o, year) }},
		{store.ACSTract, o.TractYears, func(int) []SurveyArea { return tracts }},
	} {
		for _, year := range part.years {
			areas := part.areas(year)
			if len(areas) == 0 {
				continue
			}
			for _, p := range acs.AllProfiles() {
				table := s.Table(part.level, p, year)
				l := LayoutOf(year)
				path := filepath.Join(dir, part.level.String()+"-"+table.FileName(l))
				f, err := os.Create(path)
				if err != nil {
					return nil, err
				}
				if err := errors.Join(table.Write(ctx, f, l, areas), f.Close()); err != nil {
					return nil, fmt.Errorf("synth: writing %s: %w", filepath.Base(path), err)
				}
				paths = append(paths, path)
			}
		}
	}
	return paths, nil
}

func (c *Country) surveyed(o SurveyOptions, year int) []SurveyArea {
	var areas []SurveyArea
	for _, z := range all(c.ZIPs) {
		in := len(o.ZIPs)+len(o.CBSAs) == 0 || slices.Contains(o.ZIPs, z.Code)
		if z.County != None && c.Counties[z.County].CBSA != None {
			in = in || slices.Contains(o.CBSAs, c.CBSAs[c.Counties[z.County].CBSA].Code)
		}
		if since, ok := o.Since[z.Code]; ok {
			in = year >= since
		}
		if in && z.HasArea && !z.Decommissioned {
			areas = append(areas, SurveyArea{GEOID: uint64(z.Code), Population: z.Population})
		}
	}
	return areas
}

// surveyedTracts returns the tracts of the tables, sorted by code.
func (c *Country) surveyedTracts(o SurveyOptions) []SurveyArea {
	layer := c.held(store.LayerTract, "")
	if layer == nil || o.Tracts == 0 {
		return nil
	}
	near := make([][]int, 0, len(o.ZIPs))
	for _, z := range all(c.ZIPs) {
		if slices.Contains(o.ZIPs, z.Code) && z.Point.IsValid() {
			near = append(near, nearestHeld(layer.Areas, z.Point))
		}
	}
	chosen := map[int]bool{}
	for turn := 0; turn < len(layer.Areas) && len(near) > 0; turn++ {
		for _, order := range near {
			if len(chosen) < o.Tracts {
				chosen[order[turn]] = true
			}
		}
	}
	var areas []SurveyArea
	for i := range layer.Areas {
		if !chosen[i] {
			continue
		}
		a := &layer.Areas[i]
		n, err := strconv.ParseUint(a.GEOID, 10, 64)
		if err != nil {
			continue // of an invented country outside the numbering
		}
		people := tractPeople/2 + int32(float64(tractPeople)*(float64(hash(c.seed, n, 't')>>11)/(1<<53)))
		areas = append(areas, SurveyArea{GEOID: n, Name: a.Name + ", " + c.Label, Population: people})
	}
	slices.SortFunc(areas, func(a, b SurveyArea) int { return cmp.Compare(a.GEOID, b.GEOID) })
	return areas
}

func nearestHeld(areas []HeldArea, p geo.LatLng) []int {
	order := make([]int, len(areas))
	away := make([]float64, len(areas))
	for i := range areas {
		order[i] = i
		away[i] = float64(geo.Distance(p, areas[i].Point))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(away[a], away[b]) })
	return order
}
