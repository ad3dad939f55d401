package survey

import (
	"cmp"
	"database/sql/driver"
	"encoding/binary"
	"slices"

	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A TableID names a table of a [Writer].
type TableID struct{ n int }

// AddACSTable adds a table for the rows of [Writer.AddACSRow]. Each combination
// of level, year and name is added once. Rows is ignored.
func (w *Writer) AddACSTable(t Table) (TableID, error) {
	if err := w.out.Usable(); err != nil {
		return TableID{}, err
	}
	if err := t.check(); err != nil {
		return TableID{}, err
	}
	if slices.ContainsFunc(w.tables, func(o Table) bool { return compareACSTables(o, t) == 0 }) {
		return TableID{}, file.Invalid("the table %s was given twice", &t)
	}
	t.Columns, t.pages, t.Rows = slices.Clone(t.Columns), nil, 0
	w.tables = append(w.tables, t)
	return TableID{len(w.tables)}, nil
}

// AddACSRow adds the row of an area: a cell for each of the table's columns in
// their order. Rows may come in any order, each area once.
func (w *Writer) AddACSRow(id TableID, geoid uint64, cells []Cell) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if id.n < 1 || id.n > len(w.tables) {
		return file.Invalid("a row of no table")
	}
	t := &w.tables[id.n-1]
	if geoid >= t.Level.maxGEOID() {
		return file.Invalid("table %s: area %d; expected less than %d", t, geoid, t.Level.maxGEOID())
	}
	first, rest, err := AppendACSRow(t.Columns, cells)
	if err != nil {
		return file.InvalidRow("table "+t.String()+", "+t.Level.name(geoid), err)
	}
	return w.spoolACSRow(id, geoid, first, rest)
}

func (w *Writer) spoolACSRow(id TableID, geoid uint64, first, rest []byte) error {
	b := binary.AppendUvarint(make([]byte, 0, len(first)+len(rest)+4), uint64(len(first)))
	b = append(append(b, first...), rest...)
	if err := w.out.Rows.Add(acsRows.Name, int64(geoid), uint32(id.n), b); err != nil {
		w.out.Err = err
	}
	return w.out.Err
}

// writeACS numbers the areas and writes the tables page by page.
func (w *Writer) writeACS() error {
	if len(w.tables) == 0 {
		return nil
	}
	if err := w.keepACS(); err != nil {
		return err
	}
	order := make([]int, len(w.tables)) // position in the file by order of adding
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareACSTables(w.tables[a], w.tables[b]) })
	place := make([]uint32, len(order))
	for at, i := range order {
		place[i] = uint32(at)
	}
	entries := w.out.Rows.Entries[acsRows.Name]
	for i := range entries {
		entries[i].Run = place[entries[i].Run-1]
	}
	slices.SortFunc(w.tables, compareACSTables)
	w.numberAreas(entries)
	position := func(e file.Spooled) uint32 {
		areas := w.areas[w.tables[e.Run].Level-1]
		i, _ := slices.BinarySearchFunc(areas, uint64(e.Id), func(a acsArea, g uint64) int { return cmp.Compare(a.GEOID, g) })
		return areas[i].Position
	}
	for i := range entries {
		// From here on a row is numbered by its position; the area is only
		// needed to name one that was given twice.
		entries[i].Id = int64(position(entries[i]))<<37 | entries[i].Id
	}
	slices.SortFunc(entries, func(a, b file.Spooled) int { return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Id, b.Id)) })
	id := int64(0)
	for len(entries) > 0 {
		n := 1
		for n < len(entries) && entries[n].Run == entries[0].Run {
			n++
		}
		table := entries[0].Run
		t := &w.tables[table]
		p := AcsPager{Add: func(first uint32, payload []byte) error {
			id++
			return w.out.Insert(acsRows.Name, id-1, int64(table), int64(first), payload)
		}}
		for i, e := range entries[:n] {
			if i > 0 && entries[i-1].Id == e.Id {
				return file.Invalid("table %s: %s was given twice", t, t.Level.name(uint64(e.Id&(1<<37-1))))
			}
			b, err := w.out.Rows.Read(e)
			if err != nil {
				return err
			}
			size, k := binary.Uvarint(b)
			if err := p.Row(uint32(e.Id>>37), b[k:k+int(size)], b[k+int(size):]); err != nil {
				return err
			}
		}
		if err := p.Flush(); err != nil {
			return err
		}
		t.Rows = n
		entries = entries[n:]
	}
	return w.writeTables()
}

// writeTables writes the tables and the areas of their levels.
func (w *Writer) writeTables() error {
	for l, areas := range w.areas {
		for i := range areas {
			if err := w.out.Insert("acs_area", file.Values([]driver.Value{int64(l + 1)}, &areas[i])...); err != nil {
				return err
			}
		}
	}
	var fields file.TextPacker
	for id := range w.tables {
		t := &w.tables[id]
		if err := w.out.Insert("acs_table", int64(id), int64(t.Level), int64(t.Year), t.Name, int64(t.Rows)); err != nil {
			return err
		}
		for i := range t.Columns {
			v := file.Values([]driver.Value{int64(id), int64(i)}, &t.Columns[i])
			v[2] = int64(fields.Id(t.Columns[i].Field))
			if err := w.out.Insert("acs_column", v...); err != nil {
				return err
			}
		}
	}
	for i, f := range fields.List {
		if err := w.out.Insert("acs_field", int64(i), f); err != nil {
			return err
		}
	}
	return nil
}

// numberAreas lists the areas of each level and gives them positions. ZCTAs
// follow a curve through the points of the ZIP Codes of the same code. Those
// without a point follow the area before them. Tracts are in the order of their
// codes, which is county by county.
func (w *Writer) numberAreas(entries []file.Spooled) {
	var seen [numACSLevels]map[uint64]bool
	for l := range seen {
		seen[l] = map[uint64]bool{}
	}
	for _, e := range entries {
		l := w.tables[e.Run].Level - 1
		if g := uint64(e.Id); !seen[l][g] {
			seen[l][g] = true
			w.areas[l] = append(w.areas[l], acsArea{GEOID: g})
		}
	}
	points := w.points()
	for l := range w.areas {
		areas := w.areas[l]
		slices.SortFunc(areas, func(a, b acsArea) int { return cmp.Compare(a.GEOID, b.GEOID) })
		keys := make([]uint32, len(areas))
		order := make([]int, len(areas))
		for i, a := range areas {
			order[i] = i
			if Level(l+1) != ZCTA {
				continue
			}
			if p := points[a.GEOID]; p.IsValid() {
				keys[i] = spatial.CurveKey(p)
			} else if i > 0 {
				keys[i] = keys[i-1]
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
		for position, i := range order {
			areas[i].Position = uint32(position)
		}
	}
}
