package store

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// The numbers of codes in SQL, which package postcode defines. They order codes as their texts do,
// so that the order of a table by its key is the order of rows in memory.
const (
	zipNumber = "CAST(zip AS INTEGER)"
	lduNumber = "(substr(code, 5, 1) * 26 + unicode(substr(code, 6)) - 65) * 10 + substr(code, 7, 1)"
)

var fsaNumber = fsaSQL("code")

func fsaSQL(code string) string {
	return strings.ReplaceAll("((unicode(?) - 65) * 10 + substr(?, 2, 1)) * 26 + unicode(substr(?, 3)) - 65", "?", code)
}

// numberSQL returns the SQL of the number of a ZIP Code or forward sortation area.
func numberSQL(code string) string {
	return "CASE length(" + code + ") WHEN 5 THEN CAST(" + code + " AS INTEGER) ELSE " + fsaSQL(code) + " END"
}

// smallTable reads a table whose identifiers are positions from 1. Position 0 of the list is
// the zero value, so that identifier 0 returns it.
func smallTable[T any](name, sql string, into *[]T, each func(id int, row *T)) file.Part {
	return file.PartOf(0, name, sql, func(_ *file.Connection, rows []T) error {
		*into = slices.Insert(rows, 0, *new(T))
		for i := range rows {
			each(i+1, &(*into)[i+1])
		}
		return nil
	})
}

// codeParts returns the parts of codes.
func (d *Dataset) codeParts() []file.Part {
	parts := append(d.smallTables(), d.codeRows()...)
	return append(parts, d.postalCodes(), d.codePointsPart(), d.areaPointsPart(),
		densityOf("zip", &d.zipDensity, &d.zipSet), densityOf("fsa", &d.fsaDensity, &d.fsaSet),
		zonesOf("zip_zones", zipNumber, "SELECT code AS zip, * FROM code_zone WHERE length(code) = 5", &d.zipZones),
		zonesOf("fsa_zones", fsaNumber, "SELECT * FROM code_zone WHERE length(code) = 3", &d.fsaZones),
		d.entitiesPart())
}

func (d *Dataset) smallTables() []file.Part {
	return []file.Part{
		smallTable("state", "SELECT CASE country WHEN 'US' THEN 1 ELSE 2 END, state, name, fips, region, division FROM state ORDER BY id",
			&d.states, func(id int, s *State) { d.stateByAbbr[s.Abbr] = StateID(id) }),
		smallTable("cbsa", "SELECT cbsa, title, metropolitan, csa, csa_title FROM cbsa ORDER BY id", &d.cbsas, func(int, *CBSA) {}),
		smallTable("division", "SELECT d.division, d.title, c.id FROM division d LEFT JOIN cbsa c USING (cbsa) ORDER BY d.id", &d.divisions, func(int, *Division) {}),
		smallTable("county", "SELECT c.county, c.name, s.id, m.id, d.id FROM county c LEFT JOIN state s ON s.state = c.state"+
			" LEFT JOIN cbsa m ON m.cbsa = c.cbsa LEFT JOIN division d ON d.division = c.division ORDER BY c.id",
			&d.counties, func(id int, c *County) { d.countyByFIPS[c.FIPS] = CountyID(id) }),
		{Load: func(m *file.Connection) error { // whose rules are too large to be held twice
			d.zones = make([]Zone, 1)
			return m.Query("SELECT name, source, rules FROM zone ORDER BY id", func(v []driver.Value) error {
				rules, _ := v[2].([]byte)
				d.zones = append(d.zones, Zone{Rules: string(rules)})
				z := &d.zones[len(d.zones)-1]
				file.Scan(&z.Source, file.Scan(&z.Name, v))
				return nil
			})
		}},
	}
}

// rowsOfCodes reads a row for each code. The set finds the row of a code by counting bits, so
// that there is no map.
func rowsOfCodes[T any](section Sections, name, sql string, limit uint32, set *file.CodeSet, list *[]T, code func(*T) uint32) file.Part {
	return file.PartOf(section, name, sql, func(_ *file.Connection, rows []T) (err error) {
		*list = rows
		*set, err = file.NewCodeSet(limit, rows, code)
		return err
	})
}

