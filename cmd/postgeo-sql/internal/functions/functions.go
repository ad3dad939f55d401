// Package functions adds the functions of postgeo to a connection of DuckDB.
package functions

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/postgeo/postgeo/internal/foreign"
	"github.com/postgeo/postgeo/internal/function"
)

// Register adds all functions to a connection. They read d, which must stay open. Each is
// a macro that converts arguments to text.
func Register(ctx context.Context, c *sql.Conn, d *foreign.Dataset) error {
	list, err := d.Functions()
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := add(ctx, c, f, "%s"); err != nil {
			return err
		}
	}
	// The driver's functions of tables end the process if an argument is null. Those of
	// macros have no rows then, and arguments may be columns of other tables.
	for _, t := range function.Tables() {
		var columns []string
		for _, c := range t.Columns {
			columns = append(columns, fmt.Sprintf(`(r->>'$.%s')::%s AS "%s"`, c.Path, c.Type(), c.Name))
		}
		if err := add(ctx, c, d.Table(t), "TABLE SELECT "+strings.Join(columns, ", ")+" FROM (SELECT unnest(json_extract(%s, '$."+t.Rows+"[*]')::JSON[]) AS r)"); err != nil {
			return err
		}
	}
	return nil
}

// inner is the beginning of the names of the functions that macros call.
const inner = "postgeo_"

// add adds a function and its macro, whose definition has %s for the call.
func add(ctx context.Context, c *sql.Conn, f *foreign.Function, definition string) error {
	if err := register(c, f); err != nil {
		return err
	}
	call := inner + f.Name + `("` + strings.Join(f.Arguments, `"::VARCHAR, "`) + `"::VARCHAR)`
	_, err := c.ExecContext(ctx, fmt.Sprintf(`CREATE TEMP MACRO %s("%s") AS `+definition, f.Name, strings.Join(f.Arguments, `", "`), call))
	return err
}
