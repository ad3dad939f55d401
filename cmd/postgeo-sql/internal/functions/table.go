package functions

import (
	"context"
	"database/sql"
	"fmt"
	"iter"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
)

// registerTables adds radius_zips(code, miles) and crosswalk(from, to, weight).
func registerTables(c *sql.Conn, db *postgeo.DB) error {
	text, number := typeOf(duckdb.TYPE_VARCHAR), typeOf(duckdb.TYPE_DOUBLE)
	search := table{
		arguments: []duckdb.TypeInfo{text, number},
		columns: []duckdb.ColumnInfo{
			{Name: "code", T: text},
			{Name: "city", T: text},
			{Name: "state", T: text},
			{Name: "county_fips", T: text},
			{Name: "lat", T: number},
			{Name: "lon", T: number},
			{Name: "miles", T: number},
		},
		rows: func(ctx context.Context, args []any) (iter.Seq2[[]any, error], error) {
			r, err := db.Radius(ctx, args[0].(string), postgeo.RadiusOptions{Max: geo.Miles(args[1].(float64))})
			if err != nil {
				return nil, err
			}
			return func(yield func([]any, error) bool) {
				for i := range r.Matches {
					m := &r.Matches[i]
					if !yield([]any{m.Code, m.City, m.State, m.CountyFIPS, m.Location.Lat(), m.Location.Lng(), float64(m.DistanceMiles)}, nil) {
						return
					}
				}
			}, nil
		},
	}
	overlaps := table{
		arguments: []duckdb.TypeInfo{text, text, text},
		columns: []duckdb.ColumnInfo{
			{Name: "from_id", T: text},
			{Name: "from_name", T: text},
			{Name: "to_id", T: text},
			{Name: "to_name", T: text},
			{Name: "pct_of_from", T: number},
			{Name: "pct_of_to", T: number},
		},
		rows: func(ctx context.Context, args []any) (iter.Seq2[[]any, error], error) {
			weight, err := postgeo.ParseWeight(args[2].(string))
			if err != nil {
				return nil, err
			}
			list := db.Crosswalk(ctx, args[0].(string), args[1].(string), postgeo.CrosswalkOptions{Weight: weight})
			return func(yield func([]any, error) bool) {
				for r, err := range list {
					if !yield([]any{r.From, r.FromName, r.To, r.ToName, orNull(r.PctOfFrom), orNull(r.PctOfTo)}, err) {
						return
					}
				}
			}, nil
		},
	}
	for name, t := range map[string]table{"radius_zips": search, "crosswalk": overlaps} {
		if err := duckdb.RegisterTableUDF(c, name, t.function()); err != nil {
			return fmt.Errorf("function %s: %w", name, err)
		}
	}
	return nil
}

func orNull(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// A table is a function of DuckDB that returns rows.
type table struct {
	arguments []duckdb.TypeInfo
	columns   []duckdb.ColumnInfo
	rows      func(ctx context.Context, args []any) (iter.Seq2[[]any, error], error)
}

func (t table) function() duckdb.ChunkTableFunction {
	return duckdb.ChunkTableFunction{
		Config: duckdb.TableFunctionConfig{Arguments: t.arguments},
		BindArgumentsContext: func(ctx context.Context, _ map[string]any, args ...any) (duckdb.ChunkTableSource, error) {
			rows, err := t.rows(ctx, args)
			return &source{table: t, rows: rows}, err
		},
	}
}

// A source returns the rows of a table. The first chunk reads them all: DuckDB requests
// chunks from several threads, between which an iterator cannot move.
type source struct {
	table
	rows iter.Seq2[[]any, error]
	left [][]any
	read bool
}

// ColumnInfos implements duckdb.ChunkTableSource.
func (s *source) ColumnInfos() []duckdb.ColumnInfo { return s.columns }

// Cardinality implements duckdb.ChunkTableSource. It is unknown.
func (s *source) Cardinality() *duckdb.CardinalityInfo { return nil }

// Init implements duckdb.ChunkTableSource.
func (s *source) Init() {}

// FillChunk implements duckdb.ChunkTableSource. An empty chunk is the end.
func (s *source) FillChunk(chunk duckdb.DataChunk) error {
	if !s.read {
		s.read = true
		for values, err := range s.rows {
			if err != nil {
				return err
			}
			s.left = append(s.left, values)
		}
	}
	size := min(len(s.left), duckdb.GetDataChunkCapacity())
	for row, values := range s.left[:size] {
		for i, v := range values {
			if err := chunk.SetValue(i, row, v); err != nil {
				return err
			}
		}
	}
	s.left = s.left[size:]
	return chunk.SetSize(size)
}

// typeOf returns a type without parameters.
func typeOf(t duckdb.Type) duckdb.TypeInfo {
	info, err := duckdb.NewTypeInfo(t)
	if err != nil {
		panic(err) // t is constant
	}
	return info
}
