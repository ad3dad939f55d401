package survey

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// acsAreas are the areas of a level: ascending GEOIDs of 8 bytes, each with
// its position along the curve in 4.
type acsAreas struct {
	column file.Column
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
	Encode: func(w *Writer, c *file.Columns) error {
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
			c.Add(file.Column{Name: name, Width: acsAreaWidth, Rows: len(areas), Data: data})
		}
		e := file.NewCoder(nil)
		codeTables(&e, w.tables)
		data, err := e.Bytes()
		c.Add(file.Column{Name: acsTableColumn, Rows: len(w.tables), Data: data})
		pages, rows := encodeACSPages(w.tables)
		c.Add(file.Column{Name: acsPageColumn, Rows: rows, Data: pages})
		return err
	},
	Decode: func(d *Reader, c *file.Columns) error {
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
		d.acsTables = make([]Table, min(col.Rows, len(col.Data)))
		e := file.DecodeWith(nil, col.Data)
		if codeTables(&e, d.acsTables); e.End() != nil {
			return fmt.Errorf("column %s: %w", acsTableColumn, e.End())
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
	Encode: func(w *Writer, c *file.Columns) error {
		var years [numACSLevels][]int
		for i := range w.tables {
			t := &w.tables[i]
			years[t.Level-1] = append(years[t.Level-1], t.Year)
		}
		for l, list := range years {
			slices.SortFunc(list, func(a, b int) int { return b - a })
			years[l] = slices.Compact(list)
		}
		return file.AddList(c, "survey_years", file.NewCoder(nil), years[:], codeYears)
	},
	Decode: func(d *Reader, c *file.Columns) error {
		years, err := file.TakeList(c, "survey_years", file.DecodeWith(nil, nil), codeYears)
		if err != nil {
			return err
		}
		if copy(d.acsYears[:], years) != len(d.acsYears) || len(years) != len(d.acsYears) {
			return fmt.Errorf("column survey_years has %d rows, expected %d", len(years), len(d.acsYears))
		}
		for _, list := range years {
			if !slices.IsSortedFunc(list, func(a, b int) int { return b - a }) {
				return fmt.Errorf("column survey_years: the years %d are not in order", list)
			}
		}
		return nil
	},
}

func codeYears(list *[]int, c *file.Coder) {
	file.List(c, list, func(y *int) { file.Max(c, y, 9999) })
}

func compareACSTables(a, b Table) int {
	return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Year, b.Year), cmp.Compare(a.Name, b.Name))
}

// codeTables codes a dictionary of the fields' names and then each table.
func codeTables(c *file.Coder, tables []Table) {
	var fields file.TextPacker
	for i := range tables {
		for _, f := range tables[i].Columns {
			fields.Id(f.Field)
		}
	}
	file.List(c, &fields.List, func(s *string) { c.Text(s) })
	for i := range tables {
		if c.Err() != nil {
			return
		}
		t := &tables[i]
		file.Max(c, &t.Level, numACSLevels)
		file.Max(c, &t.Year, 9999)
		c.Text(&t.Name)
		file.Max(c, &t.Rows, 1<<30)
		file.Max(c, &t.numPages, 1<<30)
		file.List(c, &t.Columns, func(f *Column) { f.code(c, &fields) })
		if c.Reading() && c.Err() == nil {
			c.Fail(t.check())
			if i > 0 && compareACSTables(tables[i-1], *t) >= 0 {
				c.Fail(fmt.Errorf("table %s after %s", t, &tables[i-1]))
			}
		}
	}
}

// code codes a column with the number of its field.
func (f *Column) code(c *file.Coder, fields *file.TextPacker) {
	field, denominator := uint64(0), f.Denominator+1
	if !c.Reading() {
		field = fields.Id(f.Field)
	}
	file.Max(c, &field, uint64(len(fields.List)))
	file.Max(c, &f.Number, 9999)
	file.Max(c, &f.Decimals, 6)
	file.Max(c, &f.Class, uint64(PercentOnly))
	file.Max(c, &denominator, maxACSColumns)
	c.Bool(&f.Core)
	c.Bool(&f.Stable)
	if f.Denominator = denominator - 1; !c.Reading() || c.Err() != nil {
		return
	}
	if field == uint64(len(fields.List)) {
		c.Fail(file.ErrRange)
		return
	}
	f.Field = fields.List[field]
}

// check refuses a table that readers could not rely on.
func (t *Table) check() error {
	if t.Level == 0 || t.Level > numACSLevels || t.Year < 1000 || t.Year > 9999 || t.Name == "" || len(t.Columns) == 0 || len(t.Columns) > maxACSColumns {
		return file.Invalid("table %s with %d columns; expected a level, a year, a name and 1 to %d columns", t, len(t.Columns), maxACSColumns)
	}
	for i, c := range t.Columns {
		switch {
		case c.Field == "" || c.Number == 0 || c.Number > 9999 || c.Decimals > 6 || c.Class > PercentOnly,
			c.Denominator < -1 || c.Denominator >= len(t.Columns) || c.Denominator == i:
			return file.Invalid("table %s: column %d is %+v", t, i, c)
		case c.Class == Share && c.Denominator >= 0 && t.Columns[c.Denominator].Class == PercentOnly:
			return file.Invalid("table %s: %s is a share of a percentage", t, c.Field)
		case i > 0 && c.Number <= t.Columns[i-1].Number:
			return file.Invalid("table %s: column %d after %d; expected ascending numbers", t, c.Number, t.Columns[i-1].Number)
		}
	}
	return nil
}

// encodeACSPages writes the first positions of all pages, as differences
// within each table.
func encodeACSPages(tables []Table) (data []byte, rows int) {
	var e file.Encoder
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

func (d *Reader) decodeACSPages(c file.Column) error {
	d.acsPages = 0
	r := file.Decoder{B: c.Data}
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
