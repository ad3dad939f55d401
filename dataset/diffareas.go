package dataset

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"slices"
)

// An outline is one area of a layer. It belongs to what the code says.
type outline struct {
	code string
	area int
}

// diffAreas compares two layers by the codes of what their areas belong to.
// The outlines are the same where they have the same vertices in the same
// order.
func diffAreas[K AreaKey](ctx context.Context, c *comparison, kind Kind, areas func(*Dataset) *Areas[K], code func(*Dataset, K) string) bool {
	a, b := areas(c.a), areas(c.b)
	samePacked := a != nil && b != nil && bytes.Equal(a.packed, b.packed)
	get := func(o outline) string { return o.code }
	return merge(ctx, c, kind, outlines(c.a, a, code), outlines(c.b, b, code), get, get,
		func(x, y side[outline]) ([]string, error) {
			same := samePacked && x.row.area == y.row.area ||
				a.index.Polygons(x.row.area).Equal(b.index.Polygons(y.row.area))
			return addIf(nil, "Outline", !same), nil
		})
}

// outlines yields the areas of a layer in the order of their codes.
func outlines[K AreaKey](d *Dataset, a *Areas[K], code func(*Dataset, K) string) iter.Seq[outline] {
	list := make([]outline, a.Len())
	for i, k := range a.Keys() {
		list[i] = outline{code(d, k), i}
	}
	slices.SortStableFunc(list, func(x, y outline) int { return cmp.Compare(x.code, y.code) })
	return slices.Values(list)
}

// areas compares the layers, kind by kind.
func (c *comparison) areas(ctx context.Context) bool {
	return diffAreas(ctx, c, KindStateArea, (*Dataset).StateAreas, func(d *Dataset, id StateID) string { return stateCode(d.State(id)) }) &&
		diffAreas(ctx, c, KindCountyArea, (*Dataset).CountyAreas, func(d *Dataset, id CountyID) string { return d.County(id).FIPS }) &&
		diffAreas(ctx, c, KindZIPArea, (*Dataset).ZIPAreas, func(_ *Dataset, z ZIP) string { return z.String() }) &&
		diffAreas(ctx, c, KindFSAArea, (*Dataset).FSAAreas, func(_ *Dataset, f FSA) string { return f.String() }) &&
		diffAreas(ctx, c, KindZoneArea, (*Dataset).ZoneAreas, func(d *Dataset, id ZoneID) string { return d.Zone(id).Name })
}

// sameZones compares the shares of time zones by the names of the zones.
func sameZones(a *Dataset, x []ZoneShare, b *Dataset, y []ZoneShare) bool {
	type share struct {
		zone    string
		percent float32
	}
	named := func(d *Dataset, list []ZoneShare) []share {
		out := make([]share, len(list))
		for i, s := range list {
			out[i] = share{d.Zone(s.Zone).Name, s.Percent}
		}
		slices.SortFunc(out, func(p, q share) int {
			return cmp.Or(cmp.Compare(p.zone, q.zone), cmp.Compare(p.percent, q.percent))
		})
		return out
	}
	return slices.Equal(named(a, x), named(b, y))
}
