package codes

import (
	"fmt"
	"strconv"

	"github.com/postgeo/postgeo/dataset/internal/store"
)

// smallTable makes the resident table of a short list: one column whose rows
// are decoded into structs at Open. Identifiers are positions from 1, and
// position 0 of the decoded list is the zero value, so that 0 can be looked
// up like any other.
func smallTable[T any](
	name string, limit int,
	list func(*Writer) []T,
	into func(*Reader) *[]T,
	encode func(*rowEncoder, *T),
	decode func(*rowDecoder, *T),
	check func(*Reader, *T) error,
) table {
	return table{
		Name: name,
		Encode: func(w *Writer, c *store.Columns) error {
			rows := list(w)
			if len(rows) > limit {
				return store.Invalid("there are %d %s, a dataset holds at most %d", len(rows), name, limit)
			}
			e := rowEncoder{names: &w.out.Names}
			for i := range rows {
				encode(&e, &rows[i])
			}
			c.Add(store.Column{Name: name, Rows: len(rows), Data: e.B})
			return nil
		},
		Decode: func(d *Reader, c *store.Columns) error {
			col, err := c.Take(name, 0)
			if err != nil {
				return err
			}
			if col.Rows > limit || col.Rows > len(col.Data) {
				return fmt.Errorf("column %s has %d rows in %d bytes, expected at most %d rows", name, col.Rows, len(col.Data), limit)
			}
			rows := make([]T, col.Rows+1)
			r := rowDecoder{Decoder: store.Decoder{B: col.Data}, names: &d.file.Names}
			for i := 1; i < len(rows); i++ {
				decode(&r, &rows[i])
				if r.Err == nil {
					r.Err = check(d, &rows[i])
				}
				if r.Err != nil {
					return fmt.Errorf("column %s: row %d: %w", name, i, r.Err)
				}
			}
			if err := r.End(); err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
			*into(d) = rows
			return nil
		},
	}
}

// A rowEncoder writes texts as references to the table of names.
type rowEncoder struct {
	store.Encoder
	names *store.NameWriter
}

func (e *rowEncoder) name(s string) { e.Uint(uint64(e.names.IDs[s])) }

type rowDecoder struct {
	store.Decoder
	names *store.NameTable
}

func (d *rowDecoder) name() string {
	i := d.Max(uint64(d.names.Len() - 1))
	return d.names.At(store.NameID(i))
}

// checkID reports an identifier that is no position of its table. The table
// holds the zero value at 0.
func checkID[T any](what string, id int, table []T) error {
	if uint(id) >= uint(len(table)) && id != 0 { // a number that int does not hold is negative
		return fmt.Errorf("it refers to %s %d, the table has %d", what, id, max(len(table)-1, 0))
	}
	return nil
}

// lookUp returns the row, or the zero row for an identifier of no row.
func lookUp[T any](table []T, id int) *T {
	if id >= len(table) {
		id = 0
	}
	return &table[id]
}

var statesTable = smallTable("states", 255,
	func(w *Writer) []State { return w.states },
	func(d *Reader) *[]State { return &d.states },
	func(e *rowEncoder, s *State) {
		e.Byte(byte(s.Country))
		e.name(s.Abbr)
		e.name(s.Name)
		e.name(s.FIPS)
		e.name(s.Region)
		e.name(s.Division)
	},
	func(d *rowDecoder, s *State) {
		s.Country = Country(d.Byte())
		s.Abbr, s.Name, s.FIPS, s.Region, s.Division = d.name(), d.name(), d.name(), d.name(), d.name()
	},
	func(d *Reader, s *State) error {
		if s.Country != US && s.Country != CA {
			return fmt.Errorf("its country is %d, expected %d or %d", s.Country, US, CA)
		}
		key := stateKey{s.Country, s.Abbr}
		if id, ok := d.stateByAbbr[key]; ok {
			return fmt.Errorf("%q is also the abbreviation of row %d", s.Abbr, id)
		}
		d.stateByAbbr[key] = StateID(len(d.stateByAbbr) + 1)
		return nil
	})

type stateKey struct {
	country Country
	abbr    string
}

// SetStates gives the table of states and provinces: at most 255, each
// abbreviation once in its country. Row i has the identifier i+1.
func (w *Writer) SetStates(rows []State) error {
	for i := range rows {
		s := &rows[i]
		if err := w.out.Names.Add(s.Abbr, s.Name, s.FIPS, s.Region, s.Division); err != nil {
			return store.InvalidRow("the state "+strconv.Quote(s.Abbr), err)
		}
	}
	return store.SetOnce(w.out, "states", &w.states, rows)
}

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
