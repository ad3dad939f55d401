package store

import (
	"fmt"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// CodePoints returns the index of the points of ZIP Codes and full postal codes, and the
// number of the code of each point as a new slice. The postal codes follow after the
// NumZIPs() ZIP Codes. Both kinds ascend. The index decodes points when searches reach them.
func (d *Dataset) CodePoints() (*spatial.PointIndex, []uint32) {
	d.Need(SectionPoints)
	return d.codePoints, d.zipsAnd(&d.postalSet)
}

// AreaPoints returns the index of the points of ZIP Codes and forward sortation areas, as
// [Dataset.CodePoints] does.
func (d *Dataset) AreaPoints() (*spatial.PointIndex, []uint32) {
	d.Need(SectionPoints)
	return d.areaPoints, d.zipsAnd(&d.fsaSet)
}

func (d *Dataset) zipsAnd(canada *file.CodeSet) []uint32 {
	out := make([]uint32, 0, d.zipSet.Count+canada.Count)
	for _, set := range [...]*file.CodeSet{&d.zipSet, canada} {
		for _, code := range set.All() {
			out = append(out, code)
		}
	}
	return out
}

func (d *Dataset) codePointsPart() file.Part {
	return d.points("code_points", &d.codePoints, &d.postalSet, func(i int) geo.LatLng {
		return geo.LatLngFromMicrodegrees(d.postal[i].Lat, d.postal[i].Lng)
	})
}

func (d *Dataset) areaPointsPart() file.Part {
	return d.points("area_points", &d.areaPoints, &d.fsaSet, func(i int) geo.LatLng { return d.fsas[i].Location })
}

// points reads the packed index of the points of ZIP Codes, followed by those of one kind
// of Canadian codes. The points themselves are in the rows of codes, which the index reads
// through the function.
func (d *Dataset) points(name string, to **spatial.PointIndex, codes *file.CodeSet, point func(int) geo.LatLng) file.Part {
	return file.Part{
		Section: sectionPoints,
		Load: func(m *file.Connection) error {
			data, err := m.Blob("search_index", name)
			if err != nil {
				return err
			}
			zips := d.zipSet.Count
			*to, err = spatial.DecodePointIndex(zips+codes.Count, func(i int) geo.LatLng {
				if i < zips {
					return d.zips[i].Location
				}
				return point(i - zips)
			}, data)
			if err != nil {
				return fmt.Errorf("index %s: %w", name, err)
			}
			return nil
		},
	}
}
