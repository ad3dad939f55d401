package codes

import (
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// The numbers of codes in SQL.
const (
	zipNumber = "CAST(zip AS INTEGER)"
	fsaLetter = "((unicode(code) - 65) * 10 + substr(code, 2, 1)) * 26 + unicode(substr(code, 3)) - 65"
	lduNumber = "(substr(code, 5, 1) * 26 + unicode(substr(code, 6)) - 65) * 10 + substr(code, 7, 1)"
)

// smallTable is a table whose identifiers are positions from 1. Position 0 of the list in
// memory is the zero value, so that identifier 0 returns it.
func smallTable[T any](name, sql string, into func(*Reader) *[]T, each func(d *Reader, id int, row *T)) table {
	return table{
		Name:    name,
		Queries: []file.Query{{Name: name, SQL: sql}},
		Decode: func(d *Reader, c *file.Columns) error {
			rows, err := file.TakeRows[T](c, name)
			if err != nil {
				return err
			}
			rows = slices.Insert(rows, 0, *new(T))
			for i := range rows[1:] {
				each(d, i+1, &rows[i+1])
			}
			*into(d) = rows
			return nil
		},
	}
}

var smallTables = []table{
	smallTable("state", "SELECT CASE country WHEN 'US' THEN 1 ELSE 2 END, state, name, fips, region, division FROM state ORDER BY id",
		func(d *Reader) *[]State { return &d.states }, func(d *Reader, id int, s *State) { d.stateByAbbr[s.Abbr] = StateID(id) }),
	smallTable("cbsa", "SELECT cbsa, title, metropolitan, csa, csa_title FROM cbsa ORDER BY id",
		func(d *Reader) *[]CBSA { return &d.cbsas }, func(*Reader, int, *CBSA) {}),
	smallTable("division", "SELECT d.division, d.title, c.id FROM division d LEFT JOIN cbsa c USING (cbsa) ORDER BY d.id",
		func(d *Reader) *[]Division { return &d.divisions }, func(*Reader, int, *Division) {}),
	smallTable("county", "SELECT c.county, c.name, s.id, m.id, d.id FROM county c LEFT JOIN state s ON s.state = c.state"+
		" LEFT JOIN cbsa m ON m.cbsa = c.cbsa LEFT JOIN division d ON d.division = c.division ORDER BY c.id",
		func(d *Reader) *[]County { return &d.counties }, func(d *Reader, id int, c *County) { d.countyByFIPS[c.FIPS] = CountyID(id) }),
	smallTable("zone", "SELECT name, source, rules FROM zone ORDER BY id",
		func(d *Reader) *[]Zone { return &d.zones }, func(*Reader, int, *Zone) {}),
}

// A codeTable has a row in memory for each code.
func codeTable[T any](name, sql string, limit uint32, into func(*Reader) (*file.CodeSet, *[]T), code func(*T) uint32) table {
	return table{
		Name:    name,
		Queries: []file.Query{{Name: name, SQL: sql}},
		Decode: func(d *Reader, c *file.Columns) error {
			rows, err := file.TakeRows[T](c, name)
			if err != nil {
				return err
			}
			b := file.NewCodeSetBuilder(limit)
			for i := range rows {
				if err := b.Add(code(&rows[i])); err != nil {
					return fmt.Errorf("cache %s: %w", name, err)
				}
			}
			set, list := into(d)
			*set, *list = b.Finish(), rows
			return nil
		},
	}
}

var (
	zipsTable = codeTable("zip", "SELECT "+zipNumber+`, z.city, z.municipality, s.id, c.id, unicode(z.class), z.zone, z.lat, z.lng, z.multi_county + 1
		FROM zip z LEFT JOIN state s ON s.state = z.state LEFT JOIN county c ON c.county = z.county ORDER BY zip`, dataset.NumZIPs,
		func(d *Reader) (*file.CodeSet, *[]ZIPRow) { return &d.zipSet, &d.zips }, func(r *ZIPRow) uint32 { return uint32(r.ZIP) })
	fsasTable = codeTable("fsa", "SELECT "+fsaLetter+`, city, municipality, s.id, zone, lat, lng
		FROM (SELECT fsa AS code, * FROM fsa) f LEFT JOIN state s ON s.state = f.province ORDER BY fsa`, dataset.NumFSAs,
		func(d *Reader) (*file.CodeSet, *[]FSARow) { return &d.fsaSet, &d.fsas }, func(r *FSARow) uint32 { return uint32(r.FSA) })
)

// postalCodesTable is the full postal codes. Hundreds of thousands share some ten thousand
// places.
var postalCodesTable = func() table {
	places := `SELECT coalesce(city, '') AS city, coalesce(municipality, '') AS municipality, coalesce(s.id, 0) AS province, coalesce(zone, 0) AS zone,
		min(postal_code) AS first FROM postal_code p LEFT JOIN state s ON s.state = p.province GROUP BY 1, 2, 3, 4 ORDER BY first`
	codes := `WITH place AS (SELECT *, row_number() OVER (ORDER BY first) - 1 AS number FROM (` + places + `))
		SELECT (` + fsaLetter + `) * 2600 + ` + lduNumber + `, CAST(round(lat * 1e6) AS INTEGER), CAST(round(lng * 1e6) AS INTEGER), number
		FROM (SELECT postal_code AS code, coalesce(city, '') AS city, coalesce(municipality, '') AS municipality, coalesce(s.id, 0) AS province,
		coalesce(zone, 0) AS zone, coalesce(lat, 91) AS lat, coalesce(lng, 0) AS lng
		FROM postal_code p LEFT JOIN state s ON s.state = p.province) JOIN place USING (city, municipality, province, zone) ORDER BY code`
	t := codeTable("postal_code", codes, dataset.NumPostalCodes,
		func(d *Reader) (*file.CodeSet, *[]postalPlace) { return &d.postalSet, &d.postal }, func(r *postalPlace) uint32 { return r.Code })
	decode := t.Decode
	t.Queries = append(t.Queries, file.Query{Name: "postal_code.places", SQL: "SELECT city, municipality, province, zone FROM (" + places + ")"})
	t.Decode = func(d *Reader, c *file.Columns) (err error) {
		if err = decode(d, c); err != nil {
			return err
		}
		d.places, err = file.TakeRows[place](c, "postal_code.places")
		for i := range d.postal {
			if int64(d.postal[i].Place) >= int64(len(d.places)) && err == nil {
				err = file.ErrRange
			}
		}
		return err
	}
	return t
}()

// A postalPlace is a full postal code with its point in 1e-6 degree and its place.
type postalPlace struct {
	Code     uint32
	Lat, Lng int32
	Place    uint32
}

// A place is the common part of full postal codes.
type place struct {
	City, Municipality string
	Province           StateID
	Zone               ZoneID
}

var (
	zipDensityTable = densityTable("zip_density", "zip", func(d *Reader) (*[]density, *file.CodeSet) { return &d.zipDensity, &d.zipSet })
	fsaDensityTable = densityTable("fsa_density", "fsa", func(d *Reader) (*[]density, *file.CodeSet) { return &d.fsaDensity, &d.fsaSet })
)

func densityTable(name, of string, into func(*Reader) (*[]density, *file.CodeSet)) table {
	return table{
		Name:    name,
		Queries: []file.Query{{Name: name, SQL: "SELECT coalesce(population, -1), coalesce(land, -1) FROM " + of + " ORDER BY " + of}},
		Decode: func(d *Reader, c *file.Columns) (err error) {
			rows, codes := into(d)
			if *rows, err = file.TakeRows[density](c, name); err == nil && len(*rows) != codes.Count {
				err = fmt.Errorf("cache %s has %d rows, expected %d", name, len(*rows), codes.Count)
			}
			return err
		},
	}
}

var (
	zipZonesTable = zonesTable("zip_zones", zipNumber, "SELECT code AS zip, * FROM code_zone WHERE length(code) = 5",
		func(d *Reader) *map[uint32][]ZoneShare { return &d.zipZones })
	fsaZonesTable = zonesTable("fsa_zones", fsaLetter, "SELECT * FROM code_zone WHERE length(code) = 3",
		func(d *Reader) *map[uint32][]ZoneShare { return &d.fsaZones })
)

func zonesTable(name, number, from string, into func(*Reader) *map[uint32][]ZoneShare) table {
	type share struct {
		Code uint32
		ZoneShare
	}
	return table{
		Name:    name,
		Queries: []file.Query{{Name: name, SQL: "SELECT " + number + ", zone, percent FROM (" + from + ") ORDER BY code, percent DESC, zone"}},
		Decode: func(d *Reader, c *file.Columns) error {
			rows, err := file.TakeRows[share](c, name)
			if err != nil {
				return err
			}
			list, to := make([]ZoneShare, len(rows)), map[uint32][]ZoneShare{}
			for i, from := 0, 0; i < len(rows); i++ {
				list[i] = rows[i].ZoneShare
				if i+1 == len(rows) || rows[i+1].Code != rows[i].Code {
					to[rows[i].Code], from = list[from:i+1:i+1], i+1
				}
			}
			*into(d) = to
			return nil
		},
	}
}
