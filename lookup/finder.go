package lookup

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A finder finds the areas of one code or coordinate, layer by layer. For a
// code these are the areas that its outline overlaps; without an outline, the
// areas that contain its point. For a coordinate they are the areas that
// contain it, and for a postal code the areas assigned to it.
//
// The overlaps of codes are measured when the dataset is built. Coordinates are compared
// with outlines at the time of the call. A layer without an area there is either empty, which
// is an answer, or unavailable, which cannotDeny decides: nil and an empty list differ all
// the way to the JSON.
//
// A finder lives for one record and one goroutine. Its buffers hold the result of the last
// call only.
type finder struct {
	r   *Reader
	ctx context.Context

	overlaps store.CodeOverlaps // of a ZIP or FSA
	measured bool               // overlaps, not a coordinate, decide
	country  store.Country
	state    store.StateID // state or province; 0 if unknown
	county   string        // FIPS code of the postal county; "" without

	point    geo.LatLng
	assigned []store.PostalArea // of a full postal code
	plans    store.PlanChoice   // of districts
	only     selection          // nil for all values

	met     []store.Overlap // of the last layer
	drawn   drawn           // of the last layer of districts
	around  []int
	figures []float64    // room for figures that records point to; see figure
	areas   []CensusArea // room for the entries of all layers
}

// find returns the areas of a layer to list, in order. The result is valid
// until the next call.
func (f *finder) find(l *store.Layer) ([]store.Overlap, error) {
	f.met = f.met[:0]
	id := l.ID()
	if f.measured {
		threshold := thresholdOf(id)
		for _, o := range f.overlaps.Of(id) {
			if f.overlaps.AtPoint() || threshold.Serves(o) || id == store.LayerCounty && o.Intersection > 0 && f.isPostalCounty(l.GEOID(o.Area)) {
				f.met = append(f.met, o)
			}
		}
		return f.met, nil
	}
	for _, a := range f.assigned {
		if a.Layer == id && a.Area >= 0 {
			f.met = append(f.met, store.Overlap{Area: a.Area})
		}
	}
	if len(f.met) == 0 && id == store.LayerCensusDivision {
		f.divisionOfAssigned(l)
	}
	if len(f.met) > 0 || !f.point.IsValid() {
		return f.met, nil
	}
	var err error
	if f.around, err = l.Containing(f.ctx, f.point, f.around[:0]); err != nil {
		return nil, fmt.Errorf("lookup: areas of the layer %s: %w", id, err)
	}
	for _, i := range f.around {
		f.met = append(f.met, store.Overlap{Area: i})
	}
	return f.met, nil
}

// divisionOfAssigned finds the census division whose code is a prefix of an
// assigned area's code.
func (f *finder) divisionOfAssigned(l *store.Layer) {
	const divisionDigits = 4
	for _, a := range f.assigned {
		switch a.Layer {
		case store.LayerCensusSubdivision, store.LayerDisseminationArea, store.LayerDisseminationBlock:
			if i, ok := l.Find(a.GEOID[:min(divisionDigits, len(a.GEOID))]); ok {
				f.met = append(f.met, store.Overlap{Area: i})
				return
			}
		default: // codes that do not begin with a division's
		}
	}
}

// in returns a layer and the areas found in it. The layer is nil if the
// dataset lacks it or has no data for the place.
func (f *finder) in(id store.LayerID) (*store.Layer, []store.Overlap, error) {
	l := f.r.data.Layer(id)
	if l == nil {
		return nil, nil, nil
	}
	met, err := f.find(l)
	if err != nil || len(met) == 0 && f.cannotDeny(l) {
		return nil, nil, err
	}
	return l, met, nil
}

// cannotDeny reports whether a search without results is inconclusive, because
// the layer's outlines are coarse or it has no area in the state.
func (f *finder) cannotDeny(l *store.Layer) bool {
	return !l.Info().FitForShares || !f.r.covers(l, f.state)
}

// basis returns the rule that selects areas; "" for areas assigned to a postal
// code.
func (f *finder) basis() Basis {
	if f.assigned != nil {
		return ""
	}
	return basisOf(!f.measured || f.overlaps.AtPoint())
}

func basisOf(atPoint bool) Basis {
	if atPoint {
		return ContainsPoint
	}
	return LargestArea
}

func (f *finder) isPostalCounty(fips string) bool { return fips != "" && fips == f.county }

// figure returns a pointer to a figure. A record has dozens of them, which are optional and
// so pointers; they share an allocation of 64. A full one is left to the record and never
// grown, because growing would move what earlier pointers point to.
func (f *finder) figure(v float64) *float64 {
	if len(f.figures) == cap(f.figures) {
		const room = 64
		f.figures = make([]float64, 0, room)
	}
	f.figures = append(f.figures, v)
	return &f.figures[len(f.figures)-1]
}

