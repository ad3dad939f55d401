package codes

import (
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/dataset/internal/store"
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

func appendPlace(w *store.NameWriter, b []byte, p place) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(w.IDs[p.city]))
	b = binary.LittleEndian.AppendUint32(b, uint32(w.IDs[p.municipality]))
	return append(b, byte(p.province), byte(p.zone))
}

func (d *Reader) placeAt(b []byte) place {
	_ = b[placeWidth-1]
	return place{
		city:         d.file.Names.At(store.NameID(binary.LittleEndian.Uint32(b))),
		municipality: d.file.Names.At(store.NameID(binary.LittleEndian.Uint32(b[4:]))),
		province:     StateID(b[8]),
		zone:         ZoneID(b[9]),
	}
}

func (d *Reader) checkPlace(b []byte) error {
	for _, n := range [2]uint32{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])} {
		if err := d.file.Names.Check(store.NameID(n)); err != nil {
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

var fsasTable = table{
	Name: "fsas",
	Encode: func(w *Writer, c *store.Columns) error {
		data, rows := store.EncodeCodes(func(yield func(uint32) bool) {
			for i := range w.fsas {
				if !yield(uint32(w.fsas[i].FSA)) {
					return
				}
			}
		})
		c.Add(store.Column{Name: "fsas.codes", Rows: rows, Data: data})
		b := make([]byte, 0, rows*fsaWidth)
		for i := range w.fsas {
			r := &w.fsas[i]
			b = appendPlace(&w.out.Names, b, place{r.City, r.Municipality, r.Province, r.Zone})
			b = store.AppendPoint(b, r.Location)
		}
		c.Add(store.Column{Name: "fsas", Width: fsaWidth, Rows: rows, Data: b})
		return nil
	},
	Decode: func(d *Reader, c *store.Columns) error {
		codes, err := c.Take("fsas.codes", 0)
		if err != nil {
			return err
		}
		if d.fsaSet, err = store.DecodeCodes(codes, NumFSAs); err != nil {
			return err
		}
		if d.fsas, err = c.Take("fsas", fsaWidth); err != nil {
			return err
		}
		if d.fsas.Rows != d.fsaSet.Count {
			return fmt.Errorf("column fsas has %d rows, expected %d", d.fsas.Rows, d.fsaSet.Count)
		}
		for i, f := range d.fsaSet.All() {
			b := d.fsas.Row(i)
			if err := d.checkPlace(b); err != nil {
				return fmt.Errorf("FSA %s: %w", FSA(f), err)
			}
			if err := store.CheckPoint(b[placeWidth:]); err != nil {
				return fmt.Errorf("FSA %s: %w", FSA(f), err)
			}
		}
		return nil
	},
}

// FSA looks up a forward sortation area in memory, without an allocation. It
// is false where the dataset does not hold it.
func (d *Reader) FSA(f FSA) (FSARow, bool) {
	i, ok := d.fsaSet.Row(uint32(f))
	if !ok {
		return FSARow{}, false
	}
	return d.fsaRow(f, i), true
}

func (d *Reader) fsaRow(f FSA, i int) FSARow {
	b := d.fsas.Row(i)
	p := d.placeAt(b)
	return FSARow{
		FSA: f, City: p.city, Municipality: p.municipality, Province: p.province, Zone: p.zone,
		Location: store.PointAt(b[placeWidth:]),
	}
}

// NumFSAs returns the number of forward sortation areas that the dataset
// holds.
func (d *Reader) NumFSAs() int { return d.fsaSet.Count }

// FSAs yields every forward sortation area in ascending order, from memory.
func (d *Reader) FSAs() iter.Seq[FSARow] {
	return func(yield func(FSARow) bool) {
		for i, f := range d.fsaSet.All() {
			if !yield(d.fsaRow(FSA(f), i)) {
				return
			}
		}
	}
}

// AddFSA adds a forward sortation area with its detail. FSAs come in ascending
// order, each once. Coordinates are rounded to 1e-6 degree.
func (w *Writer) AddFSA(row FSARow, detail FSADetail) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	switch n := len(w.fsas); {
	case row.FSA >= NumFSAs:
		return store.Invalid("FSA number %d; expected at most %d", uint16(row.FSA), NumFSAs-1)
	case n > 0 && row.FSA <= w.fsas[n-1].FSA:
		return store.Invalid("FSA %s after %s; expected ascending order, each code once", row.FSA, w.fsas[n-1].FSA)
	}
	if err := w.out.Names.Add(row.City, row.Municipality); err != nil {
		return store.InvalidRow("FSA "+row.FSA.String(), err)
	}
	payload, err := EncodeDetail(&detail, &w.fsaTexts)
	if err != nil {
		return store.InvalidRow("FSA "+row.FSA.String(), err)
	}
	w.fsas = append(w.fsas, row)
	w.fsaDensity.add(detail.Population, detail.LandArea)
	return w.out.Spool(fsaDetailRows, int64(row.FSA), payload)
}
