package dataset

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// A Quality records what the data of one code rests on: which source gave
// each part, and by how much sources disagree. The builder fills it in.
type Quality struct {
	PointSource      string         // source of the code's point, e.g. "block-group centers 2020"; "" without a point
	OutlineSource    string         // identifier of the source of the outline, e.g. "cb-zctas"; "" without an outline
	OutlineAreaRatio float64        // drawn area divided by the area that the source states, to 1e-4 and at most 1e6; 0 unknown
	PopulationYear   int            // last year of the survey, or the census year, of the population; 0 without one
	PopulationSource string         // identifier of the source of the population, e.g. "acs-b01003-2024"; "" without one
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

// The qualities of codes end the rows of their details. Their texts, few and
// shared by many codes, are numbers from 1 in a resident table of the kind of
// code, in the order of their first use; 0 is the empty text.
var (
	zipTextsTable = textsTable("zip_detail.texts",
		func(w *codesWriter) *textPacker { return &w.zipTexts }, func(d *codesReader) *[]string { return &d.zipTexts })
	fsaTextsTable = textsTable("fsa_detail.texts",
		func(w *codesWriter) *textPacker { return &w.fsaTexts }, func(d *codesReader) *[]string { return &d.fsaTexts })
)

func textsTable(name string, packer func(*codesWriter) *textPacker, into func(*codesReader) *[]string) codesTable {
	return codesTable{
		name: name,
		encode: func(w *codesWriter, c *columnSet) error {
			e := encoder{}
			for _, s := range packer(w).list {
				e.string(s)
			}
			c.add(column{name: name, rows: len(packer(w).list), data: e.b})
			return nil
		},
		decode: func(d *codesReader, c *columnSet) error {
			col, err := c.take(name, 0)
			if err != nil {
				return err
			}
			if col.rows > len(col.data) {
				return fmt.Errorf("column %s: %w", name, errShort)
			}
			in, list := decoder{b: col.data}, make([]string, 0, col.rows)
			for range col.rows {
				list = append(list, in.string())
			}
			if err := in.end(); err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
			*into(d) = list
			return nil
		},
	}
}

const (
	ratioUnits        = 1e4
	maxRatio          = 1e6
	maxPopulationYear = 9999
	sourced           = 1 << 14 // added to the population's year if sources of the counts follow
	maxFIPS           = 99999
)

// number returns the number of a text, 0 of the empty one.
func (t *textPacker) number(s string) (uint64, error) {
	switch {
	case s == "":
		return 0, nil
	case !utf8.ValidString(s):
		return 0, fmt.Errorf("the text %q is not UTF-8", s)
	}
	return t.id(strings.Clone(s)) + 1, nil
}

func (e *encoder) quality(q *Quality, texts *textPacker) error {
	ratio := math.Round(min(q.OutlineAreaRatio, maxRatio) * ratioUnits)
	if !(ratio >= 0) {
		return fmt.Errorf("an outline of %v times the stated area; expected at least 0", q.OutlineAreaRatio)
	}
	if q.PopulationYear < 0 || q.PopulationYear > maxPopulationYear {
		return fmt.Errorf("the population's year is %d; expected 0 to %d", q.PopulationYear, maxPopulationYear)
	}
	var err error
	text := func(s string) {
		n, bad := texts.number(s)
		if bad != nil {
			err = bad
		}
		e.uint(n)
	}
	text(q.PointSource)
	text(q.OutlineSource)
	text(q.ClassBasis)
	e.uint(uint64(ratio))
	counted := q.PopulationSource != "" || q.HousingSource != ""
	e.uint(uint64(q.PopulationYear) | flagBits(counted)*sourced)
	if counted {
		text(q.PopulationSource)
		text(q.HousingSource)
	}
	e.uint(uint64(len(q.Counties)))
	for _, c := range q.Counties {
		fips, ok := digitsValue(c.FIPS, len("00000"))
		if !ok {
			return fmt.Errorf("the source %q names the county %q; expected five digits", c.Source, c.FIPS)
		}
		text(c.Source)
		e.uint(fips<<1 | flagBits(c.Chosen))
	}
	e.uint(uint64(len(q.Notes)))
	for _, n := range q.Notes {
		text(n)
	}
	return err
}

func (d *decoder) quality(texts []string) Quality {
	text := func() string {
		if i := d.max(uint64(len(texts))); i > 0 {
			return texts[i-1]
		}
		return ""
	}
	q := Quality{
		PointSource: text(), OutlineSource: text(), ClassBasis: text(),
		OutlineAreaRatio: float64(d.max(maxRatio*ratioUnits)) / ratioUnits,
	}
	year := d.max(sourced | maxPopulationYear)
	if q.PopulationYear = int(year &^ sourced); q.PopulationYear > maxPopulationYear {
		d.fail(errRange)
	}
	if year&sourced != 0 {
		q.PopulationSource, q.HousingSource = text(), text()
	}
	if n := d.count(); n > 0 {
		q.Counties = make([]CountySource, 0, min(n, 64))
		for range n {
			source, fips := text(), d.max(maxFIPS<<1|1)
			q.Counties = append(q.Counties, CountySource{Source: source, FIPS: digitsText(fips>>1, len("00000")), Chosen: fips&1 == 1})
		}
	}
	if n := d.count(); n > 0 {
		q.Notes = make([]string, 0, min(n, 64))
		for range n {
			q.Notes = append(q.Notes, text())
		}
	}
	return q
}
