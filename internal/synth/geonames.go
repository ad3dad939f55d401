package synth

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// geoNamesTerritories are the territories that GeoNames publishes in separate
// files.
var geoNamesTerritories = []string{"AS", "GU", "MP", "PR", "VI"}

// zipTables are the lists of codes: GeoNames' files, and the file of a private
// publisher that has classes, aliases and area codes.
func (c *Country) zipTables() []mirrorFile {
	files := []mirrorFile{
		tabs.file(geoNamesDir+"US.zip", "US.txt", func(t *table) {
			c.geoNames(t, "US", func(z *ZIP) bool { return !slices.Contains(geoNamesTerritories, c.States[z.State].Abbr) })
		}),
		tabs.file(geoNamesDir+"CA.zip", "CA.txt", c.geoNamesCA),
		tabs.file(geoNamesDir+"CA_full.csv.zip", "CA_full.txt", func(t *table) {
			for _, p := range all(c.PostalCodes) {
				if !p.Register {
					t.row(c.geoNamesRow("CA", p.Code.String(), p.City, c.FSAs[p.FSA].State, p.Point, "6")...)
				}
			}
		}),
	}
	for _, abbr := range geoNamesTerritories {
		in := func(z *ZIP) bool { return c.States[z.State].Abbr == abbr }
		if slices.ContainsFunc(c.ZIPs, func(z ZIP) bool { return in(&z) && !z.Decommissioned }) {
			files = append(files, tabs.file(geoNamesDir+abbr+".zip", abbr+".txt", func(t *table) { c.geoNames(t, abbr, in) }))
		}
	}
	return append(files, csv.file("www.unitedstateszipcodes.org/zip_code_database.csv", "", c.zipDatabase))
}

// geoNamesRow returns the twelve columns of GeoNames, without a county.
func (c *Country) geoNamesRow(country, code, city string, state int, p geo.LatLng, accuracy string) []string {
	s := &c.States[state]
	name := s.Name
	switch s.Abbr {
	case "NT":
		name = "Northwest Territory"
	case "NU":
		name = "Nunavut Territory"
	}
	lat, lng := latLng(p)
	return []string{country, code, city, name, s.Abbr, "", "", "", "", lat, lng, accuracy}
}

// geoNames writes ZIPs with the quirks of the real file. Military ZIPs have a
// place "APO AE" and no state, one row is repeated, and planning regions are
// called regions.
func (c *Country) geoNames(t *table, country string, in func(*ZIP) bool) {
	military := 0
	for _, z := range all(c.ZIPs) {
		if z.Decommissioned || !in(z) {
			continue
		}
		row := c.geoNamesRow(country, z.Code.String(), z.City, z.State, z.Point, "")
		if z.County != None {
			county := &c.Counties[z.County]
			row[5], row[6] = strings.Replace(county.Name, " Planning Region", " Region", 1), county.FIPS[2:]
			if row[5] == county.Name {
				row[5] = county.Base
			}
		}
		if z.Class == store.Military {
			military++
			row[2], row[3], row[4] = z.City+" "+c.States[z.State].Abbr, "", ""
			if !z.Point.IsValid() {
				row[9], row[10] = "0", "0"
			}
		}
		t.row(row...)
		if z.Class == store.Military && military == 2 {
			t.line(row...)
		}
	}
}

func (c *Country) geoNamesCA(t *table) {
	for i, f := range all(c.FSAs) {
		p := f.Point
		// As in the real file, one northern point lies far outside its area.
		if c.strayNorth(f) {
			p = vertex{vertexAt(p).X, 79_620_000}.latLng()
		}
		t.row(c.geoNamesRow("CA", f.Code.String(), f.City, f.State, p, "6")...)
		if i == len(c.FSAs)/2 {
			t.line(c.geoNamesRow("CA", f.Code.String(), f.City+" (annex)", f.State, p, "1")...)
		}
	}
}

// strayNorth reports whether GeoNames has a wrong point for the FSA.
func (c *Country) strayNorth(f *FSA) bool { return f.Code.String() == "X0A" && f.HasArea }

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
		t.row(z.Code.String(), databaseTypes[z.Class], gone, z.City, cities(z.Aliases, true), cities(z.Aliases, false),
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

var databaseTypes = map[store.Class]string{store.General: "STANDARD", store.POBox: "PO BOX", store.Unique: "UNIQUE", store.Military: "MILITARY"}

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
