package store

import (
	"context"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// State returns the row of a [StateID].
func (d *Dataset) State(id StateID) *State { return lookUp(d.states, int(id)) }

// States returns all states and provinces in the order of their identifiers.
func (d *Dataset) States() []State { return d.states[1:] }

// StateByAbbr finds a state or province by its two letters in upper case.
func (d *Dataset) StateByAbbr(country Country, abbr string) (StateID, bool) {
	id, ok := d.stateByAbbr[abbr]
	return id, ok && d.State(id).Country == country
}

// County returns the row of a [CountyID].
func (d *Dataset) County(id CountyID) *County { return lookUp(d.counties, int(id)) }

// Counties returns all counties in the order of their identifiers.
func (d *Dataset) Counties() []County { return d.counties[1:] }

// CountyByFIPS finds a county by its five-digit code.
func (d *Dataset) CountyByFIPS(fips string) (CountyID, bool) {
	id, ok := d.countyByFIPS[fips]
	return id, ok
}

// CBSA returns the row of a [CBSAID].
func (d *Dataset) CBSA(id CBSAID) *CBSA { return lookUp(d.cbsas, int(id)) }

// CBSAs returns all core based statistical areas in the order of their identifiers.
func (d *Dataset) CBSAs() []CBSA { return d.cbsas[1:] }

// Division returns the row of a [DivisionID].
func (d *Dataset) Division(id DivisionID) *Division { return lookUp(d.divisions, int(id)) }

// Divisions returns all metropolitan divisions in the order of their identifiers.
func (d *Dataset) Divisions() []Division { return d.divisions[1:] }

// Zone returns the row of a [ZoneID].
func (d *Dataset) Zone(id ZoneID) *Zone { return lookUp(d.zones, int(id)) }

// Zones returns all time zones in the order of their identifiers.
func (d *Dataset) Zones() []Zone { return d.zones[1:] }

// lookUp returns the row, or the zero row for an identifier of no row.
func lookUp[T any](table []T, id int) *T {
	if id >= len(table) {
		id = 0
	}
	return &table[id]
}

// ZIP looks up a ZIP Code in memory, without an allocation. It returns false if
// the dataset does not have it.
func (d *Dataset) ZIP(z postcode.ZIP) (ZIPRow, bool) {
	i, ok := d.zipSet.Row(uint32(z))
	if !ok {
		return ZIPRow{}, false
	}
	return d.zips[i], true
}

// NumZIPs returns the number of ZIP Codes that the dataset holds.
func (d *Dataset) NumZIPs() int { return d.zipSet.Count }

// ZIPs yields every ZIP Code in ascending order, from memory.
func (d *Dataset) ZIPs() iter.Seq[ZIPRow] { return eachRow(d.zips) }

// FSA looks up a forward sortation area in memory, without an allocation. It
// returns false if the dataset does not have it.
func (d *Dataset) FSA(f postcode.FSA) (FSARow, bool) {
	i, ok := d.fsaSet.Row(uint32(f))
	if !ok {
		return FSARow{}, false
	}
	return d.fsas[i], true
}

// NumFSAs returns the number of forward sortation areas that the dataset
// holds.
func (d *Dataset) NumFSAs() int { return d.fsaSet.Count }

// FSAs yields every forward sortation area in ascending order, from memory.
func (d *Dataset) FSAs() iter.Seq[FSARow] { return eachRow(d.fsas) }

func eachRow[T any](rows []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range rows {
			if !yield(rows[i]) {
				return
			}
		}
	}
}

// PostalCode looks up a full Canadian postal code in memory, without an
// allocation. It returns false if the dataset does not have it.
func (d *Dataset) PostalCode(p postcode.PostalCode) (PostalRow, bool) {
	d.Need(SectionPostalCodes)
	i, ok := d.postalSet.Row(uint32(p))
	if !ok {
		return PostalRow{}, false
	}
	return d.postalRow(p, i), true
}

func (d *Dataset) postalRow(code postcode.PostalCode, i int) PostalRow {
	r := &d.postal[i]
	p := &d.postalGroups[r.Place]
	return PostalRow{
		Code: code, City: p.City, Municipality: p.Municipality, Province: p.Province, Zone: p.Zone,
		Location: geo.LatLngFromMicrodegrees(r.Lat, r.Lng),
	}
}

// NumPostalCodes returns the number of full postal codes that the dataset
// holds.
func (d *Dataset) NumPostalCodes() int {
	d.Need(SectionPostalCodes)
	return d.postalSet.Count
}

// PostalCodes yields every full postal code in ascending order, from memory.
func (d *Dataset) PostalCodes() iter.Seq[PostalRow] { return d.PostalCodesFrom(0) }

// PostalCodesFrom yields the full postal codes that are at least low in
// ascending order, from memory.
func (d *Dataset) PostalCodesFrom(low postcode.PostalCode) iter.Seq[PostalRow] {
	d.Need(SectionPostalCodes)
	return func(yield func(PostalRow) bool) {
		for i, p := range d.postalSet.From(uint32(low)) {
			if !yield(d.postalRow(postcode.PostalCode(p), i)) {
				return
			}
		}
	}
}

