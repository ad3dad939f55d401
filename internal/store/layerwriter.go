package store

import (
	"cmp"
	"database/sql/driver"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A layerWriter is a layer that waits for Finish.
type layerWriter struct {
	LayerData
	first int64 // number of the first area
}

// LayerData is the input of a [Writer] for one layer.
type LayerData struct {
	Info  LayerInfo
	Areas []LayerArea // ascending by GEOID, each once; Parent is ignored
	// Packed has the outlines, area by area, as spatial.PolygonIndexBuilder packs
	// them; the writer keeps it. It is nil for a layer without outlines, and
	// for counties, because SetCountyAreas sets their outlines.
	Packed []byte
	// Shared are the overlaps of a layer that users add. Those of other layers are
	// given code by code.
	Shared []SharedPart
}

// MaxGEOID is the most letters of the code of an area.
const MaxGEOID = 20

// maxAreas is the number of areas of a layer. The areas of a layer of the catalog begin at
// that times its number.
const maxAreas = 1 << 18

// SetZIPAreas sets the areas of ZIP Codes, once.
func (w *Writer) SetZIPAreas(l AreaLayer[postcode.ZIP]) error {
	return setAreas(w, "zip", l, func(_ *Writer, z int) (string, bool) { return postcode.ZIP(z).String(), true })
}

// SetFSAAreas sets the areas of forward sortation areas, once.
func (w *Writer) SetFSAAreas(l AreaLayer[postcode.FSA]) error {
	return setAreas(w, "fsa", l, func(_ *Writer, f int) (string, bool) { return postcode.FSA(f).String(), true })
}

// SetStateAreas sets the areas of states and provinces, once.
func (w *Writer) SetStateAreas(l AreaLayer[StateID]) error {
	return setAreas(w, "state", l, func(w *Writer, id int) (string, bool) { return w.key("state", id) })
}

// SetCountyAreas sets the areas of counties, once.
func (w *Writer) SetCountyAreas(l AreaLayer[CountyID]) error {
	return setAreas(w, "county", l, func(w *Writer, id int) (string, bool) { return w.key("county", id) })
}

// SetZoneAreas sets the areas of time zones, once.
func (w *Writer) SetZoneAreas(l AreaLayer[ZoneID]) error {
	return setAreas(w, "zone", l, func(_ *Writer, z int) (string, bool) { return strconv.Itoa(z), z > 0 })
}

func setAreas[K AreaKey](w *Writer, name string, l AreaLayer[K], key func(*Writer, int) (string, bool)) error {
	err := checkOutlines(l.Packed, len(l.Keys))
	if err == nil && (l.From != nil && len(l.From) != len(l.Keys) || slices.ContainsFunc(l.From, func(n uint8) bool { return int(n) >= len(l.Sources) })) {
		err = errors.New("its sources are not those of its areas")
	}
	if err != nil {
		return file.InvalidRow("areas of "+name, err)
	}
	source := ""
	if len(l.Sources) > 0 {
		source = l.Sources[0]
	}
	w.later = append(w.later, func() error { // when all states and counties are known
		for i, k := range l.Keys {
			text, ok := key(w, int(k))
			if !ok || i > 0 && k <= l.Keys[i-1] {
				return file.Invalid("areas of %s: the key %d; expected ascending order, each key once", name, k)
			}
			own := ""
			if len(l.From) > 0 && l.From[i] > 0 {
				own = l.Sources[l.From[i]]
			}
			if err := w.out.Insert("outline_key", name, int64(i), text, file.TextOrNull(own)); err != nil {
				return err
			}
		}
		return nil
	})
	return w.out.Insert("outline", name, file.TextOrNull(source), l.Packed)
}

func checkOutlines(packed []byte, areas int) error {
	x, err := decodeOutlines(packed, areas)
	if err == nil {
		err = x.Verify()
	}
	return err
}

// SetLayer gives a layer, once. Without it the dataset does not have the
// layer.
func (w *Writer) SetLayer(l LayerData) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	id := l.Info.ID
	switch {
	case !id.valid():
		return file.Invalid("layer number %d; expected 1 to %d, a plan of districts or an own layer", uint64(id), endOfLayers-1)
	case w.layer(id) != nil || w.base != nil && w.base.Layer(id) != nil:
		return file.Invalid("the layer %s was given twice", id)
	case len(l.Areas) == 0 || len(l.Areas) > maxAreas:
		return file.Invalid("the layer %s has %d areas; expected 1 to %d", id, len(l.Areas), maxAreas)
	case id == LayerCounty && l.Packed != nil:
		return file.Invalid("the layer %s has separate outlines; give those of counties with SetCountyAreas", id)
	case id != BaseLayer(id) && (l.Info.Plan.ID == "" || l.Info.Plan.Name == ""):
		return file.Invalid("a further plan has the ID %q and the name %q", l.Info.Plan.ID, l.Info.Plan.Name)
	}
	kept := &layerWriter{l, int64(id) * maxAreas}
	if IsOwnLayer(id) {
		kept.first = w.nextArea
		w.nextArea += int64(len(l.Areas))
	}
	kept.Areas = slices.Clone(l.Areas)
	w.layers = append(w.layers, kept)
	if l.Packed != nil {
		if err := checkOutlines(l.Packed, len(l.Areas)); err != nil {
			return file.InvalidRow("layer "+id.String(), err)
		}
		if err := w.out.Insert("outline", id.String(), nil, l.Packed); err != nil {
			return err
		}
	}
	for _, s := range l.Shared {
		if err := w.overlap(s.Code, kept, Overlap{Area: s.Area, Intersection: s.Intersection, People: s.People}, true); err != nil {
			return err
		}
	}
	kept.Packed, kept.Shared = nil, nil
	return w.out.Usable()
}

