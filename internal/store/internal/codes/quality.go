package codes

import (
	"fmt"
	"math"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Quality records the sources of the data of one code, and by how much
// sources disagree. The builder fills it in.
type Quality struct {
	PointSource      string         // source of the code's point, e.g. "block-group centers 2020"; "" without a point
	OutlineSource    string         // identifier of the source of the outline, e.g. "cb-zctas"; "" without an outline
	OutlineAreaRatio float64        // drawn area divided by the area that the source states, to 1e-4 and at most 1e6; 0 unknown
	PopulationYear   int            // last year of the survey, or the census year, of the population; 0 without one
	PopulationSource string         // identifier of the source of the population, e.g. "acs-b01003"; "" without one
	HousingSource    string         // identifier of the source of the housing units; "" without any
	Counties         []CountySource // the county that each source names; empty if all agree or none names one
	ClassBasis       string         // what decided the classification, e.g. "zip-database", "uds-zcta", "inferred"
	Notes            []string       // sentences in English about anything else that a reader should know
}

// ClassInferred is the ClassBasis of codes whose class no source states.
const ClassInferred = "inferred"

// A CountySource is the county that one source names for a ZIP Code.
type CountySource struct {
	Source string // e.g. "geonames-us", "zip-database", "residents"
	FIPS   string // five digits
	Chosen bool   // whether this is the county of record
}

// OutlineDiffers reports whether the area of the code's outline differs by more
// than a tenth from the stated area.
func (q *Quality) OutlineDiffers() bool {
	const most = 0.1
	return q.OutlineAreaRatio != 0 && math.Abs(q.OutlineAreaRatio-1) > most
}

// OutlineMisleads reports whether the outline differs too much from the stated area to be
// compared with areas (decision D69).
func (q *Quality) OutlineMisleads() bool {
	const least, most = 0.67, 1.5
	return q.OutlineAreaRatio != 0 && (q.OutlineAreaRatio < least || q.OutlineAreaRatio > most)
}

// The qualities of codes end the rows of their details. Their texts are few and
// shared by many codes. A resident table for each kind of code numbers them
// from 1, in the order of their first use; 0 is the empty text.
var (
	zipTextsTable = textsTable("zip_detail.texts",
		func(w *Writer) *file.TextPacker { return &w.zipTexts }, func(d *Reader) *[]string { return &d.zipTexts })
	fsaTextsTable = textsTable("fsa_detail.texts",
		func(w *Writer) *file.TextPacker { return &w.fsaTexts }, func(d *Reader) *[]string { return &d.fsaTexts })
)

func textsTable(name string, packer func(*Writer) *file.TextPacker, into func(*Reader) *[]string) table {
	return table{
		Name: name,
		Encode: func(w *Writer, c *file.Columns) error {
			return file.AddList(c, name, file.NewCoder(nil), packer(w).List, file.CodeText)
		},
		Decode: func(d *Reader, c *file.Columns) (err error) {
			*into(d), err = file.TakeList(c, name, file.DecodeWith(nil, nil), file.CodeText)
			return err
		},
	}
}

const (
	ratioUnits        = 1e4
	maxRatio          = 1e6
	maxPopulationYear = 9999
	maxFIPS           = 99999
)

func (q *Quality) code(c *file.Coder, texts file.Shared) {
	c.Shared(texts, &q.PointSource, &q.OutlineSource, &q.ClassBasis, &q.PopulationSource, &q.HousingSource)
	if !(q.OutlineAreaRatio >= 0) {
		c.Fail(fmt.Errorf("an outline of %v times the stated area; expected at least 0", q.OutlineAreaRatio))
	}
	ratio := uint64(math.Round(min(q.OutlineAreaRatio, maxRatio) * ratioUnits))
	if file.Max(c, &ratio, maxRatio*ratioUnits); c.Reading() {
		q.OutlineAreaRatio = float64(ratio) / ratioUnits
	}
	if q.PopulationYear < 0 || q.PopulationYear > maxPopulationYear {
		c.Fail(fmt.Errorf("the population's year is %d; expected 0 to %d", q.PopulationYear, maxPopulationYear))
	}
	file.Max(c, &q.PopulationYear, maxPopulationYear)
	file.List(c, &q.Counties, func(s *CountySource) {
		c.Shared(texts, &s.Source)
		fips, ok := file.DigitsValue(s.FIPS, len("00000"))
		if !ok && !c.Reading() {
			c.Fail(fmt.Errorf("the source %q names the county %q; expected five digits", s.Source, s.FIPS))
		}
		if file.Max(c, &fips, maxFIPS); c.Reading() {
			s.FIPS = file.DigitsText(fips, len("00000"))
		}
		c.Bool(&s.Chosen)
	})
	file.List(c, &q.Notes, func(s *string) { c.Shared(texts, s) })
}
