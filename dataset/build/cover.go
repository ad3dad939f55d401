package build

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// leastInState is the part of a ZIP's outline that is expected in its state;
// the areas of a few reach over the border.
const leastInState = 0.5

// measureCover finds how much of the states no outline of a ZIP covers, and
// ZIPs whose outline lies elsewhere than in their state.
func (s *boundaries) measureCover(ctx context.Context, b *builder) error {
	states := slices.DeleteFunc(s.states.keys(), func(id dataset.StateID) bool { return b.tables.states[id-1].Country != dataset.US })
	if len(states) == 0 || len(s.zips.polygons) == 0 || !b.files[srcStateAreas].FitForShares {
		return nil
	}
	outlines, err := s.zips.layOut()
	if err != nil {
		return err
	}
	all, err := s.states.layOut()
	if err != nil {
		return err
	}
	stateOf := map[dataset.StateID]*geo.Outline{}
	for i, id := range s.states.keys() {
		stateOf[id] = all[i]
	}
	zips := s.zips.keys()
	inAny, inOwn := make([]float64, len(zips)), make([]float64, len(zips)) // square metres; part
	err = parallelWith(len(zips), func() func(int) error {
		var meter geo.OverlapMeter
		return func(i int) error {
			own := b.tables.zipAt[zips[i]].row.State
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
		s.uncovered += float64(stateOf[id].Area())
	}
	for i, z := range zips {
		s.uncovered -= inAny[i]
		if own := b.tables.zipAt[z].row.State; inOwn[i] < leastInState && s.states.polygons[own] != nil {
			b.report.applied("outline of a ZIP of which less than half lies in its state", fmt.Sprintf("%s: %.1f %% in %s", z, 100*inOwn[i], s.states.label(own)))
		}
	}
	return nil
}

// uncoveredMiles returns the square miles of states that no outline of a ZIP
// covers.
func (s *boundaries) uncoveredMiles() int64 {
	return int64(geo.SquareMeters(max(0, s.uncovered)).SquareMiles())
}
