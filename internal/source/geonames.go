package source

import (
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
)

// A GeoNamesRow is a row of GeoNames' postal code files
// (https://download.geonames.org/export/zip/readme.txt).
type GeoNamesRow struct {
	Country    string     `col:"country"` // "US", "CA", "PR", …
	Code       string     `col:"code"`    // ZIP, FSA, or full postal code with its space
	Place      string     `col:"place"`
	StateName  string     `col:"state name"`
	State      string     `col:"state"`       // two letters; "" for military ZIPs
	County     string     `col:"county"`      // in Canada a region or city
	CountyCode string     `col:"county code"` // three digits within the state; "" in Canada
	Location   geo.LatLng `col:"latitude;longitude"`
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
	return rowsOf(in, format.TableOptions{Delimiter: '\t', Names: geoNamesColumns}, func(r format.Row, g *GeoNamesRow) error {
		if g.Country == "" {
			return r.Errorf("country", "blank, expected two letters")
		}
		if g.Place == "" {
			return r.Errorf("place", "blank, expected the name of a place")
		}
		_, isZIP := postcode.ParseZIP(g.Code)
		_, isFSA := postcode.ParseFSA(g.Code)
		_, isPostal := postcode.ParsePostalCode(g.Code)
		if g.Country == "CA" && !isFSA && !isPostal || g.Country != "CA" && !isZIP {
			return r.Errorf("code", "%q is not a postal code of %s", g.Code, g.Country)
		}
		return nil
	})
}
