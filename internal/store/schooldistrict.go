package store

import (
	"context"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A SchoolDistrict has the values of a school district, besides its outline, from
// the National Center for Education Statistics. Unknown values are "" or nil.
type SchoolDistrict struct {
	GradeLow  string // "PK", "KG", "01" to "13", "UG", "AE"
	GradeHigh string // as GradeLow
	StateID   string // the state's own code of the district, e.g. "CA-1964733"
	Agency    string // type of agency of the Common Core of Data, "1" to "9"
	Locale    string // two digits, "11" city, large, to "43" rural, remote
	Office    *SchoolOffice
}

// A SchoolOffice is the administrative office of a school district.
type SchoolOffice struct {
	Street     string
	City       string
	State      string // two letters
	ZIP        string
	County     string // name
	CountyFIPS string // five digits
	Location   geo.LatLng
}

// SchoolDistrict reads the values, besides those of the layer, of the district
// with the number in the layer of school districts. It is zero for an invalid
// number.
func (d *Dataset) SchoolDistrict(ctx context.Context, i int) (s SchoolDistrict, err error) {
	l := d.Layer(LayerSchoolDistrict)
	if i < 0 || i >= l.Len() {
		return s, d.Usable()
	}
	var rows []SchoolDistrict
	err = d.Query(ctx, "a school district", "SELECT * FROM school_district WHERE area = ?", file.Into(&rows, 1), l.row.First+int64(i))
	if err == nil && len(rows) > 0 {
		s = rows[0]
	}
	return s, err
}
