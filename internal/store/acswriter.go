package store

import (
	"cmp"
	"database/sql/driver"
	"encoding/binary"
	"slices"
	"strconv"

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
	b := binary.AppendUvarint(make([]byte, 0, len(first)+len(rest)+4), uint64(len(first)))
	return w.out.Spool(id.spool(), int64(geoid), append(append(b, first...), rest...))
}

// spool returns the name of the spooled rows of a table.
func (id ACSTableID) spool() string { return "acs_page " + strconv.Itoa(id.n) }

// writeACS numbers the areas and writes the tables page by page.
func (w *Writer) writeACS() error {
	if len(w.acsTables) == 0 {
		return nil
	}
	for _, table := range []string{"acs_area", "acs_column", "acs_field", "acs_page", "acs_table"} {
		if err := w.out.Exec("DELETE FROM " + table); err != nil { // of the extended file
			return err
		}
	}
	w.numberAreas()
	order := make([]int, len(w.acsTables))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareACSTables(w.acsTables[a], w.acsTables[b]) })
	pages := int64(0)
	fields := map[string]int64{}
	for id, i := range order {
		t := &w.acsTables[i]
		err := w.out.Insert("acs_table", int64(id), int64(t.Level), int64(t.Year), t.Name, int64(len(w.out.Spooled(ACSTableID{i + 1}.spool()))))
		for k := 0; k < len(t.Columns) && err == nil; k++ {
			v := file.Values([]driver.Value{int64(id), int64(k)}, &t.Columns[k])
			n, ok := fields[t.Columns[k].Field]
			if !ok {
				n = int64(len(fields))
				fields[t.Columns[k].Field] = n
				err = w.out.Insert("acs_field", n, t.Columns[k].Field)
			}
			if v[2] = n; err == nil {
				err = w.out.Insert("acs_column", v...)
			}
		}
		if err == nil {
			err = w.writeACSPages(t, int64(id), &pages, ACSTableID{i + 1}.spool())
		}
		if err != nil {
			return err
		}
	}
	for l, areas := range w.acsAreas {
		for i := range areas {
			if err := w.out.Insert("acs_area", file.Values([]driver.Value{int64(l + 1)}, &areas[i])...); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeACSPages writes the rows of a table by the positions of their areas.
func (w *Writer) writeACSPages(t *ACSTable, id int64, pages *int64, spool string) error {
	const ofRow, most = 4, 256 // bytes beside the texts, and rows
	areas := w.out.Spooled(spool)
	position := func(geoid int64) uint32 {
		p, _ := findACSArea(w.acsAreas[t.Level-1], uint64(geoid))
		return p
	}
	slices.SortFunc(areas, func(a, b int64) int { return cmp.Compare(position(a), position(b)) })
	var page, rows []acsPageRow
	flush := func() error {
		*pages++
		return w.out.Insert("acs_page", *pages-1, id, int64(page[0].Position), file.EncodeRows(page))
	}
	size := 0
	for _, geoid := range areas {
		var err error
		rows, err = file.ReadSpooled(w.out, rows[:0], spool, geoid, func(b []byte) ([]acsPageRow, error) {
			n, k := binary.Uvarint(b)
			return []acsPageRow{{position(geoid), string(b[k : k+int(n)]), string(b[k+int(n):])}}, nil
		})
		if err == nil && len(rows) > 1 {
			err = file.Invalid("table %s: %s was given twice", t, t.Level.name(uint64(geoid)))
		}
		if err != nil {
			return err
		}
		bytes := len(rows[0].First) + len(rows[0].Rest) + ofRow
		if len(page) == most || len(page) > 0 && size+bytes > acsPageBytes {
			if err := flush(); err != nil {
				return err
			}
			page, size = page[:0], 0
		}
		page, size = append(page, rows[0]), size+bytes
	}
	if len(page) == 0 {
		return nil
	}
	return flush()
}

// numberAreas lists the areas of each level and gives them positions. ZCTAs
// follow a curve through the points of the ZIP Codes of the same code. Those
// without a point follow the area before them. Tracts are in the order of their
// codes, which is county by county.
func (w *Writer) numberAreas() {
	for i := range w.acsTables {
		l := w.acsTables[i].Level - 1
		for _, geoid := range w.out.Spooled(ACSTableID{i + 1}.spool()) {
			w.acsAreas[l] = append(w.acsAreas[l], acsArea{GEOID: uint64(geoid)})
		}
	}
	points := w.zipPoints()
	for l := range w.acsAreas {
		slices.SortFunc(w.acsAreas[l], func(a, b acsArea) int { return cmp.Compare(a.GEOID, b.GEOID) })
		w.acsAreas[l] = slices.Compact(w.acsAreas[l])
		areas := w.acsAreas[l]
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
