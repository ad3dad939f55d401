package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// An ACSTableID names a table of a [Writer].
type ACSTableID struct{ n int }

// AddACSTable adds a table for the rows of [Writer.AddACSRow]. Each combination
// of level, year and name is added once. Rows is ignored.
func (w *Writer) AddACSTable(t ACSTable) (ACSTableID, error) {
	if err := w.out.Usable(); err != nil {
		return ACSTableID{}, err
	}
	if slices.ContainsFunc(w.acsTables, func(o ACSTable) bool { return compareACSTables(o, t) == 0 }) {
		return ACSTableID{}, file.Invalid("the table %s was given twice", &t)
	}
	t.Columns, t.pages, t.Rows = slices.Clone(t.Columns), nil, 0
	w.acsTables = append(w.acsTables, t)
	return ACSTableID{len(w.acsTables)}, nil
}

// AddACSRow adds the row of an area: a cell for each of the table's columns in
// their order. Rows may come in any order, each area once.
func (w *Writer) AddACSRow(id ACSTableID, geoid uint64, cells []ACSCell) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	first, rest := appendACSRow(w.acsTables[id.n-1].Columns, cells)
	return w.spoolACSRow(id, geoid, first, rest)
}

func (w *Writer) spoolACSRow(id ACSTableID, geoid uint64, first, rest []byte) error {
	b := binary.AppendUvarint(make([]byte, 0, len(first)+len(rest)+4), uint64(len(first)))
	b = append(append(b, first...), rest...)
	if err := w.out.Rows.Add(acsRows.Name, int64(geoid), uint32(id.n), b); err != nil {
		w.out.Err = err
	}
	return w.out.Err
}

// writeACS numbers the areas and writes the tables page by page.
func (w *Writer) writeACS() error {
	if len(w.acsTables) == 0 {
		return nil
	}
	if err := w.keepACS(); err != nil {
		return err
	}
	order := make([]int, len(w.acsTables)) // position in the file by order of adding
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareACSTables(w.acsTables[a], w.acsTables[b]) })
	place := make([]uint32, len(order))
	for at, i := range order {
		place[i] = uint32(at)
	}
	entries := w.out.Rows.Entries[acsRows.Name]
	for i := range entries {
		entries[i].Run = place[entries[i].Run-1]
	}
	slices.SortFunc(w.acsTables, compareACSTables)
	w.numberAreas(entries)
	position := func(e file.Spooled) uint32 {
		areas := w.acsAreas[w.acsTables[e.Run].Level-1]
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
		t := &w.acsTables[table]
		p := acsPager{Add: func(first uint32, payload []byte) error {
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
	return w.writeACSTables()
}

// writeACSTables writes the tables and the areas of their levels.
func (w *Writer) writeACSTables() error {
	for l, areas := range w.acsAreas {
		for i := range areas {
			if err := w.out.Insert("acs_area", file.Values([]driver.Value{int64(l + 1)}, &areas[i])...); err != nil {
				return err
			}
		}
	}
	var fields file.TextPacker
	for id := range w.acsTables {
		t := &w.acsTables[id]
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
		l := w.acsTables[e.Run].Level - 1
		if g := uint64(e.Id); !seen[l][g] {
			seen[l][g] = true
			w.acsAreas[l] = append(w.acsAreas[l], acsArea{GEOID: g})
		}
	}
	points := w.zipPoints()
	for l := range w.acsAreas {
		areas := w.acsAreas[l]
		slices.SortFunc(areas, func(a, b acsArea) int { return cmp.Compare(a.GEOID, b.GEOID) })
		keys := make([]uint32, len(areas))
		order := make([]int, len(areas))
		for i, a := range areas {
			order[i] = i
			if ACSLevel(l+1) != ACSZCTA {
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

// keepACS copies the tables of the extended file that were not replaced.
func (w *Writer) keepACS() error {
	if w.base == nil {
		return nil
	}
	if err := w.base.file.Load(context.Background(), SectionSurvey); err != nil {
		return err
	}
	for _, table := range []string{"acs_area", "acs_column", "acs_field", "acs_page", "acs_table"} {
		if err := w.out.Exec("DELETE FROM " + table); err != nil { // written anew with the others
			return err
		}
	}
	given := w.acsTables
	for i := range w.base.acsTables {
		t := &w.base.acsTables[i]
		if hasACS(given, t) {
			continue
		}
		id, err := w.AddACSTable(*t)
		if err != nil {
			return err
		}
		if err := w.copyACS(id, t); err != nil {
			return err
		}
	}
	return nil
}

func hasACS(tables []ACSTable, t *ACSTable) bool {
	for i := range tables {
		if compareACSTables(tables[i], *t) == 0 {
			return true
		}
	}
	return false
}

// copyACS copies the coded rows of a table of the extended file.
func (w *Writer) copyACS(id ACSTableID, t *ACSTable) error {
	geoids := w.base.ACSGEOIDs(t.Level)
	for _, p := range t.pages {
		payload, err := w.base.file.Row(context.Background(), acsRows, int64(p.id))
		if err != nil {
			return err
		}
		err = t.Walk(payload, p.first, func(position uint32, r *ACSRow) (bool, error) {
			if int64(position) >= int64(len(geoids)) {
				return false, file.ErrRange
			}
			return true, w.spoolACSRow(id, geoids[position], r.first, r.rest)
		})
		if err != nil {
			return w.base.acsDamage(int64(p.id), err)
		}
	}
	return nil
}

// zipPoints returns the points of the file's ZIP Codes, by their five digits.
func (w *Writer) zipPoints() map[uint64]geo.LatLng {
	points := map[uint64]geo.LatLng{}
	if w.base != nil {
		for z := range w.base.ZIPs() {
			points[uint64(z.ZIP)] = z.Location
		}
	}
	for i := range w.zips {
		points[uint64(w.zips[i].ZIP)] = w.zips[i].Location
	}
	return points
}
