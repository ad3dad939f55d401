package synth

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// zipDatabase writes zip_code_database.csv, with the defects that the real
// one has: zero coordinates for ZIPs without a point and for one in a
// thousand others, one in a thousand far off, and ZIPs that were given up.
func (c *Country) zipDatabase(_ context.Context, w io.Writer) error {
	t := newTable(w, ',')
	t.row("zip", "type", "decommissioned", "primary_city", "acceptable_cities", "unacceptable_cities", "state", "county",
		"timezone", "area_codes", "world_region", "country", "latitude", "longitude", "irs_estimated_population")
	for i := range c.ZIPs {
		z := &c.ZIPs[i]
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
			c.States[z.State].Abbr, county, zone, codes(z.AreaCodes, ","), "NA", "US",
			strconv.FormatFloat(p.Lat(), 'f', 4, 64), strconv.FormatFloat(p.Lng(), 'f', 4, 64), "")
	}
	return t.flush()
}

// tablePoint returns the point that the table has for a ZIP, 0,0 for unknown.
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

func codes(c []uint16, separator string) string {
	var b strings.Builder
	for i, v := range c {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(strconv.Itoa(int(v)))
	}
	return b.String()
}
