package postgeo

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// A generation is one dataset between the Open or Swap that brought it and the
// end of the last call that uses it. It has everything that belongs to the dataset, so that a call
// that took a generation sees nothing of another one.
type generation struct {
	data      *store.Dataset
	reader    *lookup.Reader
	engine    *radius.Engine
	addresses *address.Engine
	geocoder  *geocode.Engine
	indexing  sync.Mutex                     // held while index is made
	index     atomic.Pointer[suggest.Engine] // of [generation.suggest], so that other programs do not link it
	// users counts the calls in flight, plus one while the generation is current.
	// It turns very negative when the dataset is closed, so that no number of late acquires can
	// bring it above 0 again.
	users    atomic.Int64
	prepared atomic.Bool // by Prepare, so that Swap prepares its successor too
}

// Package enrich calls the reader with a selection of values.
var _ = door.Offer(func(db *DB, call func(r *lookup.Reader, now time.Time) error) error {
	_, err := read(db, func(g *generation) (struct{}, error) { return struct{}{}, call(g.reader, db.at(time.Time{})) })
	return err
})

// newGeneration takes over d, and closes it on failure.
func newGeneration(d *store.Dataset, opt OpenOptions) (*generation, error) {
	if opt.ACSMemory != 0 {
		d.SetACSMemory(opt.ACSMemory)
	}
	r, err := door.Take[func(*store.Dataset) (*lookup.Reader, error)]()(d)
	if err != nil {
		d.Close()
		return nil, fmt.Errorf("postgeo: %w", err)
	}
	g := &generation{data: d, reader: r, engine: radius.NewEngine(r), addresses: address.NewEngine(r)}
	g.geocoder = geocode.NewEngine(r, g.addresses)
	g.users.Store(1)
	return g, nil
}

// suggest returns the index of suggestions, which the first call makes.
func (g *generation) suggest(ctx context.Context) (*suggest.Engine, error) {
	if e := g.index.Load(); e != nil {
		return e, nil
	}
	g.indexing.Lock()
	defer g.indexing.Unlock()
	if e := g.index.Load(); e != nil {
		return e, nil
	}
	e, err := suggest.New(ctx, g.reader)
	if err != nil {
		return nil, fmt.Errorf("postgeo: suggestions: %w", err)
	}
	g.index.Store(e)
	return e, nil
}

// prepare reads the dataset and makes the indexes.
func (g *generation) prepare(ctx context.Context) error {
	if err := g.data.Prepare(ctx); err != nil {
		return fmt.Errorf("postgeo: %w", err)
	}
	if err := g.engine.Prepare(ctx); err != nil {
		return fmt.Errorf("postgeo: %w", err)
	}
	_, err := g.suggest(ctx)
	g.prepared.Store(err == nil)
	return err
}

// acquire returns the current generation; the caller releases it. A lock around the pointer and
// the count would do the same, but every call of every processor would wait for it.
func (db *DB) acquire() (*generation, error) {
	for {
		g := db.current.Load()
		if g == nil {
			return nil, errClosed
		}
		if g.users.Add(1) > 0 {
			return g, nil
		}
		// The generation was replaced and closed since the load: look again.
	}
}

// release closes the dataset after its last user.
func (g *generation) release() error {
	// Between the two steps another call may acquire the generation. Then the exchange fails, and
	// that call closes the dataset when it is done.
	if g.users.Add(-1) == 0 && g.users.CompareAndSwap(0, math.MinInt64/2) {
		return g.data.Close()
	}
	return nil
}

// done is release for the end of a call, which cannot report that an old file
// did not close.
func (g *generation) done() { _ = g.release() }

// read calls call, which seldom needs the file. It does not count itself as a
// user, because all processors would write to one counter. A dataset serves reads
// from memory even after Close. If call needed the file and the generation was
// replaced and closed, read calls it again as [held] does.
func read[R any](db *DB, call func(*generation) (R, error)) (R, error) {
	var none R
	g := db.current.Load()
	if g == nil {
		return none, errClosed
	}
	res, err := call(g)
	if err == nil || !errors.Is(err, store.ErrClosed) {
		return res, fail(err)
	}
	return held(db, call)
}

// held calls call with the current generation, which stays open until it returns.
func held[R any](db *DB, call func(*generation) (R, error)) (R, error) {
	g, err := db.acquire()
	if err != nil {
		var none R
		return none, err
	}
	defer g.done()
	res, err := call(g)
	return res, fail(err)
}

var checkPlan = door.Take[func(*lookup.Reader, string) error]()

// onPlans is held for operations with plans of districts. An unknown plan is an error
// also if no districts are requested.
func onPlans[R any](db *DB, at *time.Time, plan string, call func(*generation) (R, error)) (R, error) {
	*at = db.at(*at)
	return held(db, func(g *generation) (none R, err error) {
		if err := checkPlan(g.reader, plan); err != nil {
			return none, err
		}
		return call(g)
	})
}

// use is held for calls without a result.
func use(db *DB, call func(*generation) error) error {
	_, err := held(db, func(g *generation) (struct{}, error) { return struct{}{}, call(g) })
	return err
}

// sequence yields the pairs of a sequence of the current generation, which stays
// open until the loop ends. When ctx is done, its error is the last pair.
func sequence[V any](ctx context.Context, db *DB, list func(*generation) iter.Seq2[V, error]) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		g, err := db.acquire()
		if err != nil {
			var none V
			yield(none, err)
			return
		}
		defer g.done()
		for v, err := range list(g) {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(v, fail(err)) || ctx.Err() != nil {
				return
			}
		}
	}
}
