package functions

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/mapping"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/function"
)

// registerTable adds a function of a table: a macro over a function whose result is the
// rows as JSON. The driver's functions of tables end the process if an argument is null.
// Those of macros have no rows then, and arguments may be columns of other tables.
func registerTable(ctx context.Context, c *sql.Conn, db *postgeo.DB, t *function.Table) error {
	s := &scalar{name: "postgeo_" + t.Name, outputs: []output{{}}}
	s.row = func(ctx context.Context, args []string) ([]enrich.Value, error) {
		given := make([]any, len(args))
		for i, arg := range args {
			if given[i] = arg; t.Numeric(i) {
				given[i] = json.Number(arg)
			}
		}
		rows, err := t.JSON(ctx, db, given)
		return []enrich.Value{enrich.StringValue(string(rows))}, err
	}
	for i := range t.Arguments {
		s.inputs = append(s.inputs, typeOf(t.Numeric(i)))
	}
	if err := register(c, []*scalar{s}); err != nil {
		return err
	}
	shape, columns := map[string]any{}, []string{}
	for _, c := range t.Columns {
		at, path := shape, strings.Split(c.Path, ".")
		last := len(path) - 1
		for _, name := range path[:last] {
			if at[name] == nil {
				at[name] = map[string]any{}
			}
			at = at[name].(map[string]any)
		}
		at[path[last]] = map[bool]string{true: "DOUBLE", false: "VARCHAR"}[c.Number]
		columns = append(columns, `r."`+strings.Join(path, `"."`)+`" AS "`+c.Name+`"`)
	}
	structure, err := json.Marshal(map[string]any{t.Rows: []any{shape}})
	if err != nil {
		return err
	}
	arguments := `"` + strings.Join(t.Arguments, `", "`) + `"`
	macro := fmt.Sprintf(`CREATE TEMP MACRO %s(%s) AS TABLE SELECT %s FROM (SELECT unnest(from_json(%s(%[2]s), '%[5]s')."%[6]s") AS r)`,
		t.Name, arguments, strings.Join(columns, ", "), s.name, structure, t.Rows)
	if _, err := c.ExecContext(ctx, macro); err != nil {
		return fmt.Errorf("function %s: %w", t.Name, err)
	}
	return nil
}

// typeOf returns the type of numbers or texts.
func typeOf(number bool) mapping.Type {
	if number {
		return mapping.TypeDouble
	}
	return mapping.TypeVarchar
}
