package foreign

import (
	"context"
	"math"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/function"
	"github.com/postgeo/postgeo/internal/operation"
)

// Options configures [Columns].
type Options struct {
	Kind         string   `values:"code,coordinates,address,text" default:"code" help:"Kind of the rows."`
	Fields       []string `size:"1000" help:"Paths of the fields."`
	Status       bool     `help:"Add status and reason."`
	RestoreZeros bool     `help:"Restore codes that lost leading zeros."`
	DistanceTo   string   `help:"Place that distance fields measure to."`
	Pairs        bool     `help:"Each row is a place, a tab and the place to measure to."`
	operation.Plans
}

var optionParams = operation.Params(reflect.TypeFor[Options]())

// ParseOptions reads options from the members of a JSON object.
func ParseOptions(object string) (opt Options, err error) {
	err = operation.Decode(optionParams, []byte(object), reflect.ValueOf(&opt).Elem())
	return opt, err
}

// Columns are the fields of rows. After a swap they read the new dataset. They are safe
// for concurrent use.
type Columns struct {
	of  *Dataset
	opt enrich.Options
	set Options

	mu    sync.RWMutex
	ended bool
	swap  int64 // number of the swap that view follows
	view  *View
}

// A View is the state of columns for one dataset, so that the results of a call belong
// together.
type View struct {
	List  []enrich.Column
	opt   Options
	kind  enrich.Kind
	db    *postgeo.DB
	e     *enrich.Enricher
	cache *cache.Cache[[]enrich.Value]
}

// NewColumns prepares columns of a dataset.
func NewColumns(of *Dataset, opt Options) (*Columns, error) {
	kind, ok := enrich.ParseKind(opt.Kind)
	if !ok {
		return nil, Invalid("kind", "code, coordinates, address or text")
	}
	c := &Columns{of: of, set: opt, opt: enrich.Options{
		Kind: kind, Add: opt.Fields, RestoreZeros: opt.RestoreZeros, DistanceTo: opt.DistanceTo, DistanceToRow: opt.Pairs, Plans: opt.Options(),
	}}
	err := c.Use(func(*View) error { return nil })
	return c, err
}

// Use calls call with the columns of the current dataset, which stays open until call
// returns.
func (c *Columns) Use(call func(*View) error) error {
	v, err := c.current()
	if err != nil {
		return err
	}
	defer c.mu.RUnlock()
	return call(v)
}

// current returns the columns of the current dataset with c locked for reading.
func (c *Columns) current() (*View, error) {
	for {
		if c.of.closed.Load() {
			return nil, postgeo.ErrClosed
		}
		c.mu.RLock()
		if c.view != nil && c.swap == c.of.swaps.Load() {
			return c.view, nil
		}
		c.mu.RUnlock()
		if err := c.prepare(); err != nil {
			return nil, err
		}
	}
}

func (c *Columns) prepare() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return postgeo.ErrClosed
	}
	swap := c.of.swaps.Load()
	if c.view != nil && c.swap == swap {
		return nil // another call has prepared them
	}
	db, err := c.of.Snapshot()
	if err != nil {
		return err
	}
	e, err := enrich.New(db, c.opt)
	if err != nil {
		db.Close()
		return err
	}
	if c.view != nil {
		c.view.db.Close()
	}
	c.swap, c.view = swap, &View{List: e.Columns(), opt: c.set, kind: c.opt.Kind, db: db, e: e, cache: cache.New[[]enrich.Value](maxCache)}
	if c.set.Status {
		status := []enrich.Column{{Name: enrich.StatusColumn, Type: enrich.String}, {Name: enrich.ReasonColumn, Type: enrich.String}}
		c.view.List = append(append([]enrich.Column{}, e.Columns()...), status...)
	}
	return nil
}

// Close releases the dataset. Later calls return [postgeo.ErrClosed].
func (c *Columns) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.view != nil {
		c.view.db.Close()
	}
	c.view, c.ended = nil, true
}

// maxCache is the maximum size in bytes of the values that columns keep.
const maxCache = 128 << 20

