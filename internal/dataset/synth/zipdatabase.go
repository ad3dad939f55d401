package synth

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
)

// zipDatabase writes zip_code_database.csv with the defects of the real file.
// ZIPs without a point and one in a thousand others have zero coordinates, and
// one in a thousand lies far off. Decommissioned ZIPs are listed.
func (c *Country) zipDatabase(t *table) {
	t.line("zip", "type", "decommissioned", "primary_city", "acceptable_cities", "unacceptable_cities", "state", "county",
		"timezone", "area_codes", "world_region", "country", "latitude", "longitude", "irs_estimated_population")
	for _, z := range all(c.ZIPs) {
		gone := "0"
		if z.Decommissioned {
			gone = "1"
		}
		county, zone := "", ""
		if z.County != None {
			county = c.Counties[z.County].Name
		}
		if z.Zone != None {
			zone = c.Zones[z.Zone]
		}
		p := c.tablePoint(z)
		t.row(z.Code.String(), databaseType(z.Class), gone, z.City, cities(z.Aliases, true), cities(z.Aliases, false),
			c.States[z.State].Abbr, county, zone, areaCodeList(z.AreaCodes), "NA", "US",
			strconv.FormatFloat(p.Lat(), 'f', 4, 64), strconv.FormatFloat(p.Lng(), 'f', 4, 64), "")
	}
}

// tablePoint returns the table's point of a ZIP, or 0,0 if it is unknown.
func (c *Country) tablePoint(z *ZIP) geo.LatLng {
	zero := geo.MustLatLng(0, 0)
	switch {
	case !z.Point.IsValid():
		return zero
	case c.Label != "invented" || !z.HasArea:
		return z.Point
	}
	switch z.Code % 1000 {
	case 7:
		return zero
	case 13:
		return geo.MustLatLng(-z.Point.Lat(), z.Point.Lng())
	}
	return z.Point
}

func databaseType(c dataset.Class) string {
	switch c {
	case dataset.POBox:
		return "PO BOX"
	case dataset.Unique:
		return "UNIQUE"
	case dataset.Military:
		return "MILITARY"
	default:
		return "STANDARD"
	}
}

func cities(aliases []Alias, acceptable bool) string {
	var names []string
	for _, a := range aliases {
		if a.Acceptable == acceptable {
			names = append(names, a.City)
		}
	}
	return strings.Join(names, ", ")
}

func areaCodeList(codes []uint16) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(codes), "[]"), " ", ",")
}
