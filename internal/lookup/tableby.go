package lookup

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/fault"
)

// A TableRow has the values of a table of the user for one area.
type TableRow struct {
	ID   string `json:"id"`            // code or GEOID
	Name string `json:"name,omitzero"` // official name
	OwnTable
}

// Table yields the values of a table for the areas of a geography, ascending by ID. It
// yields the areas with the IDs, or without any all that have values. A geography is "zip", "fsa",
// "state", "csa" or the name of a layer.
//
// Weighted by people, each block group of the census of 2020 counts where its center
// of population lies, and each block at its point. Only blocks have housing units;
// an area with other people is left out. Weighted by area, one side is a kind of code and the other a
// layer of its country. An error ends the sequence. It matches [fault.ErrUnavailable]
// if the dataset lacks the table, the layer or the people.
func (r *Reader) Table(ctx context.Context, name, geography string, ids ...string) iter.Seq2[TableRow, error] {
	return func(yield func(TableRow, error) bool) {
		if err := r.table(ctx, name, geography, ids, yield); err != nil && !errors.Is(err, errEnough) {
			yield(TableRow{}, err)
		}
	}
}

func (r *Reader) table(ctx context.Context, name, by string, ids []string, yield func(TableRow, error) bool) error {
	years, err := r.years(ctx, name)
	if err != nil {
		return err
	}
	info := years[0].Info()
	target, err := r.geography(ctx, "By", by)
	if err != nil {
		return err
	}
	give := func(id string, place *tablePlace) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, ok := OwnTable{}, false
		if place != nil {
			t, ok = place.values(r, years)
		}
		if !ok {
			if len(ids) == 0 {
				return nil
			}
			return &fault.Error{Op: "table", Kind: fault.NotFound, Thing: fault.Area, Param: "id", Input: id, Detail: fmt.Sprintf("no value of the table %s for %s %s", name, target.name, id)}
		}
		if !yield(TableRow{ID: id, Name: r.nameOf(ctx, &target, id), OwnTable: t}, nil) {
			return errEnough
		}
		return nil
	}
	if target.name == info.Key {
		return r.exactRows(years, ids, give)
	}
	key, err := r.keyOf(ctx, info)
	if err != nil {
		return err
	}
	if key.weight == WeightArea {
		return r.tableByArea(ctx, info, &target, ids, give)
	}
	k, p, err := r.placements(ctx, key, &target)
	if err != nil {
		return err
	}
	list := ids
	switch {
	case len(list) > 0:
	case target.kind == ofZIPs:
		list = r.codesOf(&target)
	default:
		list = slices.Sorted(slices.Values(p.ids))
	}
	for _, id := range list {
		place, err := k.within(p, id)
		if err != nil && (len(ids) > 0 || onlyLacks(err) != nil) {
			return err
		}
		if c, bad := ParseCode(id); err == nil && place == nil && bad == nil && c.typ == ZIP && target.kind == ofZIPs {
			var h hit
			r.find(c, &h)
			if place, err = r.codePlace(ctx, info, c, h.row.Location); err != nil {
				return err
			}
		}
		if err := give(id, place); err != nil {
			return err
		}
	}
	return nil
}

// exactRows gives the rows of the table's own geography.
func (r *Reader) exactRows(years []*dataset.OwnTable, ids []string, give func(string, *tablePlace) error) error {
	weight := weightOf(years[0].Info())
	if len(ids) == 0 {
		for _, t := range years {
			for i := range t.Len() {
				ids = append(ids, t.Key(i))
			}
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	for _, id := range ids {
		if err := give(id, single(id, exactRow, weight)); err != nil {
			return err
		}
	}
	return nil
}

// tableByArea gives the values by shares of area.
func (r *Reader) tableByArea(ctx context.Context, info *dataset.OwnTableInfo, target *geography, ids []string, give func(string, *tablePlace) error) error {
	if target.isCode() {
		if len(ids) == 0 {
			ids = r.codesOf(target)
		}
		for _, id := range ids {
			c, err := ParseCode(id)
			if err != nil {
				return err
			}
			var h hit
			r.find(c, &h)
			place, err := r.codePlace(ctx, info, c, h.row.Location)
			if err != nil {
				return err
			}
			if err := give(id, place); err != nil {
				return err
			}
		}
		return nil
	}
	if target.kind != ofLayer || info.Key != "zip" && info.Key != "fsa" {
		return &fault.Error{
			Op: "table", Kind: fault.InvalidParam, Param: "By", Input: target.name,
			Range: "a code, since areas of " + info.Key + " are compared by area with codes only; give the table weight=people",
		}
	}
	if len(ids) == 0 {
		choice := presentPlans()
		for _, l := range target.plans {
			for i := range l.Len() {
				if r.inForce(target.layer, choice, l, l.StateOf(i)) {
					ids = append(ids, l.GEOID(i))
				}
			}
		}
		slices.Sort(ids)
	}
	for _, id := range ids {
		l, i, err := r.areaOn(ctx, target.layer, id, PlanOptions{})
		if err != nil {
			return err
		}
		place, err := r.layerPlace(ctx, info.Key, l, i)
		if err != nil {
			return err
		}
		if err := give(id, place); err != nil {
			return err
		}
	}
	return nil
}

// layerPlace returns an area of a layer by the shares of codes.
func (r *Reader) layerPlace(ctx context.Context, key string, l *dataset.Layer, i int) (*tablePlace, error) {
	place := &tablePlace{weight: WeightArea, basis: string(LargestArea), rows: findRow}
	add := func(code string, o dataset.Overlap, atPoint bool) {
		part := tablePart{id: code, share: min(o.PercentOfCode, 100) / 100, weight: float64(o.Intersection.SquareMiles())}
		if !atPoint {
			place.parts = append(place.parts, part)
			if o.PercentOfArea > 0 {
				place.whole = max(place.whole, 100*part.weight/o.PercentOfArea)
			}
		}
	}
	if key == "fsa" {
		list, err := r.data.FSAsIn(ctx, l.ID(), i)
		for _, o := range list {
			add(o.Code.String(), o.Overlap, o.AtPoint)
		}
		return place, err
	}
	list, err := r.data.ZIPsIn(ctx, l.ID(), i)
	for _, o := range list {
		add(o.Code.String(), o.Overlap, o.AtPoint)
	}
	return place, err
}

// codesOf lists the codes of a kind.
func (r *Reader) codesOf(g *geography) (ids []string) {
	if g.kind == ofFSAs {
		for f := range r.data.FSAs() {
			ids = append(ids, f.FSA.String())
		}
		return ids
	}
	for z := range r.data.ZIPs() {
		ids = append(ids, z.ZIP.String())
	}
	return ids
}

// nameOf returns the name of an area of a layer or state.
func (r *Reader) nameOf(ctx context.Context, g *geography, id string) string {
	switch g.kind {
	case ofLayer:
		if l, i, err := r.areaOn(ctx, g.layer, id, PlanOptions{}); err == nil {
			return l.Area(i).Name
		}
	case ofStates:
		for i := range r.data.States() {
			if s := r.data.State(dataset.StateID(i + 1)); s.FIPS == id {
				return s.Name
			}
		}
	default:
	}
	return ""
}
