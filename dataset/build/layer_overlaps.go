package build

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// parallel calls f for every number below n, from as many goroutines as there
// are processors, and returns the error of the lowest number that failed.
func parallel(n int, f func(i int) error) error {
	return parallelWith(n, func() func(int) error { return f })
}

// parallelWith is parallel with a function for each goroutine.
func parallelWith(n int, worker func() func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		f := worker()
		wg.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = f(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// codeOutlines are the outlines that layers are held against, of ZIPs or FSAs,
// and what has been found so far.
type codeOutlines[K cmp.Ordered] struct {
	keys     []K // ascending
	outlines []*geo.Outline
	found    []dataset.CodeOverlaps // by key
}

// newCodeOutlines takes the outlines of a set.
func newCodeOutlines[K cmp.Ordered](s *outlineSet[K]) (*codeOutlines[K], error) {
	outlines, err := s.layOut()
	if err != nil {
		return nil, err
	}
	c := &codeOutlines[K]{keys: s.keys(), outlines: outlines, found: make([]dataset.CodeOverlaps, len(outlines))}
	for i, o := range outlines {
		c.found[i].Outline = o.Area()
	}
	return c, nil
}

// leastOverlap is the unit that overlaps are stored in, a square centimetre;
// what is less is the rounding of an overlap of nothing.
const leastOverlap = 1e-4

// meet measures what every code shares with every area of a layer.
func (c *codeOutlines[K]) meet(ctx context.Context, id dataset.LayerID, areas []*geo.Outline) error {
	index := geo.NewOverlapIndex(areas)
	return parallelWith(len(c.keys), func() func(int) error {
		finder := index.Finder()
		var meter geo.OverlapMeter
		var near []int32
		return func(i int) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			near = finder.AppendMeeting(near[:0], c.outlines[i])
			var list []dataset.Overlap
			for _, k := range near {
				v := meter.Area(c.outlines[i], areas[k])
				if math.Abs(float64(v)) >= leastOverlap {
					list = append(list, dataset.Overlap{Area: int(k), Intersection: v})
				}
			}
			if len(list) > 0 {
				c.found[i].Layers = append(c.found[i].Layers, dataset.LayerOverlaps{Layer: id, Overlaps: list})
			}
			return nil
		}
	})
}
