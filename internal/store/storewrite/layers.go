package storewrite

import (
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// An AreaLayer has the areas with one type of key.
type AreaLayer[K store.AreaKey] struct {
	Sources []string // the files that the outlines come from, e.g. "cb_2020_us_zcta520_500k"
	From    []uint8  // index in Sources for each area; nil for fewer than two sources
	Keys    []K      // the owner of area i of Packed; ascending, each once
	Packed  []byte   // the areas, as spatial.PolygonIndexBuilder packs them; the writer keeps it. Areas without an outline are allowed.
}

// SetZIPAreas sets the areas of ZIP Codes, once.
func (w *Writer) SetZIPAreas(l AreaLayer[postcode.ZIP]) error { return setAreas(w, "zip", l) }

// SetFSAAreas sets the areas of forward sortation areas, once.
func (w *Writer) SetFSAAreas(l AreaLayer[postcode.FSA]) error { return setAreas(w, "fsa", l) }

// SetStateAreas sets the areas of states and provinces, once.
func (w *Writer) SetStateAreas(l AreaLayer[store.StateID]) error { return setAreas(w, "state", l) }

// SetCountyAreas sets the areas of counties, once.
func (w *Writer) SetCountyAreas(l AreaLayer[store.CountyID]) error {
	return setAreas(w, store.CountyOutlines, l)
}

// SetZoneAreas sets the areas of time zones, once.
func (w *Writer) SetZoneAreas(l AreaLayer[store.ZoneID]) error { return setAreas(w, "zone", l) }

func setAreas[K store.AreaKey](w *Writer, name string, l AreaLayer[K]) error {
	sources := append(slices.Clip(l.Sources), "")
	if err := w.insert("outline", name, file.OrNull(sources[0]), l.Packed); err != nil {
		return err
	}
	for i, k := range l.Keys {
		own := ""
		if len(l.From) > 0 && l.From[i] > 0 {
			own = l.Sources[l.From[i]]
		}
		if err := w.insert("outline_key", name, i, k, file.OrNull(own)); err != nil {
			return err
		}
	}
	return nil
}

// LayerData is a layer with its areas.
type LayerData struct {
	Info  store.LayerInfo
	Areas []store.LayerArea // ascending by GEOID, each once; Parent is ignored
	// Packed has the outlines, area by area, as spatial.PolygonIndexBuilder packs
	// them; the writer keeps it. It is nil for a layer without outlines, and
	// for counties, because SetCountyAreas sets their outlines.
	Packed []byte
	// Shared are the overlaps of a layer that users add. Those of other layers are
	// given code by code.
	Shared []SharedPart
}

// A SharedPart is the common part of a code and an area of an added layer.
type SharedPart struct {
	Code         store.Code
	Area         int
	Intersection geo.SquareMeters
	People       int
}

// A layer is the part of a given layer that later rows refer to.
type layer struct {
	info  store.LayerInfo
	first int64 // number of the first area
	areas []store.LayerArea
}

// MaxGEOID is the maximum length of the code of an area.
const MaxGEOID = 20

// maxAreas is the maximum number of areas of a layer; the largest, the block groups, has
// 242,335. The numbers of the areas of a layer of the catalog begin at maxAreas times the
// number of the layer, so that they do not change when another layer grows. Layers of
// users follow, one after the other, as their own numbers are too large for that.
const maxAreas = 1 << 18

// SetLayer gives a layer, once. Without it the dataset does not have the
// layer.
func (w *Writer) SetLayer(l LayerData) error {
	id := l.Info.ID
	if len(l.Areas) > maxAreas {
		return file.Invalid("the layer %s has %d areas; expected at most %d", id, len(l.Areas), maxAreas)
	}
	kept := &layer{l.Info, int64(id) * maxAreas, slices.Clone(l.Areas)}
	if store.IsOwnLayer(id) {
		kept.first = w.nextArea
		w.nextArea += int64(len(l.Areas))
	}
	w.layers = append(w.layers, kept)
	if err := w.insert("layer", &store.LayerRow{ID: id, Name: id.String(), First: kept.first, Count: len(l.Areas)}, &l.Info); err != nil {
		return err
	}
	if l.Packed != nil {
		if err := w.insert("outline", id.String(), nil, l.Packed); err != nil {
			return err
		}
	}
	for _, s := range l.Shared {
		if err := w.overlap(s.Code, kept, store.Overlap{Area: s.Area, Intersection: s.Intersection, People: s.People}, true); err != nil {
			return err
		}
	}
	return w.writeAreas(kept)
}

// writeAreas writes the areas of a layer, and the states of its plan.
func (w *Writer) writeAreas(l *layer) error {
	for i := range l.areas {
		if err := w.insert("area", l.first+int64(i), l.info.ID, &l.areas[i]); err != nil {
			return err
		}
	}
	var states []store.PlanState
	add := func(role string, o store.PlanOverride) {
		states = append(states, store.PlanState{Layer: l.info.ID, Role: role, PlanOverride: o})
	}
	for _, s := range l.info.Plan.States {
		add("covers", store.PlanOverride{State: s})
	}
	for _, s := range l.info.Plan.Rough {
		add("rough", store.PlanOverride{State: s})
	}
	for _, o := range l.info.Plan.Overrides {
		add("keeps", o)
	}
	for i := range states {
		if err := w.insert("plan_state", &states[i]); err != nil {
			return err
		}
	}
	return nil
}

// layer returns a layer that was given, or nil.
func (w *Writer) layer(id store.LayerID) *layer {
	for _, l := range w.layers {
		if l.info.ID == id {
			return l
		}
	}
	return nil
}

// find returns the number of the area with the GEOID, negative for none.
func (l *layer) find(geoid string) int {
	i, ok := slices.BinarySearchFunc(l.areas, geoid, func(a store.LayerArea, g string) int { return strings.Compare(a.GEOID, g) })
	if !ok {
		return -1
	}
	return i
}

// SetSchoolDistricts sets the details of all areas of the layer of school
// districts, in the same order, after SetLayer.
func (w *Writer) SetSchoolDistricts(list []store.SchoolDistrict) error {
	l := w.layer(store.LayerSchoolDistrict)
	for i := range list {
		if err := w.insert("school_district", l.first+int64(i), &list[i]); err != nil {
			return err
		}
	}
	return w.usable()
}

// AddOverlaps adds the overlaps of a code's outline with the areas of layers of its
// country, or the areas that contain its point, in any order. It ignores the
// percentages. Add each code once, after the layers with SetLayer.
func (w *Writer) AddOverlaps(code store.Code, c store.CodeOverlaps) error {
	if err := w.insert("code_outline", code, float64(c.Outline)); err != nil {
		return err
	}
	for _, of := range c.Layers {
		l := w.layer(of.Layer)
		for _, o := range of.Overlaps {
			if err := w.overlap(code, l, o, l.info.People); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Writer) overlap(code store.Code, l *layer, o store.Overlap, people bool) error {
	const most = 1e15 // square meters; more than the Earth has
	if o.Area < 0 || o.Area >= len(l.areas) || !(math.Abs(float64(o.Intersection)) < most) {
		return file.Invalid("%s shares %v m² with the area %d of %d of the layer %s", code, float64(o.Intersection), o.Area, len(l.areas), l.info.ID)
	}
	var residents any
	if people {
		residents = o.People
	}
	return w.insert("overlap", code, l.first+int64(o.Area), int64(math.Round(float64(o.Intersection)*store.OverlapUnits)), residents)
}
