package survey

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// acsAreas are the areas of a level: ascending GEOIDs of 8 bytes, each with
// its position along the curve in 4.
type acsAreas struct {
	column store.Column
	starts []uint32 // by the bucket of a GEOID the first area that is not before it, and the end
}

const (
	acsAreaWidth   = 12
	acsAreaBuckets = 1024 // of equal spans of GEOIDs
)

func (l Level) acsBucket(geoid uint64) uint64 { return geoid * acsAreaBuckets / l.maxGEOID() }

func (a *acsAreas) len() int { return a.column.Rows }

func (a *acsAreas) geoid(i int) uint64 { return binary.LittleEndian.Uint64(a.column.Row(i)) }

func (a *acsAreas) position(i int) uint32 { return binary.LittleEndian.Uint32(a.column.Row(i)[8:]) }

func (a *acsAreas) find(l Level, geoid uint64) (uint32, bool) {
	if geoid >= l.maxGEOID() || len(a.starts) == 0 {
		return 0, false
	}
	bucket := l.acsBucket(geoid)
	low, high := int(a.starts[bucket]), int(a.starts[bucket+1])
	end := high
	for low < high {
		if i := (low + high) / 2; a.geoid(i) < geoid {
			low = i + 1
		} else {
			high = i
		}
	}
	if low == end || a.geoid(low) != geoid {
		return 0, false
	}
	return a.position(low), true
}

// prepare holds the column against what look-ups rely on, and divides it into
// buckets.
func (a *acsAreas) prepare(l Level) error {
	seen := make([]bool, a.len())
	a.starts = make([]uint32, 0, acsAreaBuckets+1)
	last := uint64(0)
	for i := range a.len() {
		g, p := a.geoid(i), a.position(i)
		if g >= l.maxGEOID() || i > 0 && g <= last {
			return fmt.Errorf("row %d: the area %d after %d", i, g, last)
		}
		if uint64(p) >= uint64(len(seen)) || seen[p] {
			return fmt.Errorf("row %d: position %d is out of range or taken", i, p)
		}
		seen[p], last = true, g
		for uint64(len(a.starts)) <= l.acsBucket(g) {
			a.starts = append(a.starts, uint32(i))
		}
	}
	for len(a.starts) <= acsAreaBuckets {
		a.starts = append(a.starts, uint32(a.len()))
	}
	return nil
}

const (
	acsZCTAColumn  = "acs.zcta"
	acsTractColumn = "acs.tract"
	acsTableColumn = "acs.tables"
	acsPageColumn  = "acs.pages"
)

// acsResidentTable is the resident part of the American Community Survey. It
// holds the areas of each level, the tables with their columns, and the places
// of their pages. A dataset without tables has none of its columns.
var acsResidentTable = table{
	Name: "acs",
	Encode: func(w *Writer, c *store.Columns) error {
		if len(w.tables) == 0 {
			return nil
		}
		for l, name := range [...]string{acsZCTAColumn, acsTractColumn} {
			areas := w.areas[l]
			data := make([]byte, 0, len(areas)*acsAreaWidth)
			for _, a := range areas {
				data = binary.LittleEndian.AppendUint64(data, a.geoid)
				data = binary.LittleEndian.AppendUint32(data, a.position)
			}
			c.Add(store.Column{Name: name, Width: acsAreaWidth, Rows: len(areas), Data: data})
		}
		c.Add(store.Column{Name: acsTableColumn, Rows: len(w.tables), Data: encodeACSTables(w.tables)})
		data, rows := encodeACSPages(w.tables)
		c.Add(store.Column{Name: acsPageColumn, Rows: rows, Data: data})
		return nil
	},
	Decode: func(d *Reader, c *store.Columns) error {
		if !c.Has(acsZCTAColumn) {
			return nil
		}
		for l, name := range [...]string{acsZCTAColumn, acsTractColumn} {
			col, err := c.Take(name, acsAreaWidth)
			if err != nil {
				return err
			}
			d.acsAreas[l] = acsAreas{column: col}
			if err := d.acsAreas[l].prepare(Level(l + 1)); err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
		}
		col, err := c.Take(acsTableColumn, 0)
		if err != nil {
			return err
		}
		if d.acsTables, err = decodeACSTables(col); err != nil {
			return fmt.Errorf("column %s: %w", acsTableColumn, err)
		}
		if col, err = c.Take(acsPageColumn, 0); err != nil {
			return err
		}
		if err := d.decodeACSPages(col); err != nil {
			return fmt.Errorf("column %s: %w", acsPageColumn, err)
		}
		return nil
	},
}

