package tables

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/enum"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// A Meaning defines how the values of several areas combine.
type Meaning uint8

// The meanings.
const (
	Count    Meaning = iota + 1 // divided among areas and summed
	Rate                        // averaged by the denominator
	Mean                        // averaged by the weight
	Median                      // the median of the areas' medians by the weight
	Category                    // the share of each text
)

var meaningNames = enum.Names[Meaning]{Count: "count", Rate: "rate", Mean: "mean", Median: "median", Category: "category"}

// String returns the name, such as "rate".
func (m Meaning) String() string { return meaningNames.Of(m) }

// MarshalText returns String.
func (m Meaning) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText is [ParseMeaning].
func (m *Meaning) UnmarshalText(text []byte) error {
	var ok bool
	if *m, ok = ParseMeaning(string(text)); !ok {
		return fmt.Errorf("unknown meaning %q", text)
	}
	return nil
}

// ParseMeaning returns the meaning with the name.
func ParseMeaning(name string) (Meaning, bool) {
	m, ok := meaningNames.Find(name)
	return m, ok && m != 0
}

// Info describes a table.
type Info struct {
	Name    string // lower-case letters, digits and underscores
	Year    int    // of the values; 0 unknown
	Key     string // geography of the keys, e.g. "tract"
	Weight  string // measure of shares: "people", "housing", "area", or "" for the default
	Title   string
	Source  string // title and file
	License string
	Columns []Column
}

// A Column describes the values of a column.
type Column struct {
	Name    string // as the names of tables
	Meaning Meaning
	Weight  string // column of the denominator or the weight; "" takes the weight of the table
	Absent  string // category of areas without a row; "" means unknown
}

// Values are the values of a column, by row. A category has Texts, "" unknown.
// Others have Numbers, NaN unknown.
type Values struct {
	Numbers []float64
	Texts   []string
}

// Data is a table for a Writer. Keys ascend.
type Data struct {
	Info
	Keys   []string
	Values []Values // by column
}

// A Table has values of areas in one year.
type Table struct {
	info   Info
	keys   store.Column // of the width of the longest key, padded with zeros
	values store.Column // one coded column a row
	read   []reader
}

// Info returns the description. Its slices must not be changed.
func (t *Table) Info() *Info { return &t.info }

// Len returns the number of rows.
func (t *Table) Len() int { return t.keys.Rows }

// Key returns the key of a row.
func (t *Table) Key(row int) string { return string(bytes.TrimRight(t.keys.Row(row), "\x00")) }

// Find returns the row of a key.
func (t *Table) Find(key string) (row int, ok bool) {
	if len(key) > t.keys.Width {
		return 0, false
	}
	lo, hi := 0, t.keys.Rows
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if compareKey(t.keys.Row(mid), key) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < t.keys.Rows && compareKey(t.keys.Row(lo), key) == 0
}

// compareKey compares a padded key with a text without zeros.
func compareKey(padded []byte, key string) int {
	for i := range padded {
		c := byte(0)
		if i < len(key) {
			c = key[i]
		}
		if padded[i] != c {
			return cmp.Compare(padded[i], c)
		}
	}
	return 0
}

// Column returns the position of a column, or -1.
func (t *Table) Column(name string) int {
	return slices.IndexFunc(t.info.Columns, func(c Column) bool { return c.Name == name })
}

// Number returns a number of a column that is not a category; false if unknown.
func (t *Table) Number(column, row int) (float64, bool) { return t.read[column].number(row) }

// Category returns the position of a text in [Table.Categories], or -1.
func (t *Table) Category(column, row int) int { return int(t.read[column].packed.At(row)) - 1 }

// Categories returns the texts of a column. They must not be changed.
func (t *Table) Categories(column int) []string { return t.read[column].texts }

// MaxName is the maximum length of the name of a table or column.
const MaxName = 40

// ValidName reports whether the name of a table or column has at most [MaxName]
// lower-case letters, digits and underscores. A number is not a name.
func ValidName(name string) bool {
	if name == "" || len(name) > MaxName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return false
	}
	_, err := strconv.ParseUint(name, 10, 64)
	return err != nil
}

// compare orders tables by name, the newest year first.
func compare(a, b *Table) int {
	return cmp.Or(strings.Compare(a.info.Name, b.info.Name), cmp.Compare(b.info.Year, a.info.Year))
}

// id names the columns of the file.
func (i *Info) id() string { return "own." + i.Name + "." + strconv.Itoa(i.Year) }

// check returns an error for a description that no file can have.
func (i *Info) check() error {
	if !ValidName(i.Name) || i.Year < 0 || i.Year > maxYear || i.Key == "" || len(i.Columns) == 0 {
		return fmt.Errorf("table %q of the year %d with the key %q and %d columns", i.Name, i.Year, i.Key, len(i.Columns))
	}
	for n, c := range i.Columns {
		if !ValidName(c.Name) || c.Meaning < Count || c.Meaning > Category {
			return fmt.Errorf("column %q of table %s", c.Name, i.Name)
		}
		if slices.ContainsFunc(i.Columns[:n], func(o Column) bool { return o.Name == c.Name }) {
			return fmt.Errorf("column %s of table %s is listed twice", c.Name, i.Name)
		}
		of := slices.IndexFunc(i.Columns, func(o Column) bool { return o.Name == c.Weight })
		if c.Weight != "" && (of < 0 || i.Columns[of].Meaning == Category) {
			return fmt.Errorf("column %s of table %s has the weight %q", c.Name, i.Name, c.Weight)
		}
	}
	return nil
}

const maxYear = 9999

// agree returns an error if two years of a table in a sorted list have another key or
// weight, or another meaning of a column.
func agree(list []*Table) error {
	var first *Info
	columns := map[string]*Info{} // first year with the column
	for _, t := range list {
		i := &t.info
		if first == nil || first.Name != i.Name {
			first = i
			clear(columns)
		}
		if i.Key != first.Key || i.Weight != first.Weight {
			return fmt.Errorf("table %s has the key %q and the weight %q in the year %d, and %q and %q in the year %d; rename one", i.Name, first.Key, first.Weight, first.Year, i.Key, i.Weight, i.Year)
		}
		for n := range i.Columns {
			c := &i.Columns[n]
			o := columns[c.Name]
			if o == nil {
				columns[c.Name] = i
				continue
			}
			if have := o.Columns[slices.IndexFunc(o.Columns, func(h Column) bool { return h.Name == c.Name })].Meaning; have != c.Meaning {
				return fmt.Errorf("column %s of table %s is a %s in the year %d and a %s in the year %d; rename one table", c.Name, i.Name, have, o.Year, c.Meaning, i.Year)
			}
		}
	}
	return nil
}
