package source

import (
	"iter"
	"math"
	"strconv"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// An FSALandRow is the land area of a forward sortation area.
type FSALandRow struct {
	FSA    dataset.FSA
	Land   int64 // square meters
	Area   AreaRow
	Record int
}

// FSALand reads land areas and outlines from the boundary file of the forward
// sortation areas at the path. A record is refused without an FSA or an
// outline, and with a malformed land area (square kilometers).
func FSALand(path string) iter.Seq2[FSALandRow, error] {
	return shapefile(path, []string{"CFSAUID", "LANDAREA"}, fsaLandRow)
}

func fsaLandRow(s format.Shape) (FSALandRow, error) {
	a, err := area(s, "CFSAUID", "", "", "")
	r := FSALandRow{Area: a, Record: s.Record()}
	if err != nil {
		return r, err
	}
	var ok bool
	if r.FSA, ok = dataset.ParseFSA(a.ID); !ok {
		return r, s.Errorf("CFSAUID", "%q is not a forward sortation area", a.ID)
	}
	km2, err := strconv.ParseFloat(s.Get("LANDAREA"), 64)
	if err != nil || !(km2 >= 0 && km2 < 1e8) {
		return r, s.Errorf("LANDAREA", "%q is not an area in square kilometers", s.Get("LANDAREA"))
	}
	r.Land = int64(math.Round(km2 * 1e6))
	return r, nil
}
