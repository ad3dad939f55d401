// Package functions adds the functions of postgeo to a connection of DuckDB.
package functions

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/duckdb/duckdb-go/mapping"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/function"
)

// Register adds all functions to a connection. They read db, which must stay open.
func Register(ctx context.Context, c *sql.Conn, db *postgeo.DB) error {
	const text, number, whole = mapping.TypeVarchar, mapping.TypeDouble, mapping.TypeBigInt
	fields := newFields(db)
	list := [][]*scalar{
		{{name: "acs", inputs: []mapping.Type{text, text, whole}, outputs: []output{{number: true}}, row: func(ctx context.Context, args []string) ([]enrich.Value, error) {
			return fields.values(ctx, args[0], "acs."+args[2]+"."+args[1])
		}}},
		{{name: "zip_field", inputs: []mapping.Type{text, text}, outputs: []output{{}}, row: func(ctx context.Context, args []string) ([]enrich.Value, error) {
			return fields.values(ctx, args[0], args[1])
		}}},
	}
	for _, f := range function.All() {
		s, err := named(f, db)
		if err != nil {
			return fmt.Errorf("function %s: %w", f.Name, err)
		}
		forms := []*scalar{s}
		if f.Kind == enrich.Code && len(f.Arguments) == 1 { // ZIP Codes that were read as numbers
			forms = append(forms, &scalar{name: s.name, inputs: []mapping.Type{whole}, outputs: s.outputs, row: s.row})
		}
		list = append(list, forms)
	}
	for _, forms := range list {
		if err := register(c, forms); err != nil {
			return err
		}
	}
	for _, t := range function.Tables() {
		if err := registerTable(ctx, c, db, t); err != nil {
			return err
		}
	}
	return nil
}

// named returns a function of the shared list.
func named(f *function.Function, db *postgeo.DB) (*scalar, error) {
	o := f.Options()
	o.RestoreZeros = true
	e, err := enrich.New(db, o)
	if err != nil {
		return nil, err
	}
	s := &scalar{name: f.Name}
	for range f.Arguments {
		input := mapping.TypeVarchar
		if f.Kind == enrich.Coordinates {
			input = mapping.TypeDouble
		}
		s.inputs = append(s.inputs, input)
	}
	for _, c := range e.Columns() {
		s.outputs = append(s.outputs, output{c.Name, c.Type == enrich.Float || c.Type == enrich.Int})
	}
	s.row = func(ctx context.Context, args []string) ([]enrich.Value, error) {
		args, to := f.Split(args)
		key, _ := function.Key(f.Kind, args)
		values, out, err := e.RowTo(ctx, key, to, nil)
		if err != nil || !out.Status.Answered() {
			return nil, err
		}
		return values, nil
	}
	return s, nil
}

// fields evaluates fields that rows name.
type fields struct {
	db  *postgeo.DB
	all *cache.Cache[*enrich.Enricher] // by path
}

func newFields(db *postgeo.DB) *fields {
	const size = 4 << 20
	return &fields{db, cache.New[*enrich.Enricher](size)}
}

func (f *fields) values(ctx context.Context, code, path string) ([]enrich.Value, error) {
	_, e, ok := f.all.Get([]byte(path))
	if !ok {
		var err error
		if e, err = enrich.New(f.db, enrich.Options{Kind: enrich.Code, Add: []string{path}, RestoreZeros: true}); err != nil {
			return nil, err
		}
		const about = 1 << 10 // bytes of an Enricher
		f.all.Put([]byte(path), nil, e, about)
	}
	values, _, err := e.Row(ctx, code, nil)
	return values, err
}
