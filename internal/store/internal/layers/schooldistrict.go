package layers

import (
	"context"
	"fmt"

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
func (d *Reader) SchoolDistrict(ctx context.Context, i int) (SchoolDistrict, error) {
	if i < 0 || i >= d.Layer(LayerSchoolDistrict).Len() {
		return SchoolDistrict{}, d.file.Usable()
	}
	return file.ReadRow(ctx, d.file, schoolRows, int64(i), DecodeSchoolDistrict)
}

// SetSchoolDistricts sets the details of all areas of the layer of school
// districts, in the same order. Call it after SetLayer, for every dataset that
// has that layer.
func (w *Writer) SetSchoolDistricts(list []SchoolDistrict) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	l := w.layer(LayerSchoolDistrict)
	if l == nil || len(l.areas) != len(list) {
		return file.Invalid("%d school districts; expected one for each area of the layer %s, which comes before", len(list), LayerSchoolDistrict)
	}
	w.schools = true
	for i := range list {
		payload, err := EncodeSchoolDistrict(&list[i])
		if err != nil {
			return file.InvalidRow("school district "+l.areas[i].GEOID, err)
		}
		if err := w.out.Spool(schoolRows, int64(i), payload); err != nil {
			return err
		}
	}
	return nil
}

func (s *SchoolDistrict) code(c *file.Coder) {
	c.Text(&s.GradeLow, &s.GradeHigh, &s.StateID, &s.Agency, &s.Locale)
	if file.Pointer(c, &s.Office) {
		o := s.Office
		c.Text(&o.Street, &o.City, &o.State, &o.ZIP, &o.County, &o.CountyFIPS)
		c.Point(&o.Location)
	}
}

// EncodeSchoolDistrict encodes a row.
func EncodeSchoolDistrict(s *SchoolDistrict) ([]byte, error) {
	c := file.NewCoder(nil)
	s.code(&c)
	return c.Bytes()
}

// DecodeSchoolDistrict decodes a row.
func DecodeSchoolDistrict(payload []byte) (s SchoolDistrict, err error) {
	c := file.DecodeWith(nil, payload)
	s.code(&c)
	return s, c.End()
}

var schoolRows = &file.RowKind{Name: "school_districts", Noun: func(id int64) string { return fmt.Sprintf("data of school district number %d", id) }}

var schoolDistrictsTable = file.RowTable[*Reader]{
	RowKind: schoolRows,
	Check: func(_ *Reader, _ int64, payload []byte) error {
		_, err := DecodeSchoolDistrict(payload)
		return err
	},
}
