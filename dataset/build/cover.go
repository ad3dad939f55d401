package build

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

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
	outlines := make([]*geo.Outline, len(states))
	for i, id := range states {
		var err error
		if outlines[i], err = geo.NewOutline(s.states.polygons[id]); err != nil {
			return fmt.Errorf("outline of %s %s: %w", s.states.kind, s.states.label(id), err)
		}
	}
	zips := s.zips.keys()
	inAny, inOwn := make([]float64, len(zips)), make([]float64, len(zips)) // square metres; part
	g, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		g.Go(func() error {
			var meter geo.OverlapMeter
			for i := w; i < len(zips); i += workers {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				o, err := geo.NewOutline(s.zips.polygons[zips[i]])
				if err != nil {
					return fmt.Errorf("outline of %s %s: %w", s.zips.kind, zips[i], err)
				}
				own := b.tables.zipAt[zips[i]].row.State
				for k, id := range states {
					v := float64(meter.Area(o, outlines[k]))
					inAny[i] += v
					if id == own {
						inOwn[i] = v / float64(o.Area())
					}
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, o := range outlines {
		s.uncovered += float64(o.Area())
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
