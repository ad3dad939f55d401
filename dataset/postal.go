package dataset

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
)

// A postal code's resident row:
//
//	0  location  2 int32
//	8  place     uint32, a row of the table of distinct places
//
// Hundreds of thousands of codes share some ten thousand places.
const postalWidth = 12

var postalCodesTable = codesTable{
	name: "postal_codes",
	encode: func(w *codesWriter, c *columnSet) error {
		data, rows := encodeCodes(slices.Values(w.postalCodes))
		c.add(column{name: "postal_codes.codes", rows: rows, data: data})
		var b []byte
		for _, p := range w.places {
			b = w.out.names.appendPlace(b, p)
		}
		c.add(column{name: "postal_codes.places", width: placeWidth, rows: len(w.places), data: b})
		c.add(column{name: "postal_codes", width: postalWidth, rows: rows, data: w.postalRows})
		return nil
	},
	decode: func(d *codesReader, c *columnSet) error {
		codes, err := c.take("postal_codes.codes", 0)
		if err != nil {
			return err
		}
		if d.postalSet, err = decodeCodes(codes, NumPostalCodes); err != nil {
			return err
		}
		places, err := c.take("postal_codes.places", placeWidth)
		if err != nil {
			return err
		}
		d.places = make([]place, places.rows)
		for i := range d.places {
			b := places.row(i)
			if err := d.checkPlace(b); err != nil {
				return fmt.Errorf("postal_codes.places: row %d: %w", i, err)
			}
			d.places[i] = d.placeAt(b)
		}
		if d.postal, err = c.take("postal_codes", postalWidth); err != nil {
			return err
		}
		if d.postal.rows != d.postalSet.count {
			return fmt.Errorf("column postal_codes has %d rows, expected %d", d.postal.rows, d.postalSet.count)
		}
		return d.checkPostalRows()
	},
}

func (d *codesReader) checkPostalRows() error {
	for i := range d.postal.rows {
		b := d.postal.row(i)
		err := checkPoint(b)
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
// allocation. It is false where the dataset does not hold the code.
func (d *codesReader) PostalCode(p PostalCode) (PostalRow, bool) {
	d.file.need(SectionPostalCodes)
	i, ok := d.postalSet.row(uint32(p))
	if !ok {
		return PostalRow{}, false
	}
	return d.postalRow(p, i), true
}

func (d *codesReader) postalRow(code PostalCode, i int) PostalRow {
	b := d.postal.row(i)
	p := &d.places[binary.LittleEndian.Uint32(b[8:])]
	return PostalRow{
		Code: code, City: p.city, Municipality: p.municipality, Province: p.province, Zone: p.zone,
		Location: pointAt(b),
	}
}

// NumPostalCodes returns the number of full postal codes that the dataset
// holds.
func (d *codesReader) NumPostalCodes() int {
	d.file.need(SectionPostalCodes)
	return d.postalSet.count
}

// PostalCodes yields every full postal code in ascending order, from memory.
func (d *codesReader) PostalCodes() iter.Seq[PostalRow] {
	d.file.need(SectionPostalCodes)
	return func(yield func(PostalRow) bool) {
		for i, p := range d.postalSet.all() {
			if !yield(d.postalRow(PostalCode(p), i)) {
				return
			}
		}
	}
}

// PostalCodesFrom yields the full postal codes that are at least low in
// ascending order, from memory.
func (d *codesReader) PostalCodesFrom(low PostalCode) iter.Seq[PostalRow] {
	d.file.need(SectionPostalCodes)
	return func(yield func(PostalRow) bool) {
		for i, p := range d.postalSet.from(uint32(low)) {
			if !yield(d.postalRow(PostalCode(p), i)) {
				return
			}
		}
	}
}

// CountPostalCodes returns how many full postal codes are at least low and
// below high.
func (d *codesReader) CountPostalCodes(low, high PostalCode) int {
	d.file.need(SectionPostalCodes)
	return max(0, d.postalSet.before(uint32(high))-d.postalSet.before(uint32(low)))
}

// AddPostalCode adds a full postal code. Codes come in ascending order, each
// once. Coordinates are rounded to 1e-6 degree.
func (w *codesWriter) AddPostalCode(row PostalRow) error {
	if err := w.out.open(); err != nil {
		return err
	}
	switch n := len(w.postalCodes); {
	case row.Code >= NumPostalCodes:
		return invalid("postal code number %d; expected at most %d", uint32(row.Code), NumPostalCodes-1)
	case n > 0 && uint32(row.Code) <= w.postalCodes[n-1]:
		return invalid("postal code %s after %s; expected ascending order, each code once",
			row.Code, PostalCode(w.postalCodes[n-1]))
	}
	if err := w.out.names.add(row.City, row.Municipality); err != nil {
		return invalidRow("postal code "+row.Code.String(), err)
	}
	p := place{row.City, row.Municipality, row.Province, row.Zone}
	id, ok := w.placeIDs[p]
	if !ok {
		id = uint32(len(w.places))
		w.placeIDs[p] = id
		w.places = append(w.places, p)
	}
	w.postalCodes = append(w.postalCodes, uint32(row.Code))
	w.postalRows = binary.LittleEndian.AppendUint32(appendPoint(w.postalRows, row.Location), id)
	return nil
}
