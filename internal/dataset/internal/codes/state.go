package codes

import (
	"fmt"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

var statesTable = smallTable[State]{
	name: "states", noun: "state", limit: 255,
	rows:  func(w *Writer) *[]State { return &w.states },
	into:  func(d *Reader) *[]State { return &d.states },
	label: func(s *State) string { return s.Abbr },
	code: func(s *State, c *store.Coder) {
		store.Max(c, &s.Country, 255)
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
