package codes

import (
	"fmt"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// CodePoints returns the index of the points of ZIP Codes and full postal
// codes. Point i belongs to the i-th ZIP Code. The postal codes follow after
// the NumZIPs() ZIP Codes. Both kinds ascend. The index decodes points when
// searches reach them.
func (d *Reader) CodePoints() *spatial.PointIndex {
	d.file.Need(SectionPoints)
	return d.codePoints
}

// AreaPoints returns the index of the points of ZIP Codes and forward
// sortation areas, in the order of [Reader.CodePoints].
func (d *Reader) AreaPoints() *spatial.PointIndex {
	d.file.Need(SectionPoints)
	return d.areaPoints
}

// CodeNumbers returns the numbers of the ZIP Codes and full postal codes in
// the order of CodePoints, as a new slice.
func (d *Reader) CodeNumbers() []uint32 {
	d.file.Need(SectionPostalCodes)
	return d.zipsAnd(&d.postalSet)
}

// AreaNumbers returns the numbers of the ZIP Codes and forward sortation areas
// in the order of AreaPoints, as a new slice.
func (d *Reader) AreaNumbers() []uint32 { return d.zipsAnd(&d.fsaSet) }

func (d *Reader) zipsAnd(canada *file.CodeSet) []uint32 {
	out := make([]uint32, 0, d.zipSet.Count+canada.Count)
	for _, set := range [...]*file.CodeSet{&d.zipSet, canada} {
		for _, code := range set.All() {
			out = append(out, code)
		}
	}
	return out
}

// The names of the columns of the indexes.
const (
	codePointsName = "code_points"
	areaPointsName = "area_points"
)

var (
	codePointsTable = pointsTable(codePointsName,
		func(d *Reader) (**spatial.PointIndex, *file.CodeSet) { return &d.codePoints, &d.postalSet },
		func(d *Reader, i int) geo.LatLng { return file.PointFromMicro(d.postal[i].Lat, d.postal[i].Lng) },
		func(w *Writer, list []geo.LatLng) []geo.LatLng {
			for i := range w.postal {
				list = append(list, w.postal[i].Location.Rounded())
			}
			return list
		})
	areaPointsTable = pointsTable(areaPointsName,
		func(d *Reader) (**spatial.PointIndex, *file.CodeSet) { return &d.areaPoints, &d.fsaSet },
		func(d *Reader, i int) geo.LatLng { return d.fsas[i].Location },
		func(w *Writer, list []geo.LatLng) []geo.LatLng {
			for i := range w.fsas {
				list = append(list, w.fsas[i].Location.Rounded())
			}
			return list
		})
)

// pointsTable stores the packed index of the points of ZIP Codes, followed by
// those of one kind of Canadian codes. Function to returns the index and the
// set of the Canadian codes. For reading, point returns the point of a code;
// for writing, canada appends the points.
func pointsTable(
	name string, to func(*Reader) (**spatial.PointIndex, *file.CodeSet), point func(*Reader, int) geo.LatLng,
	canada func(*Writer, []geo.LatLng) []geo.LatLng,
) table {
	return table{
		Name: name,
		Verify: func(d *Reader) error {
			index, _ := to(d)
			return (*index).Verify()
		},
		Encode: func(w *Writer, c *file.Columns) error {
			var list []geo.LatLng
			for i := range w.zips {
				list = append(list, w.zips[i].Location.Rounded())
			}
			index := spatial.NewPointIndex(canada(w, list))
			data, err := index.AppendBinary(nil)
			if err != nil {
				return err
			}
			c.Add(file.Column{Name: name, Rows: index.Len(), Data: data})
			return nil
		},
		Decode: func(d *Reader, c *file.Columns) error {
			col, err := c.Take(name, 0)
			if err != nil {
				return err
			}
			index, codes := to(d)
			zips := d.zipSet.Count
			*index, err = spatial.DecodePointIndex(zips+codes.Count, func(i int) geo.LatLng {
				if i < zips {
					return d.zips[i].Location
				}
				return point(d, i-zips)
			}, col.Data)
			if err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
			if n := (*index).Len(); n != col.Rows {
				return fmt.Errorf("column %s holds %d points, expected %d", name, n, col.Rows)
			}
			return nil
		},
	}
}