// layer returns a layer that was given, or nil.
func (w *Writer) layer(id LayerID) *layerWriter {
	for _, l := range w.layers {
		if l.Info.ID == id {
			return l
		}
	}
	return nil
}

// find returns the number of the area with the GEOID, negative for none.
func (l *layerWriter) find(geoid string) int {
	i, ok := slices.BinarySearchFunc(l.Areas, geoid, func(a LayerArea, g string) int { return strings.Compare(a.GEOID, g) })
	if !ok {
		return -1
	}
	return i
}

// AddOverlaps adds the overlaps of a code's outline with the areas of layers of its
// country, or the areas that contain its point, in any order. It ignores the
// percentages. Add each code once, after the layers with SetLayer.
func (w *Writer) AddOverlaps(code Code, c CodeOverlaps) error {
	if err := w.out.Insert("code_outline", code.String(), float64(c.Outline)); err != nil {
		return err
	}
	for _, of := range c.Layers {
		l := w.layer(of.Layer)
		if l == nil || of.Layer.Country() != code.Country() {
			return file.Invalid("overlaps of %s with the layer %q; expected one of %s that SetLayer was given", code, of.Layer, code.Country())
		}
		for _, o := range of.Overlaps {
			if err := w.overlap(code, l, o, l.Info.People); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Writer) overlap(code Code, l *layerWriter, o Overlap, people bool) error {
	const most = 1e15 // square meters; more than the Earth has
	if o.Area < 0 || o.Area >= len(l.Areas) || !(math.Abs(float64(o.Intersection)) < most) {
		return file.Invalid("%s shares %v m² with the area %d of %d of the layer %s", code, float64(o.Intersection), o.Area, len(l.Areas), l.Info.ID)
	}
	v := [...]driver.Value{code.String(), l.first + int64(o.Area), int64(math.Round(float64(o.Intersection) * overlapUnits)), nil}
	if people {
		v[3] = int64(o.People)
	}
	return w.out.Insert("overlap", v[:]...)
}

// writeLayers writes the layers with their areas.
func (w *Writer) writeLayers() error {
	for _, insert := range w.later {
		if err := insert(); err != nil {
			return err
		}
	}
	for _, l := range w.layers {
		v := file.Values(nil, &layerRow{l.Info.ID, l.Info.ID.String(), l.first, len(l.Areas)})
		err := w.out.Insert("layer", file.Values(v, &l.Info)...)
		if err == nil {
			err = w.writePlan(l)
		}
		for i := 0; i < len(l.Areas) && err == nil; i++ {
			err = w.writeArea(l, i)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) writeArea(l *layerWriter, i int) error {
	a := &l.Areas[i]
	v := file.Values([]driver.Value{l.first + int64(i), int64(l.Info.ID)}, a)
	if a.Land == UnknownArea {
		v[7] = nil
	}
	if a.Water == UnknownArea {
		v[8] = nil
	}
	return w.insert("area", v, reference{6, "state"})
}

func (w *Writer) writePlan(l *layerWriter) error {
	var err error
	add := func(role string, o PlanOverride) {
		v := []driver.Value{int64(l.Info.ID), role, int64(o.State), file.TextOrNull(o.Plan), file.TextOrNull(o.Evidence)}
		err = cmp.Or(err, w.insert("plan_state", v, reference{2, "state"}))
	}
	for _, s := range l.Info.Plan.States {
		add("covers", PlanOverride{State: s})
	}
	for _, s := range l.Info.Plan.Rough {
		add("rough", PlanOverride{State: s})
	}
	for _, o := range l.Info.Plan.Overrides {
		add("keeps", o)
	}
	return err
}
