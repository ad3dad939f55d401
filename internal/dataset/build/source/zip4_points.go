package source

import (
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A ZIP4Point is the centroid of the delivery points of a ZIP+4 Code.
type ZIP4Point struct {
	ZIP      dataset.ZIP   `col:"zip"`
	Plus4    dataset.Plus4 `col:"plus4"`
	Location geo.LatLng    `col:"lat;lon"` // valid
	Line     int           // in its file, from 1
}

// ReadZIP4Points reads a CSV with the columns zip, plus4, lat and lon in
// degrees, and any others, in the order of the file. A row without a point, or
// with 0, 0, is refused.
//
// An error that matches [format.ErrValue] is about one row, and reading
// continues after it; any other error is the last pair.
func ReadZIP4Points(in *format.Input) iter.Seq2[ZIP4Point, error] {
	return rowsOf(in, format.TableOptions{Quoted: true}, func(r format.Row, p *ZIP4Point) error {
		if !p.Location.IsValid() {
			return r.Errorf("lat", "no point, expected degrees")
		}
		return nil
	})
}
