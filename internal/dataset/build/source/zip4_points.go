package source

import (
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A ZIP4Point is the centroid of the delivery points of a ZIP+4 Code.
type ZIP4Point struct {
	ZIP      dataset.ZIP
	Plus4    dataset.Plus4
	Location geo.LatLng // valid
	Line     int        // in its file, from 1
}

// ReadZIP4Points reads a CSV with the columns zip, plus4, lat and lon in
// degrees, and any others, in the order of the file. A row without a point, or
// with 0, 0, is refused.
//
// An error that matches [format.ErrValue] is about one row, and reading
// continues after it; any other error is the last pair.
func ReadZIP4Points(in *format.Input) iter.Seq2[ZIP4Point, error] {
	return table(in, format.TableOptions{Quoted: true, Columns: format.Columns("zip", "plus4", "lat", "lon")}, zip4Point)
}

func zip4Point(r format.Row) (ZIP4Point, error) {
	p := ZIP4Point{Line: r.Line()}
	var ok bool
	if p.ZIP, ok = dataset.ParseZIP(r.Get("zip")); !ok {
		return p, r.Errorf("zip", "%q, expected five digits", r.Get("zip"))
	}
	if p.Plus4, ok = dataset.ParsePlus4(r.Get("plus4")); !ok {
		return p, r.Errorf("plus4", "%q, expected four digits", r.Get("plus4"))
	}
	var err error
	if p.Location, err = point(r, "lat", "lon"); err != nil {
		return p, err
	}
	if !p.Location.IsValid() {
		return p, r.Errorf("lat", "no point, expected degrees")
	}
	return p, nil
}
