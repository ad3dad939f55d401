package storewrite

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// An ACSTableID names a table of a [Writer].
type ACSTableID struct{ n int }

// AddACSTable adds a table for the rows of [Writer.AddACSRow]. Each combination
// of level, year and name is added once. Rows is ignored.
func (w *Writer) AddACSTable(t store.ACSTable) (ACSTableID, error) {
	t.Columns = slices.Clone(t.Columns)
	w.acsTables = append(w.acsTables, t)
	return ACSTableID{len(w.acsTables)}, w.usable()
}

// AddACSRow adds the row of an area: a cell for each of the table's columns in
// their order. Rows may come in any order, each area once.
func (w *Writer) AddACSRow(id ACSTableID, geoid uint64, cells []store.ACSCell) error {
	if err := w.usable(); err != nil {
		return err
	}
	first, rest := store.AppendACSRow(w.acsTables[id.n-1].Columns, cells)
	b := binary.AppendUvarint(make([]byte, 0, len(first)+len(rest)+4), uint64(len(first)))
	return w.keep(id.spool(), int64(geoid), append(append(b, first...), rest...))
}

// spool returns the name of the spooled rows of a table.
func (id ACSTableID) spool() string { return "acs_page " + strconv.Itoa(id.n) }

// writeACS numbers the areas and writes the tables page by page.
func (w *Writer) writeACS() error {
	if len(w.acsTables) == 0 {
		return nil
	}
	if err := cmp.Or(w.clear("acs_area"), w.clear("acs_column"), w.clear("acs_field"), w.clear("acs_page"), w.clear("acs_table")); err != nil {
		return err
	}
	var positions [2]map[uint64]uint32 // by level
	for l := range positions {
		areas, err := w.acsAreas(store.ACSLevel(l + 1))
		if err != nil {
			return err
		}
		positions[l] = make(map[uint64]uint32, len(areas))
		for i := range areas {
			positions[l][areas[i].GEOID] = areas[i].Position
			if err := w.insert("acs_area", l+1, &areas[i]); err != nil {
				return err
			}
		}
	}
	order := make([]ACSTableID, len(w.acsTables))
	for i := range order {
		order[i].n = i + 1
	}
	slices.SortStableFunc(order, func(a, b ACSTableID) int { return store.CompareACSTables(w.acsTables[a.n-1], w.acsTables[b.n-1]) })
	pages := 0
	fields := map[string]int{}
	for number, id := range order {
		t := &w.acsTables[id.n-1]
		areas, err := w.spooled(id.spool())
		if err == nil {
			err = w.insert("acs_table", number, t.Level, t.Year, t.Name, len(areas))
		}
		if err != nil {
			return err
		}
		for k, c := range t.Columns {
			field, ok := fields[c.Field]
			if !ok {
				field = len(fields)
				fields[c.Field] = field
				if err := w.insert("acs_field", field, c.Field); err != nil {
					return err
				}
			}
			if err := w.insert("acs_column", number, k, field, c.Number, c.Decimals, c.Class, c.Denominator, c.Core, c.Stable); err != nil {
				return err
			}
		}
		if err := w.writeACSPages(id, number, areas, &pages, positions[t.Level-1]); err != nil {
			return err
		}
	}
	return nil
}

// acsPageBytes is the size of a page. Two fill a page of SQLite. Larger ones would go on in
// overflow pages, each of them one more read.
const acsPageBytes = file.PageSize/2 - 64

// writeACSPages writes the rows of a table by the positions of their areas.
func (w *Writer) writeACSPages(id ACSTableID, number int, areas []int64, pages *int, positions map[uint64]uint32) error {
	const ofRow, most = 4, 256 // bytes beside the texts, and rows
	slices.SortFunc(areas, func(a, b int64) int { return cmp.Compare(positions[uint64(a)], positions[uint64(b)]) })
	var page, rows []store.ACSPageRow
	flush := func() error {
		*pages++
		return w.insert("acs_page", *pages-1, number, page[0].Position, file.EncodeRows(page))
	}
	size := 0
	for _, geoid := range areas {
		var err error
		rows, err = readSpooled(w, rows[:0], id.spool(), geoid, func(b []byte) ([]store.ACSPageRow, error) {
			n, k := binary.Uvarint(b)
			return []store.ACSPageRow{{Position: positions[uint64(geoid)], First: string(b[k : k+int(n)]), Rest: string(b[k+int(n):])}}, nil
		})
		if err == nil && len(rows) > 1 {
			err = file.Invalid("table %s: the area %d was given twice", &w.acsTables[id.n-1], geoid)
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

// acsAreas lists the areas of a level and gives them positions. ZCTAs
// follow a curve through the points of the ZIP Codes of the same code. Those
// without a point follow the area before them. Tracts are in the order of their
// codes, which is county by county.
func (w *Writer) acsAreas(level store.ACSLevel) ([]store.ACSArea, error) {
	var geoids []int64
	for i := range w.acsTables {
		if w.acsTables[i].Level == level {
			areas, err := w.spooled(ACSTableID{i + 1}.spool())
			if err != nil {
				return nil, err
			}
			geoids = append(geoids, areas...)
		}
	}
	slices.Sort(geoids)
	geoids = slices.Compact(geoids)
	var points map[uint64]geo.LatLng
	if level == store.ACSZCTA {
		var err error
		if points, err = w.zipPoints(); err != nil {
			return nil, err
		}
	}
	areas, keys, order := make([]store.ACSArea, len(geoids)), make([]uint32, len(geoids)), make([]int, len(geoids))
	for i, g := range geoids {
		areas[i].GEOID, order[i] = uint64(g), i
		if p := points[uint64(g)]; p.IsValid() {
			keys[i] = spatial.CurveKey(p)
		} else if i > 0 {
			keys[i] = keys[i-1]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	for position, i := range order {
		areas[i].Position = uint32(position)
	}
	return areas, nil
}

// zipPoints returns the points of the file's ZIP Codes, by their five digits.
func (w *Writer) zipPoints() (map[uint64]geo.LatLng, error) {
	var rows []struct {
		ZIP uint64
		At  geo.LatLng
	}
	err := w.db.Query("SELECT CAST(zip AS INTEGER), lat, lng FROM zip", file.Into(&rows, 0))
	points := make(map[uint64]geo.LatLng, len(rows))
	for _, r := range rows {
		points[r.ZIP] = r.At
	}
	return points, err
}
