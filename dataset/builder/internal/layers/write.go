package layers

import (
	"cmp"
	"context"
	"fmt"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// WriteOutlines writes the outlines, and the shares of time zones. Outlines of time zones
// are those that a code of the dataset touches.
func (b *Build) WriteOutlines(_ context.Context) error {
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
	zips, fsas, states, counties := b.ZIPOutlines.Areas.Keys(), b.FSAOutlines.Keys(), b.StateOutlines.Areas.Keys(), b.CountyOutlines.Keys()
	return cmp.Or(
		writeOutlines(b, "ZIP Codes", b.ZIPOutlines.Areas, zips, zips, b.Output.SetZIPAreas),
		writeOutlines(b, "FSAs", b.FSAOutlines, fsas, fsas, b.Output.SetFSAAreas),
		writeOutlines(b, "states and provinces", b.StateOutlines.Areas, states, states, b.Output.SetStateAreas),
		writeOutlines(b, "counties", b.CountyOutlines, counties, counties, b.Output.SetCountyAreas),
		writeOutlines(b, "time zones", b.ZoneOutlines, names, ids, b.Output.SetZoneAreas),
		addShares(zips, b.ZoneShares.ZIPs, &b.Zones, b.Output.AddZIPZones),
		addShares(fsas, b.ZoneShares.FSAs, &b.Zones, b.Output.AddFSAZones),
	)
}

// writeOutlines writes the areas of the names, which ascend, in the form of the file.
func writeOutlines[N cmp.Ordered, K store.AreaKey](b *Build, kind string, s *shape.OutlineSet[N], names []N, keys []K, set func(store.AreaLayer[K]) error) error {
	b.Table("outlines of "+kind, len(keys))
	if len(keys) == 0 {
		return nil
	}
	layer := store.AreaLayer[K]{Sources: s.Files, Keys: keys}
	var p spatial.PolygonIndexBuilder
	for _, n := range names {
		if len(s.Files) > 1 {
			layer.From = append(layer.From, s.File[n])
		}
		if err := p.Add(s.Polygons[n]); err != nil {
			return fmt.Errorf("outline of %s %s: %w", s.Kind, s.Label(n), err)
		}
	}
	var err error
	if layer.Packed, err = p.AppendBinary(nil); err != nil {
		return err
	}
	return set(layer)
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
