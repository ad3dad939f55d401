package functions

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/function"
)

// registerTables adds the functions of tables.
func registerTables(c *sql.Conn, db *postgeo.DB) error {
	for _, t := range function.Tables() {
		var arguments []duckdb.TypeInfo
		for i := range t.Arguments {
			arguments = append(arguments, typeOf(t.Numeric(i)))
		}
		f := duckdb.ChunkTableFunction{
			Config: duckdb.TableFunctionConfig{Arguments: arguments},
			BindArgumentsContext: func(ctx context.Context, _ map[string]any, args ...any) (duckdb.ChunkTableSource, error) {
				rows, err := t.Rows(ctx, db, args)
				return &source{Table: t, rows: rows}, err
			},
		}
		if err := duckdb.RegisterTableUDF(c, t.Name, f); err != nil {
			return fmt.Errorf("function %s: %w", t.Name, err)
		}
	}
	return nil
}

// A source returns the rows of a table.
type source struct {
	*function.Table
	rows [][]any
	left [][]any // of the scan
}

// ColumnInfos implements duckdb.ChunkTableSource.
func (s *source) ColumnInfos() (list []duckdb.ColumnInfo) {
	for _, c := range s.Columns {
		list = append(list, duckdb.ColumnInfo{Name: c.Name, T: typeOf(c.Number)})
	}
	return list
}

// Cardinality implements duckdb.ChunkTableSource.
func (s *source) Cardinality() *duckdb.CardinalityInfo {
	return &duckdb.CardinalityInfo{Cardinality: uint(len(s.rows)), Exact: true}
}

// Init implements duckdb.ChunkTableSource. It begins a scan.
func (s *source) Init() { s.left = s.rows }

// FillChunk implements duckdb.ChunkTableSource. An empty chunk is the end.
func (s *source) FillChunk(chunk duckdb.DataChunk) error {
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

// typeOf returns the type of numbers or texts.
func typeOf(number bool) duckdb.TypeInfo {
	t := duckdb.TYPE_VARCHAR
	if number {
		t = duckdb.TYPE_DOUBLE
	}
	info, err := duckdb.NewTypeInfo(t)
	if err != nil {
		panic(err) // t is constant
	}
	return info
}
