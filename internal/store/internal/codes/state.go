package codes

import (
	"cmp"
	"fmt"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

var statesTable = smallTable[State]{
	name: "states", noun: "state", limit: 255,
	rows:  func(w *Writer) *[]State { return &w.states },
	into:  func(d *Reader) *[]State { return &d.states },
	label: func(s *State) string { return s.Abbr },
	code: func(s *State, c *file.Coder) {
		file.Max(c, &s.Country, 255)
		c.Name(&s.Abbr, &s.Name, &s.FIPS, &s.Region, &s.Division)
	},
	check: func(d *Reader, s *State) error {
		if s.Country != US && s.Country != CA {
			return fmt.Errorf("its country is %d, expected %d or %d", s.Country, US, CA)
		}
		key := stateKey{s.Country, s.Abbr}
		if id, ok := d.stateByAbbr[key]; ok {
			return fmt.Errorf("%q is also the abbreviation of row %d", s.Abbr, id)
		}
		d.stateByAbbr[key] = StateID(len(d.stateByAbbr) + 1)
		return nil
	},
}

type stateKey struct {
	country Country
	abbr    string
}

// SetStates gives the table of states and provinces: at most 255, each
// abbreviation once in its country. Row i has the identifier i+1.
func (w *Writer) SetStates(rows []State) error { return statesTable.set(w, rows) }

// State returns the state with the identifier, or a zero State for 0 and any
// other identifier that is not of this dataset. It must not be changed.
func (d *Reader) State(id StateID) *State { return lookUp(d.states, int(id)) }

// States returns all states and provinces; the one at position i has the
// identifier i+1. They must not be changed.
func (d *Reader) States() []State { return d.states[1:] }

// StateByAbbr finds a state or province by its two letters in upper case.
func (d *Reader) StateByAbbr(country Country, abbr string) (StateID, bool) {
	id, ok := d.stateByAbbr[stateKey{country, abbr}]
	return id, ok
}

var countiesTable = smallTable[County]{
	name: "counties", noun: "county", limit: 65535,
	rows:  func(w *Writer) *[]County { return &w.counties },
	into:  func(d *Reader) *[]County { return &d.counties },
	label: func(v *County) string { return v.FIPS },
	code: func(v *County, c *file.Coder) {
		c.Name(&v.FIPS, &v.Name)
		file.Max(c, &v.State, 255)
		file.Max(c, &v.CBSA, 65535)
		file.Max(c, &v.Division, 255)
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

var cbsasTable = smallTable[CBSA]{
	name: "cbsas", noun: "core based statistical area", limit: 65535,
	rows:  func(w *Writer) *[]CBSA { return &w.cbsas },
	into:  func(d *Reader) *[]CBSA { return &d.cbsas },
	label: func(v *CBSA) string { return v.Code },
	code: func(v *CBSA, c *file.Coder) {
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
	code: func(v *Division, c *file.Coder) {
		c.Name(&v.Code, &v.Title)
		file.Max(c, &v.CBSA, 65535)
	},
	check: func(d *Reader, v *Division) error { return checkID("metropolitan area", int(v.CBSA), d.cbsas) },
}

// SetCBSAs gives the table of core based statistical areas, at most 65,535.
// Row i has the identifier i+1.
func (w *Writer) SetCBSAs(rows []CBSA) error { return cbsasTable.set(w, rows) }

// SetDivisions gives the table of metropolitan divisions, at most 255. Row i
// has the identifier i+1.
func (w *Writer) SetDivisions(rows []Division) error { return divisionsTable.set(w, rows) }

// CBSA returns the core based statistical area with the identifier. It returns
// a zero CBSA for 0 and for identifiers that the dataset does not have. The
// result must not be changed.
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
