package dataset

import (
	"encoding/binary"
	"fmt"
)

// What density needs of an area stands in memory beside its detail: the
// number of residents and the square metres of land, each with unknown where
// the detail does not tell:
//
//	0  residents  int32
//	4  land       int64
const (
	densityWidth = 12
	unknown      = -1
)

// ZIPPopulation returns the residents of the ZIP Code's area, from memory. It
// is false where the dataset does not know them.
func (d *codesReader) ZIPPopulation(z ZIP) (int32, bool) {
	d.file.need(SectionDensity)
	return population(&d.zipSet, d.zipDensity, uint32(z))
}

// ZIPLand returns the square metres of land of the ZIP Code's area, from
// memory. It is false where the dataset does not know them.
func (d *codesReader) ZIPLand(z ZIP) (int64, bool) {
	d.file.need(SectionDensity)
	return land(&d.zipSet, d.zipDensity, uint32(z))
}

// FSAPopulation returns the residents of the forward sortation area, from
// memory. It is false where the dataset does not know them.
func (d *codesReader) FSAPopulation(f FSA) (int32, bool) {
	d.file.need(SectionDensity)
	return population(&d.fsaSet, d.fsaDensity, uint32(f))
}

// FSALand returns the square metres of land of the forward sortation area,
// from memory. It is false where the dataset does not know them.
func (d *codesReader) FSALand(f FSA) (int64, bool) {
	d.file.need(SectionDensity)
	return land(&d.fsaSet, d.fsaDensity, uint32(f))
}

func population(s *codeSet, c column, code uint32) (int32, bool) {
	i, ok := s.row(code)
	if !ok || c.rows == 0 {
		return 0, false
	}
	v := int32(binary.LittleEndian.Uint32(c.row(i)))
	return max(v, 0), v != unknown
}

func land(s *codeSet, c column, code uint32) (int64, bool) {
	i, ok := s.row(code)
	if !ok || c.rows == 0 {
		return 0, false
	}
	v := int64(binary.LittleEndian.Uint64(c.row(i)[4:]))
	return max(v, 0), v != unknown
}

// densityWriter collects the rows of a density column.
type densityWriter struct {
	rows  []byte
	known bool
}

func checkDensity(population *int32, land *int64) error {
	if population != nil && *population < 0 {
		return fmt.Errorf("the population is %d, expected at least 0", *population)
	}
	if land != nil && *land < 0 {
		return fmt.Errorf("the land area is %d m², expected at least 0", *land)
	}
	return nil
}

func (w *densityWriter) add(population *int32, land *int64) {
	p, l := int32(unknown), int64(unknown)
	if population != nil {
		p, w.known = *population, true
	}
	if land != nil {
		l, w.known = *land, true
	}
	w.rows = binary.LittleEndian.AppendUint32(w.rows, uint32(p))
	w.rows = binary.LittleEndian.AppendUint64(w.rows, uint64(l))
}

var (
	zipDensityTable = densityTable("zip_density",
		func(w *codesWriter) *densityWriter { return &w.zipDensity },
		func(d *codesReader) (*column, *codeSet) { return &d.zipDensity, &d.zipSet })
	fsaDensityTable = densityTable("fsa_density",
		func(w *codesWriter) *densityWriter { return &w.fsaDensity },
		func(d *codesReader) (*column, *codeSet) { return &d.fsaDensity, &d.fsaSet })
)

// densityTable stores a row for each code of the set; nothing where no row
// tells anything.
func densityTable(name string, rows func(*codesWriter) *densityWriter, to func(*codesReader) (*column, *codeSet)) codesTable {
	return codesTable{
		name: name,
		encode: func(w *codesWriter, c *columnSet) error {
			if r := rows(w); r.known {
				c.add(column{name: name, width: densityWidth, rows: len(r.rows) / densityWidth, data: r.rows})
			}
			return nil
		},
		decode: func(d *codesReader, c *columnSet) error {
			if !c.has(name) {
				return nil
			}
			col, codes := to(d)
			var err error
			if *col, err = c.take(name, densityWidth); err != nil {
				return err
			}
			if col.rows != codes.count {
				return fmt.Errorf("column %s has %d rows, expected %d", name, col.rows, codes.count)
			}
			for i := range col.rows {
				b := col.row(i)
				if p, l := int32(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint64(b[4:])); p < unknown || l < unknown {
					return fmt.Errorf("column %s: row %d has %d residents and %d m² of land, expected at least %d", name, i, p, l, unknown)
				}
			}
			return nil
		},
	}
}
