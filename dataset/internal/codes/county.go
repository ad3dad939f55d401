package codes

import (
	"fmt"
	"strconv"

	"github.com/postgeo/postgeo/dataset/internal/store"
)

var countiesTable = smallTable("counties", 65535,
	func(w *Writer) []County { return w.counties },
	func(d *Reader) *[]County { return &d.counties },
	func(e *rowEncoder, c *County) {
		e.name(c.FIPS)
		e.name(c.Name)
		e.Uint(uint64(c.State))
		e.Uint(uint64(c.CBSA))
		e.Uint(uint64(c.Division))
	},
	func(d *rowDecoder, c *County) {
		c.FIPS, c.Name = d.name(), d.name()
		c.State, c.CBSA, c.Division = StateID(d.Max(255)), CBSAID(d.Max(65535)), DivisionID(d.Max(255))
	},
	func(d *Reader, c *County) error {
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
func (w *Writer) SetCounties(rows []County) error {
	for i := range rows {
		if err := w.out.Names.Add(rows[i].FIPS, rows[i].Name); err != nil {
			return store.InvalidRow("the county "+strconv.Quote(rows[i].FIPS), err)
		}
	}
	return store.SetOnce(w.out, "counties", &w.counties, rows)
}

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
