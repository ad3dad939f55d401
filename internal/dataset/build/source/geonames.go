package source

import (
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A GeoNamesRow is a row of GeoNames' postal code files
// (https://download.geonames.org/export/zip/readme.txt).
type GeoNamesRow struct {
	Country    string // "US", "CA", "PR", …
	Code       string // ZIP, FSA, or full postal code with its space
	Place      string
	StateName  string
	State      string // two letters; "" for military ZIPs
	County     string // in Canada a region or city
	CountyCode string // three digits within the state; "" in Canada
	Location   geo.LatLng
	Line       int
}

var geoNamesColumns = []string{
	"country", "code", "place", "state name", "state", "county", "county code",
	"admin3 name", "admin3 code", "latitude", "longitude", "accuracy",
}

// GeoNames reads a postal code file of GeoNames. A row is refused without
// country or place, with a malformed point, and with a code that is not a ZIP,
// FSA or postal code.
func GeoNames(in *format.Input) iter.Seq2[GeoNamesRow, error] {
	return table(in, format.TableOptions{Delimiter: '\t', Names: geoNamesColumns}, geoNamesRow)
}

func geoNamesRow(r format.Row) (GeoNamesRow, error) {
	g := GeoNamesRow{
		Country:    r.Get("country"),
		Code:       r.Get("code"),
		Place:      r.Get("place"),
		StateName:  r.Get("state name"),
		State:      r.Get("state"),
		County:     r.Get("county"),
		CountyCode: r.Get("county code"),
		Line:       r.Line(),
	}
	if g.Country == "" {
		return g, r.Errorf("country", "blank, expected two letters")
	}
	if g.Place == "" {
		return g, r.Errorf("place", "blank, expected the name of a place")
	}
	_, isZIP := dataset.ParseZIP(g.Code)
	_, isFSA := dataset.ParseFSA(g.Code)
	_, isPostal := dataset.ParsePostalCode(g.Code)
	if g.Country == "CA" && !isFSA && !isPostal || g.Country != "CA" && !isZIP {
		return g, r.Errorf("code", "%q is not a postal code of %s", g.Code, g.Country)
	}
	var err error
	g.Location, err = point(r, "latitude", "longitude")
	return g, err
}
