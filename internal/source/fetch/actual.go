package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/postgeo/postgeo/internal/source/format"
)

// An actual is a line of a mirror's ACTUAL.csv. It holds the properties of a
// file of the mirror that differ from the official file of its name.
type actual struct {
	vintage, note string
	rows          int64 // 0 unknown, or none if empty
	empty         bool  // the file has no rows
	fitForShares  bool  // false if the column has "no": outlines too coarse for overlap shares
}

// apply replaces the catalog's values by the mirror's. Blank columns replace nothing. A 0
// of rows declares a file without rows, which otherwise would end the build.
func (a actual) apply(f *File) {
	f.Source.Vintage, f.Source.Note = cmp.Or(a.vintage, f.Source.Vintage), cmp.Or(a.note, f.Source.Note)
	if a.rows > 0 || a.empty {
		f.Source.Rows, f.Empty = a.rows, a.empty
	}
	f.FitForShares = a.fitForShares
}

const actualName = "ACTUAL.csv"

// readActuals reads the mirror's ACTUAL.csv, by path below the mirror. A mirror need not
// have one.
func (c *Client) readActuals(ctx context.Context) error {
	path := filepath.Join(c.dir, actualName)
	if c.base != nil {
		silent := *c // a list that the user has not named shows no progress
		silent.o.Progress = noProgress{}
		f, err := silent.download(ctx, Source{ID: actualName, Title: actualName}, c.base.JoinPath(actualName))
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrOffline) {
			return nil
		}
		if err != nil {
			return err
		}
		path = f.Path
	} else if c.dir == "" {
		return nil
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	c.actuals = map[string]actual{}
	columns := []string{"path", "vintage", "rows", "fit_for_shares", "note"}
	for row, err := range (format.File{Path: path}).Rows(format.Options{Delimiter: ',', Quoted: true, Columns: columns}) {
		if err == nil {
			err = c.addActual(row)
		}
		if err != nil {
			return fmt.Errorf("fetch: %w", err)
		}
	}
	return nil
}

func (c *Client) addActual(row format.Row) (err error) {
	path, rows := row.Get("path"), row.Get("rows")
	a := actual{vintage: row.Get("vintage"), note: row.Get("note"), fitForShares: row.Get("fit_for_shares") != "no"}
	if _, twice := c.actuals[path]; twice || path == "" {
		return row.Errorf("path", "%q is blank or there twice", path)
	}
	if rows != "" {
		if a.rows, err = strconv.ParseInt(rows, 10, 64); err != nil || a.rows < 0 {
			return row.Errorf("rows", "%q, expected a whole number or nothing", rows)
		}
		a.empty = a.rows == 0
	}
	c.actuals[path] = a
	return nil
}
