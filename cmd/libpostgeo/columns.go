package main

import (
	"context"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/operation"
)

// A database is an open dataset.
type database struct {
	*postgeo.DB
	closed atomic.Bool
	swaps  atomic.Int64
}

// options configure columns.
type options struct {
	Kind         string   `values:"code,coordinates,address,text" default:"code" help:"Kind of the rows."`
	Fields       []string `size:"1000" help:"Paths of the fields."`
	Status       bool     `help:"Add status and reason."`
	RestoreZeros bool     `help:"Restore codes that lost leading zeros."`
	DistanceTo   string   `help:"Place that distance fields measure to."`
	Pairs        bool     `help:"Each row is a place, a tab and the place to measure to."`
	operation.Plans
}

var optionParams = operation.Params(reflect.TypeFor[options]())

// columns are the fields of rows. After a swap they read the new dataset.
type columns struct {
	of   *database
	opt  options
	kind enrich.Kind

	mu    sync.RWMutex
	swap  int64 // number of the swap that db follows
	ended bool
	db    *postgeo.DB // a snapshot, so that the results of a call belong together
	e     *enrich.Enricher
	list  []enrich.Column
	cache cache
}

func newColumns(of *database, text []byte) (*columns, error) {
	c := &columns{of: of, swap: -1}
	if err := operation.Decode(optionParams, text, reflect.ValueOf(&c.opt).Elem()); err != nil {
		return nil, err
	}
	for k := enrich.Code; k <= enrich.Text; k++ {
		if k.String() == c.opt.Kind {
			c.kind = k
		}
	}
	if c.kind == 0 {
		return nil, invalid("kind", "code, coordinates, address or text")
	}
	unlock, err := c.use()
	if err == nil {
		unlock()
	}
	return c, err
}

// use prepares the columns for the current dataset, which stays until unlock.
func (c *columns) use() (unlock func(), err error) {
	for {
		if c.of.closed.Load() {
			return nil, postgeo.ErrClosed
		}
		c.mu.RLock()
		if c.swap == c.of.swaps.Load() {
			return c.mu.RUnlock, nil
		}
		c.mu.RUnlock()
		if err := c.prepare(); err != nil {
			return nil, err
		}
	}
}

func (c *columns) prepare() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return postgeo.ErrClosed
	}
	swap := c.of.swaps.Load()
	if c.db != nil && c.swap == swap {
		return nil // another call has prepared them
	}
	db, err := c.of.Snapshot()
	if err != nil {
		return err
	}
	o := enrich.Options{
		Kind: c.kind, Add: c.opt.Fields, RestoreZeros: c.opt.RestoreZeros, DistanceTo: c.opt.DistanceTo, DistanceToRow: c.opt.Pairs, Plans: c.opt.Options(),
	}
	e, err := enrich.New(db, o)
	if err != nil {
		db.Close()
		return err
	}
	if c.db != nil {
		c.db.Close()
	}
	c.db, c.e, c.swap, c.cache = db, e, swap, cache{rows: map[string][]enrich.Value{}}
	c.list = append([]enrich.Column{}, e.Columns()...)
	if c.opt.Status {
		c.list = append(c.list, enrich.Column{Name: enrich.StatusColumn, Type: enrich.String}, enrich.Column{Name: enrich.ReasonColumn, Type: enrich.String})
	}
	return nil
}

func (c *columns) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db != nil {
		c.db.Close()
	}
	c.db, c.swap, c.ended = nil, -1, true
}

// number sets index to the number of each row's key among the distinct keys.
func number(index []int32, key func(row int) string) (distinct []string) {
	numbers := map[string]int32{}
	for row := range index {
		k := key(row)
		n, ok := numbers[k]
		if !ok {
			k = strings.Clone(k) // it is the caller's memory
			n = int32(len(distinct))
			numbers[k], distinct = n, append(distinct, k)
		}
		index[row] = n
	}
	return distinct
}

// values returns the values of keys. The columns are in use.
func (c *columns) values(keys []string) ([][]enrich.Value, error) {
	out := make([][]enrich.Value, len(keys))
	return out, parallel(len(keys), func(from, to int) error {
		for i := from; i < to; i++ {
			row, ok := c.cache.get(keys[i])
			if !ok {
				key, other, _ := strings.Cut(keys[i], "\t")
				if !c.opt.Pairs {
					key, other = keys[i], ""
				}
				var res enrich.Outcome
				var err error
				if row, res, err = c.e.RowTo(context.Background(), key, other, make([]enrich.Value, 0, len(c.list))); err != nil {
					return err
				}
				if c.opt.Status {
					row = append(row, enrich.StringValue(res.Status.String()), enrich.StringValue(res.Reason))
				}
				c.cache.put(keys[i], row)
			}
			out[i] = row
		}
		return nil
	})
}

// parallel divides numbers below n among all cores, if there are many.
func parallel(n int, work func(from, to int) error) error {
	const few = 512
	parts := min(runtime.GOMAXPROCS(0), 1+n/few)
	failures := make([]error, parts)
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() { failures[i] = safely(func() error { return work(n*i/parts, n*(i+1)/parts) }) })
	}
	all.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

// A cache keeps the values of keys between calls. A full one is emptied.
type cache struct {
	mu   sync.RWMutex
	rows map[string][]enrich.Value
	size int // about the bytes of rows
}

const maxCache = 64 << 20

func (c *cache) get(key string) ([]enrich.Value, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	row, ok := c.rows[key]
	return row, ok
}

func (c *cache) put(key string, row []enrich.Value) {
	const overhead = 128
	size := overhead + len(key)
	for _, v := range row {
		size += overhead / 2
		if v.Type() == enrich.String || v.Type() == enrich.JSON {
			size += len(v.String())
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size += size; c.size > maxCache {
		clear(c.rows)
		c.size = size
	}
	c.rows[key] = row
}
