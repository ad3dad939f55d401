package codes

import (
	"cmp"
	"fmt"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

var countiesTable = smallTable[County]{
	name: "counties", noun: "county", limit: 65535,
	rows:  func(w *Writer) *[]County { return &w.counties },
	into:  func(d *Reader) *[]County { return &d.counties },
	label: func(v *County) string { return v.FIPS },
	code: func(v *County, c *store.Coder) {
		c.Name(&v.FIPS, &v.Name)
		store.Max(c, &v.State, 255)
		store.Max(c, &v.CBSA, 65535)
		store.Max(c, &v.Division, 255)
	},
	check: func(d *Reader, v *County) error {
		if id, ok := d.countyByFIPS[v.FIPS]; ok {
			return fmt.Errorf("%q is also the code of row %d", v.FIPS, id)
		}
		d.countyByFIPS[v.FIPS] = CountyID(len(d.countyByFIPS) + 1)
		return cmp.Or(
			checkID("state", int(v.State), d.states),
			checkID("metropolitan area", int(v.CBSA), d.cbsas),
			checkID("metropolitan division", int(v.Division), d.divisions))
	},
}

// SetCounties gives the table of counties: at most 65,535, each FIPS code
// once. Row i has the identifier i+1.
func (w *Writer) SetCounties(rows []County) error { return countiesTable.set(w, rows) }

// County returns the county with the identifier, or a zero County for 0 and
// any other identifier that is not of this dataset. It must not be changed.
func (d *Reader) County(id CountyID) *County { return lookUp(d.counties, int(id)) }

// Counties returns all counties; the one at position i has the identifier
// i+1. They must not be changed.
func (d *Reader) Counties() []County { return d.counties[1:] }

// CountyByFIPS finds a county by its five-digit code.
func (d *Reader) CountyByFIPS(fips string) (CountyID, bool) {
	id, ok := d.countyByFIPS[fips]
	return id, ok
}
