package source

import (
	"iter"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/source/format"
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

// CensusSubdivisions reads the boundary file of the municipalities of
// Statistics Canada at the path.
func CensusSubdivisions(path string) iter.Seq2[AreaRow, error] { return canadian(path, "CSD", 7) }

// CensusDivisions reads the boundary file of the census divisions of Statistics
// Canada at the path.
func CensusDivisions(path string) iter.Seq2[AreaRow, error] { return canadian(path, "CD", 4) }

// canadian reads areas with names in both languages. A record is refused without
// an outline or an identifier of so many digits.
func canadian(path, prefix string, n int) iter.Seq2[AreaRow, error] {
	id, name := prefix+"UID", prefix+"NAME"
	return shapefile(path, []string{id, name}, func(s format.Shape) (AreaRow, error) {
		if _, err := digits(s, id, n); err != nil {
			return AreaRow{}, err
		}
		a, err := area(s, id, name, "", "")
		a.Name = dashed(a.Name, enDash)
		return a, err
	})
}

// TimeZones reads the outlines of timezone-boundary-builder.
func TimeZones(in *format.Input) iter.Seq2[AreaRow, error] {
	g := format.NewGeoJSON(in, format.GeoJSONOptions{Required: []string{"tzid"}})
	return parsed(g.Shapes(), func(s format.Shape) (AreaRow, error) { return area(s, "tzid", "", "", "") })
}

// shapefile reads the shapes of a zipped shapefile, which needs the attributes.
func shapefile[R any](path string, need []string, parse func(format.Shape) (R, error)) iter.Seq2[R, error] {
	return opened(func() (*format.Shapefile, error) {
		return format.OpenShapefile(path, format.ShapefileOptions{Required: need})
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
