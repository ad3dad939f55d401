package foreign

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
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
	Table     bool                   // the result is a list of rows

	row   func(ctx context.Context, args []string, add func([]enrich.Value)) error
	cache *cache.Cache[struct{}] // the results, by arguments
}

// A Row evaluates a row of arguments, which it does not keep.
type Row func(ctx context.Context, args [][]byte) (Cells, error)

// Use calls call with the function. A panic is an error.
func (f *Function) Use(call func(Row) error) error {
	return Safely(func() error {
		var key []byte
		return call(func(ctx context.Context, args [][]byte) (Cells, error) {
			key = key[:0]
			for _, arg := range args {
				key = append(binary.AppendUvarint(key, uint64(len(arg))), arg...)
			}
			if cells, _, ok := f.cache.Get(key); ok {
				return cells, nil
			}
			var cells Cells
			texts := make([]string, len(args))
			for i, arg := range args {
				texts[i] = string(arg)
			}
			err := f.row(ctx, texts, func(values []enrich.Value) { cells = f.append(cells, values) })
			if err == nil {
				f.cache.Put(key, cells, struct{}{}, 0)
			}
			return cells, err
		})
	})
}

// Cells are the values of the columns of a row, or of all rows of a table. They are one
// piece of memory, because vectors of SQL are filled with them again and again.
type Cells []byte

// append appends the values of a row, or nothing if it has none. Each has its length plus
// one before it; null has 0.
func (f *Function) append(c Cells, values []enrich.Value) Cells {
	start, some := len(c), false
	for i, v := range values {
		switch {
		case v.IsNull():
			c = append(c, 0)
			continue
		case f.Columns[i].Number:
			c = binary.LittleEndian.AppendUint64(append(c, 8+1), math.Float64bits(v.Float()))
		default:
			text := v.String()
			c = append(binary.AppendUvarint(c, uint64(len(text))+1), text...)
		}
		some = true
	}
	if !some {
		return c[:start]
	}
	return c
}

// Next returns the first value and those after it. The value is nil if it is null, or if
// there is none. A number is a float64 in eight bytes, the least significant first.
func (c Cells) Next() (value []byte, rest Cells) {
	n, size := binary.Uvarint(c)
	if n == 0 {
		return nil, c[size:]
	}
	end := size + int(n) - 1
	return c[size:end], c[end:]
}

// Rows returns the number of rows of so many columns.
func (c Cells) Rows(columns int) (n int) {
	for ; len(c) > 0; n++ {
		for range columns {
			_, c = c.Next()
		}
	}
	return n
}

// Functions returns the functions of package function, and those of fields that rows name.
// They read the dataset that d has now.
func (d *Dataset) Functions() (list []*Function, err error) {
	const size = 64 << 20 // bytes of the results of a function that are kept
	add := func(f *Function) {
		f.cache = cache.New[struct{}](size)
		list = append(list, f)
	}
	fields := fields{d: d}
	add(&Function{Name: "acs", Arguments: []string{"zip", "field", "year"}, Columns: []function.TableColumn{{Number: true}}, row: fields.row(func(args []string) string {
		return fmt.Sprintf("acs.%s.%s", args[2], args[1])
	})})
	add(&Function{Name: "zip_field", Arguments: []string{"code", "path"}, Columns: []function.TableColumn{{}}, row: fields.row(func(args []string) string { return args[1] })})
	for _, of := range function.All() {
		opt := of.Options()
		opt.RestoreZeros = true // of codes that were read as numbers
		e, err := enrich.New(d.DB, opt)
		if err != nil {
			return nil, fmt.Errorf("function %s: %w", of.Name, err)
		}
		f := &Function{Name: of.Name, Arguments: of.Arguments}
		for _, c := range e.Columns() {
			f.Columns = append(f.Columns, function.TableColumn{Name: c.Name, Number: c.Type == enrich.Float || c.Type == enrich.Int})
		}
		f.row = func(ctx context.Context, args []string, add func([]enrich.Value)) error {
			args, to := of.Split(args)
			key, _ := function.Key(of.Kind, args)
			values, _, err := e.RowTo(ctx, key, to, nil)
			add(values)
			return err
		}
		add(f)
	}
	for _, t := range function.Tables() {
		add(&Function{Name: t.Name, Arguments: t.Arguments, Columns: t.Columns, Table: true, row: func(ctx context.Context, args []string, add func([]enrich.Value)) error {
			rows, err := t.Rows(ctx, d.DB, args)
			if err != nil {
				return err
			}
			for values := range rows {
				add(values)
			}
			return nil
		}})
	}
	return list, nil
}

// fields evaluates fields that rows name.
type fields struct {
	d   *Dataset
	all sync.Map // *enrich.Enricher by path
}

// row returns a function that evaluates a field of a code.
func (f *fields) row(path func(args []string) string) func(ctx context.Context, args []string, add func([]enrich.Value)) error {
	return func(ctx context.Context, args []string, add func([]enrich.Value)) error {
		name := path(args)
		e, ok := f.all.Load(name)
		if !ok {
			of, err := enrich.New(f.d.DB, enrich.Options{Kind: enrich.Code, Add: []string{name}, RestoreZeros: true})
			if err != nil {
				return err
			}
			e, _ = f.all.LoadOrStore(name, of)
		}
		values, _, err := e.(*enrich.Enricher).Row(ctx, args[0], nil)
		add(values)
		return err
	}
}
