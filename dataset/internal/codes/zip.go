package codes

import (
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/dataset/internal/store"
)

// A ZIP's resident row:
//
//	0  city          uint32  name
//	4  municipality  uint32  name
//	8  location      2 int32
//	16 county        uint16
//	18 state         uint8
//	19 class         uint8
//	20 zone          uint8
//	21 multi-county  uint8   Tri
const zipWidth = 22

var zipsTable = table{
	Name: "zips",
	Encode: func(w *Writer, c *store.Columns) error {
		data, rows := store.EncodeCodes(func(yield func(uint32) bool) {
			for i := range w.zips {
				if !yield(uint32(w.zips[i].ZIP)) {
					return
				}
			}
		})
		c.Add(store.Column{Name: "zips.codes", Rows: rows, Data: data})
		b := make([]byte, 0, rows*zipWidth)
		for i := range w.zips {
			r := &w.zips[i]
			b = binary.LittleEndian.AppendUint32(b, uint32(w.out.Names.IDs[r.City]))
			b = binary.LittleEndian.AppendUint32(b, uint32(w.out.Names.IDs[r.Municipality]))
			b = store.AppendPoint(b, r.Location)
			b = binary.LittleEndian.AppendUint16(b, uint16(r.County))
			b = append(b, byte(r.State), byte(r.Class), byte(r.Zone), byte(r.MultiCounty))
		}
		c.Add(store.Column{Name: "zips", Width: zipWidth, Rows: rows, Data: b})
		return nil
	},
	Decode: func(d *Reader, c *store.Columns) error {
		codes, err := c.Take("zips.codes", 0)
		if err != nil {
			return err
		}
		if d.zipSet, err = store.DecodeCodes(codes, NumZIPs); err != nil {
			return err
		}
		if d.zips, err = c.Take("zips", zipWidth); err != nil {
			return err
		}
		if d.zips.Rows != d.zipSet.Count {
			return fmt.Errorf("column zips has %d rows, expected %d", d.zips.Rows, d.zipSet.Count)
		}
		for i, z := range d.zipSet.All() {
			if err := d.checkZIP(d.zips.Row(i)); err != nil {
				return fmt.Errorf("ZIP %s: %w", ZIP(z), err)
			}
		}
		return nil
	},
}

func (d *Reader) checkZIP(b []byte) error {
	for _, n := range [2]uint32{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])} {
		if err := d.file.Names.Check(store.NameID(n)); err != nil {
			return err
		}
	}
	if err := store.CheckPoint(b[8:]); err != nil {
		return err
	}
	if err := checkID("county", int(binary.LittleEndian.Uint16(b[16:])), d.counties); err != nil {
		return err
	}
	if err := checkID("state", int(b[18]), d.states); err != nil {
		return err
	}
	if Class(b[19]).Name() == "" {
		return fmt.Errorf("its class is %q, expected G, P, M or U", b[19])
	}
	if err := checkID("time zone", int(b[20]), d.zones); err != nil {
		return err
	}
	if Tri(b[21]) > Yes {
		return fmt.Errorf("its answer whether it has several counties is %d, expected 0 to 2", b[21])
	}
	return nil
}

// ZIP looks up a ZIP Code in memory, without an allocation. It is false where
// the dataset does not hold the code.
func (d *Reader) ZIP(z ZIP) (ZIPRow, bool) {
	i, ok := d.zipSet.Row(uint32(z))
	if !ok {
		return ZIPRow{}, false
	}
	return d.zipRow(z, i), true
}

func (d *Reader) zipRow(z ZIP, i int) ZIPRow {
	b := d.zips.Row(i)
	_ = b[zipWidth-1]
	return ZIPRow{
		ZIP:          z,
		City:         d.file.Names.At(store.NameID(binary.LittleEndian.Uint32(b))),
		Municipality: d.file.Names.At(store.NameID(binary.LittleEndian.Uint32(b[4:]))),
		State:        StateID(b[18]),
		County:       CountyID(binary.LittleEndian.Uint16(b[16:])),
		Class:        Class(b[19]),
		Zone:         ZoneID(b[20]),
		Location:     store.PointAt(b[8:]),
		MultiCounty:  Tri(b[21]),
	}
}

// NumZIPs returns the number of ZIP Codes that the dataset holds.
func (d *Reader) NumZIPs() int { return d.zipSet.Count }

// ZIPs yields every ZIP Code in ascending order, from memory.
func (d *Reader) ZIPs() iter.Seq[ZIPRow] {
	return func(yield func(ZIPRow) bool) {
		for i, z := range d.zipSet.All() {
			if !yield(d.zipRow(ZIP(z), i)) {
				return
			}
		}
	}
}

// AddZIP adds a ZIP Code with its detail. ZIP Codes come in ascending order,
// each once. Coordinates are rounded to 1e-6 degree.
func (w *Writer) AddZIP(row ZIPRow, detail ZIPDetail) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	switch n := len(w.zips); {
	case row.ZIP >= NumZIPs:
		return store.Invalid("ZIP number %d; expected at most %d", uint32(row.ZIP), NumZIPs-1)
	case n > 0 && row.ZIP <= w.zips[n-1].ZIP:
		return store.Invalid("ZIP %s after %s; expected ascending order, each code once", row.ZIP, w.zips[n-1].ZIP)
	case row.Class.Name() == "":
		return store.Invalid("ZIP %s: class %q; expected G, P, M or U", row.ZIP, byte(row.Class))
	case row.MultiCounty > Yes:
		return store.Invalid("ZIP %s: MultiCounty is %d; expected Unknown, No or Yes", row.ZIP, row.MultiCounty)
	}
	if err := w.out.Names.Add(row.City, row.Municipality); err != nil {
		return store.InvalidRow("ZIP "+row.ZIP.String(), err)
	}
	payload, err := EncodeDetail(&detail, &w.zipTexts)
	if err != nil {
		return store.InvalidRow("ZIP "+row.ZIP.String(), err)
	}
	w.zips = append(w.zips, row)
	w.zipDensity.add(detail.Population, detail.LandArea)
	return w.out.Spool(zipDetailRows, int64(row.ZIP), payload)
}
