package source

import (
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/source/format"
)

// An AreaRow is an outline with the attributes that identify it.
type AreaRow struct {
	ID      string // GEOID, FSA or time zone
	Name    string // in English, without legal description; "" if the file has none
	Full    string // with legal description; "" if the file has none
	French  string // French name if it differs from the English one
	Kind    string // code of the kind of area, such as the legal/statistical area description
	Period  string // the publisher's
	Land    *int64 // published square meters of land; nil if unknown
	Water   *int64 // published square meters of water; nil if unknown
	Closed  int    // rings that the file leaves open and the reader closed
	Polygon orb.MultiPolygon
	Record  int
}

// LayerColumns names the columns of a boundary file. The file must have them, but for
// those whose names end with "?".
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
	Both    bool   // names keep both languages
	Digits  int    // of an ID; 0 if there may be other characters
}

// enDash joins the parts of names of municipalities in Canada ("Port-Daniel–Gascons"), by
// the Commission de toponymie. The Representation Order has an em dash in names of federal
// electoral districts ("Spadina—Fort York").
const enDash = "–"

// dashed returns a name of Statistics Canada, whose files write the dash between the parts
// as two hyphens.
func dashed(name, dash string) string { return strings.ReplaceAll(name, "--", dash) }

// languages splits a name in both languages, "Greater Sudbury / Grand Sudbury";
// a name in one has no French.
func languages(name string) (english, french string) {
	english, french, _ = strings.Cut(name, " / ")
	return english, french
}

// Names returns the name in both languages if it has two: "Greater Sudbury / Grand Sudbury".
func (a *AreaRow) Names() string {
	if a.French == "" {
		return a.Name
	}
	return a.Name + " / " + a.French
}

// Areas reads a boundary file: a shapefile, or GeoJSON. A record is refused without an
// identifier or an outline, and with a malformed area.
func (c LayerColumns) Areas(f format.File) iter.Seq2[AreaRow, error] {
	return parsed(f.Rows(c.options()), c.area)
}

// Names reads the attribute table of a boundary file (dBASE III, UTF-8), without outlines.
func (c LayerColumns) Names(f format.File) iter.Seq2[AreaRow, error] {
	return parsed(f.Rows(c.options()), c.row)
}

func (c LayerColumns) options() (o format.Options) {
	for _, name := range [...]string{c.ID, c.Name, c.Full, c.English, c.French, c.Kind, c.Period, c.Land, c.Water, c.LandKM2} {
		if name != "" && !strings.HasSuffix(name, "?") {
			o.Columns = append(o.Columns, name)
		}
	}
	return o
}

// area refuses a shape without identifier or without outline.
func (c LayerColumns) area(s format.Row) (AreaRow, error) {
	a, err := c.row(s)
	if err == nil && len(a.Polygon) == 0 {
		err = s.Errorf(c.ID, "%s has no outline", a.ID)
	}
	return a, err
}

// row reads the attributes of a shape, and refuses one without identifier.
func (c LayerColumns) row(s format.Row) (r AreaRow, err error) {
	text := func(column string) string { return s.Get(strings.TrimSuffix(column, "?")) }
	r = AreaRow{
		ID: s.Get(c.ID), Name: text(c.Name), Full: text(c.Full), Kind: text(c.Kind), Period: s.Get(c.Period),
		Polygon: s.Polygon, Closed: s.Closed, Record: s.Number,
	}
	if r.ID == "" {
		return r, s.Errorf(c.ID, "blank, expected an identifier")
	}
	if c.Digits > 0 {
		_, err = digits(s, c.ID, c.Digits)
	}
	if c.Land != "" && err == nil {
		if r.Land, err = optional(s, c.Land, count); err == nil {
			r.Water, err = optional(s, c.Water, count)
		}
	}
	if c.LandKM2 != "" && err == nil {
		r.Land, err = squareKilometers(s, c.LandKM2)
	}
	// Names come in one column for each language, in one column with both, or in one
	// language. French is set only if it differs.
	english, french := s.Get(c.English), s.Get(c.French)
	if c.Dash != "" {
		r.Name, english, french = dashed(r.Name, c.Dash), dashed(english, c.Dash), dashed(french, c.Dash)
	}
	if english == "" && french == "" && !c.Both {
		english, french = languages(r.Name)
	}
	if english != "" {
		r.Name = english
	}
	if french != r.Name {
		r.French = french
	}
	return r, err
}

