package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A CityName is a name of a ZIP Code's place, as the City State product has it,
// in capitals.
type CityName struct {
	Name         string
	Abbreviation string // at most 13 characters; "" if the name needs none
	Key          string // city state key, six characters
	LastLineKey  string // that of the preferred name
	Facility     byte   // B branch, C community post office, N no post office, P post office, S station, U urbanization; 0 blank
	Mailing      bool   // allowed on the last line of an address
	Preferred    bool   // the default on the last line
	State        string // two letters
	CountyFIPS   string // three digits within the state; "" for military
}

// cityRow is a row of the table of names.
type cityRow struct {
	ZIP     postcode.ZIP
	Finance uint32
	CityName
}

func (d *Dataset) cityNames() file.Part {
	const sql = `SELECT CAST(zip AS INTEGER), finance, name, abbreviation, key, last_line_key, facility, mailing,
			preferred, state, county FROM city_name ORDER BY zip, number`
	return file.PartOf(sectionRecords, "city_name", sql, func(_ *file.Connection, rows []cityRow) error {
		d.cities = rows
		return nil
	})
}

// CityNames appends the names of the ZIP Code's place, the preferred one first,
// from memory. It appends none if the dataset lacks the City State product or
// the product lacks the ZIP Code.
func (d *Dataset) CityNames(z postcode.ZIP, into []CityName) []CityName {
	for _, r := range d.citiesOf(z) {
		into = append(into, r.CityName)
	}
	return into
}

// citiesOf returns the names of a ZIP Code.
func (d *Dataset) citiesOf(z postcode.ZIP) []cityRow {
	d.Need(sectionRecords)
	from, _ := slices.BinarySearchFunc(d.cities, z, func(r cityRow, z postcode.ZIP) int { return cmp.Compare(r.ZIP, z) })
	to := from
	for to < len(d.cities) && d.cities[to].ZIP == z {
		to++
	}
	return d.cities[from:to]
}

// Finance returns the finance number of the ZIP Code's post office, six digits.
// It comes from the City State product or the street records; "" means unknown.
func (d *Dataset) Finance(z postcode.ZIP) string {
	if list := d.citiesOf(z); len(list) > 0 && list[0].Finance != 0 {
		return financeText(list[0].Finance)
	}
	if s := d.streetsOf(z); s != nil {
		return financeText(s.Finance)
	}
	return ""
}

func financeText(n uint32) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%06d", n)
}
