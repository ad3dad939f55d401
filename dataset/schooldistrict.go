package dataset

import (
	"context"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/geo"
)

// A SchoolDistrict is what sources of the National Center for Education
// Statistics tell of a school district beyond its outline. What no source
// tells is "" or nil.
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

// SchoolDistrict reads what is known of the district with the number in the
// layer of school districts, beyond what the layer tells. It is a zero
// SchoolDistrict for a number that is no district.
func (d *layersReader) SchoolDistrict(ctx context.Context, i int) (SchoolDistrict, error) {
	if i < 0 || i >= d.Layer(LayerSchoolDistrict).Len() {
		return SchoolDistrict{}, d.file.usable()
	}
	payload, err := d.file.row(ctx, schoolRows, int64(i))
	if err != nil {
		return SchoolDistrict{}, err
	}
	s, err := decodeSchoolDistrict(payload)
	if err != nil {
		return SchoolDistrict{}, d.file.damaged("%s: %v", schoolRows.noun(int64(i)), err)
	}
	return s, nil
}

// SetSchoolDistricts gives what is known of each area of the layer of school
// districts, in the same order. It comes after SetLayer, and belongs to every
// dataset that has that layer.
func (w *layersWriter) SetSchoolDistricts(list []SchoolDistrict) error {
	if err := w.out.open(); err != nil {
		return err
	}
	if l := w.layers[LayerSchoolDistrict]; l == nil || len(l.areas) != len(list) {
		return invalid("%d school districts; expected one for each area of the layer %s, which comes before", len(list), LayerSchoolDistrict)
	}
	w.schools = true
	for i := range list {
		payload, err := encodeSchoolDistrict(&list[i])
		if err != nil {
			return invalidRow("school district "+w.layers[LayerSchoolDistrict].areas[i].GEOID, err)
		}
		if err := w.out.spoolRow(schoolRows, int64(i), payload); err != nil {
			return err
		}
	}
	return nil
}

func (s *SchoolDistrict) texts() []*string {
	return []*string{&s.GradeLow, &s.GradeHigh, &s.StateID, &s.Agency, &s.Locale}
}

func (o *SchoolOffice) texts() []*string {
	return []*string{&o.Street, &o.City, &o.State, &o.ZIP, &o.County, &o.CountyFIPS}
}

func encodeSchoolDistrict(s *SchoolDistrict) ([]byte, error) {
	var e encoder
	for _, v := range s.texts() {
		e.string(*v)
	}
	e.bool(s.Office != nil)
	if s.Office != nil {
		for _, v := range s.Office.texts() {
			e.string(*v)
		}
		e.b = appendPoint(e.b, s.Office.Location)
	}
	_, err := decodeSchoolDistrict(e.b)
	return e.b, err
}

func decodeSchoolDistrict(payload []byte) (SchoolDistrict, error) {
	e := decoder{b: payload}
	var s SchoolDistrict
	for _, v := range s.texts() {
		*v = e.string()
	}
	if e.bool() {
		s.Office = &SchoolOffice{}
		for _, v := range s.Office.texts() {
			*v = e.string()
		}
		const pointWidth = 8
		if p := e.take(pointWidth); p != nil {
			if err := checkPoint(p); err != nil {
				return s, err
			}
			s.Office.Location = pointAt(p)
		}
	}
	return s, e.end()
}

var schoolRows = &rowKind{name: "school_districts", noun: func(id int64) string { return fmt.Sprintf("data of school district number %d", id) }}

var schoolDistrictsTable = rowTable[*layersReader]{
	rowKind: schoolRows,
	ids: func(d *layersReader) iter.Seq[int64] {
		return func(yield func(int64) bool) {
			for i := range d.Layer(LayerSchoolDistrict).Len() {
				if !yield(int64(i)) {
					return
				}
			}
		}
	},
	check: func(_ *layersReader, _ int64, payload []byte) error {
		_, err := decodeSchoolDistrict(payload)
		return err
	},
}