// squareKilometers reads an extent and returns square meters, nil if the field
// is empty.
func squareKilometers(f format.Row, name string) (*int64, error) {
	s := f.Get(name)
	if s == "" {
		return nil, nil
	}
	const mostKM2 = 1e9 // more than the Earth has
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v < mostKM2) {
		return nil, f.Errorf(name, "%q is not a number of square kilometers", s)
	}
	return new(int64(math.Round(v * 1e6))), nil
}

// Columns of files whose columns the user does not name, see [usual].
var (
	ownColumns = map[string][]string{
		ownID:      {"geoid", "geoid20", "geoid10", "fednum", "feduid", "code", "id", "district", "districtid", "cd", "dist"},
		"own name": {"namelsad", "namelsad20", "name", "name20", "ednamee", "fedename", "title", "label"},
	}
	zipColumns = map[string][]string{
		"ZIP": {"zip", "zipcode", "zip5", "postcode", "postalcode", "zcta5ce20", "zcta5ce10", "zcta5", "geoid20", "geoid10", "geoid"},
	}
)

// ownID and "own name" are meanings of columns, not headers: no file has columns of these
// names.
const ownID = "own ID"

// OwnAreas reads the areas of a user: a shapefile, zipped or not, or GeoJSON, plain,
// gzipped or in a zip. Without columns it takes the usual ones; areas without an
// identifier then take the number of their record. A feature is refused without an outline
// or with a malformed one.
func OwnAreas(f format.File, c LayerColumns) iter.Seq2[AreaRow, error] {
	o := format.Options{Meanings: usual(ownColumns)}
	own := LayerColumns{ID: ownID, Name: "own name", Both: true}
	for _, of := range [...]struct {
		named string
		to    *string
	}{{c.ID, &own.ID}, {c.Name, &own.Name}} {
		if of.named != "" {
			*of.to, o.Columns = of.named, append(o.Columns, of.named)
		}
	}
	return parsed(f.Rows(o), func(s format.Row) (AreaRow, error) {
		r, err := own.row(s)
		if r.ID == "" && c.ID == "" {
			r.ID, err = strconv.Itoa(r.Record), nil
		}
		if err == nil && s.Lines != nil {
			err = s.Errorf("outline", `the geometry has the type "Point", expected Polygon or MultiPolygon`)
		} else if err == nil && len(r.Polygon) == 0 {
			err = s.Errorf("outline", "%s has none", r.ID)
		}
		return r, err
	})
}

// ZIPPolygons reads outlines of ZIP Codes, in the formats of [OwnAreas]. The ZIP Code is
// in the first attribute of these that exists, in any letter case: ZIP, ZIP_CODE, ZIPCODE,
// ZIP5, POSTCODE, POSTALCODE, POSTAL_CODE, ZCTA5CE20, ZCTA5CE10, ZCTA5, GEOID20, GEOID10 or
// GEOID. A record is refused without five digits or an outline.
func ZIPPolygons(f format.File) iter.Seq2[AreaRow, error] {
	return parsed(f.Rows(format.Options{Meanings: usual(zipColumns)}), func(s format.Row) (AreaRow, error) {
		if !s.Has("ZIP") {
			return AreaRow{}, s.Errorf("ZIP", "no such attribute; expected one of ZIP, ZIPCODE, POSTCODE, ZCTA5 and GEOID")
		}
		return LayerColumns{ID: "ZIP", Digits: 5}.area(s)
	})
}