// Values returns the values of each key, which must not be changed. The keys of pairs
// are two places with a tab between them.
func (v *View) Values(ctx context.Context, keys []string) ([][]enrich.Value, error) {
	out := make([][]enrich.Value, len(keys))
	return out, parallel(len(keys), func(from, to int) error {
		var text []byte
		find := func(i int, areas []byte) error {
			key := keys[from+i]
			text = append(append(text[:0], ofKey), key...)
			if areas != nil && !v.opt.Pairs {
				text = append(append(text[:0], ofAreas), areas...)
			}
			_, row, ok := v.cache.Get(text)
			if !ok {
				var status enrich.Status
				var err error
				if row, status, err = v.row(ctx, key); err != nil {
					return err
				}
				if text[0] == ofKey || status.Answered() {
					v.cache.Put(text, nil, row, size(row))
				}
			}
			out[from+i] = row
			return nil
		}
		if v.kind == enrich.Coordinates {
			return v.e.EachPlace(ctx, to-from, func(i int) string { return keys[from+i] }, find)
		}
		for i := range to - from {
			if err := find(i, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// The keys of the cache begin with one of these.
const (
	ofKey   = iota // the key of a row follows
	ofAreas        // the areas around a coordinate follow
)

func (v *View) row(ctx context.Context, key string) ([]enrich.Value, enrich.Status, error) {
	to := ""
	if at := strings.LastIndexByte(key, '\t'); v.opt.Pairs && at >= 0 {
		key, to = key[:at], key[at+1:]
	}
	row, res, err := v.e.RowTo(ctx, key, to, make([]enrich.Value, 0, len(v.List)))
	if v.opt.Status {
		row = append(row, enrich.StringValue(res.Status.String()), enrich.StringValue(res.Reason))
	}
	return row, res.Status, err
}

// Key returns the key of a row of cells: a code, a latitude and a longitude, or parts of an
// address or text. The last cell of a pair is the place to measure to. It returns false if
// their number does not fit.
func (v *View) Key(cells []string) (key string, ok bool) {
	last := len(cells) - 1
	if !v.opt.Pairs {
		return function.Key(v.kind, cells)
	}
	if last < 1 {
		return "", false
	}
	key, ok = function.Key(v.kind, cells[:last])
	return key + "\t" + strings.ReplaceAll(cells[last], "\t", " "), ok
}

// size returns about the bytes of values.
func size(row []enrich.Value) (bytes int) {
	for _, v := range row {
		bytes += v.MemoryBytes()
	}
	return bytes
}

// Fields describes the columns.
func (v *View) Fields() any {
	type field struct {
		Name string `json:"name"`
		Path string `json:"path,omitzero"`
		Type string `json:"type"`
	}
	all := []field{}
	for _, f := range v.List {
		all = append(all, field{f.Name, f.Path, f.Type.String()})
	}
	return all
}

// Number sets index to the number of each row's key among the distinct keys, and
// returns these. Keys may share the caller's memory.
func Number(index []int32, key func(row int) string) (distinct []string) {
	numbers := map[string]int32{}
	for row := range index {
		k := key(row)
		n, ok := numbers[k]
		if !ok {
			k = strings.Clone(k)
			n = int32(len(distinct))
			numbers[k], distinct = n, append(distinct, k)
		}
		index[row] = n
	}
	return distinct
}

// PointKey returns the key of a coordinate, "" for NaN.
func PointKey(lat, lon float64) string {
	if math.IsNaN(lat) || math.IsNaN(lon) {
		return ""
	}
	return strconv.FormatFloat(lat, 'f', -1, 64) + "," + strconv.FormatFloat(lon, 'f', -1, 64)
}

// parallel divides numbers below n among all processors, if there are many.
func parallel(n int, work func(from, to int) error) error {
	const few = 512
	parts := min(runtime.GOMAXPROCS(0), 1+n/few)
	failures := make([]error, parts)
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() { failures[i] = Safely(func() error { return work(n*i/parts, n*(i+1)/parts) }) })
	}
	all.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}
