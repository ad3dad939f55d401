package layers

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// Packed are the outlines in the form of the file.
type Packed struct {
	ZIPs     store.AreaLayer[dataset.ZIP]
	FSAs     store.AreaLayer[dataset.FSA]
	States   store.AreaLayer[store.StateID]
	Counties store.AreaLayer[store.CountyID]
	Zones    store.AreaLayer[store.ZoneID]
}

// pack writes the areas of the names, which ascend, in the form of the file.
func pack[N cmp.Ordered, K store.AreaKey](into *store.AreaLayer[K], s *shape.OutlineSet[N], names []N, keys []K) (err error) {
	into.Sources, into.Keys = s.Files, keys
	var p spatial.PolygonIndexBuilder
	for _, n := range names {
		if len(s.Files) > 1 {
			into.From = append(into.From, s.File[n])
		}
		if err := p.Add(s.Polygons[n]); err != nil {
			return fmt.Errorf("outline of %s %s: %w", s.Kind, s.Label(n), err)
		}
	}
	into.Packed, err = p.AppendBinary(nil)
	return err
}

// packing packs the outlines for the file; those of time zones are the ones that a
// code of the dataset touches.
type packing struct {
	*plan.Env
	*draft.Draft
	*Tables
}

// Pack packs the outlines.
func (t *Tables) Pack(_ context.Context, e *plan.Env, d *draft.Draft) error {
	b := &packing{Env: e, Draft: d, Tables: t}
	if !b.Includes(catalog.Boundaries) {
		return nil
	}
	var names []string
	var ids []store.ZoneID
	for i, z := range b.Zones.List { // ascending by name
		if b.ZoneOutlines.Polygons[z.Name] != nil && z.Source == b.Zones.OutlineSource {
			names, ids = append(names, z.Name), append(ids, store.ZoneID(i+1))
		}
	}
	p := b.Packed
	return errors.Join(
		packAll(&p.ZIPs, b.ZIPOutlines.Areas), packAll(&p.FSAs, b.FSAOutlines), packAll(&p.States, b.StateOutlines.Areas),
		packAll(&p.Counties, b.CountyOutlines), pack(&p.Zones, b.ZoneOutlines, names, ids),
	)
}

func packAll[K store.AreaKey](into *store.AreaLayer[K], s *shape.OutlineSet[K]) error {
	return pack(into, s, s.Keys(), s.Keys())
}

// outlinesWriter writes the outlines and the shares of time zones.
type outlinesWriter struct {
	*plan.Env
	*draft.Draft
	*Tables
}

// WriteOutlines writes the outlines.
func (t *Tables) WriteOutlines(_ context.Context, e *plan.Env, d *draft.Draft) error {
	b := &outlinesWriter{Env: e, Draft: d, Tables: t}
	if !b.Includes(catalog.Boundaries) {
		return nil
	}
	p := b.Packed
	err := errors.Join(
		setLayer(p.ZIPs, b.Output.SetZIPAreas), setLayer(p.FSAs, b.Output.SetFSAAreas), setLayer(p.States, b.Output.SetStateAreas),
		setLayer(p.Counties, b.Output.SetCountyAreas), setLayer(p.Zones, b.Output.SetZoneAreas),
	)
	if err != nil {
		return err
	}
	b.Table("outlines of ZIP Codes", len(p.ZIPs.Keys))
	b.Table("outlines of FSAs", len(p.FSAs.Keys))
	b.Table("outlines of states and provinces", len(p.States.Keys))
	b.Table("outlines of counties", len(p.Counties.Keys))
	b.Table("outlines of time zones", len(p.Zones.Keys))
	return errors.Join(
		addShares(b.ZIPOutlines.Areas.Keys(), b.ZoneShares.ZIPs, &b.Zones, b.Output.AddZIPZones),
		addShares(b.FSAOutlines.Keys(), b.ZoneShares.FSAs, &b.Zones, b.Output.AddFSAZones),
	)
}

func addShares[K any](keys []K, shares []draft.ZoneParts, zones *draft.Zones, add func(K, []store.ZoneShare) error) error {
	for i, k := range keys {
		var rows []store.ZoneShare
		for _, p := range shares[i] {
			rows = append(rows, store.ZoneShare{Zone: zones.Of(p), Percent: float32(p.Tenths) / 10})
		}
		if len(rows) == 0 {
			continue
		}
		if err := add(k, rows); err != nil {
			return err
		}
	}
	return nil
}

// setLayer writes a layer unless nothing has an outline.
func setLayer[K store.AreaKey](l store.AreaLayer[K], set func(store.AreaLayer[K]) error) error {
	if len(l.Keys) == 0 {
		return nil
	}
	return set(l)
}
