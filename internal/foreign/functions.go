package foreign

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/function"
)

// A Function is a function of SQL. Its arguments are texts.
type Function struct {
	Name      string
	Arguments []string
	Columns   []function.TableColumn // of the result; several are its members

	use func(call func(Row) error) error
}

// A Row evaluates a row of arguments. It returns nil if all values are null. Values must not
// be changed.
type Row func(ctx context.Context, args [][]byte) ([]enrich.Value, error)

// Use calls call with the function for the current dataset. A panic is an error.
func (f *Function) Use(call func(Row) error) error {
	return Safely(func() error { return f.use(call) })
}

// Functions returns the functions of package function, and those of fields that rows name.
func (d *Dataset) Functions() (list []*Function, err error) {
	fields := fields{d: d}
	list = []*Function{
		{Name: "acs", Arguments: []string{"zip", "field", "year"}, Columns: []function.TableColumn{{Number: true}}, use: fields.use(func(args [][]byte) string {
			return fmt.Sprintf("acs.%s.%s", args[2], args[1])
		})},
		{Name: "zip_field", Arguments: []string{"code", "path"}, Columns: []function.TableColumn{{}}, use: fields.use(func(args [][]byte) string {
			return string(args[1])
		})},
	}
	for _, f := range function.All() {
		opt := f.Options()
		opt.RestoreZeros = true // of codes that were read as numbers
		c, err := d.Columns(opt, false)
		if err != nil {
			return nil, fmt.Errorf("function %s: %w", f.Name, err)
		}
		of := &Function{Name: f.Name, Arguments: f.Arguments, use: c.row}
		for _, column := range c.view.List {
			of.Columns = append(of.Columns, function.TableColumn{Name: column.Name, Path: column.Path, Number: column.Type == enrich.Float || column.Type == enrich.Int})
		}
		list = append(list, of)
	}
	return list, nil
}

// row calls call with a function of the columns.
func (c *Columns) row(call func(Row) error) error {
	between := []byte{'\t'}
	if c.opt.Kind == enrich.Coordinates {
		between = []byte{','}
	}
	return c.Use(func(v *View) error {
		var r reader
		return call(func(ctx context.Context, args [][]byte) ([]enrich.Value, error) {
			r.text = r.start()
			for i, arg := range args {
				if i > 0 {
					r.text = append(r.text, between...)
					arg = bytes.ReplaceAll(arg, between, []byte{' '})
				}
				r.text = append(r.text, arg...)
			}
			values, err := r.row(ctx, v, "")
			if !slices.ContainsFunc(values, func(v enrich.Value) bool { return !v.IsNull() }) {
				return nil, err
			}
			return values, err
		})
	})
}

// fields are columns of one field each, whose paths rows name.
type fields struct {
	d   *Dataset
	all sync.Map // *Columns by path
}

// use returns a function that evaluates a field of a code.
func (f *fields) use(path func(args [][]byte) string) func(call func(Row) error) error {
	return func(call func(Row) error) error {
		var r reader
		return call(func(ctx context.Context, args [][]byte) (values []enrich.Value, err error) {
			name := path(args)
			c, ok := f.all.Load(name)
			if !ok {
				if c, err = f.d.Columns(enrich.Options{Kind: enrich.Code, Add: []string{name}, RestoreZeros: true}, false); err != nil {
					return nil, err
				}
				f.all.Store(name, c)
			}
			err = c.(*Columns).Use(func(v *View) (err error) {
				r.text = append(r.start(), args[0]...)
				values, err = r.row(ctx, v, "")
				return err
			})
			return values, err
		})
	}
}

// Table returns the function of a table, whose result is the table as JSON.
func (d *Dataset) Table(t *function.Table) *Function {
	const size = 64 << 20 // of the results that are kept
	known := cache.New[struct{}](size)
	row := func(ctx context.Context, args [][]byte) ([]enrich.Value, error) {
		given := make([]any, len(args))
		for i, arg := range args {
			if given[i] = string(arg); t.Numeric(i) {
				given[i] = json.Number(arg)
			}
		}
		key, err := json.Marshal(given)
		if err != nil {
			return nil, err
		}
		rows, _, ok := known.Get(key)
		if !ok {
			if rows, err = t.JSON(ctx, d.DB, given); err != nil {
				return nil, err
			}
			known.Put(key, rows, struct{}{}, 0)
		}
		return []enrich.Value{enrich.JSONValue(string(rows))}, nil
	}
	return &Function{Name: t.Name, Arguments: t.Arguments, Columns: []function.TableColumn{{}}, use: func(call func(Row) error) error { return call(row) }}
}
