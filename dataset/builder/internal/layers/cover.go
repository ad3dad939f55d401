package layers

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
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
	areas, err := b.StateOutlines.Areas.LayOut()
	if err != nil {
		return err
	}
	parts, err := shape.Parts(ctx, outlines, areas)
	states := b.StateOutlines.Areas.Keys()
	for i, fsa := range b.FSAOutlines.Keys() {
		for _, p := range parts[i] {
			if land := p.Shared / float64(outlines[i].Area()); states[p.Area] == b.FSAs.At[fsa].Row.Province && land < 1 {
				b.FSAOutlines.Ratio[fsa] *= land
			}
		}
	}
	return err
}

// measureCover finds how much of the states no outline of a ZIP covers, and
// ZIPs whose outline lies elsewhere than in their state.
func (b *Build) measureCover(ctx context.Context) error {
	if len(b.StateOutlines.Areas.Polygons) == 0 || len(b.ZIPOutlines.Areas.Polygons) == 0 || !b.File(catalog.StateAreas).FitForShares {
		return nil
	}
	outlines, err := b.ZIPOutlines.Areas.LayOut()
	if err != nil {
		return err
	}
	areas, err := b.StateOutlines.Areas.LayOut()
	if err != nil {
		return err
	}
	parts, err := shape.Parts(ctx, outlines, areas)
	if err != nil {
		return err
	}
	states := b.StateOutlines.Areas.Keys()
	inStates := func(id store.StateID) bool { return b.States.List[id-1].Country == store.US }
	for i, id := range states {
		if inStates(id) {
			b.StateOutlines.Uncovered += float64(areas[i].Area())
		}
	}
	for i, z := range b.ZIPOutlines.Areas.Keys() {
		own, inOwn := b.ZIPs.At[z].Row.State, 0.0 // the part there
		for _, p := range parts[i] {
			if id := states[p.Area]; inStates(id) {
				b.StateOutlines.Uncovered -= p.Shared
				if id == own {
					inOwn = p.Shared / float64(outlines[i].Area())
				}
			}
		}
		if inOwn < leastInState && b.StateOutlines.Areas.Polygons[own] != nil {
			b.Applied("outline of a ZIP with less than half in its state", fmt.Sprintf("%s: %.1f %% in %s", z, 100*inOwn, b.StateOutlines.Areas.Label(own)))
		}
	}
	return nil
}
