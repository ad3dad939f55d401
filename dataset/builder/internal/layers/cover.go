package layers

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// leastInState is the part of a ZIP's outline that is expected in its state;
// the areas of a few reach over the border.
const leastInState = 0.5

// compareLand leaves out the sea from the ratios of FSAs, whose stated areas are land:
// the outlines of census divisions end at the shore.
func (b *Build) compareLand(ctx context.Context) error {
	if len(b.FSAOutlines.Polygons) == 0 || b.File(catalog.CDAreas) == nil || !b.File(catalog.CDAreas).FitForShares {
		return nil
	}
	outlines, err := b.FSAOutlines.LayOut()
	if err != nil {
		return err
	}
	provinces := map[store.StateID]*spatial.Outline{}
	if err := b.StateOutlines.Areas.OutlinesTo(provinces); err != nil {
		return err
	}
	fsas := b.FSAOutlines.Keys()
	land := make([]float64, len(fsas))
	err = shape.ParallelWith(len(fsas), func() func(int) error {
		var meter spatial.OverlapMeter
		return func(i int) error {
			if of := provinces[b.FSAs.At[fsas[i]].Row.Province]; of != nil {
				land[i] = float64(meter.Area(outlines[i], of)) / float64(outlines[i].Area())
			}
			return ctx.Err()
		}
	})
	for i, fsa := range fsas {
		if ratio := b.FSAOutlines.Ratio; land[i] > 0 && land[i] < 1 {
			ratio[fsa] *= land[i]
		}
	}
	return err
}

// measureCover finds how much of the states no outline of a ZIP covers, and
// ZIPs whose outline lies elsewhere than in their state.
func (b *Build) measureCover(ctx context.Context) error {
	states := slices.DeleteFunc(b.StateOutlines.Areas.Keys(), func(id store.StateID) bool { return b.States.List[id-1].Country != store.US })
	if len(states) == 0 || len(b.ZIPOutlines.Areas.Polygons) == 0 || !b.File(catalog.StateAreas).FitForShares {
		return nil
	}
	outlines, err := b.ZIPOutlines.Areas.LayOut()
	if err != nil {
		return err
	}
	stateOf := map[store.StateID]*spatial.Outline{}
	if err := b.StateOutlines.Areas.OutlinesTo(stateOf); err != nil {
		return err
	}
	zips := b.ZIPOutlines.Areas.Keys()
	inAny, inOwn := make([]float64, len(zips)), make([]float64, len(zips)) // square meters; part
	err = shape.ParallelWith(len(zips), func() func(int) error {
		var meter spatial.OverlapMeter
		return func(i int) error {
			own := b.ZIPs.At[zips[i]].Row.State
			for _, id := range states {
				v := float64(meter.Area(outlines[i], stateOf[id]))
				inAny[i] += v
				if id == own {
					inOwn[i] = v / float64(outlines[i].Area())
				}
			}
			return ctx.Err()
		}
	})
	if err != nil {
		return err
	}
	for _, id := range states {
		b.StateOutlines.Uncovered += float64(stateOf[id].Area())
	}
	for i, z := range zips {
		b.StateOutlines.Uncovered -= inAny[i]
		if own := b.ZIPs.At[z].Row.State; inOwn[i] < leastInState && b.StateOutlines.Areas.Polygons[own] != nil {
			b.Applied("outline of a ZIP with less than half in its state", fmt.Sprintf("%s: %.1f %% in %s", z, 100*inOwn[i], b.StateOutlines.Areas.Label(own)))
		}
	}
	return nil
}
