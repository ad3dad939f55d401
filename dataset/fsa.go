package dataset

import (
	"encoding/binary"
	"fmt"
	"iter"
)

// A place is what FSAs and postal codes share in their resident rows:
//
//	0  city          uint32  name
//	4  municipality  uint32  name
//	8  province      uint8
//	9  zone          uint8
const placeWidth = 10

type place struct {
	city, municipality string
	province           StateID
	zone               ZoneID
}

func (w *nameWriter) appendPlace(b []byte, p place) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(w.ids[p.city]))
	b = binary.LittleEndian.AppendUint32(b, uint32(w.ids[p.municipality]))
	return append(b, byte(p.province), byte(p.zone))
}

func (d *codesReader) placeAt(b []byte) place {
	_ = b[placeWidth-1]
	return place{
		city:         d.file.names.at(nameID(binary.LittleEndian.Uint32(b))),
		municipality: d.file.names.at(nameID(binary.LittleEndian.Uint32(b[4:]))),
		province:     StateID(b[8]),
		zone:         ZoneID(b[9]),
	}
}

func (d *codesReader) checkPlace(b []byte) error {
	for _, n := range [2]uint32{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])} {
		if err := d.file.names.check(nameID(n)); err != nil {
			return err
		}
	}
	if err := checkID("province", int(b[8]), d.states); err != nil {
		return err
	}
	return checkID("time zone", int(b[9]), d.zones)
}

// An FSA's resident row is its place, then its location as 2 int32.
const fsaWidth = placeWidth + 8

var fsasTable = codesTable{
	name: "fsas",
	encode: func(w *codesWriter, c *columnSet) error {
		data, rows := encodeCodes(func(yield func(uint32) bool) {
			for i := range w.fsas {
				if !yield(uint32(w.fsas[i].FSA)) {
					return
				}
			}
		})
		c.add(column{name: "fsas.codes", rows: rows, data: data})
		b := make([]byte, 0, rows*fsaWidth)
		for i := range w.fsas {
			r := &w.fsas[i]
			b = w.out.names.appendPlace(b, place{r.City, r.Municipality, r.Province, r.Zone})
			b = appendPoint(b, r.Location)
		}
		c.add(column{name: "fsas", width: fsaWidth, rows: rows, data: b})
		return nil
	},
	decode: func(d *codesReader, c *columnSet) error {
		codes, err := c.take("fsas.codes", 0)
		if err != nil {
			return err
		}
		if d.fsaSet, err = decodeCodes(codes, NumFSAs); err != nil {
			return err
		}
		if d.fsas, err = c.take("fsas", fsaWidth); err != nil {
			return err
		}
		if d.fsas.rows != d.fsaSet.count {
			return fmt.Errorf("column fsas has %d rows, expected %d", d.fsas.rows, d.fsaSet.count)
		}
		for i, f := range d.fsaSet.all() {
			b := d.fsas.row(i)
			if err := d.checkPlace(b); err != nil {
				return fmt.Errorf("FSA %s: %w", FSA(f), err)
			}
			if err := checkPoint(b[placeWidth:]); err != nil {
				return fmt.Errorf("FSA %s: %w", FSA(f), err)
			}
		}
		return nil
	},
}

// FSA looks up a forward sortation area in memory, without an allocation. It
// is false where the dataset does not hold it.
func (d *codesReader) FSA(f FSA) (FSARow, bool) {
	i, ok := d.fsaSet.row(uint32(f))
	if !ok {
		return FSARow{}, false
	}
	return d.fsaRow(f, i), true
}

func (d *codesReader) fsaRow(f FSA, i int) FSARow {
	b := d.fsas.row(i)
	p := d.placeAt(b)
	return FSARow{
		FSA: f, City: p.city, Municipality: p.municipality, Province: p.province, Zone: p.zone,
		Location: pointAt(b[placeWidth:]),
	}
}

// NumFSAs returns the number of forward sortation areas that the dataset
// holds.
func (d *codesReader) NumFSAs() int { return d.fsaSet.count }

// FSAs yields every forward sortation area in ascending order, from memory.
func (d *codesReader) FSAs() iter.Seq[FSARow] {
	return func(yield func(FSARow) bool) {
		for i, f := range d.fsaSet.all() {
			if !yield(d.fsaRow(FSA(f), i)) {
				return
			}
		}
	}
}

// AddFSA adds a forward sortation area with its detail. FSAs come in ascending
// order, each once. Coordinates are rounded to 1e-6 degree.
func (w *codesWriter) AddFSA(row FSARow, detail FSADetail) error {
	if err := w.out.open(); err != nil {
		return err
	}
	switch n := len(w.fsas); {
	case row.FSA >= NumFSAs:
		return invalid("FSA number %d; expected at most %d", uint16(row.FSA), NumFSAs-1)
	case n > 0 && row.FSA <= w.fsas[n-1].FSA:
		return invalid("FSA %s after %s; expected ascending order, each code once", row.FSA, w.fsas[n-1].FSA)
	}
	if err := w.out.names.add(row.City, row.Municipality); err != nil {
		return invalidRow("FSA "+row.FSA.String(), err)
	}
	payload, err := w.encodeFSADetail(&detail)
	if err != nil {
		return invalidRow("FSA "+row.FSA.String(), err)
	}
	w.fsas = append(w.fsas, row)
	w.fsaDensity.add(detail.Population, detail.LandArea)
	return w.out.spoolRow(fsaDetailRows, int64(row.FSA), payload)
}
