package source

import (
	"iter"
	"reflect"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// A SubdivisionRow is a census subdivision of Canada, a municipality as a
// rule, in the census of 2021.
type SubdivisionRow struct {
	CSD        string `col:"CSDUID" digits:"7"`
	Name       string `col:"CSDNAME"` // bilingual names divided by " / "
	Type       string `col:"CSDTYPE"` // e.g. "T" town, "RM" rural municipality
	Province   string `col:"PR"`      // two letters
	Population *int32 `col:"POP2021"` // residents; nil if not published
	Metro      string `col:"CMAUID"`  // three digits of the census metropolitan area or agglomeration; "" outside
	Line       int
}

// Subdivisions reads the attributes of census subdivisions of 2021. The code
// of a metropolitan area may have its province's two digits in front.
func Subdivisions(f format.File) iter.Seq2[SubdivisionRow, error] {
	return rowsOf(f, format.Options{Quoted: true}, func(r format.Row, s *SubdivisionRow) error {
		s.Name = dashed(s.Name, enDash)
		switch {
		case s.Metro == "", isDigits(s.Metro, 3):
		case isDigits(s.Metro, 5):
			s.Metro = s.Metro[2:]
		default:
			return r.Errorf("CMAUID", "%q is not three digits, with or without those of a province", s.Metro)
		}
		return nil
	})
}

// A MetroAreaRow names a census metropolitan area or census agglomeration, or
// the part of one in a province.
type MetroAreaRow struct {
	Code string // three digits
	Kind string // "CMA" or "CA"
	Name string // of the whole, without the word for the part
	Part bool   // the row is of a part in one province
	Line int
}

// MetroAreas reads the names of census metropolitan areas and census
// agglomerations of 2021.
func MetroAreas(f format.File) iter.Seq2[MetroAreaRow, error] {
	o := format.Options{Quoted: true, Columns: []string{"type", "code", "name"}}
	return parsed(f.Rows(o), func(r format.Row) (MetroAreaRow, error) {
		m := MetroAreaRow{Line: r.Number}
		kind, part := strings.CutSuffix(r.Get("type"), "PR")
		code, name := r.Get("code"), r.Get("name")
		if kind != "CMA" && kind != "CA" {
			return m, r.Errorf("type", "%q, expected CMA or CA, for parts with PR", r.Get("type"))
		}
		if part {
			if !isDigits(code, 5) {
				return m, r.Errorf("code", "%q is not five digits", code)
			}
			code = code[2:]
			if at := strings.LastIndex(name, " ("); at >= 0 && strings.HasSuffix(name, " part)") {
				name = name[:at]
			}
		}
		if !isDigits(code, 3) {
			return m, r.Errorf("code", "%q is not three digits", code)
		}
		m.Code, m.Kind, m.Name, m.Part = strings.Clone(code), strings.Clone(kind), strings.Clone(name), part
		return m, nil
	})
}

// An EconomicRegionRow is a census division and its economic region.
type EconomicRegionRow struct {
	CD     string `col:"cduid" digits:"4"`
	Region string `col:"eruid" digits:"4"`
	Name   string `col:"ername"`
	French string // "" if the name is the same
	Line   int
}

// EconomicRegions reads the economic regions of census divisions.
func EconomicRegions(f format.File) iter.Seq2[EconomicRegionRow, error] {
	return rowsOf(f, format.Options{Quoted: true}, func(_ format.Row, e *EconomicRegionRow) error {
		e.Name, e.French = languages(dashed(e.Name, enDash))
		return nil
	})
}

// A GeographicRow is a dissemination block with the areas around it, from the
// Geographic Attribute File (92-151-X).
type GeographicRow struct {
	Block               string `col:"DBUID" digits:"11"`
	Area                string `col:"DAUID" digits:"8"` // dissemination area
	CD                  string `col:"CDUID" miss:"file"`
	CSD                 string `col:"CSDUID"`
	CCS                 string `col:"CCSUID" miss:"file"`
	Federal             string `col:"FEDUID" miss:"file"`
	EconomicRegion      string `col:"ERUID" miss:"file"`
	Metro               string `col:"CMAUID" miss:"file"`      // three digits; "" outside
	Tract               string `col:"CTUID" miss:"file"`       // "5050300.01"; "" outside tracted areas
	PopCenter           string `col:"POPCTRRAUID" miss:"file"` // "" outside
	DesignatedPlace     string `col:"DPLUID" miss:"file"`
	DesignatedPlaceName string `col:"DPLNAME" miss:"file"`
	PopCenterName       string `col:"POPCTRRANAME" miss:"file"`
	PopCenterClass      string `col:"POPCTRRACLASS" miss:"file"`
	CCSName             string `col:"CCSNAME" miss:"file"`
	TractName           string `col:"CTNAME" miss:"file"`
	MetroName           string `col:"CMANAME" miss:"file"`
	EconomicRegionName  string `col:"ERNAME" miss:"file"`
	Line                int
}

// GeographicAttributes reads the Geographic Attribute File of 2021. Its headers
// are bilingual, such as DBUID_IDIDU; the English part counts. A row is refused
// when the code of its block or dissemination area is malformed.
func GeographicAttributes(f format.File) iter.Seq2[GeographicRow, error] {
	const ruralArea = "1" // class of areas outside every population center
	return rowsOf(f, format.Options{Quoted: true, Meanings: englishHeaders}, func(_ format.Row, g *GeographicRow) error {
		// Nearly all fields are text. They are cloned, because the draft keeps rows, and
		// a field alone would keep its whole line.
		row := reflect.ValueOf(g).Elem()
		for i := range row.NumField() {
			if f := row.Field(i); f.Kind() == reflect.String {
				f.SetString(dashed(strings.Clone(f.String()), enDash))
			}
		}
		g.Metro = metroCode(g.Metro)
		if g.PopCenterClass == ruralArea {
			g.PopCenter = ""
		}
		return nil
	})
}

// metroCode removes the province before the code of a metropolitan area. It
// leaves out the codes of the zones of influence outside, 000 and 996 to 999.
func metroCode(code string) string {
	if isDigits(code, 5) {
		code = code[2:]
	}
	if !isDigits(code, 3) || code == "000" || code >= "996" {
		return ""
	}
	return code
}

// englishHeaders returns the part of each header before the underscore, or all of it.
func englishHeaders(headers []string) map[string]string {
	english := map[string]string{}
	for _, h := range headers {
		name, _, _ := strings.Cut(h, "_")
		english[name] = h
	}
	return english
}

// A LayerArea is an area around a dissemination block.
type LayerArea struct {
	Layer store.LayerID
	GEOID string // "" if the block lies in none
	Name  string
}

// Around returns the areas of the layers that have tables, in ascending order. Layers
// with outlines have their names from there.
func (g *GeographicRow) Around() []LayerArea {
	return []LayerArea{
		{store.LayerCensusDivision, g.CD, ""},
		{store.LayerCensusSubdivision, g.CSD, ""},
		{store.LayerCensusTract, g.Tract, g.TractName},
		{store.LayerMetroArea, g.Metro, g.MetroName},
		{store.LayerEconomicRegion, g.EconomicRegion, g.EconomicRegionName},
		{store.LayerPopulationCentre, g.PopCenter, g.PopCenterName},
		{store.LayerConsolidatedSubdivision, g.CCS, g.CCSName},
		{store.LayerDesignatedPlace, g.DesignatedPlace, g.DesignatedPlaceName},
		{store.LayerFederalDistrict, g.Federal, ""},
	}
}
