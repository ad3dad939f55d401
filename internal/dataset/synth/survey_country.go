package synth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/dataset"
)

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
		level dataset.ACSLevel
		years []int
		areas func(year int) []SurveyArea
	}{
		{dataset.ACSZCTA, o.Years, func(year int) []SurveyArea { return c.surveyed(o, year) }},
		{dataset.ACSTract, o.TractYears, func(int) []SurveyArea { return tracts }},
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
	layer := c.held(dataset.LayerTract, "")
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