// HasPostalCodes reports whether the dataset has any full postal code of the
// province. All codes of a letter belong to one province, but for those of X, which the
// Northwest Territories and Nunavut share. So one code of each other letter decides.
func (d *Dataset) HasPostalCodes(province StateID) bool {
	const letters, ofLetter = 26, postcode.NumPostalCodes / 26
	for letter := range postcode.PostalCode(letters) {
		if d.CountPostalCodes(letter*ofLetter, (letter+1)*ofLetter) == 0 {
			continue
		}
		for row := range d.PostalCodesFrom(letter * ofLetter) {
			if row.Code >= (letter+1)*ofLetter {
				break
			}
			if row.Province == province {
				return true
			}
			if letter != 'X'-'A' {
				break
			}
		}
	}
	return false
}

// CountPostalCodes returns how many full postal codes are at least low and
// below high.
func (d *Dataset) CountPostalCodes(low, high postcode.PostalCode) int {
	d.Need(SectionPostalCodes)
	return max(0, d.postalSet.Before(uint32(high))-d.postalSet.Before(uint32(low)))
}

// Population returns the residents of a code's area, from memory. It returns false
// if they are unknown.
func (d *Dataset) Population(c Code) (int32, bool) {
	p := d.density(c).People
	return max(p, 0), p >= 0
}

// Land returns the square meters of land of a code's area, from memory. It returns
// false if they are unknown.
func (d *Dataset) Land(c Code) (int64, bool) {
	l := d.density(c).Land
	return max(l, 0), l >= 0
}

// A density has the residents and the land of an area, negative if unknown. Both are in memory
// because the automatic radius adds them up over the codes around a center (decision D19).
type density struct {
	People int32
	Land   int64
}

func (d *Dataset) density(c Code) density {
	d.Need(SectionDensity)
	set, rows, n := &d.zipSet, d.zipDensity, uint32(c)
	if f, ok := c.FSA(); ok {
		set, rows, n = &d.fsaSet, d.fsaDensity, uint32(f)
	}
	if i, ok := set.Row(n); ok {
		return rows[i]
	}
	return density{-1, -1}
}

// ZoneShares returns the time zones of a code's area, the largest share
// first, from memory. It is nil if they are unknown; the zone at the code's point
// is in its row. It must not be changed.
func (d *Dataset) ZoneShares(c Code) []ZoneShare {
	d.Need(SectionZoneShares)
	if f, ok := c.FSA(); ok {
		return d.fsaZones[uint32(f)]
	}
	return d.zipZones[uint32(c)]
}

// The numbers of columns before the details, which are in memory. Details are read by SELECT *:
// the columns of the schema are the fields of the row and then those of the detail, in this order.
const (
	zipColumns = 10
	fsaColumns = 7
)

// ZIPDetail returns what only a full record shows of the ZIP Code, from the file unless
// it was read lately. It must not be changed. A code that the dataset does not hold is an
// error that matches [ErrNotFound].
func (d *Dataset) ZIPDetail(ctx context.Context, z postcode.ZIP) (*ZIPDetail, error) {
	return d.zipDetails.Get(ctx, z, func() (*ZIPDetail, int64, error) {
		t, err := d.ZIPRowDetail(ctx, z)
		if err != nil {
			return nil, 0, err
		}
		t.Aliases, err = readRows[CityAlias](ctx, d, z.String(), "SELECT city, mailing_name, intro_date FROM alias WHERE zip = ?", 0)
		if err == nil {
			t.Quality.Counties, err = d.countySources(ctx, z.String())
		}
		return t, 1, err
	})
}

// ZIPRowDetail reads the detail of a ZIP Code without the aliases and the counties that
// sources name.
func (d *Dataset) ZIPRowDetail(ctx context.Context, z postcode.ZIP) (*ZIPDetail, error) {
	return readDetail[ZIPDetail](ctx, d, z.String(), d.zipSet.Has(uint32(z)), "SELECT * FROM zip WHERE zip = ?", zipColumns)
}

// FSADetail returns what only a full record shows of the forward sortation area, as
// [Dataset.ZIPDetail] does for ZIP Codes.
func (d *Dataset) FSADetail(ctx context.Context, f postcode.FSA) (*FSADetail, error) {
	return d.fsaDetails.Get(ctx, f, func() (*FSADetail, int64, error) {
		t, err := readDetail[FSADetail](ctx, d, f.String(), d.fsaSet.Has(uint32(f)), "SELECT * FROM fsa WHERE fsa = ?", fsaColumns)
		if err == nil {
			t.Quality.Counties, err = d.countySources(ctx, f.String())
		}
		return t, 1, err
	})
}

func (d *Dataset) countySources(ctx context.Context, code string) ([]CountySource, error) {
	return readRows[CountySource](ctx, d, code, "SELECT source, county, chosen FROM county_source WHERE code = ?", 0)
}

// readDetail reads the row of a code, whose columns begin with those that are in memory.
func readDetail[T any](ctx context.Context, d *Dataset, code string, has bool, sql string, skip int) (*T, error) {
	if !has {
		return nil, fmt.Errorf("%w: %s holds no code %s", file.ErrNotFound, d.Path(), code)
	}
	rows, err := readRows[T](ctx, d, code, sql, skip)
	if err == nil && len(rows) == 0 {
		err = d.Damaged("the row of %s is missing", code)
	}
	if err != nil {
		return nil, err
	}
	return &rows[0], nil
}

// readRows reads the rows of a code from the columns after the first ones.
func readRows[T any](ctx context.Context, d *Dataset, code, sql string, skip int) (rows []T, err error) {
	err = d.Query(ctx, "the rows of "+code, sql, file.Into(&rows, skip), code)
	return rows, err
}
