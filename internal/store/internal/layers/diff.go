package layers

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"reflect"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// The kinds of outlines. Those of layers are [KindLayer].
const (
	KindStateArea  file.Kind = "state area"
	KindCountyArea file.Kind = "county area"
	KindZIPArea    file.Kind = "ZIP area"
	KindFSAArea    file.Kind = "FSA area"
	KindZoneArea   file.Kind = "time zone area"
)

// KindLayer returns the kind of the areas of a layer.
func KindLayer(id ID) file.Kind { return file.Kind("layer " + id.String()) }

// Kinds returns the kinds in the order of a comparison of two files.
func Kinds(a, b *Reader) []file.Kind {
	list := []file.Kind{KindStateArea, KindCountyArea, KindZIPArea, KindFSAArea, KindZoneArea}
	for _, id := range (&Diff{a: a, b: b}).ids() {
		list = append(list, KindLayer(id))
	}
	return list
}

// Diff compares the areas of two files.
type Diff struct {
	a, b *Reader
	c    *file.Comparison
	same bool // the layers number the same areas
}

// NewDiff compares the areas of two files whose sections are loaded.
func NewDiff(c *file.Comparison, a, b *Reader) *Diff {
	d := &Diff{a: a, b: b, c: c, same: true}
	for _, id := range d.ids() {
		x, y := a.Layer(id), b.Layer(id)
		if x.Len() != y.Len() || x != nil && (x.width != y.width || !bytes.Equal(x.geoids, y.geoids)) {
			d.same = false
		}
	}
	return d
}

// Run reports the changes; false ends the comparison.
func (d *Diff) Run(ctx context.Context) bool {
	return diffAreas(ctx, d, KindStateArea, (*Reader).StateAreas, func(r *Reader, id codes.StateID) string { return codes.StateCode(r.codes.State(id)) }) &&
		diffAreas(ctx, d, KindCountyArea, (*Reader).CountyAreas, func(r *Reader, id codes.CountyID) string { return r.codes.County(id).FIPS }) &&
		diffAreas(ctx, d, KindZIPArea, (*Reader).ZIPAreas, func(_ *Reader, z dataset.ZIP) string { return z.String() }) &&
		diffAreas(ctx, d, KindFSAArea, (*Reader).FSAAreas, func(_ *Reader, f dataset.FSA) string { return f.String() }) &&
		diffAreas(ctx, d, KindZoneArea, (*Reader).ZoneAreas, func(r *Reader, id codes.ZoneID) string { return r.codes.Zone(id).Name }) &&
		d.layers(ctx)
}

// An outline is one area with the code of its owner.
type outline struct {
	code string
	area int
}

// diffAreas compares two sets of areas by the codes of their owners. Outlines
// are the same if they have the same vertices in the same order.
func diffAreas[K AreaKey](ctx context.Context, d *Diff, kind file.Kind, areas func(*Reader) *Areas[K], code func(*Reader, K) string) bool {
	a, b := areas(d.a), areas(d.b)
	samePacked := a != nil && b != nil && bytes.Equal(a.packed, b.packed)
	get := func(o outline) string { return o.code }
	return file.Merge(ctx, d.c, kind, outlines(d.a, a, code), outlines(d.b, b, code), get, get,
		func(x, y outline) ([]string, error) {
			same := samePacked && x.area == y.area || a.index.Polygons(x.area).Equal(b.index.Polygons(y.area))
			return file.AddIf(nil, "Outline", !same), nil
		})
}

// outlines yields the areas in the order of their codes.
func outlines[K AreaKey](r *Reader, a *Areas[K], code func(*Reader, K) string) iter.Seq[outline] {
	list := make([]outline, a.Len())
	for i, k := range a.Keys() {
		list[i] = outline{code(r, k), i}
	}
	slices.SortStableFunc(list, func(x, y outline) int { return cmp.Compare(x.code, y.code) })
	return slices.Values(list)
}

