package fetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"

	"github.com/postgeo/postgeo/internal/source/format"
)

// An Actual is a line of a mirror's ACTUAL.csv. It holds the properties of a
// file of the mirror that differ from the official file of its name.
type Actual struct {
	Path         string // host/path below the mirror
	Vintage      string
	Rows         int64 // 0 unknown, or none if Empty
	Empty        bool  // the file has no rows
	FitForShares bool  // false if the column has "no": outlines too coarse for overlap shares
	Note         string
}

// apply replaces the catalog's values by the mirror's.
func (a Actual) apply(f *File) {
	if a.Vintage != "" {
		f.Source.Vintage = a.Vintage
	}
	if a.Note != "" {
		f.Source.Note = a.Note
	}
	if a.Rows > 0 {
		f.Source.Rows = a.Rows
	}
	if a.Empty {
		f.Source.Rows, f.Empty = 0, true
	}
	f.FitForShares = a.FitForShares
}

// Actuals returns the lines of the mirror's ACTUAL.csv, by path below the
// mirror; nothing without that file.
func (c *Client) Actuals() map[string]Actual { return maps.Clone(c.actuals) }

func (c *Client) actual(s Source) (Actual, bool) {
	rel, err := c.mirrored(s)
	if err != nil {
		return Actual{}, false
	}
	a, ok := c.actuals[rel]
	return a, ok
}

const actualName = "ACTUAL.csv"

// readActuals reads the mirror's ACTUAL.csv. A mirror need not have one.
func (c *Client) readActuals(ctx context.Context) error {
	var path string
	switch {
	case c.dir != "":
		path = filepath.Join(c.dir, actualName)
	case c.base != nil:
		s := Source{ID: actualName, Title: actualName}
		u := c.base.JoinPath(actualName)
		var err error
		if path, err = c.cachePath(s, u); err != nil {
			return err
		}
		t := &transfer{client: c, source: s, url: u.String(), path: path, quiet: true}
		_, err = t.get(ctx)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrOffline) {
			return nil
		}
		if err != nil {
			return err
		}
	default:
		return nil
	}
	in, err := format.Open(path, format.OpenOptions{})
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	defer in.Close()
	c.actuals, err = parseActuals(in)
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	return nil
}

func parseActuals(in *format.Input) (map[string]Actual, error) {
	t, err := format.NewTable(in, format.TableOptions{
		Quoted:  true,
		Columns: format.Columns("path", "vintage", "rows", "official_rows", "fit_for_shares", "note"),
	})
	if err != nil {
		return nil, err
	}
	all := map[string]Actual{}
	for row, err := range t.Rows() {
		if err != nil {
			return nil, err
		}
		a := Actual{Path: row.Get("path"), Vintage: row.Get("vintage"), Note: row.Get("note"), FitForShares: row.Get("fit_for_shares") != "no"}
		if _, twice := all[a.Path]; twice || a.Path == "" {
			return nil, row.Errorf("path", "%q is blank or there twice", a.Path)
		}
		for column, into := range map[string]*int64{"rows": &a.Rows, "official_rows": new(int64)} { // the second is read by people only
			if text := row.Get(column); text != "" {
				if *into, err = strconv.ParseInt(text, 10, 64); err != nil || *into < 0 {
					return nil, row.Errorf(column, "%q, expected a whole number or nothing", text)
				}
			}
		}
		a.Empty = row.Get("rows") != "" && a.Rows == 0
		all[a.Path] = a
	}
	return all, nil
}
