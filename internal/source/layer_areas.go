package source

import (
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
)

// LayerColumns names the columns of a boundary file. Only ID is needed; a
// column that the file lacks is taken as blank.
type LayerColumns struct {
	ID      string
	Name    string // without legal description
	Full    string // with legal description
	English string // English name where Name holds both languages
	French  string
	Kind    string // code of the kind of area
	Period  string // the publisher's period: session, legislative year
	Land    string // square meters
	Water   string // square meters
	LandKM2 string // square kilometers, with a decimal point
	Dash    string // meaning of "--" in names; "" if it is literal
}

// Columns of the publishers' files.
var (
	// CensusColumns are the columns of the cartographic boundary and TIGER/Line
	// files of the U.S. Census Bureau.
	CensusColumns = LayerColumns{ID: "GEOID", Name: "NAME", Full: "NAMELSAD", Kind: "LSAD", Land: "ALAND", Water: "AWATER"}
	// Census2020Columns are the columns of TIGER/Line files with areas of the census of
	// 2020, whose names end with its year.
	Census2020Columns = LayerColumns{ID: "GEOID20", Name: "NAME20", Full: "NAMELSAD20", Kind: "LSAD20", Land: "ALAND20", Water: "AWATER20"}
	// CongressColumns are the columns of congressional districts, whose files
	// have names with descriptions only and the number of the Congress.
	CongressColumns = LayerColumns{ID: "GEOID", Name: "NAMELSAD", Full: "NAMELSAD", Kind: "LSAD", Period: "CDSESSN", Land: "ALAND", Water: "AWATER"}
	// LegislativeColumns are the columns of state legislative districts, with
	// the legislative year.
	LegislativeColumns = LayerColumns{ID: "GEOID", Name: "NAME", Full: "NAMELSAD", Kind: "LSAD", Period: "LSY", Land: "ALAND", Water: "AWATER"}
	// FederalColumns are the columns of Canada's federal electoral districts.
	FederalColumns = LayerColumns{ID: "FEDUID", Name: "FEDNAME", English: "FEDENAME", French: "FEDFNAME", LandKM2: "LANDAREA", Dash: emDash}
	// OrderColumns are the columns of Elections Canada's files of a
	// Representation Order.
	OrderColumns = LayerColumns{ID: "FED_NUM", Name: "ED_NAMEE", English: "ED_NAMEE", French: "ED_NAMEF", Dash: emDash}
)

// Files of Statistics Canada write the dash between the parts of a name as two
// hyphens. The Representation Order has an em dash in names of federal
// electoral districts ("Spadina—Fort York"). The Commission de toponymie has an
// en dash in those of municipalities ("Port-Daniel–Gascons").
const (
	emDash = "—"
	enDash = "–"
)

// dashed returns a name of Statistics Canada with the dash for two hyphens.
func dashed(name, dash string) string { return strings.ReplaceAll(name, "--", dash) }

// StatCanColumns returns the columns of a boundary file of Statistics Canada
// whose columns begin with the letters, e.g. CSD.
func StatCanColumns(prefix string) LayerColumns {
	return LayerColumns{ID: prefix + "UID", Name: prefix + "NAME", Kind: prefix + "TYPE", LandKM2: "LANDAREA", Dash: enDash}
}

// A LayerAreaRow is an area of a layer.
type LayerAreaRow struct {
	AreaRow
	French string // French name if it differs from the English one
	Kind   string
	Period string
}

// Areas reads a boundary file at the path, a zipped shapefile. A record is
// refused without an identifier or an outline, and with a malformed area.
func (c LayerColumns) Areas(path string) iter.Seq2[LayerAreaRow, error] {
	return shapefile(path, []string{c.ID}, c.row)
}

// LayerNames reads the attribute table of a boundary file at the path, without
// outlines.
func LayerNames(path string, c LayerColumns) iter.Seq2[LayerAreaRow, error] {
	return opened(func() (*format.Shapefile, error) {
		return format.OpenShapefile(path, format.ShapefileOptions{Required: []string{c.ID}, Bare: true})
	}, (*format.Shapefile).Shapes, func(s format.Shape) (LayerAreaRow, error) {
		a, err := named(s, c.ID, c.Name, c.Full, c.Kind)
		if err != nil {
			return LayerAreaRow{AreaRow: a}, err
		}
		return c.describe(s, a)
	})
}

func (c LayerColumns) row(s format.Shape) (LayerAreaRow, error) {
	a, err := area(s, c.ID, c.Name, c.Full, c.Kind)
	if err != nil {
		return LayerAreaRow{AreaRow: a}, err
	}
	return c.describe(s, a)
}

// describe adds the attributes of an area.
func (c LayerColumns) describe(s format.Shape, a AreaRow) (r LayerAreaRow, err error) {
	r = LayerAreaRow{AreaRow: a, Kind: s.Get(c.Kind), Period: s.Get(c.Period)}
	if c.Land != "" {
		if r.Land, err = optionalCount(s, c.Land); err != nil {
			return r, err
		}
		if r.Water, err = optionalCount(s, c.Water); err != nil {
			return r, err
		}
	}
	if c.LandKM2 != "" {
		if r.Land, err = squareKilometers(s, c.LandKM2); err != nil {
			return r, err
		}
	}
	english, french := s.Get(c.English), s.Get(c.French)
	if c.Dash != "" {
		r.Name, english, french = dashed(r.Name, c.Dash), dashed(english, c.Dash), dashed(french, c.Dash)
	}
	if english == "" && french == "" {
		english, french = languages(r.Name)
	}
	if english != "" {
		r.Name = english
	}
	if french != r.Name {
		r.French = french
	}
	return r, nil
}

// languages splits a name in both languages, "Greater Sudbury / Grand Sudbury";
// a name in one has no French.
func languages(name string) (english, french string) {
	english, french, _ = strings.Cut(name, " / ")
	return english, french
}

// squareKilometers reads an extent and returns square meters, nil if the field
// is empty.
func squareKilometers(f fields, name string) (*int64, error) {
	s := f.Get(name)
	if s == "" {
		return nil, nil
	}
	const mostKM2 = 1e9 // more than the Earth has
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v < mostKM2) {
		return nil, f.Errorf(name, "%q is not a number of square kilometers", s)
	}
	m := int64(math.Round(v * 1e6))
	return &m, nil
}
