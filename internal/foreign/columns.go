package foreign

import (
	"reflect"
	"sync"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/operation"
)

// Options configures [Columns]. Callers give them as a JSON object.
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

// ParseColumns prepares the columns that the members of a JSON object describe.
func (d *Dataset) ParseColumns(object string) (*Columns, error) {
	opt, err := ParseOptions(object)
	if err != nil {
		return nil, err
	}
	kind, ok := enrich.ParseKind(opt.Kind)
	if !ok {
		return nil, Invalid("kind", "code, coordinates, address or text")
	}
	return d.Columns(enrich.Options{
		Kind: kind, Add: opt.Fields, RestoreZeros: opt.RestoreZeros, DistanceTo: opt.DistanceTo, DistanceToRow: opt.Pairs, Plans: opt.Options(),
	}, opt.Status)
}

// Columns are the fields of rows. After a swap they read the new dataset. They are safe
// for concurrent use.
type Columns struct {
	of     *Dataset
	opt    enrich.Options
	status bool

	mu    sync.RWMutex
	ended bool
	swap  int64 // number of the swap that view follows
	view  *View
}

// A View is the state of columns for one dataset, so that the results of a call belong
// together.
type View struct {
	List   []enrich.Column
	opt    enrich.Options
	status bool
	db     *postgeo.DB
	e      *enrich.Enricher
	cache  *cache.Cache[[]enrich.Value]
}

// Columns prepares the fields of options, with status and reason if status is set. Rows
// are pairs of places if opt.DistanceToRow is set.
func (d *Dataset) Columns(opt enrich.Options, status bool) (*Columns, error) {
	c := &Columns{of: d, opt: opt, status: status}
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
	c.swap, c.view = swap, &View{List: e.Columns(), opt: c.opt, status: c.status, db: db, e: e, cache: cache.New[[]enrich.Value](maxCache)}
	if c.status {
		status := []enrich.Column{{Name: enrich.StatusColumn, Type: enrich.String}, {Name: enrich.ReasonColumn, Type: enrich.String}}
		c.view.List = append(append([]enrich.Column{}, e.Columns()...), status...)
	}
	return nil
}

// Close releases the dataset. Later calls return [postgeo.ErrClosed].
func (c *Columns) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.view
	if c.view, c.ended = nil, true; v == nil {
		return nil
	}
	return v.db.Close()
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
