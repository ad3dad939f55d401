package codes

import (
	"strconv"

	"github.com/postgeo/postgeo/dataset/internal/store"
)

var cbsasTable = smallTable("cbsas", 65535,
	func(w *Writer) []CBSA { return w.cbsas },
	func(d *Reader) *[]CBSA { return &d.cbsas },
	func(e *rowEncoder, c *CBSA) {
		e.name(c.Code)
		e.name(c.Title)
		e.Bool(c.Metropolitan)
		e.name(c.CSA)
		e.name(c.CSATitle)
	},
	func(d *rowDecoder, c *CBSA) {
		c.Code, c.Title, c.Metropolitan, c.CSA, c.CSATitle = d.name(), d.name(), d.Bool(), d.name(), d.name()
	},
	func(*Reader, *CBSA) error { return nil })

var divisionsTable = smallTable("divisions", 255,
	func(w *Writer) []Division { return w.divisions },
	func(d *Reader) *[]Division { return &d.divisions },
	func(e *rowEncoder, v *Division) {
		e.name(v.Code)
		e.name(v.Title)
		e.Uint(uint64(v.CBSA))
	},
	func(d *rowDecoder, v *Division) {
		v.Code, v.Title, v.CBSA = d.name(), d.name(), CBSAID(d.Max(65535))
	},
	func(d *Reader, v *Division) error {
		return checkID("metropolitan area", int(v.CBSA), d.cbsas)
	})

// SetCBSAs gives the table of core based statistical areas, at most 65,535.
// Row i has the identifier i+1.
func (w *Writer) SetCBSAs(rows []CBSA) error {
	for i := range rows {
		c := &rows[i]
		if err := w.out.Names.Add(c.Code, c.Title, c.CSA, c.CSATitle); err != nil {
			return store.InvalidRow("the core based statistical area "+strconv.Quote(c.Code), err)
		}
	}
	return store.SetOnce(w.out, "cbsas", &w.cbsas, rows)
}

// SetDivisions gives the table of metropolitan divisions, at most 255. Row i
// has the identifier i+1.
func (w *Writer) SetDivisions(rows []Division) error {
	for i := range rows {
		if err := w.out.Names.Add(rows[i].Code, rows[i].Title); err != nil {
			return store.InvalidRow("the metropolitan division "+strconv.Quote(rows[i].Code), err)
		}
	}
	return store.SetOnce(w.out, "divisions", &w.divisions, rows)
}

// CBSA returns the core based statistical area with the identifier, or a zero
// CBSA for 0 and any other identifier that is not of this dataset. It must not
// be changed.
func (d *Reader) CBSA(id CBSAID) *CBSA { return lookUp(d.cbsas, int(id)) }

// CBSAs returns all core based statistical areas; the one at position i has
// the identifier i+1. They must not be changed.
func (d *Reader) CBSAs() []CBSA { return d.cbsas[1:] }

// Division returns the metropolitan division with the identifier, or a zero
// Division for 0 and any other identifier that is not of this dataset. It must
// not be changed.
func (d *Reader) Division(id DivisionID) *Division { return lookUp(d.divisions, int(id)) }

// Divisions returns all metropolitan divisions; the one at position i has the
// identifier i+1. They must not be changed.
func (d *Reader) Divisions() []Division { return d.divisions[1:] }