func (d *Dataset) codeRows() []file.Part {
	return []file.Part{
		rowsOfCodes(0, "zip", "SELECT "+zipNumber+`, z.city, z.municipality, s.id, c.id, unicode(z.class), z.zone, z.lat, z.lng, z.multi_county + 1
			FROM zip z LEFT JOIN state s ON s.state = z.state LEFT JOIN county c ON c.county = z.county ORDER BY zip`, postcode.NumZIPs,
			&d.zipSet, &d.zips, func(r *ZIPRow) uint32 { return uint32(r.ZIP) }),
		rowsOfCodes(0, "fsa", "SELECT "+fsaNumber+`, city, municipality, s.id, zone, lat, lng
			FROM (SELECT fsa AS code, * FROM fsa) f LEFT JOIN state s ON s.state = f.province ORDER BY fsa`, postcode.NumFSAs,
			&d.fsaSet, &d.fsas, func(r *FSARow) uint32 { return uint32(r.FSA) }),
	}
}

// postalCodes reads the full postal codes. Hundreds of thousands share some ten thousand
// places, which are numbered by their first codes, so that a code takes 16 bytes of memory and
// not 64. Both queries must number places alike. The latitude 91 marks a code without a point.
func (d *Dataset) postalCodes() file.Part {
	places := `SELECT coalesce(city, '') AS city, coalesce(municipality, '') AS municipality, coalesce(s.id, 0) AS province, coalesce(zone, 0) AS zone,
		min(postal_code) AS first FROM postal_code p LEFT JOIN state s ON s.state = p.province GROUP BY 1, 2, 3, 4 ORDER BY first`
	codes := `WITH place AS (SELECT *, row_number() OVER (ORDER BY first) - 1 AS number FROM (` + places + `))
		SELECT (` + fsaNumber + `) * 2600 + ` + lduNumber + `, CAST(round(lat * 1e6) AS INTEGER), CAST(round(lng * 1e6) AS INTEGER), number
		FROM (SELECT postal_code AS code, coalesce(city, '') AS city, coalesce(municipality, '') AS municipality, coalesce(s.id, 0) AS province,
		coalesce(zone, 0) AS zone, coalesce(lat, 91) AS lat, coalesce(lng, 0) AS lng
		FROM postal_code p LEFT JOIN state s ON s.state = p.province) JOIN place USING (city, municipality, province, zone) ORDER BY code`
	part := rowsOfCodes(SectionPostalCodes, "postal_code", codes, postcode.NumPostalCodes, &d.postalSet, &d.postal, func(r *postalPlace) uint32 { return r.Code })
	load := part.Load
	part.Queries = append(part.Queries, file.Query{Name: "postal_code.places", SQL: "SELECT city, municipality, province, zone FROM (" + places + ")"})
	part.Load = func(m *file.Connection) (err error) {
		if err = load(m); err != nil {
			return err
		}
		d.postalGroups, err = file.Rows[postalGroup](m, "postal_code.places")
		for i := range d.postal {
			if int64(d.postal[i].Place) >= int64(len(d.postalGroups)) && err == nil {
				err = file.ErrRange
			}
		}
		return err
	}
	return part
}

// A postalPlace is a full postal code with its point in 1e-6 degree and its place.
type postalPlace struct {
	Code     uint32
	Lat, Lng int32
	Place    uint32
}

// A postalGroup is the common part of full postal codes.
type postalGroup struct {
	City, Municipality string
	Province           StateID
	Zone               ZoneID
}

func densityOf(of string, rows *[]density, codes *file.CodeSet) file.Part {
	name := of + "_density"
	sql := "SELECT coalesce(population, -1), coalesce(land, -1) FROM " + of + " ORDER BY " + of
	return file.PartOf(SectionDensity, name, sql, func(_ *file.Connection, list []density) error {
		if *rows = list; len(list) != codes.Count {
			return fmt.Errorf("cache %s has %d rows, expected %d", name, len(list), codes.Count)
		}
		return nil
	})
}

func zonesOf(name, number, from string, into *map[uint32][]ZoneShare) file.Part {
	type share struct {
		Code uint32
		ZoneShare
	}
	sql := "SELECT " + number + ", zone, percent FROM (" + from + ") ORDER BY code, percent DESC, zone"
	return file.PartOf(SectionZoneShares, name, sql, func(_ *file.Connection, rows []share) error {
		list, to := make([]ZoneShare, len(rows)), map[uint32][]ZoneShare{}
		for i, from := 0, 0; i < len(rows); i++ {
			list[i] = rows[i].ZoneShare
			if i+1 == len(rows) || rows[i+1].Code != rows[i].Code {
				to[rows[i].Code], from = list[from:i+1:i+1], i+1
			}
		}
		*into = to
		return nil
	})
}
