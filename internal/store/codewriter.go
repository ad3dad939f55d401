package store

import (
	"cmp"
	"database/sql/driver"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
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

// AddZIPZones adds the time zones of a ZIP Code's area, once: different ones in any order,
// each with a share above 0. They add up to less than 100 percent if a part of the area
// lies in no zone.
func (w *Writer) AddZIPZones(z dataset.ZIP, shares []ZoneShare) error {
	return w.addZones(z.String(), shares)
}

// AddFSAZones adds the time zones of a forward sortation area, as AddZIPZones
// does for a ZIP Code.
func (w *Writer) AddFSAZones(f dataset.FSA, shares []ZoneShare) error {
	return w.addZones(f.String(), shares)
}

func (w *Writer) addZones(code string, shares []ZoneShare) error {
	for _, s := range shares {
		w.zoneShares = append(w.zoneShares, codeShare{code, s})
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

// codeOfRow returns the code of a row of a small table, nil for 0.
func codeOfRow[T any](what string, table []T, id int, code func(*T) string) (driver.Value, error) {
	if id == 0 {
		return nil, nil
	}
	if id > len(table) {
		return nil, file.Invalid("a row refers to %s %d of %d", what, id, len(table))
	}
	return code(&table[id-1]), nil
}

// stateKey returns the letters of a state, nil for 0.
func (w *Writer) stateKey(id StateID) (driver.Value, error) {
	states := w.states
	if w.base != nil {
		states = w.base.States()
	}
	return codeOfRow("state", states, int(id), func(s *State) string { return s.Abbr })
}

// countyKey returns the FIPS code of a county, nil for 0.
func (w *Writer) countyKey(id CountyID) (driver.Value, error) {
	return codeOfRow("county", w.counties, int(id), func(c *County) string { return c.FIPS })
}

// codeKeys collects the codes of rows that a row refers to.
type codeKeys struct {
	w   *Writer
	err error
}

func (k *codeKeys) note(v driver.Value, err error) driver.Value {
	if k.err == nil {
		k.err = err
	}
	return v
}

func (k *codeKeys) state(id StateID) driver.Value {
	return k.note(k.w.stateKey(id))
}

func (k *codeKeys) county(id CountyID) driver.Value {
	return k.note(k.w.countyKey(id))
}

func (k *codeKeys) cbsa(id CBSAID) driver.Value {
	return k.note(codeOfRow("metropolitan area", k.w.cbsas, int(id), func(c *CBSA) string { return c.Code }))
}

func (k *codeKeys) division(id DivisionID) driver.Value {
	return k.note(codeOfRow("metropolitan division", k.w.divisions, int(id), func(d *Division) string { return d.Code }))
}

func (k *codeKeys) zone(id ZoneID) driver.Value {
	if id == 0 {
		return nil
	}
	return int64(id)
}

// insert writes a row whose keys are known.
func (k *codeKeys) insert(table string, values ...driver.Value) error {
	if k.err != nil {
		return k.err
	}
	return k.w.out.Insert(table, values...)
}

func (w *Writer) writeSmall() error {
	k := &codeKeys{w: w}
	for i, s := range w.states {
		if err := k.insert("state", int64(i+1), s.Abbr, s.Country.String(), file.TextOrNull(s.Name), file.TextOrNull(s.FIPS), file.TextOrNull(s.Region), file.TextOrNull(s.Division)); err != nil {
			return err
		}
	}
	for i := range w.cbsas {
		if err := k.insert("cbsa", file.Values([]driver.Value{int64(i + 1)}, &w.cbsas[i])...); err != nil {
			return err
		}
	}
	for i, d := range w.divisions {
		if err := k.insert("division", int64(i+1), d.Code, file.TextOrNull(d.Title), k.cbsa(d.CBSA)); err != nil {
			return err
		}
	}
	for i, c := range w.counties {
		if err := k.insert("county", int64(i+1), c.FIPS, file.TextOrNull(c.Name), k.state(c.State), k.cbsa(c.CBSA), k.division(c.Division)); err != nil {
			return err
		}
	}
	for i, z := range w.zones {
		if err := k.insert("zone", int64(i+1), z.Name, file.TextOrNull(z.Source), []byte(z.Rules)); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) writeZIPs() error {
	k := &codeKeys{w: w}
	slices.SortStableFunc(w.zips, func(a, b zipRow) int { return int(a.ZIP) - int(b.ZIP) })
	for i := range w.zips {
		r := &w.zips[i]
		code := r.ZIP.String()
		v := []driver.Value{
			code, file.TextOrNull(r.City), file.TextOrNull(r.Municipality), k.state(r.State), k.county(r.County), string(rune(r.Class)), k.zone(r.Zone),
		}
		v = file.Values(v, &r.Location)
		if v = append(v, nil); r.MultiCounty != Unknown {
			v[len(v)-1] = int64(r.MultiCounty - 1)
		}
		if err := k.insert("zip", file.Values(v, &r.detail)...); err != nil {
			return err
		}
		if err := w.insertLists(code, &r.detail); err != nil {
			return err
		}
	}
	return nil
}

// insertLists writes the lists of a detail.
func (w *Writer) insertLists(code string, t *ZIPDetail) error {
	for i := range t.Aliases {
		if err := w.out.Insert("alias", file.Values([]driver.Value{code, int64(i)}, &t.Aliases[i])...); err != nil {
			return err
		}
	}
	return w.insertCounties(code, &t.Quality)
}

func (w *Writer) insertCounties(code string, q *Quality) error {
	for i := range q.Counties {
		if err := w.out.Insert("county_source", file.Values([]driver.Value{code, int64(i)}, &q.Counties[i])...); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) writeCanada() error {
	k := &codeKeys{w: w}
	slices.SortStableFunc(w.fsas, func(a, b fsaRow) int { return int(a.FSA) - int(b.FSA) })
	for i := range w.fsas {
		r := &w.fsas[i]
		code := r.FSA.String()
		v := file.Values([]driver.Value{code, file.TextOrNull(r.City), file.TextOrNull(r.Municipality), k.state(r.Province), k.zone(r.Zone)}, &r.Location)
		if err := k.insert("fsa", file.Values(v, &r.detail)...); err != nil {
			return err
		}
		if err := w.insertCounties(code, &r.detail.Quality); err != nil {
			return err
		}
	}
	slices.SortStableFunc(w.postal, func(a, b PostalRow) int { return int(a.Code) - int(b.Code) })
	for i := range w.postal {
		r := &w.postal[i]
		v := []driver.Value{r.Code.String(), file.TextOrNull(r.City), file.TextOrNull(r.Municipality), k.state(r.Province), k.zone(r.Zone)}
		place := w.census[r.Code].censusAreas
		v = file.Values(file.Values(v, &r.Location), &place)
		if err := k.insert("postal_code", v...); err != nil {
			return err
		}
	}
	slices.SortStableFunc(w.zoneShares, func(a, b codeShare) int {
		return cmp.Or(strings.Compare(a.code, b.code), cmp.Compare(a.Zone, b.Zone))
	})
	for _, s := range w.zoneShares {
		if err := k.insert("code_zone", s.code, k.zone(s.Zone), float64(s.Percent)); err != nil {
			return err
		}
	}
	return nil
}
