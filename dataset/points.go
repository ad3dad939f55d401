package dataset

import (
	"fmt"

	"github.com/postgeo/postgeo/geo"
)

// CodePoints returns the index of the points of ZIP Codes and full postal
// codes: its point i is that of the i-th ZIP Code, and behind the NumZIPs()
// ZIP Codes come the postal codes, each kind in ascending order. It is read
// from the file and works out its points as searches come to them.
func (d *codesReader) CodePoints() *geo.PointIndex {
	d.file.need(SectionPoints)
	return d.codePoints
}

// AreaPoints returns the index of the points of ZIP Codes and forward
// sortation areas, in the order of [Dataset.CodePoints].
func (d *codesReader) AreaPoints() *geo.PointIndex {
	d.file.need(SectionPoints)
	return d.areaPoints
}

// CodeNumbers returns the numbers of the ZIP Codes and full postal codes in
// the order of CodePoints, as a new slice.
func (d *codesReader) CodeNumbers() []uint32 {
	d.file.need(SectionPostalCodes)
	return d.zipsAnd(&d.postalSet)
}

// AreaNumbers returns the numbers of the ZIP Codes and forward sortation areas
// in the order of AreaPoints, as a new slice.
func (d *codesReader) AreaNumbers() []uint32 { return d.zipsAnd(&d.fsaSet) }

func (d *codesReader) zipsAnd(canada *codeSet) []uint32 {
	out := make([]uint32, 0, d.zipSet.count+canada.count)
	for _, set := range [...]*codeSet{&d.zipSet, canada} {
		for _, code := range set.all() {
			out = append(out, code)
		}
	}
	return out
}

// zipPoint and its siblings return the point of the code in a row.
func (d *codesReader) zipPoint(row int) geo.LatLng    { return pointAt(d.zips.row(row)[8:]) }
func (d *codesReader) fsaPoint(row int) geo.LatLng    { return pointAt(d.fsas.row(row)[placeWidth:]) }
func (d *codesReader) postalPoint(row int) geo.LatLng { return pointAt(d.postal.row(row)) }

// The names of the columns of the indexes.
const (
	codePointsName = "code_points"
	areaPointsName = "area_points"
)

var (
	codePointsTable = pointsTable(codePointsName,
		func(d *codesReader) (**geo.PointIndex, *codeSet) { return &d.codePoints, &d.postalSet },
		(*codesReader).postalPoint,
		func(w *codesWriter, list []geo.LatLng) []geo.LatLng {
			for i := range w.postalCodes {
				list = append(list, pointAt(w.postalRows[i*postalWidth:]))
			}
			return list
		})
	areaPointsTable = pointsTable(areaPointsName,
		func(d *codesReader) (**geo.PointIndex, *codeSet) { return &d.areaPoints, &d.fsaSet },
		(*codesReader).fsaPoint,
		func(w *codesWriter, list []geo.LatLng) []geo.LatLng {
			for i := range w.fsas {
				list = append(list, storedPoint(w.fsas[i].Location))
			}
			return list
		})
)

// storedPoint returns the point as it is read again.
func storedPoint(p geo.LatLng) geo.LatLng {
	var b [8]byte
	return pointAt(appendPoint(b[:0], p))
}

// pointsTable stores the packed index of the points of ZIP Codes and, behind
// them, of Canadian codes of one kind: those of to's set, which point tells
// when reading and canada when writing.
func pointsTable(
	name string, to func(*codesReader) (**geo.PointIndex, *codeSet), point func(*codesReader, int) geo.LatLng,
	canada func(*codesWriter, []geo.LatLng) []geo.LatLng,
) codesTable {
	return codesTable{
		name: name,
		verify: func(d *codesReader) error {
			index, _ := to(d)
			return (*index).Verify()
		},
		encode: func(w *codesWriter, c *columnSet) error {
			var list []geo.LatLng
			for i := range w.zips {
				list = append(list, storedPoint(w.zips[i].Location))
			}
			index := geo.NewPointIndex(canada(w, list))
			data, err := index.AppendBinary(nil)
			if err != nil {
				return err
			}
			c.add(column{name: name, rows: index.Len(), data: data})
			return nil
		},
		decode: func(d *codesReader, c *columnSet) error {
			col, err := c.take(name, 0)
			if err != nil {
				return err
			}
			index, codes := to(d)
			zips := d.zipSet.count
			*index, err = geo.DecodePointIndex(zips+codes.count, func(i int) geo.LatLng {
				if i < zips {
					return d.zipPoint(i)
				}
				return point(d, i-zips)
			}, col.data)
			if err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
			if n := (*index).Len(); n != col.rows {
				return fmt.Errorf("column %s holds %d points, expected %d", name, n, col.rows)
			}
			return nil
		},
	}
}
