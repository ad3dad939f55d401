package storewrite

import (
	"cmp"
	"database/sql/driver"
	"math"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// SetStates gives the table of states and provinces: at most 255, each
// abbreviation once. Row i has the identifier i+1.
func (w *Writer) SetStates(rows []store.State) error {
	for i := range rows {
		s := &rows[i]
		if err := w.insert("state", i+1, s.Abbr, s.Country, file.OrNull(s.Name), file.OrNull(s.FIPS), file.OrNull(s.Region), file.OrNull(s.Division)); err != nil {
			return err
		}
	}
	return w.usable()
}

// SetCounties gives the table of counties: at most 65,535, each FIPS code
// once. Row i has the identifier i+1.
func (w *Writer) SetCounties(rows []store.County) error {
	return insertAll(w, "county", rows)
}

// SetCBSAs gives the table of core based statistical areas, at most 65,535.
// Row i has the identifier i+1.
func (w *Writer) SetCBSAs(rows []store.CBSA) error {
	return insertAll(w, "cbsa", rows)
}

// SetDivisions gives the table of metropolitan divisions, at most 255. Row i
// has the identifier i+1.
func (w *Writer) SetDivisions(rows []store.Division) error {
	return insertAll(w, "division", rows)
}

// SetZones gives the table of time zones, at most 255. Row i has the
// identifier i+1.
func (w *Writer) SetZones(rows []store.Zone) error {
	for i, z := range rows {
		if _, err := z.Location(); err != nil {
			return file.InvalidRow("the time zone "+z.Name, err)
		}
		if err := w.insert("zone", i+1, z.Name, file.OrNull(z.Source), []byte(z.Rules)); err != nil {
			return err
		}
	}
	return w.usable()
}

// AddZIP adds a ZIP Code with its detail, in any order, each once. Coordinates are
// rounded to 1e-6 degree.
func (w *Writer) AddZIP(row store.ZIPRow, detail store.ZIPDetail) error {
	roundRatio(&detail.Quality)
	return cmp.Or(w.insert("zip", &row, &detail), insertList(w, "alias", row.ZIP, detail.Aliases),
		insertList(w, "county_source", row.ZIP, detail.Quality.Counties))
}

// AddFSA adds a forward sortation area with its detail, in any order, each once.
// Coordinates are rounded to 1e-6 degree.
func (w *Writer) AddFSA(row store.FSARow, detail store.FSADetail) error {
	roundRatio(&detail.Quality)
	return cmp.Or(w.insert("fsa", &row, &detail), insertList(w, "county_source", row.FSA, detail.Quality.Counties))
}

// roundRatio rounds the ratio to the precision that [store.Quality] promises, so that files do
// not depend on the last digits of a division.
func roundRatio(q *store.Quality) {
	const units, most = 1e4, 1e6
	q.OutlineAreaRatio = math.Round(min(q.OutlineAreaRatio, most)*units) / units
}

// AddPostalCode adds a full postal code, in any order, each once. Coordinates are rounded
// to 1e-6 degree. Finish writes it with its census areas.
func (w *Writer) AddPostalCode(row store.PostalRow) error {
	w.postal = append(w.postal, row)
	return w.usable()
}

// AddZones adds the time zones of a code's area, once: different ones in any order,
// each with a share above 0. They add up to less than 100 percent if a part of the area
// lies in no zone.
func (w *Writer) AddZones(c store.Code, shares []store.ZoneShare) error {
	for i := range shares {
		if err := w.insert("code_zone", c, &shares[i]); err != nil {
			return err
		}
	}
	return w.usable()
}

// AddCityNames adds the names of a ZIP Code's place, once. The file has the preferred one
// first and the others in the given order. The finance number of the post office, or "" if
// unknown, overrides that of the records.
func (w *Writer) AddCityNames(z postcode.ZIP, finance string, names []store.CityName) error {
	list := slices.Clone(names)
	slices.SortStableFunc(list, func(a, b store.CityName) int { return file.Flag(b.Preferred) - file.Flag(a.Preferred) })
	for i := range list {
		if err := w.insert("city_name", z, i, financeNumber(finance), &list[i]); err != nil {
			return err
		}
	}
	return w.usable()
}

// financeNumber returns a finance number, or 0 if the text is invalid.
func financeNumber(text string) uint32 {
	const most = 999_999
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n > most {
		return 0
	}
	return uint32(n)
}

// AddStreetAliases adds the other names of a ZIP Code's streets, once.
func (w *Writer) AddStreetAliases(z postcode.ZIP, list []store.StreetAlias) error {
	return insertList(w, "street_alias", z, list)
}

// writeIndexes writes the indexes of points and of names. Points are numbered as the reader
// numbers rows: ZIP Codes in ascending order, then Canadian codes. Codes without a point
// have a number too.
func (w *Writer) writeIndexes() error {
	for _, x := range []struct{ name, canada string }{
		{"code_points", "SELECT lat, lng FROM postal_code ORDER BY postal_code"},
		{"area_points", "SELECT lat, lng FROM fsa ORDER BY fsa"},
	} {
		points, err := w.points("SELECT lat, lng FROM zip ORDER BY zip", nil)
		if err == nil {
			points, err = w.points(x.canada, points)
		}
		if err != nil {
			return err
		}
		data, err := spatial.NewPointIndex(points).AppendBinary(nil)
		if err == nil {
			err = w.insert("search_index", x.name, data)
		}
		if err != nil {
			return err
		}
	}
	return w.writeKeys()
}

// points appends the points of a query.
func (w *Writer) points(sql string, into []geo.LatLng) ([]geo.LatLng, error) {
	err := w.db.Query(sql, func(v []driver.Value) error {
		var row struct{ At geo.LatLng }
		file.Scan(&row, v)
		into = append(into, row.At)
		return nil
	})
	return into, err
}

// SetCenters gives the centers of population, ascending by block group, once.
func (w *Writer) SetCenters(list []store.Center) error {
	return writePages(w, "center", list, func(c *store.Center) *uint64 { return &c.BlockGroup })
}

// SetCensusBlocks gives the census blocks, ascending. In an extended file they
// replace those of the same counties.
func (w *Writer) SetCensusBlocks(list []store.CensusBlock) error {
	return writePages(w, "census_block", list, func(b *store.CensusBlock) *uint64 { return &b.GEOID })
}

// writePages writes rows page by page, the GEOIDs within their page. A page replaces one of the
// same state or county, so that an extension gives blocks of some counties only.
func writePages[T any](w *Writer, table string, list []T, geoid func(*T) *uint64) error {
	for len(list) > 0 {
		fips, n := *geoid(&list[0])/store.WithinPage, 0
		for n < len(list) && *geoid(&list[n])/store.WithinPage == fips {
			if n > 0 && *geoid(&list[n]) < *geoid(&list[n-1]) {
				return file.Invalid("table %s: %d after %d; expected ascending GEOIDs", table, *geoid(&list[n]), *geoid(&list[n-1]))
			}
			n++
		}
		rows := slices.Clone(list[:n])
		for i := range rows {
			*geoid(&rows[i]) %= store.WithinPage
		}
		if err := w.clear(table+" WHERE fips = ?", int64(fips)); err != nil {
			return err
		}
		if err := w.insert(table, fips, file.EncodeRows(rows)); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}
