// Package foreign runs operations for callers in other languages: names and JSON in, JSON
// out.
//
// It is the Go side of the C library (cmd/libpostgeo), without C, so that it can be
// tested by itself. A caller holds a dataset by a number, since Go pointers must not be
// kept by C. Every operation of package internal/operation can be called by its name; a
// new one needs no code here.
package foreign

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/draw"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/userdata"
)

// Sample is the path of the embedded sample.
const Sample = "sample"

// Datasets are the open datasets of a process by their handles. No handle is used twice,
// so that a handle that was closed never names another dataset. The zero value is ready
// and safe for concurrent use.
type Datasets struct {
	last atomic.Uint64
	open sync.Map // *postgeo.DB by handle
}

// Open opens the dataset at a path and returns its handle. "" means the file that
// POSTGEO_DATA names, else the user's, else the embedded sample.
func (d *Datasets) Open(path string) (uint64, error) {
	path, err := userdata.Choose(path, os.Getenv, userdata.OwnDir())
	if err != nil {
		return 0, err
	}
	var db *postgeo.DB
	if path == "" || path == Sample {
		db, err = postgeo.OpenSample()
	} else {
		db, err = postgeo.Open(path)
	}
	if err != nil {
		return 0, err
	}
	handle := d.last.Add(1)
	d.open.Store(handle, db)
	return handle, nil
}

// Close closes a dataset when the calls in flight have ended. The error of later calls is
// [postgeo.ErrClosed].
func (d *Datasets) Close(handle uint64) error {
	db, ok := d.open.LoadAndDelete(handle)
	if !ok {
		return postgeo.ErrClosed
	}
	return db.(*postgeo.DB).Close()
}

// Call runs an operation, or "enrich", "info" or "operations", with the members of a JSON
// object. Its result encodes to JSON.
func (d *Datasets) Call(ctx context.Context, handle uint64, name, arguments string) (any, error) {
	if name == "operations" {
		return operations(), nil
	}
	held, ok := d.open.Load(handle)
	if !ok {
		return nil, postgeo.ErrClosed
	}
	// The snapshot lets Close wait for this call, which may have loaded the handle just
	// before.
	db, err := held.(*postgeo.DB).Snapshot()
	if err != nil {
		return nil, err
	}
	defer db.Close()
	switch name {
	case "info":
		return db.Info(), nil
	case "enrich":
		return enrichRows(ctx, db, arguments)
	}
	o := operation.Find(all(), name)
	if o == nil {
		return nil, Invalid("operation", "enrich, info, or a name of the list operations, not "+strconv.Quote(name))
	}
	return o.Call(ctx, db, []byte(arguments))
}

func all() []*operation.Operation { return append(draw.All(), operation.All()...) }

// operations describes the operations with their parameters.
func operations() any {
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
	var list []described
	for _, o := range all() {
		d := described{Name: o.Name, Summary: o.Description()}
		for _, p := range o.Params {
			d.Params = append(d.Params, param{p.Name, p.Help, p.Required, p.Default, p.Values})
		}
		list = append(list, d)
	}
	return list
}

// Invalid returns the error of an argument.
func Invalid(param, expected string) error {
	return &envelope.Failure{Kind: envelope.KindInvalidParam, Param: param, Range: expected, Detail: param + ": expected " + expected}
}

// Safely returns a panic as an error, because nothing may panic into other languages.
func Safely(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("defect: %v", p)
		}
	}()
	return call()
}
