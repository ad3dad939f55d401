package layers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// censusBlocks reads the blocks with residents. Several files may describe a block.
type censusBlocks struct {
	*plan.Env
	*draft.Draft
	*Tables

	list   []store.CensusBlock // people of -1 are unknown so far
	at     map[uint64]int
	file   int // which is read
	groups map[uint64]supply
}

// A supply is the file that first had a block group, and whether it has parts of the
// group in place of blocks.
type supply struct {
	file  int
	parts bool
}

// AddBlocks keeps the census blocks of the user.
func (t *Tables) AddBlocks(ctx context.Context, e *plan.Env, d *draft.Draft) error {
	b := &censusBlocks{Env: e, Draft: d, Tables: t}
	b.at, b.groups = map[uint64]int{}, map[uint64]supply{}
	for i, id := range b.Files(catalog.Blocks) {
		b.file = i
		if err := plan.ReadPath(ctx, b.Env, id, source.Blocks, b.take); err != nil {
			return err
		}
	}
	if len(b.list) == 0 {
		return nil
	}
	centers := map[uint64]geo.LatLng{}
	for _, c := range b.Places.Centers() {
		centers[c.BlockGroup] = c.At
	}
	atCenter, unplaced := 0, 0
	b.list = slices.DeleteFunc(b.list, func(k store.CensusBlock) bool { return k.People < 0 })
	for i := range b.list {
		k := &b.list[i]
		if k.At.IsValid() {
			continue
		}
		if k.At = centers[k.GEOID/store.BlocksOfGroup]; k.At.IsValid() {
			atCenter++
		} else {
			unplaced++
		}
	}
	if atCenter > 0 {
		b.Applied("census blocks without a point, at the center of their block group", strconv.Itoa(atCenter))
	}
	if unplaced > 0 {
		return fmt.Errorf("%d census blocks have no point, and the dataset has no center of their block group", unplaced)
	}
	slices.SortStableFunc(b.list, func(x, y store.CensusBlock) int { return cmp.Compare(x.GEOID, y.GEOID) })
	if len(b.list) == 0 {
		return nil // outlines of a plan
	}
	b.Table("census blocks", len(b.list))
	return b.Output.SetCensusBlocks(b.list)
}

// take adds a block, or the data that a further file has about it.
func (b *censusBlocks) take(k source.Block) error {
	geoid, err := strconv.ParseUint(k.GEOID, 10, 64)
	if err != nil {
		return plan.Refused("block without a GEOID", k.Line, k.GEOID)
	}
	if !k.At.IsValid() && len(k.Polygon) > 0 {
		k.At = shape.PointWithin(k.Polygon)
	}
	whole := len(k.GEOID) > blockGroupDigits
	if !whole {
		geoid *= store.BlocksOfGroup
	}
	if k.People >= 0 || whole {
		group, now := geoid/store.BlocksOfGroup, supply{b.file, !whole}
		first, have := b.groups[group]
		if !have {
			b.groups[group] = now
		} else if first.file != b.file && (first.parts || now.parts) {
			return plan.Refused("block group that an earlier file has", k.Line, k.GEOID)
		}
	}
	i, have := b.at[geoid]
	if !have || !whole {
		i = len(b.list)
		b.list = append(b.list, store.CensusBlock{GEOID: geoid, People: -1, Housing: store.UnknownArea, Land: store.UnknownArea})
		if whole {
			b.at[geoid] = i
		}
	}
	of := &b.list[i]
	if k.At.IsValid() {
		of.At = k.At
	}
	if k.People >= 0 {
		of.People = int(k.People)
	}
	if k.Housing >= 0 {
		of.Housing = int(k.Housing)
	}
	if k.Land >= 0 {
		of.Land = k.Land
	}
	return nil
}
