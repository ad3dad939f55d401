package source

import (
	"iter"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// An AreaRow is an outline with the attributes that identify it.
type AreaRow struct {
	ID      string // GEOID, FSA or time zone
	Name    string // without legal description; "" if the file has none
	Full    string // with legal description; "" if the file has none
	LSAD    string // legal/statistical area description; "" in Canada
	Land    *int64 // published square meters of land; nil if unknown
	Water   *int64 // published square meters of water; nil if unknown
	Closed  int    // rings that the file leaves open and the reader closed
	Polygon orb.MultiPolygon
	Record  int
}

// CensusAreas reads a cartographic boundary file of the U.S. Census Bureau at
// the path: states, counties, county subdivisions or places.
func CensusAreas(path string) iter.Seq2[AreaRow, error] {
	return shapefile(path, []string{"GEOID", "NAME"}, func(s format.Shape) (AreaRow, error) {
		a, err := area(s, "GEOID", "NAME", "NAMELSAD", "LSAD")
		return measured(s, a, err, "ALAND", "AWATER")
	})
}

// ZCTAs reads the cartographic boundary file of the ZIP Code Tabulation Areas
// of 2020 at the path. A record is refused without five digits or an outline,
// and with a malformed land or water area.
func ZCTAs(path string) iter.Seq2[AreaRow, error] {
	return shapefile(path, []string{"GEOID20", "ALAND20", "AWATER20"}, func(s format.Shape) (AreaRow, error) {
		if _, err := digits(s, "GEOID20", 5); err != nil {
			return AreaRow{}, err
		}
		a, err := area(s, "GEOID20", "NAME20", "", "LSAD20")
		return measured(s, a, err, "ALAND20", "AWATER20")
	})
}

func measured(s format.Shape, a AreaRow, err error, land, water string) (AreaRow, error) {
	if err == nil {
		a.Land, err = optionalCount(s, land)
	}
	if err == nil {
		a.Water, err = optionalCount(s, water)
	}
	return a, err
}

// CensusSubdivisions reads the boundary file of the municipalities of
// Statistics Canada at the path.
func CensusSubdivisions(path string) iter.Seq2[AreaRow, error] {
	return shapefile(path, []string{"CSDUID", "CSDNAME"}, func(s format.Shape) (AreaRow, error) {
		a, err := area(s, "CSDUID", "CSDNAME", "", "")
		a.Name = dashed(a.Name, enDash)
		return a, err
	})
}

// A DivisionRow is the outline of a census division.
type DivisionRow struct {
	AreaRow
	Province string // PRUID, two digits
}

// CensusDivisions reads the boundary file of the census divisions of
// Statistics Canada at the path. A record is refused when its identifier or its
// province's is not four or two digits, or it has no outline.
func CensusDivisions(path string) iter.Seq2[DivisionRow, error] {
	return shapefile(path, []string{"CDUID", "CDNAME", "PRUID"}, divisionRow)
}

func divisionRow(s format.Shape) (r DivisionRow, err error) {
	if _, err = digits(s, "CDUID", 4); err != nil {
		return r, err
	}
	if r.Province, err = digits(s, "PRUID", 2); err != nil {
		return r, err
	}
	r.AreaRow, err = area(s, "CDUID", "CDNAME", "", "")
	r.Name = dashed(r.Name, enDash)
	return r, err
}

// TimeZones reads the outlines of timezone-boundary-builder.
func TimeZones(in *format.Input) iter.Seq2[AreaRow, error] {
	g := format.NewGeoJSON(in, format.GeoJSONOptions{Required: []string{"tzid"}, CloseRings: true})
	return parsed(g.Shapes(), func(s format.Shape) (AreaRow, error) { return area(s, "tzid", "", "", "") })
}

// shapefile reads the shapes of a zipped shapefile, which needs the attributes.
func shapefile[R any](path string, need []string, parse func(format.Shape) (R, error)) iter.Seq2[R, error] {
	return opened(func() (*format.Shapefile, error) {
		return format.OpenShapefile(path, format.ShapefileOptions{Required: need, CloseRings: true})
	}, (*format.Shapefile).Shapes, parse)
}

// area refuses a shape without identifier or without outline.
func area(s format.Shape, id, name, full, lsad string) (AreaRow, error) {
	a, err := named(s, id, name, full, lsad)
	if err == nil && len(a.Polygon) == 0 {
		err = s.Errorf(id, "%s has no outline", a.ID)
	}
	return a, err
}

// named refuses a shape without identifier.
func named(s format.Shape, id, name, full, lsad string) (AreaRow, error) {
	a := AreaRow{ID: s.Get(id), Name: s.Get(name), Full: s.Get(full), LSAD: s.Get(lsad), Polygon: s.Polygon, Closed: s.Closed, Record: s.Record()}
	if a.ID == "" {
		return a, s.Errorf(id, "blank, expected an identifier")
	}
	return a, nil
}
