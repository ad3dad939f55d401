package codes

import "github.com/postgeo/postgeo/internal/dataset/internal/store"

var cbsasTable = smallTable[CBSA]{
	name: "cbsas", noun: "core based statistical area", limit: 65535,
	rows:  func(w *Writer) *[]CBSA { return &w.cbsas },
	into:  func(d *Reader) *[]CBSA { return &d.cbsas },
	label: func(v *CBSA) string { return v.Code },
	code: func(v *CBSA, c *store.Coder) {
		c.Name(&v.Code, &v.Title, &v.CSA, &v.CSATitle)
		c.Bool(&v.Metropolitan)
	},
	check: func(*Reader, *CBSA) error { return nil },
}

var divisionsTable = smallTable[Division]{
	name: "divisions", noun: "metropolitan division", limit: 255,
	rows:  func(w *Writer) *[]Division { return &w.divisions },
	into:  func(d *Reader) *[]Division { return &d.divisions },
	label: func(v *Division) string { return v.Code },
	code: func(v *Division, c *store.Coder) {
		c.Name(&v.Code, &v.Title)
		store.Max(c, &v.CBSA, 65535)
	},
	check: func(d *Reader, v *Division) error { return checkID("metropolitan area", int(v.CBSA), d.cbsas) },
}

// SetCBSAs gives the table of core based statistical areas, at most 65,535.
// Row i has the identifier i+1.
func (w *Writer) SetCBSAs(rows []CBSA) error { return cbsasTable.set(w, rows) }

// SetDivisions gives the table of metropolitan divisions, at most 255. Row i
// has the identifier i+1.
func (w *Writer) SetDivisions(rows []Division) error { return divisionsTable.set(w, rows) }

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
