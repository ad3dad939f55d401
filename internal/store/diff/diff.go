// Package diff compares dataset files: SQL over two attached files, table by table.
//
// A table is compared by EXCEPT in both directions. Before that, numbers of the file (zone 12)
// are replaced by their meaning (America/Denver), because one more time zone shifts all numbers
// behind it, and nothing has changed. Tables whose digests are equal are skipped, unless they refer to
// a table that differs. SQLite compares; only rows that differ come into memory.
package diff

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Change is one row that differs between two datasets.
type Change struct {
	Table  string        `json:"table"`
	Key    string        `json:"key"`              // of the field, e.g. "90210" or "tract 06037700801"
	Op     string        `json:"op"`               // "added", "removed" or "changed"
	Fields []FieldChange `json:"fields,omitempty"` // of a changed row
}

// A FieldChange is a changed value. Values of a binary format are described by their size.
type FieldChange struct {
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// The operations of a [Change].
const (
	Added   = "added"
	Removed = "removed"
	Changed = "changed"
)

// keyOf are the columns of the field's keys of tables whose key is a number of the file.
var keyOf = map[string]string{
	"state": "state", "cbsa": "cbsa", "division": "division", "county": "county", "zone": "name, source", "source": "name", "gap": "name",
	"layer": "layer", "area": "layer, geoid", "place_name": "kind, name, state, county, ref", "road_area": "code", "acs_table": "level, year, name",
	"acs_page": "table_id, first_area", "outline_key": "outline, key",
}

// meaning is the SQL of columns that refer to numbers of the file, by column or by table and
// column, with the tables that it reads; % is the schema.
var meaning = map[string]struct {
	sql   string
	reads []string
}{
	"zone":     {"(SELECT name FROM %.zone z WHERE z.id = t.zone)", []string{"zone"}},
	"layer":    {"coalesce((SELECT layer FROM %.layer l WHERE l.id = t.layer), t.layer)", []string{"layer"}},
	"area":     {"(SELECT l.layer || ' ' || geoid FROM %.area a JOIN %.layer l ON l.id = a.layer WHERE a.id = t.area)", []string{"area", "layer"}},
	"table_id": {"(SELECT level || ' ' || year || ' ' || name FROM %.acs_table a WHERE a.id = t.table_id)", []string{"acs_table"}},
	"place": {
		"(SELECT group_concat(geoid, ', ') FROM %.census_area c JOIN %.area a ON a.id = c.area WHERE c.place = t.place)",
		[]string{"census_area", "area"},
	},
	"place_zip.place": {"(SELECT kind || ' ' || name || ' ' || coalesce(state, '') FROM %.place_name p WHERE p.id = t.place)", []string{"place_name"}},
	"field":           {"(SELECT f.field FROM %.acs_field f WHERE f.id = t.field)", []string{"acs_field"}},
	"twin":            {"(SELECT name FROM %.place_name p WHERE p.id = t.twin)", []string{"place_name"}},
}

// tablesWithout are tables that describe or derive from the others.
var tablesWithout = []string{
	"manifest", "content", "cache", "search_index", "census_area", "acs_field", "zip4_addon", "road_index",
}

// columnsWithout are columns, unless they are keys, that are numbers of the file or derive
// from others.
var columnsWithout = []string{"first_area", "position", "ref", "number", "filter", "firsts"}

// errEnough ends a comparison.
var errEnough = errors.New("the caller has enough")

// Changes yields every row that differs, table by table, in ascending order of the keys.
// References are compared by their keys (a state by its letters, a time zone by its name),
// not by numbers of the file. An error ends it.
func Changes(ctx context.Context, a, b *store.Dataset) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		if err := compare(ctx, a, b, func(c Change) bool { return yield(c, nil) }); err != nil && !errors.Is(err, errEnough) {
			yield(Change{}, err)
		}
	}
}

// compare calls f with every row that differs, until it returns false.
func compare(ctx context.Context, a, b *store.Dataset, f func(Change) bool) (err error) {
	c, err := a.Connect()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return b.Attached("b", c, func() error {
		same := map[string]bool{} // tables with equal digests
		err := c.Query("SELECT name FROM main.content JOIN b.content y USING (name) WHERE main.content.sha256 = y.sha256", func(v []driver.Value) error {
			same[shown(v[0])] = true
			return nil
		})
		for _, t := range file.Schema {
			if err == nil && !slices.Contains(tablesWithout, t.Name) {
				err = compareTable(ctx, c, t.Name, same, f)
			}
		}
		return err
	})
}

