package codes

import (
	"cmp"
	"encoding/binary"
	"iter"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A place is the common part of FSAs and postal codes.
type place struct {
	city, municipality string
	province           StateID
	zone               ZoneID
}

// placeWidth is the size of a place, fsaWidth that of an FSA in memory.
const (
	placeWidth = 10
	fsaWidth   = placeWidth + 8
)

func (p *place) code(c *file.Coder) {
	c.FixedName(&p.city)
	c.FixedName(&p.municipality)
	file.Fixed(c, &p.province)
	file.Fixed(c, &p.zone)
}

func (p *place) check(d *Reader) error {
	return cmp.Or(checkID("province", int(p.province), d.states), CheckZone(d, p.zone))
}

func (r *FSARow) code(c *file.Coder) {
	p := place{r.City, r.Municipality, r.Province, r.Zone}
	p.code(c)
	r.City, r.Municipality, r.Province, r.Zone = p.city, p.municipality, p.province, p.zone
	c.Point(&r.Location)
}

var fsasTable = codeTable[FSARow]{
	name: "fsas", limit: dataset.NumFSAs, width: fsaWidth,
	rows:  func(w *Writer) []FSARow { return w.fsas },
	code:  func(r *FSARow) uint32 { return uint32(r.FSA) },
	field: (*FSARow).code,
	into:  func(d *Reader) (*file.CodeSet, *file.Column) { return &d.fsaSet, &d.fsas },
	noun:  func(code uint32) string { return "FSA " + dataset.FSA(code).String() },
	check: func(d *Reader, r *FSARow) error {
		p := place{province: r.Province, zone: r.Zone}
		return p.check(d)
	},
}

// FSA looks up a forward sortation area in memory, without an allocation. It
// returns false if the dataset does not have it.
func (d *Reader) FSA(f dataset.FSA) (FSARow, bool) {
	i, ok := d.fsaSet.Row(uint32(f))
	if !ok {
		return FSARow{}, false
	}
	return d.fsaRow(f, i), true
}

// fsaRow decodes a row as [FSARow.code] does, without its checks: rows are checked
// when they are loaded.
func (d *Reader) fsaRow(f dataset.FSA, i int) FSARow {
	b := d.fsas.Row(i)
	_ = b[fsaWidth-1]
	return FSARow{
		FSA:          f,
		City:         d.file.Names.At(file.NameID(binary.LittleEndian.Uint32(b))),
		Municipality: d.file.Names.At(file.NameID(binary.LittleEndian.Uint32(b[4:]))),
		Province:     StateID(b[8]),
		Zone:         ZoneID(b[9]),
		Location:     file.PointAt(b[placeWidth:]),
	}
}

// NumFSAs returns the number of forward sortation areas that the dataset
// holds.
func (d *Reader) NumFSAs() int { return d.fsaSet.Count }

// FSAs yields every forward sortation area in ascending order, from memory.
func (d *Reader) FSAs() iter.Seq[FSARow] {
	return func(yield func(FSARow) bool) {
		for i, f := range d.fsaSet.All() {
			if !yield(d.fsaRow(dataset.FSA(f), i)) {
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
	case row.FSA >= dataset.NumFSAs:
		return file.Invalid("FSA number %d; expected at most %d", uint16(row.FSA), dataset.NumFSAs-1)
	case n > 0 && row.FSA <= w.fsas[n-1].FSA:
		return file.Invalid("FSA %s after %s; expected ascending order, each code once", row.FSA, w.fsas[n-1].FSA)
	}
	if err := w.out.Names.Add(row.City, row.Municipality); err != nil {
		return file.InvalidRow("FSA "+row.FSA.String(), err)
	}
	payload, err := EncodeDetail(&detail, &w.fsaTexts)
	if err != nil {
		return file.InvalidRow("FSA "+row.FSA.String(), err)
	}
	w.fsas = append(w.fsas, row)
	w.fsaDensity.add(detail.Population, detail.LandArea)
	return w.out.Spool(fsaDetailRows, int64(row.FSA), payload)
}
