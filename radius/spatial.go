package radius

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// noArea is the number of the area of a code without an area.
const noArea = -1

// hasArea reports whether the code at a position has an area to be found by.
func (s *pointSet) hasArea(at int32) bool {
	return s.kind == lookup.FSA && s.areaOf[at] != noArea
}

// linkAreas notes which codes of a set have areas, and the other way round.
func (s *pointSet) linkAreas(d *store.Dataset) {
	s.areaOf = make([]int32, len(s.numbers))
	zips, fsas := d.ZIPAreas(), d.FSAAreas()
	s.zipAt, s.fsaAt = make([]int32, zips.Len()), make([]int32, fsas.Len())
	for i := range s.areaOf {
		s.areaOf[i] = noArea
		if i < s.zips {
			z := postcode.ZIP(s.numbers[i])
			area, ok := zips.Find(z)
			if !ok {
				continue
			}
			s.zipAt[area] = noArea
			// PO Box, unique and military ZIPs are points even if an outline of
			// the same code exists (decision D34).
			if row, _ := d.ZIP(z); row.Class == store.General {
				s.areaOf[i], s.zipAt[area] = int32(area), int32(i)
			}
		} else if area, ok := fsas.Find(postcode.FSA(s.numbers[i])); ok {
			s.areaOf[i], s.fsaAt[area] = int32(area), int32(i)
		}
	}
}

// spatial collects the ZIPs and FSAs whose areas overlap the circle, and those
// without an area whose points lie inside, and returns their number.
//
// Areas are measured first. The points inside then come sorted by distance from the index, with
// the share of each area from shareAt. Only the few areas left, whose points lie
// outside, need a geodesic and a sort of their own. Hits are so sorted by distance and code.
func (e *Engine) spatial(s *scratch, center geo.LatLng, opt *Options) (int, error) {
	set := &e.areas
	if err := e.shares(s, set, center, opt); err != nil {
		return 0, err
	}
	s.hits = s.hits[:0]
	least := opt.Min.Meters()
	s.near = set.index.AppendWithin(s.near[:0], center, 0, opt.Max.Meters())
	for _, n := range s.near {
		if !set.hasArea(int32(n.Index)) {
			if n.Distance >= least {
				s.hits = append(s.hits, hit{distance: n.Distance, at: int32(n.Index), share: noArea})
			}
		} else if share := s.shareAt[n.Index]; share > 0 {
			s.shareAt[n.Index] = 0
			s.hits = append(s.hits, hit{distance: n.Distance, at: int32(n.Index), share: share})
		}
	}
	// The remaining areas reach inside from points outside.
	inside := len(s.hits)
	for _, at := range s.touched {
		share := s.shareAt[at]
		s.shareAt[at] = 0
		if p := e.pointOf(set, at); share > 0 && p.IsValid() {
			s.hits = append(s.hits, hit{distance: geo.Distance(center, p), at: at, share: share})
		}
	}
	slices.SortFunc(s.hits[inside:], func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.at, b.at))
	})
	return len(s.hits), nil
}

// undrawn adds the notice that general ZIPs count as points, because the dataset has no
// outline of them (decision D72).
func (e *Engine) undrawn(list []envelope.Notice, hits []hit) []envelope.Notice {
	n := 0
	for i := range hits {
		if at := hits[i].at; int(at) < e.areas.zips && e.areas.areaOf[at] == noArea {
			if row, _ := e.data.ZIP(postcode.ZIP(e.areas.numbers[at])); row.Class == store.General {
				n++
			}
		}
	}
	if n == 0 {
		return list
	}
	return append(list, notice.NotLoaded(fmt.Sprintf("outlines of %d ZIP Codes of this search", n)))
}

// shares fills s.shareAt with the shares of all areas, and s.touched with the
// positions that it set.
func (e *Engine) shares(s *scratch, set *pointSet, center geo.LatLng, opt *Options) error {
	outer, err := spatial.NewCircle(center, opt.Max.Meters())
	if err != nil {
		return err
	}
	var inner *spatial.Circle
	if opt.Min > 0 {
		if inner, err = spatial.NewCircle(center, opt.Min.Meters()); err != nil {
			return err
		}
	}
	if len(s.shareAt) < len(set.numbers) {
		s.shareAt = make([]float64, len(set.numbers))
	}
	s.touched = s.touched[:0]
	for _, layer := range [...]struct {
		index *spatial.PolygonIndex
		at    []int32
	}{{e.data.ZIPAreas().Index(), set.zipAt}, {e.data.FSAAreas().Index(), set.fsaAt}} {
		if layer.index == nil {
			continue
		}
		if inner != nil {
			s.share = layer.index.AppendRingShares(s.share[:0], inner, outer)
		} else {
			s.share = layer.index.AppendShares(s.share[:0], outer)
		}
		for _, found := range s.share {
			if at := layer.at[found.Index]; at != noArea {
				s.shareAt[at] = found.Percent
				s.touched = append(s.touched, at)
			}
		}
	}
	return nil
}

// measure adds the shares and extents of the areas to matches.
func (e *Engine) measure(matches []Match, hits []hit) {
	set := &e.areas
	// Matches point into two arrays, which takes two allocations in all.
	pct := make([]float64, len(hits))
	extent := make([]geo.SquareMiles, len(hits))
	for i := range hits {
		h := &hits[i]
		area := int(set.areaOf[h.at])
		if area == noArea {
			continue
		}
		index := e.data.ZIPAreas().Index()
		if int(h.at) >= set.zips {
			index = e.data.FSAAreas().Index()
		}
		pct[i] = geo.Round(h.share, 1)
		extent[i] = geo.SquareMiles(geo.Round(float64(index.Area(area).SquareMiles()), 2))
		matches[i].PctInside, matches[i].AreaSqMi = &pct[i], &extent[i]
	}
}

// parts returns all US ZIP Codes around a center as parts of a survey aggregate,
// with their shares, and the search itself. It finds the same codes as
// [Engine.Search] with the same options and returns the same errors.
func (e *Engine) parts(ctx context.Context, center string, opt Options) ([]acs.Part, *Search, error) {
	res, at, err := e.begin(ctx, center, &opt)
	if err != nil {
		return nil, nil, err
	}
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	if opt.Mode == Spatial {
		if _, err := e.spatial(s, at, &opt); err != nil {
			return nil, nil, fmt.Errorf("radius: %w", err)
		}
	}
	return e.surveyParts(s, at, &opt), &res.Search, nil
}

// polygonParts returns the US ZIP Codes inside a polygon or multipolygon as
// parts of a survey aggregate, with their shares. It finds the same codes as
// [Engine.InPolygon] and returns the same errors.
func (e *Engine) polygonParts(ctx context.Context, g orb.Geometry, mode Mode) ([]acs.Part, error) {
	res, err := e.InPolygon(ctx, g, PolygonOptions{Mode: mode})
	if err != nil {
		return nil, err
	}
	var parts []acs.Part
	for i := range res.Matches {
		m := &res.Matches[i]
		if m.CodeType != lookup.ZIP {
			continue
		}
		_, geoid, err := acs.ParseArea(m.Code)
		if err != nil {
			return nil, err
		}
		part := acs.Part{GEOID: geoid, Percent: 100}
		if m.PctInside != nil {
			part.Percent = geo.Round(*m.PctInside, 1)
		}
		parts = append(parts, part)
	}
	return parts, nil
}
