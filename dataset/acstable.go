package dataset

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// acsAreas are the areas of a level: ascending GEOIDs of 8 bytes, each with
// its position along the curve in 4.
type acsAreas struct {
	column column
	starts []uint32 // by the bucket of a GEOID the first area that is not before it, and the end
}

const (
	acsAreaWidth   = 12
	acsAreaBuckets = 1024 // of equal spans of GEOIDs
)

// acsBucket returns the bucket of a GEOID of a level.
func (l ACSLevel) acsBucket(geoid uint64) uint64 { return geoid * acsAreaBuckets / l.maxGEOID() }

func (a *acsAreas) len() int { return a.column.rows }

func (a *acsAreas) geoid(i int) uint64 { return binary.LittleEndian.Uint64(a.column.row(i)) }

func (a *acsAreas) position(i int) uint32 { return binary.LittleEndian.Uint32(a.column.row(i)[8:]) }

func (a *acsAreas) find(l ACSLevel, geoid uint64) (uint32, bool) {
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
func (a *acsAreas) prepare(l ACSLevel) error {
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

// acsResidentTable is the resident part of the American Community Survey: the
// areas of each level, the tables with their columns, and the places of their
// pages. Datasets without any table have none of its columns.
var acsResidentTable = surveyTable{
	name: "acs",
	encode: func(w *surveyWriter, c *columnSet) error {
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
			c.add(column{name: name, width: acsAreaWidth, rows: len(areas), data: data})
		}
		c.add(column{name: acsTableColumn, rows: len(w.tables), data: encodeACSTables(w.tables)})
		data, rows := encodeACSPages(w.tables)
		c.add(column{name: acsPageColumn, rows: rows, data: data})
		return nil
	},
	decode: func(d *surveyReader, c *columnSet) error {
		if !c.has(acsZCTAColumn) {
			return nil
		}
		for l, name := range [...]string{acsZCTAColumn, acsTractColumn} {
			col, err := c.take(name, acsAreaWidth)
			if err != nil {
				return err
			}
			d.acsAreas[l] = acsAreas{column: col}
			if err := d.acsAreas[l].prepare(ACSLevel(l + 1)); err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
		}
		col, err := c.take(acsTableColumn, 0)
		if err != nil {
			return err
		}
		if d.acsTables, err = decodeACSTables(col); err != nil {
			return fmt.Errorf("column %s: %w", acsTableColumn, err)
		}
		if col, err = c.take(acsPageColumn, 0); err != nil {
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
var acsYearsTable = surveyTable{
	name: "survey_years",
	encode: func(w *surveyWriter, c *columnSet) error {
		var years [numACSLevels][]int
		for i := range w.tables {
			t := &w.tables[i]
			years[t.Level-1] = append(years[t.Level-1], t.Year)
		}
		var e encoder
		for _, list := range years {
			slices.SortFunc(list, func(a, b int) int { return b - a })
			list = slices.Compact(list)
			e.uint(uint64(len(list)))
			for _, y := range list {
				e.uint(uint64(y))
			}
		}
		c.add(column{name: "survey_years", rows: len(years), data: e.b})
		return nil
	},
	decode: func(d *surveyReader, c *columnSet) error {
		col, err := c.take("survey_years", 0)
		if err != nil {
			return err
		}
		if col.rows != len(d.acsYears) {
			return fmt.Errorf("column %s has %d rows, expected %d", col.name, col.rows, len(d.acsYears))
		}
		e := decoder{b: col.data}
		for l := range d.acsYears {
			d.acsYears[l] = nil
			for range e.max(9999) {
				d.acsYears[l] = append(d.acsYears[l], int(e.max(9999)))
			}
			if !slices.IsSortedFunc(d.acsYears[l], func(a, b int) int { return b - a }) {
				return fmt.Errorf("column %s: the years %d are not in order", col.name, d.acsYears[l])
			}
		}
		if err := e.end(); err != nil {
			return fmt.Errorf("column %s: %w", col.name, err)
		}
		return nil
	},
}

func compareACSTables(a, b ACSTable) int {
	return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Year, b.Year), cmp.Compare(a.Name, b.Name))
}

// encodeACSTables writes a dictionary of the fields' names and then each table.
func encodeACSTables(tables []ACSTable) []byte {
	var e encoder
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
	e.uint(uint64(len(names)))
	for _, n := range names {
		e.string(n)
	}
	for i := range tables {
		t := &tables[i]
		e.uint(uint64(t.Level))
		e.uint(uint64(t.Year))
		e.string(t.Name)
		e.uint(uint64(t.Rows))
		e.uint(uint64(t.numPages))
		e.uint(uint64(len(t.Columns)))
		for _, c := range t.Columns {
			e.uint(ids[c.Field])
			e.uint(uint64(c.Number))
			e.uint(uint64(c.Decimals))
			e.uint(uint64(c.Class))
			e.uint(uint64(c.Denominator + 1))
			e.bool(c.Core)
			e.bool(c.Stable)
		}
	}
	return e.b
}

func decodeACSTables(c column) ([]ACSTable, error) {
	d := decoder{b: c.data}
	names := make([]string, 0, min(d.max(maxACSColumns*8), uint64(len(c.data))))
	for range cap(names) {
		names = append(names, d.string())
	}
	var tables []ACSTable
	for i := 0; i < c.rows && d.err == nil; i++ {
		t := ACSTable{Level: ACSLevel(d.max(numACSLevels)), Year: int(d.max(9999)), Name: d.string(), Rows: int(d.max(1 << 30))}
		t.numPages = int(d.max(1 << 30))
		for n := d.max(maxACSColumns); n > 0 && d.err == nil; n-- {
			f := d.max(uint64(len(names)))
			if d.err == nil && f == uint64(len(names)) {
				d.fail(errRange)
				break
			}
			col := ACSColumn{
				Number: uint16(d.max(9999)), Decimals: uint8(d.max(6)), Class: ACSClass(d.max(uint64(ACSPercentOnly))),
				Denominator: int(d.max(maxACSColumns)) - 1, Core: d.bool(), Stable: d.bool(),
			}
			if d.err == nil {
				col.Field = names[f]
			}
			t.Columns = append(t.Columns, col)
		}
		if d.err == nil {
			d.err = t.check()
		}
		if d.err == nil && i > 0 && compareACSTables(tables[i-1], t) >= 0 {
			d.err = fmt.Errorf("table %s after %s", &t, &tables[i-1])
		}
		tables = append(tables, t)
	}
	return tables, d.end()
}

// check refuses a table that readers could not rely on.
func (t *ACSTable) check() error {
	if t.Level == 0 || t.Level > numACSLevels || t.Year < 1000 || t.Year > 9999 || t.Name == "" || len(t.Columns) == 0 || len(t.Columns) > maxACSColumns {
		return invalid("table %s with %d columns; expected a level, a year, a name and 1 to %d columns", t, len(t.Columns), maxACSColumns)
	}
	for i, c := range t.Columns {
		switch {
		case c.Field == "" || c.Number == 0 || c.Number > 9999 || c.Decimals > 6 || c.Class > ACSPercentOnly,
			c.Denominator < -1 || c.Denominator >= len(t.Columns) || c.Denominator == i:
			return invalid("table %s: column %d is %+v", t, i, c)
		case c.Class == ACSShare && c.Denominator >= 0 && t.Columns[c.Denominator].Class == ACSPercentOnly:
			return invalid("table %s: %s is a share of a percentage", t, c.Field)
		case i > 0 && c.Number <= t.Columns[i-1].Number:
			return invalid("table %s: column %d after %d; expected ascending numbers", t, c.Number, t.Columns[i-1].Number)
		}
	}
	return nil
}

// encodeACSPages writes the first positions of all pages, as differences
// within each table.
func encodeACSPages(tables []ACSTable) (data []byte, rows int) {
	var e encoder
	for i := range tables {
		last := uint32(0)
		for _, p := range tables[i].pages {
			e.uint(uint64(p.first - last))
			last = p.first
			rows++
		}
	}
	return e.b, rows
}

func (d *surveyReader) decodeACSPages(c column) error {
	d.acsPages = 0
	r := decoder{b: c.data}
	for i := range d.acsTables {
		t := &d.acsTables[i]
		if n := min(c.rows-d.acsPages, len(r.b)); t.numPages > n {
			return fmt.Errorf("table %s has %d pages, at most %d are left", t, t.numPages, n)
		}
		t.pages = make([]acsPage, t.numPages)
		last, limit := uint64(0), uint64(d.acsAreas[t.Level-1].len())
		for k := range t.pages {
			gap := r.max(limit)
			last += gap
			if r.err == nil && (last >= limit || k > 0 && gap == 0) {
				return fmt.Errorf("table %s: page %d begins at position %d of %d", t, k, last, limit)
			}
			t.pages[k] = acsPage{id: uint32(d.acsPages), first: uint32(last)}
			d.acsPages++
		}
	}
	if r.err == nil && d.acsPages != c.rows {
		return fmt.Errorf("it has %d pages, the tables have %d", c.rows, d.acsPages)
	}
	return r.end()
}

// sortACSTables puts the tables into the order of the file.
func sortACSTables(tables []ACSTable) { slices.SortFunc(tables, compareACSTables) }
