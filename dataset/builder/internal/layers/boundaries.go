package layers

import (
	"context"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

func (b *Build) readStates(ctx context.Context) error {
	b.StateOutlines.Areas.From(b.Env, catalog.StateAreas)
	return plan.Read(ctx, b.Env, catalog.StateAreas, source.CensusColumns.Areas, func(r source.AreaRow) error {
		id := b.States.ByFIPS[r.ID]
		if id == 0 {
			return plan.Refused("outline of an unknown state", r.Record, r.ID+" "+r.Name)
		}
		r.ID = b.States.Abbr(id)
		b.StateOutlines.Areas.Add(id, r)
		return nil
	})
}

// readProvinces makes the outlines of provinces of those of their census
// divisions.
func (b *Build) readProvinces(ctx context.Context) error {
	b.StateOutlines.Areas.From(b.Env, catalog.CDAreas)
	provinces := map[store.StateID]bool{}
	err := plan.Read(ctx, b.Env, catalog.CDAreas, source.DivisionColumns.Areas, func(r source.AreaRow) error {
		id := b.States.Provinces[r.ID[:2]]
		if id == 0 {
			return plan.Refused("outline in an unknown province", r.Record, r.ID+" "+r.Name)
		}
		provinces[id] = true
		r.ID = b.States.Abbr(id)
		b.StateOutlines.Areas.Add(id, r)
		return nil
	})
	b.StateOutlines.Areas.Repair()
	for id := range provinces {
		b.StateOutlines.Areas.Polygons[id] = shape.Dissolve(b.StateOutlines.Areas.Polygons[id])
	}
	return err
}

// CheckOutlines reads the outlines of states and provinces and checks all outlines.
func (b *Build) CheckOutlines(ctx context.Context) error {
	if !b.Includes(catalog.Boundaries) {
		return nil
	}
	b.StateOutlines.Areas = shape.NewOutlineSet[store.StateID]("states")
	if err := b.readStates(ctx); err != nil {
		return err
	}
	if err := b.readProvinces(ctx); err != nil {
		return err
	}
	for fsa := range b.FSAOutlines.Polygons {
		if b.FSAs.At[fsa] == nil {
			b.Refuse(catalog.FSAAreas, "outline of a code that is not an FSA of the dataset", fsa.String())
			b.FSAOutlines.Remove(fsa)
		}
	}
	for _, report := range []func(*plan.Env) error{
		b.ZIPOutlines.Areas.Report, b.ZIPOutlines.Points.Report, b.FSAOutlines.Report, b.StateOutlines.Areas.Report,
		b.CountyOutlines.Report, b.ZoneOutlines.Report,
	} {
		if err := report(b.Env); err != nil {
			return err
		}
	}
	if err := b.compareLand(ctx); err != nil {
		return err
	}
	b.noteQuality()
	return b.measureCover(ctx)
}

// noteQuality records the sources of the outlines of codes, and their ratio to
// the stated areas.
func (b *Build) noteQuality() {
	for zip := range b.ZIPOutlines.Areas.Polygons {
		q := &b.ZIPs.At[zip].Quality
		q.OutlineSource, q.OutlineAreaRatio = b.ZIPOutlines.Areas.Source(zip), b.ZIPOutlines.Areas.Ratio[zip]
	}
	for fsa := range b.FSAOutlines.Polygons {
		q := &b.FSAs.At[fsa].Quality
		q.OutlineSource, q.OutlineAreaRatio = b.FSAOutlines.Source(fsa), b.FSAOutlines.Ratio[fsa]
		if q.OutlineAreaRatio > 1 {
			q.Notes = append(q.Notes, "The outline includes inland water; the stated area is land only.")
		}
	}
}
