package codes

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A postal code's resident row:
//
//	0  location  2 int32
//	8  place     uint32, a row of the table of distinct places
//
// Hundreds of thousands of codes share some ten thousand places.
const postalWidth = 12

var postalCodesTable = table{
	Name: "postal_codes",
	Encode: func(w *Writer, c *file.Columns) error {
		file.AddCodes(c, "postal_codes.codes", w.postalCodes)
		e := file.NewCoder(&w.out.Names)
		for i := range w.places {
			w.places[i].code(&e)
		}
		b, err := e.Bytes()
		c.Add(file.Column{Name: "postal_codes.places", Width: placeWidth, Rows: len(w.places), Data: b})
		c.Add(file.Column{Name: "postal_codes", Width: postalWidth, Rows: len(w.postalCodes), Data: w.postalRows})
		return err
	},
	Decode: func(d *Reader, c *file.Columns) error {
		var err error
		if d.postalSet, err = file.TakeCodes(c, "postal_codes.codes", dataset.NumPostalCodes, nil); err != nil {
			return err
		}
		places, err := c.Take("postal_codes.places", placeWidth)
		if err != nil {
			return err
		}
		d.places = make([]place, places.Rows)
		r := file.DecodeWith(&d.file.Names, places.Data)
		for i := range d.places {
			p := &d.places[i]
			p.code(&r)
			if err := cmp.Or(r.Err(), p.check(d)); err != nil {
				return fmt.Errorf("postal_codes.places: row %d: %w", i, err)
			}
		}
		if d.postal, err = c.Take("postal_codes", postalWidth); err != nil {
			return err
		}
		if d.postal.Rows != d.postalSet.Count {
			return fmt.Errorf("column postal_codes has %d rows, expected %d", d.postal.Rows, d.postalSet.Count)
		}
		return d.checkPostalRows()
	},
}

func (d *Reader) checkPostalRows() error {
	for i := range d.postal.Rows {
		b := d.postal.Row(i)
		err := file.CheckPoint(b)
		if p := binary.LittleEndian.Uint32(b[8:]); err == nil && uint64(p) >= uint64(len(d.places)) {
			err = fmt.Errorf("it refers to place %d, the table has %d", p, len(d.places))
		}
		if err != nil {
			return fmt.Errorf("postal_codes: row %d: %w", i, err)
		}
	}
	return nil
}

// PostalCode looks up a full Canadian postal code in memory, without an
// allocation. It returns false if the dataset does not have it.
func (d *Reader) PostalCode(p dataset.PostalCode) (PostalRow, bool) {
	d.file.Need(SectionPostalCodes)
	i, ok := d.postalSet.Row(uint32(p))
	if !ok {
		return PostalRow{}, false
	}
	return d.postalRow(p, i), true
}

func (d *Reader) postalRow(code dataset.PostalCode, i int) PostalRow {
	b := d.postal.Row(i)
	p := &d.places[binary.LittleEndian.Uint32(b[8:])]
	return PostalRow{
		Code: code, City: p.city, Municipality: p.municipality, Province: p.province, Zone: p.zone,
		Location: file.PointAt(b),
	}
}

// NumPostalCodes returns the number of full postal codes that the dataset
// holds.
func (d *Reader) NumPostalCodes() int {
	d.file.Need(SectionPostalCodes)
	return d.postalSet.Count
}

// PostalCodes yields every full postal code in ascending order, from memory.
func (d *Reader) PostalCodes() iter.Seq[PostalRow] {
	d.file.Need(SectionPostalCodes)
	return func(yield func(PostalRow) bool) {
		for i, p := range d.postalSet.All() {
			if !yield(d.postalRow(dataset.PostalCode(p), i)) {
				return
			}
		}
	}
}

// PostalCodesFrom yields the full postal codes that are at least low in
// ascending order, from memory.
func (d *Reader) PostalCodesFrom(low dataset.PostalCode) iter.Seq[PostalRow] {
	d.file.Need(SectionPostalCodes)
	return func(yield func(PostalRow) bool) {
		for i, p := range d.postalSet.From(uint32(low)) {
			if !yield(d.postalRow(dataset.PostalCode(p), i)) {
				return
			}
		}
	}
}

// HasPostalCodes reports whether the dataset has any full postal code of the
// province. All codes of a letter belong to one province, but for those of X.
func (d *Reader) HasPostalCodes(province StateID) bool {
	const letters, ofLetter = 26, dataset.NumPostalCodes / 26
	for letter := range dataset.PostalCode(letters) {
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
func (d *Reader) CountPostalCodes(low, high dataset.PostalCode) int {
	d.file.Need(SectionPostalCodes)
	return max(0, d.postalSet.Before(uint32(high))-d.postalSet.Before(uint32(low)))
}

// AddPostalCode adds a full postal code. Codes come in ascending order, each
// once. Coordinates are rounded to 1e-6 degree.
func (w *Writer) AddPostalCode(row PostalRow) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	switch n := len(w.postalCodes); {
	case row.Code >= dataset.NumPostalCodes:
		return file.Invalid("postal code number %d; expected at most %d", uint32(row.Code), dataset.NumPostalCodes-1)
	case n > 0 && uint32(row.Code) <= w.postalCodes[n-1]:
		return file.Invalid("postal code %s after %s; expected ascending order, each code once",
			row.Code, dataset.PostalCode(w.postalCodes[n-1]))
	}
	if err := w.out.Names.Add(row.City, row.Municipality); err != nil {
		return file.InvalidRow("postal code "+row.Code.String(), err)
	}
	p := place{row.City, row.Municipality, row.Province, row.Zone}
	id, ok := w.placeIDs[p]
	if !ok {
		id = uint32(len(w.places))
		w.placeIDs[p] = id
		w.places = append(w.places, p)
	}
	w.postalCodes = append(w.postalCodes, uint32(row.Code))
	w.postalRows = binary.LittleEndian.AppendUint32(file.AppendPoint(w.postalRows, row.Location), id)
	return nil
}