// acsYearsTable lists the years of the tables of each level, newest first, so
// that they are known without the tables.
var acsYearsTable = table{
	Name: "survey_years",
	Encode: func(w *Writer, c *store.Columns) error {
		var years [numACSLevels][]int
		for i := range w.tables {
			t := &w.tables[i]
			years[t.Level-1] = append(years[t.Level-1], t.Year)
		}
		var e store.Encoder
		for _, list := range years {
			slices.SortFunc(list, func(a, b int) int { return b - a })
			list = slices.Compact(list)
			e.Uint(uint64(len(list)))
			for _, y := range list {
				e.Uint(uint64(y))
			}
		}
		c.Add(store.Column{Name: "survey_years", Rows: len(years), Data: e.B})
		return nil
	},
	Decode: func(d *Reader, c *store.Columns) error {
		col, err := c.Take("survey_years", 0)
		if err != nil {
			return err
		}
		if col.Rows != len(d.acsYears) {
			return fmt.Errorf("column %s has %d rows, expected %d", col.Name, col.Rows, len(d.acsYears))
		}
		e := store.Decoder{B: col.Data}
		for l := range d.acsYears {
			d.acsYears[l] = nil
			for range e.Max(9999) {
				d.acsYears[l] = append(d.acsYears[l], int(e.Max(9999)))
			}
			if !slices.IsSortedFunc(d.acsYears[l], func(a, b int) int { return b - a }) {
				return fmt.Errorf("column %s: the years %d are not in order", col.Name, d.acsYears[l])
			}
		}
		if err := e.End(); err != nil {
			return fmt.Errorf("column %s: %w", col.Name, err)
		}
		return nil
	},
}

func compareACSTables(a, b Table) int {
	return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Year, b.Year), cmp.Compare(a.Name, b.Name))
}

// encodeACSTables writes a dictionary of the fields' names and then each table.
func encodeACSTables(tables []Table) []byte {
	var e store.Encoder
	ids := map[string]uint64{}
	var names []string
	for i := range tables {
		for _, c := range tables[i].Columns {
			if _, ok := ids[c.Field]; !ok {
				ids[c.Field] = uint64(len(names))
				names = append(names, c.Field)
			}
		}
	}
	e.Uint(uint64(len(names)))
	for _, n := range names {
		e.Text(n)
	}
	for i := range tables {
		t := &tables[i]
		e.Uint(uint64(t.Level))
		e.Uint(uint64(t.Year))
		e.Text(t.Name)
		e.Uint(uint64(t.Rows))
		e.Uint(uint64(t.numPages))
		e.Uint(uint64(len(t.Columns)))
		for _, c := range t.Columns {
			e.Uint(ids[c.Field])
			e.Uint(uint64(c.Number))
			e.Uint(uint64(c.Decimals))
			e.Uint(uint64(c.Class))
			e.Uint(uint64(c.Denominator + 1))
			e.Bool(c.Core)
			e.Bool(c.Stable)
		}
	}
	return e.B
}

