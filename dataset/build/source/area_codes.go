package source

import (
	"iter"
	"strconv"

	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/geo"
)

// An AreaCodeRow says that a telephone area code serves a city.
type AreaCodeRow struct {
	AreaCode uint16
	City     string
	Province string // name, e.g. "British Columbia", "Québec"
	Location geo.LatLng
	Line     int
}

// AreaCodes reads Canadian area codes by city, a file without header. A row
// is refused when its code has no shape of an area code (2 to 9, then two
// digits), when its point is malformed, or when it is of another country.
func AreaCodes(in *format.Input) iter.Seq2[AreaCodeRow, error] {
	o := format.TableOptions{Quoted: true, Names: []string{"area code", "city", "province", "country", "latitude", "longitude"}}
	return table(in, o, func(r format.Row) (AreaCodeRow, error) {
		a := AreaCodeRow{City: r.Get("city"), Province: r.Get("province"), Line: r.Line()}
		n, err := strconv.Atoi(r.Get("area code"))
		if err != nil || n < 200 || n > 999 {
			return a, r.Errorf("area code", "%q is not an area code, 200 to 999", r.Get("area code"))
		}
		a.AreaCode = uint16(n)
		if c := r.Get("country"); c != "CA" {
			return a, r.Errorf("country", "%q, expected CA", c)
		}
		a.Location, err = point(r, "latitude", "longitude")
		return a, err
	})
}
