package codes

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// zipWidth is the size of a row in memory.
const zipWidth = 22

func (r *ZIPRow) code(c *file.Coder) {
	c.FixedName(&r.City)
	c.FixedName(&r.Municipality)
	c.Point(&r.Location)
	file.Fixed(c, &r.County)
	file.Fixed(c, &r.State)
	file.Fixed(c, &r.Class)
	file.Fixed(c, &r.Zone)
	file.Fixed(c, &r.MultiCounty)
}

var zipsTable = codeTable[ZIPRow]{
	name: "zips", limit: dataset.NumZIPs, width: zipWidth,
	rows:  func(w *Writer) []ZIPRow { return w.zips },
	code:  func(r *ZIPRow) uint32 { return uint32(r.ZIP) },
	field: (*ZIPRow).code,
	into:  func(d *Reader) (*file.CodeSet, *file.Column) { return &d.zipSet, &d.zips },
	noun:  func(code uint32) string { return "ZIP " + dataset.ZIP(code).String() },
	check: func(d *Reader, r *ZIPRow) error {
		if r.Class.Name() == "" {
			return fmt.Errorf("its class is %q, expected G, P, M or U", byte(r.Class))
		}
		if r.MultiCounty > Yes {
			return fmt.Errorf("its flag of several counties is %d, expected 0 to 2", r.MultiCounty)
		}
		return cmp.Or(CheckCounty(d, r.County), CheckState(d, r.State), CheckZone(d, r.Zone))
	},
}

// ZIP looks up a ZIP Code in memory, without an allocation. It returns false if
// the dataset does not have it.
func (d *Reader) ZIP(z dataset.ZIP) (ZIPRow, bool) {
	i, ok := d.zipSet.Row(uint32(z))
	if !ok {
		return ZIPRow{}, false
	}
	return d.zipRow(z, i), true
}

// zipRow decodes a row as [ZIPRow.code] does, without its checks: rows are
// checked when they are loaded.
func (d *Reader) zipRow(z dataset.ZIP, i int) ZIPRow {
	b := d.zips.Row(i)
	_ = b[zipWidth-1]
	return ZIPRow{
		ZIP:          z,
		City:         d.file.Names.At(file.NameID(binary.LittleEndian.Uint32(b))),
		Municipality: d.file.Names.At(file.NameID(binary.LittleEndian.Uint32(b[4:]))),
		Location:     file.PointAt(b[8:]),
		County:       CountyID(binary.LittleEndian.Uint16(b[16:])),
		State:        StateID(b[18]),
		Class:        Class(b[19]),
		Zone:         ZoneID(b[20]),
		MultiCounty:  Tri(b[21]),
	}
}

// NumZIPs returns the number of ZIP Codes that the dataset holds.
func (d *Reader) NumZIPs() int { return d.zipSet.Count }

// ZIPs yields every ZIP Code in ascending order, from memory.
func (d *Reader) ZIPs() iter.Seq[ZIPRow] {
	return func(yield func(ZIPRow) bool) {
		for i, z := range d.zipSet.All() {
			if !yield(d.zipRow(dataset.ZIP(z), i)) {
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
	case row.ZIP >= dataset.NumZIPs:
		return file.Invalid("ZIP number %d; expected at most %d", uint32(row.ZIP), dataset.NumZIPs-1)
	case n > 0 && row.ZIP <= w.zips[n-1].ZIP:
		return file.Invalid("ZIP %s after %s; expected ascending order, each code once", row.ZIP, w.zips[n-1].ZIP)
	case row.Class.Name() == "":
		return file.Invalid("ZIP %s: class %q; expected G, P, M or U", row.ZIP, byte(row.Class))
	case row.MultiCounty > Yes:
		return file.Invalid("ZIP %s: MultiCounty is %d; expected Unknown, No or Yes", row.ZIP, row.MultiCounty)
	}
	if err := w.out.Names.Add(row.City, row.Municipality); err != nil {
		return file.InvalidRow("ZIP "+row.ZIP.String(), err)
	}
	payload, err := EncodeDetail(&detail, &w.zipTexts)
	if err != nil {
		return file.InvalidRow("ZIP "+row.ZIP.String(), err)
	}
	w.zips = append(w.zips, row)
	w.zipDensity.add(detail.Population, detail.LandArea)
	return w.out.Spool(zipDetailRows, int64(row.ZIP), payload)
}
