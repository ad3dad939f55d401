package dataset

import (
	"fmt"
	"strconv"
)

var countiesTable = smallTable("counties", 65535,
	func(w *codesWriter) []County { return w.counties },
	func(d *codesReader) *[]County { return &d.counties },
	func(e *rowEncoder, c *County) {
		e.name(c.FIPS)
		e.name(c.Name)
		e.uint(uint64(c.State))
		e.uint(uint64(c.CBSA))
		e.uint(uint64(c.Division))
	},
	func(d *rowDecoder, c *County) {
		c.FIPS, c.Name = d.name(), d.name()
		c.State, c.CBSA, c.Division = StateID(d.max(255)), CBSAID(d.max(65535)), DivisionID(d.max(255))
	},
	func(d *codesReader, c *County) error {
		if id, ok := d.countyByFIPS[c.FIPS]; ok {
			return fmt.Errorf("%q is also the code of row %d", c.FIPS, id)
		}
		d.countyByFIPS[c.FIPS] = CountyID(len(d.countyByFIPS) + 1)
		if err := checkID("state", int(c.State), d.states); err != nil {
			return err
		}
		if err := checkID("metropolitan area", int(c.CBSA), d.cbsas); err != nil {
			return err
		}
		return checkID("metropolitan division", int(c.Division), d.divisions)
	})

// SetCounties gives the table of counties: at most 65,535, each FIPS code
// once. Row i has the identifier i+1.
func (w *codesWriter) SetCounties(rows []County) error {
	for i := range rows {
		if err := w.out.names.add(rows[i].FIPS, rows[i].Name); err != nil {
			return invalidRow("the county "+strconv.Quote(rows[i].FIPS), err)
		}
	}
	return setOnce(w.out, "counties", &w.counties, rows)
}

// County returns the county with the identifier, or a zero County for 0 and
// any other identifier that is not of this dataset. It must not be changed.
func (d *codesReader) County(id CountyID) *County { return lookUp(d.counties, int(id)) }

// Counties returns all counties; the one at position i has the identifier
// i+1. They must not be changed.
func (d *codesReader) Counties() []County { return d.counties[1:] }

// CountyByFIPS finds a county by its five-digit code.
func (d *codesReader) CountyByFIPS(fips string) (CountyID, bool) {
	id, ok := d.countyByFIPS[fips]
	return id, ok
}
