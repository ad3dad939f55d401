package dataset

import (
	"bytes"
	"context"
	"iter"
	"slices"
)

// KindLayer returns the kind of the areas of a layer. These kinds follow the
// others.
func KindLayer(id LayerID) Kind { return KindZoneArea + Kind(id) }

// layers compares the layers, one after the other.
func (c *comparison) layers(ctx context.Context) bool {
	for _, id := range LayerIDs() {
		a, b := c.a.Layer(id), c.b.Layer(id)
		if a == nil && b == nil {
			continue
		}
		if a != nil && b != nil && a.info != b.info && !c.yield(Change{Kind: KindLayer(id), Op: Changed, Fields: []string{"Info"}}, nil) {
			return false
		}
		code := func(r layerRow) string { return r.area.GEOID }
		if !merge(ctx, c, KindLayer(id), a.all(), b.all(), code, code, func(x, y side[layerRow]) ([]string, error) {
			return changedArea(ctx, a, b, x.row, y.row)
		}) {
			return false
		}
	}
	return true
}

// A layerRow is an area with its number in the layer.
type layerRow struct {
	i    int
	area LayerArea
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

func changedArea(ctx context.Context, a, b *Layer, x, y layerRow) ([]string, error) {
	list := changedFields(&x.area, &y.area)
	list = addIf(list, "State", !sameState(a.d, x.area.State, b.d, y.area.State))
	p, err := a.Polygons(ctx, x.i)
	if err != nil {
		return nil, err
	}
	q, err := b.Polygons(ctx, y.i)
	if err != nil {
		return nil, err
	}
	list = addIf(list, "Outline", !slices.Contains(list, "Outline") && !p.Equal(q))
	if a.info.ID != LayerSchoolDistrict {
		return list, nil
	}
	s, err := a.d.SchoolDistrict(ctx, x.i)
	if err != nil {
		return nil, err
	}
	t, err := b.d.SchoolDistrict(ctx, y.i)
	if err != nil {
		return nil, err
	}
	return append(list, changedFields(&s, &t)...), nil
}

// sameOverlaps compares what a code shares with the areas of the layers, which
// are told by their codes.
func sameOverlaps(ctx context.Context, in Country, a, b *Dataset, table int, set func(*Dataset) *codeSet, code uint32) (bool, error) {
	_, inA := set(a).row(code)
	_, inB := set(b).row(code)
	if !inA || !inB {
		return inA == inB, nil
	}
	if sameCodes(a, b) {
		p, err := a.cold.row(ctx, table, int64(code))
		if err != nil {
			return false, err
		}
		q, err := b.cold.row(ctx, table, int64(code))
		if err != nil || bytes.Equal(p, q) {
			return err == nil, err
		}
	}
	x, err := a.overlaps(ctx, in, set(a), table, code)
	if err != nil {
		return false, err
	}
	y, err := b.overlaps(ctx, in, set(b), table, code)
	if err != nil {
		return false, err
	}
	return x.Outline == y.Outline && slices.EqualFunc(x.Layers, y.Layers, func(p, q LayerOverlaps) bool {
		return p.Layer == q.Layer && slices.EqualFunc(p.Overlaps, q.Overlaps, func(o, r Overlap) bool {
			return o.Intersection == r.Intersection && a.Layer(p.Layer).GEOID(o.Area) == b.Layer(p.Layer).GEOID(r.Area)
		})
	}), nil
}

// sameCodes reports whether the layers number the same areas.
func sameCodes(a, b *Dataset) bool {
	for _, id := range LayerIDs() {
		x, y := a.Layer(id), b.Layer(id)
		if x.Len() != y.Len() || x != nil && (x.width != y.width || !bytes.Equal(x.geoids, y.geoids)) {
			return false
		}
	}
	return true
}

// samePostalAreas returns a function that compares the areas that a full postal
// code was assigned to. Codes come in ascending order: where the pages of an
// FSA are the same, no code of it is read.
func (c *comparison) samePostalAreas(ctx context.Context) func(PostalCode) (bool, error) {
	codes := sameCodes(c.a, c.b)
	last, samePage := int64(-1), false
	return func(p PostalCode) (bool, error) {
		if fsa := int64(p.FSA()); fsa != last {
			last = fsa
			_, inA := c.a.postalAreas.row(uint32(fsa))
			_, inB := c.b.postalAreas.row(uint32(fsa))
			samePage = !inA && !inB
			if codes && inA && inB {
				x, err := c.a.cold.row(ctx, postalAreaRows, fsa)
				if err != nil {
					return false, err
				}
				y, err := c.b.cold.row(ctx, postalAreaRows, fsa)
				if err != nil {
					return false, err
				}
				samePage = bytes.Equal(x, y)
			}
		}
		if samePage {
			return true, nil
		}
		x, err := c.a.PostalAreas(ctx, p)
		if err != nil {
			return false, err
		}
		y, err := c.b.PostalAreas(ctx, p)
		return slices.EqualFunc(x, y, func(v, w PostalArea) bool { return v.Layer == w.Layer && v.GEOID == w.GEOID }), err
	}
}
