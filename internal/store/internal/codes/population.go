package codes

import (
	"encoding/binary"
	"fmt"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// Density needs two values of an area, the number of residents and the square
// meters of land. They are also kept in memory. The value unknown marks a missing
// one:
//
//	0  residents  int32
//	4  land       int64
const (
	densityWidth = 12
	unknown      = -1
)

// ZIPPopulation returns the residents of the ZIP Code's area, from memory. It
// returns false if they are unknown.
func (d *Reader) ZIPPopulation(z dataset.ZIP) (int32, bool) {
	d.file.Need(SectionDensity)
	return population(&d.zipSet, d.zipDensity, uint32(z))
}

// ZIPLand returns the square meters of land of the ZIP Code's area, from memory.
// It returns false if they are unknown.
func (d *Reader) ZIPLand(z dataset.ZIP) (int64, bool) {
	d.file.Need(SectionDensity)
	return land(&d.zipSet, d.zipDensity, uint32(z))
}

// FSAPopulation returns the residents of the forward sortation area, from
// memory. It returns false if they are unknown.
func (d *Reader) FSAPopulation(f dataset.FSA) (int32, bool) {
	d.file.Need(SectionDensity)
	return population(&d.fsaSet, d.fsaDensity, uint32(f))
}

// FSALand returns the square meters of land of the forward sortation area, from
// memory. It returns false if they are unknown.
func (d *Reader) FSALand(f dataset.FSA) (int64, bool) {
	d.file.Need(SectionDensity)
	return land(&d.fsaSet, d.fsaDensity, uint32(f))
}

func population(s *file.CodeSet, c file.Column, code uint32) (int32, bool) {
	i, ok := s.Row(code)
	if !ok || c.Rows == 0 {
		return 0, false
	}
	v := int32(binary.LittleEndian.Uint32(c.Row(i)))
	return max(v, 0), v != unknown
}

func land(s *file.CodeSet, c file.Column, code uint32) (int64, bool) {
	i, ok := s.Row(code)
	if !ok || c.Rows == 0 {
		return 0, false
	}
	v := int64(binary.LittleEndian.Uint64(c.Row(i)[4:]))
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
		func(w *Writer) *densityWriter { return &w.zipDensity },
		func(d *Reader) (*file.Column, *file.CodeSet) { return &d.zipDensity, &d.zipSet })
	fsaDensityTable = densityTable("fsa_density",
		func(w *Writer) *densityWriter { return &w.fsaDensity },
		func(d *Reader) (*file.Column, *file.CodeSet) { return &d.fsaDensity, &d.fsaSet })
)

// densityTable stores a row for each code of the set, or nothing if all rows are
// unknown.
func densityTable(name string, rows func(*Writer) *densityWriter, to func(*Reader) (*file.Column, *file.CodeSet)) table {
	return table{
		Name: name,
		Encode: func(w *Writer, c *file.Columns) error {
			if r := rows(w); r.known {
				c.Add(file.Column{Name: name, Width: densityWidth, Rows: len(r.rows) / densityWidth, Data: r.rows})
			}
			return nil
		},
		Decode: func(d *Reader, c *file.Columns) error {
			if !c.Has(name) {
				return nil
			}
			col, codes := to(d)
			var err error
			if *col, err = c.Take(name, densityWidth); err != nil {
				return err
			}
			if col.Rows != codes.Count {
				return fmt.Errorf("column %s has %d rows, expected %d", name, col.Rows, codes.Count)
			}
			for i := range col.Rows {
				b := col.Row(i)
				if p, l := int32(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint64(b[4:])); p < unknown || l < unknown {
					return fmt.Errorf("column %s: row %d has %d residents and %d m² of land, expected at least %d", name, i, p, l, unknown)
				}
			}
			return nil
		},
	}
}
