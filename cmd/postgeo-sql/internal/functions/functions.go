// Package functions adds the functions of postgeo to a connection of DuckDB.
package functions

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/postgeo/postgeo/internal/foreign"
)

// Register adds all functions to a connection. They read d, which must stay open. Each is
// a macro that converts arguments to text and calls a function of vectors.
func Register(ctx context.Context, c *sql.Conn, d *foreign.Dataset) error {
	list, err := d.Functions()
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := register(c, f); err != nil {
			return err
		}
		definition := "%s"
		if f.Table {
			definition = "TABLE SELECT unnest(%s, recursive := true)" // so that arguments may be columns
		}
		call := fmt.Sprintf(definition, "postgeo_"+f.Name+`("`+strings.Join(f.Arguments, `"::VARCHAR, "`)+`"::VARCHAR)`)
		if _, err := c.ExecContext(ctx, fmt.Sprintf(`CREATE TEMP MACRO %s("%s") AS %s`, f.Name, strings.Join(f.Arguments, `", "`), call)); err != nil {
			return err
		}
	}
	return nil
}
