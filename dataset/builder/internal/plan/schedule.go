package plan

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"time"
)

// runAll runs steps. Those that share no source and no table that one of them
// writes run at the same time. After an error no step begins, and the others are
// canceled. It returns the error of the first failed step of the list.
func (b *Build) runAll(ctx context.Context, steps []Step) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	limit := runtime.GOMAXPROCS(0)
	if b.Serial || b.Watch != nil || b.First != "" {
		limit = 1
	}
	type end struct {
		step     int
		err      error
		panicked any
	}
	var (
		before  = b.before(steps)
		left    = slices.Clone(steps) // zero for steps that have ended
		begun   = make([]time.Time, len(steps))
		timings = make([]Timing, len(steps))
		ends    = make(chan end)
		failed  = end{step: len(steps)}
	)
	for running := 0; ; {
		for i, s := range steps {
			ready := begun[i].IsZero() && running < limit && failed.err == nil && !slices.ContainsFunc(before[i], func(k int) bool { return left[k].Do != nil })
			if !ready {
				continue
			}
			if b.Progress != nil {
				b.Progress(s.Name)
			}
			b.prepare(s)
			begun[i] = time.Now()
			running++
			go func() {
				e := end{step: i}
				defer func() {
					e.panicked = recover()
					ends <- e
				}()
				e.err = s.Do.Run(ctx)
			}()
		}
		if running == 0 {
			break
		}
		e := <-ends
		if e.panicked != nil {
			panic(e.panicked)
		}
		running--
		s := steps[e.step]
		left[e.step] = Step{}
		timings[e.step] = Timing{s.Name, time.Since(begun[e.step]).Seconds()}
		if e.err != nil && (failed.err == nil || e.step < failed.step && !errors.Is(e.err, context.Canceled)) {
			failed = e
			failed.err = named(s.Name, e.err)
			cancel()
		}
		b.finish(s, left)
	}
	b.timings = append(b.timings, slices.DeleteFunc(timings, func(t Timing) bool { return t.Name == "" })...)
	return failed.err
}

// before returns for each step the earlier ones that must have ended.
func (b *Build) before(steps []Step) [][]int {
	list := make([][]int, len(steps))
	for i := range steps {
		for k := range i {
			if b.share(steps[k], steps[i]) {
				list[i] = append(list[i], k)
			}
		}
	}
	return list
}

// share reports whether two steps read the same source, or one writes a part that
// the other uses.
func (b *Build) share(x, y Step) bool {
	for _, s := range b.sources {
		if x.reads(s.Source.ID) && y.reads(s.Source.ID) {
			return true
		}
	}
	meet := func(writes, uses []string) bool {
		return slices.ContainsFunc(writes, func(w string) bool {
			table, _, _ := strings.Cut(w, ".")
			return slices.ContainsFunc(uses, func(u string) bool {
				of, _, _ := strings.Cut(u, ".")
				return u == w || of == table && w == table // every part needs the rows
			})
		})
	}
	xw, yw := x.Writes(), y.Writes()
	return meet(xw, slices.Concat(y.Reads(), yw)) || meet(yw, slices.Concat(x.Reads(), xw))
}