func decodeACSTables(c store.Column) ([]Table, error) {
	d := store.Decoder{B: c.Data}
	names := make([]string, 0, min(d.Max(maxACSColumns*8), uint64(len(c.Data))))
	for range cap(names) {
		names = append(names, d.Text())
	}
	var tables []Table
	for i := 0; i < c.Rows && d.Err == nil; i++ {
		t := Table{Level: Level(d.Max(numACSLevels)), Year: int(d.Max(9999)), Name: d.Text(), Rows: int(d.Max(1 << 30))}
		t.numPages = int(d.Max(1 << 30))
		for n := d.Max(maxACSColumns); n > 0 && d.Err == nil; n-- {
			f := d.Max(uint64(len(names)))
			if d.Err == nil && f == uint64(len(names)) {
				d.Fail(store.ErrRange)
				break
			}
			col := Column{
				Number: uint16(d.Max(9999)), Decimals: uint8(d.Max(6)), Class: Class(d.Max(uint64(PercentOnly))),
				Denominator: int(d.Max(maxACSColumns)) - 1, Core: d.Bool(), Stable: d.Bool(),
			}
			if d.Err == nil {
				col.Field = names[f]
			}
			t.Columns = append(t.Columns, col)
		}
		if d.Err == nil {
			d.Err = t.check()
		}
		if d.Err == nil && i > 0 && compareACSTables(tables[i-1], t) >= 0 {
			d.Err = fmt.Errorf("table %s after %s", &t, &tables[i-1])
		}
		tables = append(tables, t)
	}
	return tables, d.End()
}

// check refuses a table that readers could not rely on.
func (t *Table) check() error {
	if t.Level == 0 || t.Level > numACSLevels || t.Year < 1000 || t.Year > 9999 || t.Name == "" || len(t.Columns) == 0 || len(t.Columns) > maxACSColumns {
		return store.Invalid("table %s with %d columns; expected a level, a year, a name and 1 to %d columns", t, len(t.Columns), maxACSColumns)
	}
	for i, c := range t.Columns {
		switch {
		case c.Field == "" || c.Number == 0 || c.Number > 9999 || c.Decimals > 6 || c.Class > PercentOnly,
			c.Denominator < -1 || c.Denominator >= len(t.Columns) || c.Denominator == i:
			return store.Invalid("table %s: column %d is %+v", t, i, c)
		case c.Class == Share && c.Denominator >= 0 && t.Columns[c.Denominator].Class == PercentOnly:
			return store.Invalid("table %s: %s is a share of a percentage", t, c.Field)
		case i > 0 && c.Number <= t.Columns[i-1].Number:
			return store.Invalid("table %s: column %d after %d; expected ascending numbers", t, c.Number, t.Columns[i-1].Number)
		}
	}
	return nil
}

// encodeACSPages writes the first positions of all pages, as differences
// within each table.
func encodeACSPages(tables []Table) (data []byte, rows int) {
	var e store.Encoder
	for i := range tables {
		last := uint32(0)
		for _, p := range tables[i].pages {
			e.Uint(uint64(p.first - last))
			last = p.first
			rows++
		}
	}
	return e.B, rows
}

func (d *Reader) decodeACSPages(c store.Column) error {
	d.acsPages = 0
	r := store.Decoder{B: c.Data}
	for i := range d.acsTables {
		t := &d.acsTables[i]
		if n := min(c.Rows-d.acsPages, len(r.B)); t.numPages > n {
			return fmt.Errorf("table %s has %d pages, at most %d are left", t, t.numPages, n)
		}
		t.pages = make([]acsPage, t.numPages)
		last, limit := uint64(0), uint64(d.acsAreas[t.Level-1].len())
		for k := range t.pages {
			gap := r.Max(limit)
			last += gap
			if r.Err == nil && (last >= limit || k > 0 && gap == 0) {
				return fmt.Errorf("table %s: page %d begins at position %d of %d", t, k, last, limit)
			}
			t.pages[k] = acsPage{id: uint32(d.acsPages), first: uint32(last)}
			d.acsPages++
		}
	}
	if r.Err == nil && d.acsPages != c.Rows {
		return fmt.Errorf("it has %d pages, the tables have %d", c.Rows, d.acsPages)
	}
	return r.End()
}

// sortACSTables puts the tables into the order of the file.
func sortACSTables(tables []Table) { slices.SortFunc(tables, compareACSTables) }