// landWater returns the extents that the agency states.
func (f *finder) landWater(a *store.LayerArea) LandWater {
	var e LandWater
	if a.Land >= 0 {
		e.LandAreaSqMi = f.figure(miles2(a.Land))
	}
	if a.Water >= 0 {
		e.WaterAreaSqMi = f.figure(miles2(a.Water))
	}
	return e
}

// miles2 converts square meters to square miles with 2 decimals.
func miles2(m int64) float64 { return geo.Round(float64(geo.SquareMeters(m).SquareMiles()), 2) }

// share returns the percentages of an overlap. They are empty if no overlap was
// measured or the outlines are too coarse.
func (f *finder) share(l *store.Layer, o store.Overlap) Share {
	var s Share
	if f.basis() != LargestArea || !l.Info().FitForShares {
		return s
	}
	code := f.figure(percent(o.PercentOfCode))
	if f.country == store.CA {
		s.PctOfFSA = code
	} else {
		s.PctOfZIP = code
	}
	s.PctOfArea = f.figure(percent(o.PercentOfArea))
	return s
}

// shareOf returns the percentages of a district. The parts of coarse outlines are
// omitted.
func (f *finder) shareOf(d *drawn, o district) (s DistrictShare) {
	if o.coarse {
		s.Approximate = True
	} else {
		s.Share = f.share(o.layer, o.Overlap)
	}
	if d.people > 0 && o.layer.Info().People && !o.coarse {
		s.PctOfPeople = f.figure(percent(100 * float64(o.People) / float64(d.people)))
	}
	return s
}

// percent rounds a percentage. Measured parts may exceed the whole by the last
// bit.
func percent(v float64) float64 { return geo.Round(math.Min(v, 100), 1) }

// census returns the entries of a census layer. They are nil if the dataset
// lacks the layer or has no data for the place, and empty if no area was found.
// Entries found by overlap have extents and shares.
func (f *finder) census(id store.LayerID) ([]CensusArea, error) {
	if f.r.data.Layer(id) == nil {
		return f.named(id), nil
	}
	l, met, err := f.in(id)
	if l == nil || err != nil {
		return f.withPostalCounty(id, nil), err
	}
	entries := f.room(len(met))
	for i, o := range met {
		a := l.Area(o.Area)
		e := &entries[i]
		e.Name, e.NameFR = a.Name, a.NameFR
		if id == store.LayerCounty {
			e.FIPS = a.GEOID
			if f.measured || f.county != "" {
				e.IsUSPSPrimary = flagOf(f.isPostalCounty(a.GEOID))
			}
		} else {
			e.GEOID = a.GEOID
		}
		if f.measured {
			e.LandWater = f.landWater(&a)
			e.Share = f.share(l, o)
		}
	}
	return f.withPostalCounty(id, entries), nil
}

// withPostalCounty adds the postal county to the counties of a ZIP that lists
// others or none. It has no percentages: the ZIP's outline or point lies
// elsewhere, or the layer lacks the county.
func (f *finder) withPostalCounty(id store.LayerID, entries []CensusArea) []CensusArea {
	if id != store.LayerCounty || !f.measured || f.county == "" ||
		slices.ContainsFunc(entries, func(e CensusArea) bool { return f.isPostalCounty(e.FIPS) }) {
		return entries
	}
	county, _ := f.r.data.CountyByFIPS(f.county)
	e := CensusArea{FIPS: f.county, Name: f.r.data.County(county).Name, IsUSPSPrimary: True}
	l := f.r.data.Layer(id)
	if i, ok := l.Find(f.county); ok {
		a := l.Area(i)
		e.LandWater = f.landWater(&a)
	}
	return append(entries, e)
}

// named returns the assigned codes of a layer without a table.
func (f *finder) named(id store.LayerID) []CensusArea {
	for _, a := range f.assigned {
		if a.Layer == id {
			entries := f.room(1)
			entries[0].GEOID = a.GEOID
			return entries
		}
	}
	return nil
}

// room returns n entries out of one allocation for all layers.
func (f *finder) room(n int) []CensusArea {
	if f.only.Selection != nil { // few of them
		return make([]CensusArea, n)
	}
	if f.areas == nil {
		total := 0
		for _, l := range f.overlaps.Layers {
			total += len(l.Overlaps)
		}
		const few = 16
		f.areas = make([]CensusArea, 0, max(few, min(total, 4*few)))
	}
	if have := len(f.areas); have+n <= cap(f.areas) {
		f.areas = f.areas[:have+n]
		return f.areas[have : have+n : have+n]
	}
	return make([]CensusArea, n)
}
