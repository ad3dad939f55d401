package foreign

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/operation"
)

// A Dataset is an open dataset.
type Dataset struct {
	*postgeo.DB
	closed atomic.Bool
	swaps  atomic.Int64
}

// Sample is the path of the embedded sample.
const Sample = "sample"

// Open opens the dataset at a path. "" means the file that POSTGEO_DATA names, else the
// user's, else the embedded sample.
func Open(path string) (*Dataset, error) { return OpenWith(path, postgeo.OpenOptions{}) }

// OpenWith is Open with options.
func OpenWith(path string, opt postgeo.OpenOptions) (*Dataset, error) {
	if path == "" {
		var err error
		if path, err = dataset.Choose("", os.Getenv, dataset.OwnDir()); err != nil {
			return nil, err
		}
	}
	var db *postgeo.DB
	var err error
	if path == "" || path == Sample {
		db, err = postgeo.OpenSampleWith(opt)
	} else {
		db, err = postgeo.OpenWith(path, opt)
	}
	if err != nil {
		return nil, err
	}
	return &Dataset{DB: db}, nil
}

// Close closes the dataset. Its columns return [postgeo.ErrClosed] then.
func (d *Dataset) Close() error {
	d.closed.Store(true)
	return d.DB.Close()
}

// Swap verifies a file and serves later calls from it.
func (d *Dataset) Swap(ctx context.Context, path string) error {
	err := d.DB.Swap(ctx, path)
	if err == nil {
		d.swaps.Add(1)
	}
	return err
}

// Call runs an operation with the members of a JSON object.
func (d *Dataset) Call(ctx context.Context, name, arguments string) (any, error) {
	o := operation.Find(name)
	if o == nil {
		return nil, Invalid("operation", "a name that postgeo_operations lists, not "+strconv.Quote(name))
	}
	db, err := d.Snapshot()
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return o.Call(ctx, db, []byte(arguments))
}

// Areas returns the GEOID of the area of a layer around each coordinate.
func (d *Dataset) Areas(ctx context.Context, layer string, lat, lon []float64) (*Entries, error) {
	id, err := operation.LayerInput{Layer: layer}.ID()
	if err != nil {
		return nil, err
	}
	db, err := d.Snapshot()
	if err != nil {
		return nil, err
	}
	defer db.Close()
	geoids := make([]string, len(lat))
	err = parallel(len(geoids), func(from, to int) error {
		point := func(i int) geo.LatLng {
			p, err := geo.LatLngFromDegrees(lat[i], lon[i])
			if err != nil {
				return geo.LatLng{}
			}
			return p
		}
		order := slices.Collect(lookup.Order(to-from, func(i int) uint32 { return point(from + i).CurveKey() }))
		n := 0
		for geoid, err := range db.AreaIDsAt(ctx, id, func(yield func(geo.LatLng) bool) {
			for _, i := range order {
				if !yield(point(from + i)) {
					return
				}
			}
		}) {
			if err != nil {
				return err
			}
			geoids[from+order[n]] = geoid
			n++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	e := &Entries{Columns: []enrich.Column{{Name: "geoid", Type: enrich.String}}}
	e.Index, geoids = number(len(geoids), func(row int) string { return geoids[row] })
	for _, geoid := range geoids {
		e.Values = append(e.Values, []enrich.Value{enrich.StringValue(geoid)})
	}
	return e, nil
}

// Operations describes the operations with their parameters.
func Operations() any {
	type param struct {
		Name     string   `json:"name"`
		Help     string   `json:"help"`
		Required bool     `json:"required,omitzero"`
		Default  string   `json:"default,omitzero"`
		Values   []string `json:"values,omitempty"`
	}
	type described struct {
		Name    string  `json:"name"`
		Summary string  `json:"summary"`
		Params  []param `json:"params"`
	}
	var all []described
	for _, o := range operation.All() {
		d := described{Name: o.Name, Summary: o.Description()}
		for _, p := range o.Params {
			d.Params = append(d.Params, param{p.Name, p.Help, p.Required, p.Default, p.Values})
		}
		all = append(all, d)
	}
	return all
}

// Invalid returns the error of an argument.
func Invalid(param, expected string) error {
	return &fault.Error{Kind: fault.InvalidParam, Param: param, Range: expected, Detail: param + ": expected " + expected}
}

// Safely returns a panic as an error, because nothing may panic into other languages. A
// panic with an error of [Invalid] is that error.
func Safely(call func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *fault.Error:
			err = p
		default:
			err = fmt.Errorf("defect: %v", p)
		}
	}()
	return call()
}
