package source

import (
	"iter"
	"math"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A SubdivisionRow is a census subdivision of Canada, a municipality as a
// rule, in the census of 2021.
type SubdivisionRow struct {
	CSD        string // seven digits
	Name       string // bilingual names divided by " / "; "" if the file has none
	Type       string // e.g. "T" town, "RM" rural municipality; "" if the file has none
	Province   string // two letters; "" if the file has none
	Population *int32 // residents; nil if not published
	Metro      string // three digits of the census metropolitan area or agglomeration; "" outside
	Line       int
}

// Subdivisions reads the attributes of census subdivisions of 2021. The code
// of a metropolitan area may have its province's two digits in front.
func Subdivisions(in *format.Input) iter.Seq2[SubdivisionRow, error] {
	columns := format.Columns("CSDUID", "CMAUID")
	for _, name := range []string{"CSDNAME", "CSDTYPE", "PR", "POP2021"} {
		columns = append(columns, format.Column{Name: name, Optional: true})
	}
	return table(in, format.TableOptions{Quoted: true, Columns: columns}, subdivision)
}

func subdivision(r format.Row) (SubdivisionRow, error) {
	s := SubdivisionRow{Name: dashed(strings.Clone(r.Get("CSDNAME")), enDash), Type: strings.Clone(r.Get("CSDTYPE")), Province: strings.Clone(r.Get("PR")), Line: r.Line()}
	csd, err := digits(r, "CSDUID", 7)
	if err != nil {
		return s, err
	}
	s.CSD = strings.Clone(csd)
	n, err := optionalCount(r, "POP2021")
	if err != nil {
		return s, err
	}
	if n != nil {
		if *n > math.MaxInt32 {
			return s, r.Errorf("POP2021", "%d residents, expected at most %d", *n, math.MaxInt32)
		}
		v := int32(*n)
		s.Population = &v
	}
	metro := r.Get("CMAUID")
	switch {
	case metro == "":
	case isDigits(metro, 3):
		s.Metro = strings.Clone(metro)
	case isDigits(metro, 5):
		s.Metro = strings.Clone(metro[2:])
	default:
		return s, r.Errorf("CMAUID", "%q is not three digits, with or without those of a province", metro)
	}
	return s, nil
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
func MetroAreas(in *format.Input) iter.Seq2[MetroAreaRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("type", "code", "name")}
	return table(in, o, func(r format.Row) (MetroAreaRow, error) {
		m := MetroAreaRow{Line: r.Line()}
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
	CD     string // four digits
	Region string // four digits
	Name   string
	French string // "" if the name is the same
	Line   int
}

// EconomicRegions reads the economic regions of census divisions.
func EconomicRegions(in *format.Input) iter.Seq2[EconomicRegionRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("cduid", "eruid", "ername")}
	return table(in, o, func(r format.Row) (EconomicRegionRow, error) {
		e := EconomicRegionRow{Line: r.Line()}
		cd, err := digits(r, "cduid", 4)
		if err != nil {
			return e, err
		}
		region, err := digits(r, "eruid", 4)
		e.CD, e.Region = strings.Clone(cd), strings.Clone(region)
		e.Name, e.French = languages(dashed(strings.Clone(r.Get("ername")), enDash))
		return e, err
	})
}

// An EconomicRegionPart is the part of a census division that lies in one of
// several economic regions.
type EconomicRegionPart struct {
	EconomicRegionRow
	Area AreaRow
}

// EconomicRegionParts reads outlines of the parts of census divisions that
// economic regions share.
func EconomicRegionParts(in *format.Input) iter.Seq2[EconomicRegionPart, error] {
	g := format.NewGeoJSON(in, format.GeoJSONOptions{Required: []string{"cduid", "eruid", "ername"}, CloseRings: true})
	return parsed(g.Shapes(), func(s format.Shape) (EconomicRegionPart, error) {
		a, err := area(s, "eruid", "ername", "", "")
		p := EconomicRegionPart{Area: a}
		if err != nil {
			return p, err
		}
		if p.CD, err = digits(s, "cduid", 4); err != nil {
			return p, err
		}
		p.Region, err = digits(s, "eruid", 4)
		p.Name, p.French = languages(dashed(a.Name, enDash))
		return p, err
	})
}

// A GeographicRow is a dissemination block with the areas around it, from the
// Geographic Attribute File (92-151-X).
type GeographicRow struct {
	Block          string // eleven digits
	Area           string // dissemination area, eight digits
	CD, CSD, CCS   string
	Federal        string
	EconomicRegion string
	Metro          string // three digits; "" outside
	Tract          string // "5050300.01"; "" outside tracted areas
	PopCenter      string // "" outside
	DesignatedPlace, DesignatedPlaceName,
	PopCenterName, CCSName, TractName, MetroName, MetroKind, EconomicRegionName string
	Line int
}

// GeographicAttributes reads the Geographic Attribute File of 2021. Its headers
// are bilingual, such as DBUID_IDIDU; the English part counts. A row is refused
// when the code of its block or dissemination area is malformed.
func GeographicAttributes(in *format.Input) iter.Seq2[GeographicRow, error] {
	var g GeographicRow
	fields := []struct {
		column string
		to     *string
	}{
		{"CDUID", &g.CD},
		{"CSDUID", &g.CSD},
		{"CCSUID", &g.CCS},
		{"CCSNAME", &g.CCSName},
		{"FEDUID", &g.Federal},
		{"ERUID", &g.EconomicRegion},
		{"ERNAME", &g.EconomicRegionName},
		{"CMAUID", &g.Metro},
		{"CMANAME", &g.MetroName},
		{"CMATYPE", &g.MetroKind},
		{"CTUID", &g.Tract},
		{"CTNAME", &g.TractName},
		{"POPCTRRAUID", &g.PopCenter},
		{"POPCTRRANAME", &g.PopCenterName},
		{"DPLUID", &g.DesignatedPlace},
		{"DPLNAME", &g.DesignatedPlaceName},
	}
	const ruralArea = "1" // class of areas outside every population center
	columns := format.Columns("DBUID", "DAUID", "CSDUID")
	for i := range columns {
		columns[i].Match = englishHeader(columns[i].Name)
	}
	for _, f := range fields {
		if f.column != "CSDUID" {
			columns = append(columns, format.Column{Name: f.column, Optional: true, Match: englishHeader(f.column)})
		}
	}
	columns = append(columns, format.Column{Name: "POPCTRRACLASS", Optional: true, Match: englishHeader("POPCTRRACLASS")})
	return table(in, format.TableOptions{Quoted: true, Columns: columns}, func(r format.Row) (GeographicRow, error) {
		g = GeographicRow{Line: r.Line()}
		block, err := digits(r, "DBUID", 11)
		if err != nil {
			return g, err
		}
		area, err := digits(r, "DAUID", 8)
		if err != nil {
			return g, err
		}
		g.Block, g.Area = strings.Clone(block), strings.Clone(area)
		for _, f := range fields {
			*f.to = dashed(strings.Clone(r.Get(f.column)), enDash)
		}
		g.Metro = metroCode(g.Metro)
		if r.Get("POPCTRRACLASS") == ruralArea {
			g.PopCenter = ""
		}
		return g, nil
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

// englishHeader matches a header whose part before the underscore is the name,
// and one without a French part.
func englishHeader(name string) func(string) bool {
	return func(header string) bool {
		english, _, _ := strings.Cut(strings.TrimSpace(header), "_")
		return english == name
	}
}

// A LayerArea is an area around a dissemination block.
type LayerArea struct {
	Layer dataset.LayerID
	GEOID string // "" if the block lies in none
	Name  string
}

// Around returns the areas of the layers that have tables, in ascending order.
func (g *GeographicRow) Around() []LayerArea {
	return []LayerArea{
		{dataset.LayerCensusDivision, g.CD, ""},
		{dataset.LayerCensusSubdivision, g.CSD, ""},
		{dataset.LayerCensusTract, g.Tract, g.TractName},
		{dataset.LayerMetroArea, g.Metro, g.MetroName},
		{dataset.LayerEconomicRegion, g.EconomicRegion, g.EconomicRegionName},
		{dataset.LayerPopulationCentre, g.PopCenter, g.PopCenterName},
		{dataset.LayerConsolidatedSubdivision, g.CCS, g.CCSName},
		{dataset.LayerDesignatedPlace, g.DesignatedPlace, g.DesignatedPlaceName},
		{dataset.LayerFederalDistrict, g.Federal, ""},
	}
}