// compareTable compares a table of the databases main and b, unless it and the tables that its
// columns refer to are the same.
func compareTable(ctx context.Context, c *file.Connection, table string, same map[string]bool, f func(Change) bool) error {
	var columns, key, sql []string
	differs := !same[table]
	if err := ctx.Err(); err != nil {
		return err
	}
	err := c.Query("SELECT name, pk FROM pragma_table_info('"+table+"')", func(v []driver.Value) error {
		name, _ := v[0].(string)
		pk, _ := v[1].(int64)
		if named := keyOf[table]; named != "" {
			if name == "id" {
				return nil
			}
			pk = 0
			if slices.Contains(strings.Split(named, ", "), name) {
				pk = 1
			}
		}
		text := "t." + name
		m, ok := meaning[table+"."+name]
		if !ok {
			m, ok = meaning[name]
		}
		if ok && name != table {
			text = m.sql
			differs = differs || slices.ContainsFunc(m.reads, func(t string) bool { return !same[t] })
		}
		if pk > 0 {
			key = append(key, "coalesce("+text+", '')")
		} else if !slices.Contains(columnsWithout, name) {
			columns, sql = append(columns, name), append(sql, text)
		}
		return nil
	})
	if err != nil || !differs {
		return err
	}
	all := "SELECT " + strings.Join(append([]string{strings.Join(key, " || ' ' || ")}, sql...), ", ") + " FROM %." + table + " t"
	in := func(schema string) string { return strings.ReplaceAll(all, "%", schema) }
	read := func(sql string) (map[string][]driver.Value, error) {
		rows := map[string][]driver.Value{}
		return rows, c.Query(sql, func(v []driver.Value) error {
			rows[shown(v[0])] = slices.Clone(v[1:])
			return ctx.Err()
		})
	}
	before, err := read(in("main") + " EXCEPT " + in("b"))
	if err != nil {
		return err
	}
	after, err := read(in("b") + " EXCEPT " + in("main"))
	if err != nil {
		return err
	}
	for k := range after {
		if _, ok := before[k]; !ok {
			before[k] = nil
		}
	}
	for _, k := range slices.Sorted(maps.Keys(before)) {
		x, y := before[k], after[k]
		change := Change{Table: table, Key: k, Op: Changed}
		switch {
		case y == nil:
			change.Op = Removed
		case x == nil:
			change.Op = Added
		}
		for i := range min(len(x), len(y)) {
			from, to := shown(x[i]), shown(y[i])
			p, _ := x[i].([]byte)
			if q, _ := y[i].([]byte); from == to && !bytes.Equal(p, q) {
				to = "others"
			}
			if from != to {
				change.Fields = append(change.Fields, FieldChange{columns[i], from, to})
			}
		}
		if !f(change) {
			return errEnough
		}
	}
	return nil
}

// shown returns a value as text, "" for NULL.
func shown(v driver.Value) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []byte:
		return fmt.Sprintf("%d bytes", len(v))
	default:
		return fmt.Sprint(v)
	}
}

// A Difference sums up the changes from one dataset to another.
type Difference struct {
	From   string            `json:"from"` // versions of the two datasets
	To     string            `json:"to"`
	Tables []TableDifference `json:"tables"` // those that differ
}

// A TableDifference sums up the changes of a table.
type TableDifference struct {
	Table    string       `json:"table"`
	Added    int64        `json:"added"`
	Removed  int64        `json:"removed"`
	Changed  int64        `json:"changed"`
	Fields   []FieldCount `json:"fields,omitempty"`   // how often a field changed, the most frequent first
	Examples []Change     `json:"examples,omitempty"` // the first of each operation, at most ExamplesPerOp
}

// ExamplesPerOp is the number of examples of each operation in a TableDifference.
const ExamplesPerOp = 20

// A FieldCount is the number of changed values of a field.
type FieldCount struct {
	Field string `json:"field"`
	Count int64  `json:"count"`
}

// Summarize compares two datasets and counts what [Changes] yields.
func Summarize(ctx context.Context, a, b *store.Dataset) (*Difference, error) {
	d := &Difference{From: a.Manifest().Version, To: b.Manifest().Version, Tables: []TableDifference{}}
	for c, err := range Changes(ctx, a, b) {
		if err != nil {
			return nil, err
		}
		if n := len(d.Tables); n == 0 || d.Tables[n-1].Table != c.Table {
			d.Tables = append(d.Tables, TableDifference{Table: c.Table})
		}
		t := &d.Tables[len(d.Tables)-1]
		count := map[string]*int64{Added: &t.Added, Removed: &t.Removed, Changed: &t.Changed}[c.Op]
		if *count++; *count <= ExamplesPerOp {
			t.Examples = append(t.Examples, c)
		}
		for _, f := range c.Fields {
			i := slices.IndexFunc(t.Fields, func(x FieldCount) bool { return x.Field == f.Field })
			if i < 0 {
				i, t.Fields = len(t.Fields), append(t.Fields, FieldCount{Field: f.Field})
			}
			t.Fields[i].Count++
		}
	}
	for _, t := range d.Tables {
		slices.SortStableFunc(t.Fields, func(x, y FieldCount) int { return int(y.Count - x.Count) })
	}
	return d, nil
}
