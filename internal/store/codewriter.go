package store

import (
	"cmp"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// SetStates gives the table of states and provinces: at most 255, each
// abbreviation once. Row i has the identifier i+1.
func (w *Writer) SetStates(rows []State) error {
	return file.SetOnce(w.out, "states", &w.states, rows)
}

// SetCounties gives the table of counties: at most 65,535, each FIPS code
// once. Row i has the identifier i+1.
func (w *Writer) SetCounties(rows []County) error {
	return file.SetOnce(w.out, "counties", &w.counties, rows)
}

// SetCBSAs gives the table of core based statistical areas, at most 65,535.
// Row i has the identifier i+1.
func (w *Writer) SetCBSAs(rows []CBSA) error { return file.SetOnce(w.out, "cbsas", &w.cbsas, rows) }

// SetDivisions gives the table of metropolitan divisions, at most 255. Row i
// has the identifier i+1.
func (w *Writer) SetDivisions(rows []Division) error {
	return file.SetOnce(w.out, "divisions", &w.divisions, rows)
}

// SetZones gives the table of time zones, at most 255. Row i has the
// identifier i+1.
func (w *Writer) SetZones(rows []Zone) error {
	for i := range rows {
		if _, err := rows[i].Location(); err != nil {
			return file.InvalidRow("the time zone "+rows[i].Name, err)
		}
	}
	return file.SetOnce(w.out, "zones", &w.zones, rows)
}

// AddZIP adds a ZIP Code with its detail, in any order, each once. Coordinates are
// rounded to 1e-6 degree. Finish refuses rows that the schema does not allow.
func (w *Writer) AddZIP(row ZIPRow, detail ZIPDetail) error {
	detail.Quality = detail.Quality.rounded()
	w.zips = append(w.zips, zipRow{row, detail})
	return w.out.Usable()
}

// AddFSA adds a forward sortation area with its detail, in any order, each once.
// Coordinates are rounded to 1e-6 degree.
func (w *Writer) AddFSA(row FSARow, detail FSADetail) error {
	detail.Quality = detail.Quality.rounded()
	w.fsas = append(w.fsas, fsaRow{row, detail})
	return w.out.Usable()
}

// AddPostalCode adds a full postal code, in any order, each once. Coordinates are rounded
// to 1e-6 degree.
func (w *Writer) AddPostalCode(row PostalRow) error {
	w.postal = append(w.postal, row)
	return w.out.Usable()
}

// AddZones adds the time zones of a code's area, once: different ones in any order,
// each with a share above 0. They add up to less than 100 percent if a part of the area
// lies in no zone.
func (w *Writer) AddZones(c Code, shares []ZoneShare) error {
	for _, s := range shares {
		w.zoneShares = append(w.zoneShares, codeShare{c.String(), s})
	}
	return w.out.Usable()
}

// The rows that wait for Finish.
type (
	zipRow struct {
		ZIPRow
		detail ZIPDetail
	}
	fsaRow struct {
		FSARow
		detail FSADetail
	}
	codeShare struct {
		code string
		ZoneShare
	}
)

// The numbers of columns before the details.
const (
	zipColumns = 10
	fsaColumns = 7
)

// writeCodes writes the tables of codes.
func (w *Writer) writeCodes() error {
	if w.base != nil {
		return nil // they were copied
	}
	for _, write := range []func() error{w.writeSmall, w.writeZIPs, w.writeCanada, w.writePlaces, w.writeIndexes} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// A reference is a column with an identifier, in whose place the file has the key of the row.
type reference struct {
	column int
	table  string
}

// key returns the key of a row of a small table.
func (w *Writer) key(table string, id int) (string, bool) {
	switch table {
	case "state":
		states := w.states
		if w.base != nil {
			states = w.base.States()
		}
		return keyOf(states, id, func(s *State) string { return s.Abbr })
	case "county":
		return keyOf(w.counties, id, func(c *County) string { return c.FIPS })
	case "cbsa":
		return keyOf(w.cbsas, id, func(c *CBSA) string { return c.Code })
	default:
		return keyOf(w.divisions, id, func(d *Division) string { return d.Code })
	}
}

func keyOf[T any](rows []T, id int, key func(*T) string) (string, bool) {
	if id < 1 || id > len(rows) {
		return "", false
	}
	return key(&rows[id-1]), true
}

// insert writes a row with references.
func (w *Writer) insert(table string, v []driver.Value, refs ...reference) error {
	for _, r := range refs {
		id, _ := v[r.column].(int64)
		key, ok := "", id == 0
		if !ok {
			key, ok = w.key(r.table, int(id))
		}
		if v[r.column] = file.TextOrNull(key); !ok {
			return file.Invalid("table %s: %v refers to %s %d, which does not exist", table, v[0], r.table, id)
		}
	}
	return w.out.Insert(table, v...)
}

// insertAll writes the rows of a small table.
func insertAll[T any](w *Writer, table string, rows []T, refs ...reference) error {
	for i := range rows {
		if err := w.insert(table, file.Values([]driver.Value{int64(i + 1)}, &rows[i]), refs...); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) writeSmall() error {
	for i := range w.states {
		v := file.Values([]driver.Value{int64(i + 1)}, &w.states[i])
		v[1], v[2] = v[2], w.states[i].Country.String()
		if err := w.insert("state", v); err != nil {
			return err
		}
	}
	for i, z := range w.zones {
		if err := w.insert("zone", []driver.Value{int64(i + 1), z.Name, file.TextOrNull(z.Source), []byte(z.Rules)}); err != nil {
			return err
		}
	}
	return cmp.Or(insertAll(w, "cbsa", w.cbsas), insertAll(w, "division", w.divisions, reference{3, "cbsa"}),
		insertAll(w, "county", w.counties, reference{3, "state"}, reference{4, "cbsa"}, reference{5, "division"}))
}

func (w *Writer) writeZIPs() error {
	slices.SortStableFunc(w.zips, func(a, b zipRow) int { return int(a.ZIP) - int(b.ZIP) })
	for i := range w.zips {
		r := &w.zips[i]
		v := file.Values(nil, &r.ZIPRow)
		v[0], v[5], v[9] = r.ZIP.String(), string(rune(r.Class)), nil
		if r.MultiCounty != Unknown {
			v[9] = int64(r.MultiCounty - 1)
		}
		err := w.insert("zip", file.Values(v, &r.detail), reference{3, "state"}, reference{4, "county"})
		if err := cmp.Or(err, insertList(w, "alias", r.ZIP, r.detail.Aliases), insertList(w, "county_source", r.ZIP, r.detail.Quality.Counties)); err != nil {
			return err
		}
	}
	return nil
}

// insertList writes the rows of a list of a code.
func insertList[T any](w *Writer, table string, code fmt.Stringer, list []T) error {
	for i := range list {
		if err := w.out.Insert(table, file.Values([]driver.Value{code.String(), int64(i)}, &list[i])...); err != nil {
			return err
		}
	}
	return w.out.Usable()
}

func (w *Writer) writeCanada() error {
	slices.SortStableFunc(w.fsas, func(a, b fsaRow) int { return int(a.FSA) - int(b.FSA) })
	for i := range w.fsas {
		r := &w.fsas[i]
		v := file.Values(nil, &r.FSARow)
		v[0] = r.FSA.String()
		err := w.insert("fsa", file.Values(v, &r.detail), reference{3, "state"})
		if err := cmp.Or(err, insertList(w, "county_source", r.FSA, r.detail.Quality.Counties)); err != nil {
			return err
		}
	}
	slices.SortStableFunc(w.postal, func(a, b PostalRow) int { return int(a.Code) - int(b.Code) })
	for i := range w.postal {
		v, place := file.Values(nil, &w.postal[i]), w.census[w.postal[i].Code].censusAreas
		v[0] = w.postal[i].Code.String()
		if err := w.insert("postal_code", file.Values(v, &place), reference{3, "state"}); err != nil {
			return err
		}
	}
	slices.SortStableFunc(w.zoneShares, func(a, b codeShare) int {
		return cmp.Or(strings.Compare(a.code, b.code), cmp.Compare(a.Zone, b.Zone))
	})
	for _, s := range w.zoneShares {
		if err := w.out.Insert("code_zone", s.code, int64(s.Zone), float64(s.Percent)); err != nil {
			return err
		}
	}
	return nil
}
