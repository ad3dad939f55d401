package layers

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// AddBlocks keeps the census blocks of the user. All blocks of a block group come from
// the first file that has one.
func (b *Build) AddBlocks(ctx context.Context) error {
	var list []store.CensusBlock
	seen, files := map[uint64]bool{}, map[uint64]int{} // blocks; the file of each block group
	centers := map[uint64]geo.LatLng{}
	for _, c := range b.CodeLayers.Centers {
		centers[c.BlockGroup] = c.At
	}
	atCenter := 0
	for file, id := range b.Files(catalog.Blocks) {
		err := plan.Read(ctx, b.Env, id, source.Blocks, func(k source.Block) error {
			geoid, err := strconv.ParseUint(k.GEOID, 10, 64)
			if err != nil {
				return err
			}
			whole := len(k.GEOID) > groupDigits
			if !whole {
				geoid *= store.BlocksOfGroup
			}
			group := geoid / store.BlocksOfGroup
			if first, have := files[group]; have && first != file {
				return plan.Refused("block group that an earlier file has", k.Line, k.GEOID)
			} else if whole && seen[geoid] {
				return plan.Refused("block that the file has twice", k.Line, k.GEOID)
			}
			if !k.At.IsValid() {
				if k.At = centers[group]; !k.At.IsValid() {
					return plan.Refused("block without a point, whose block group has no center", k.Line, k.GEOID)
				}
				atCenter++
			}
			files[group], seen[geoid] = file, true
			list = append(list, store.CensusBlock{GEOID: geoid, At: k.At, People: int(k.People), Housing: int(k.Housing), Land: k.Land})
			return nil
		})
		if err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return nil
	}
	if atCenter > 0 {
		b.Applied("census blocks without a point, at the center of their block group", strconv.Itoa(atCenter))
	}
	slices.SortStableFunc(list, func(x, y store.CensusBlock) int { return cmp.Compare(x.GEOID, y.GEOID) })
	b.Table("census blocks", len(list))
	return b.Output.SetCensusBlocks(list)
}