// ids returns every layer that a dataset can have and those of the users of both.
func (d *Diff) ids() []ID {
	list := PlanIDs()
	for _, l := range slices.Concat(d.a.own, d.b.own) {
		list = append(list, l.info.ID)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// layers compares the layers, one after the other.
func (d *Diff) layers(ctx context.Context) bool {
	for _, id := range d.ids() {
		a, b := d.a.Layer(id), d.b.Layer(id)
		if a == nil && b == nil {
			continue
		}
		if a != nil && b != nil && !reflect.DeepEqual(a.info, b.info) && !d.c.Changed(KindLayer(id), "", "Info") {
			return false
		}
		code := func(r layerRow) string { return r.area.GEOID }
		if !file.Merge(ctx, d.c, KindLayer(id), a.all(), b.all(), code, code, func(x, y layerRow) ([]string, error) {
			return d.changedArea(ctx, a, b, x, y)
		}) {
			return false
		}
	}
	return true
}

// A layerRow is an area with its number in the layer.
type layerRow struct {
	i    int
	area Area
}

func (l *Layer) all() iter.Seq[layerRow] {
	return func(yield func(layerRow) bool) {
		for i := range l.Len() {
			if !yield(layerRow{i, l.Area(i)}) {
				return
			}
		}
	}
}

func (d *Diff) changedArea(ctx context.Context, a, b *Layer, x, y layerRow) ([]string, error) {
	list := file.ChangedFields(&x.area, &y.area)
	list = file.AddIf(list, "State", codes.StateCode(d.a.codes.State(x.area.State)) != codes.StateCode(d.b.codes.State(y.area.State)))
	p, err := a.Polygons(ctx, x.i)
	if err != nil {
		return nil, err
	}
	q, err := b.Polygons(ctx, y.i)
	if err != nil {
		return nil, err
	}
	list = file.AddIf(list, "Outline", !slices.Contains(list, "Outline") && !p.Equal(q))
	if a.info.ID != LayerSchoolDistrict {
		return list, nil
	}
	s, err := d.a.SchoolDistrict(ctx, x.i)
	if err != nil {
		return nil, err
	}
	t, err := d.b.SchoolDistrict(ctx, y.i)
	if err != nil {
		return nil, err
	}
	return append(list, file.ChangedFields(&s, &t)...), nil
}

// ZipOverlaps reports whether a ZIP shares the same with the areas of layers.
func (d *Diff) ZipOverlaps(ctx context.Context, z dataset.ZIP) (bool, error) {
	return d.sameOverlaps(ctx, codes.US, zipOverlapRows, &d.a.zipOverlaps, &d.b.zipOverlaps, uint32(z))
}

// FsaOverlaps reports whether an FSA shares the same with the areas of layers.
func (d *Diff) FsaOverlaps(ctx context.Context, f dataset.FSA) (bool, error) {
	return d.sameOverlaps(ctx, codes.CA, fsaOverlapRows, &d.a.fsaOverlaps, &d.b.fsaOverlaps, uint32(f))
}

func (d *Diff) sameOverlaps(ctx context.Context, in codes.Country, table *file.RowKind, setA, setB *file.CodeSet, code uint32) (bool, error) {
	_, inA := setA.Row(code)
	_, inB := setB.Row(code)
	if !inA || !inB {
		return inA == inB, nil
	}
	if d.same {
		if same, err := file.SameRow(ctx, d.a.file, d.b.file, table, int64(code)); same || err != nil {
			return same, err
		}
	}
	x, err := d.a.overlaps(ctx, in, setA, table, code)
	if err != nil {
		return false, err
	}
	y, err := d.b.overlaps(ctx, in, setB, table, code)
	if err != nil {
		return false, err
	}
	return x.Outline == y.Outline && slices.EqualFunc(x.Layers, y.Layers, func(p, q LayerOverlaps) bool {
		return p.Layer == q.Layer && slices.EqualFunc(p.Overlaps, q.Overlaps, func(o, r Overlap) bool {
			return o.Intersection == r.Intersection && d.a.Layer(p.Layer).GEOID(o.Area) == d.b.Layer(p.Layer).GEOID(r.Area)
		})
	}), nil
}

// PostalDiff returns a function that compares the areas of a full postal code.
// Codes come in ascending order: no code of an FSA with equal pages is read.
func (d *Diff) PostalDiff(ctx context.Context) func(dataset.PostalCode) (bool, error) {
	last, samePage := int64(-1), false
	return func(p dataset.PostalCode) (bool, error) {
		if fsa := int64(p.FSA()); fsa != last {
			last = fsa
			_, inA := d.a.postalAreas.Row(uint32(fsa))
			_, inB := d.b.postalAreas.Row(uint32(fsa))
			samePage = !inA && !inB
			if d.same && inA && inB {
				var err error
				if samePage, err = file.SameRow(ctx, d.a.file, d.b.file, postalAreaRows, fsa); err != nil {
					return false, err
				}
			}
		}
		if samePage {
			return true, nil
		}
		x, err := d.a.PostalAreas(ctx, p)
		if err != nil {
			return false, err
		}
		y, err := d.b.PostalAreas(ctx, p)
		return slices.EqualFunc(x, y, func(v, w PostalArea) bool { return v.Layer == w.Layer && v.GEOID == w.GEOID }), err
	}
}
