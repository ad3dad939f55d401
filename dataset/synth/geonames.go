package synth

import (
	"context"
	"io"
	"strings"

	"github.com/postgeo/postgeo/dataset"
)

// geoNamesTerritories are the territories that GeoNames publishes apart from
// US.zip.
var geoNamesTerritories = []string{"AS", "GU", "MP", "PR", "VI"}

// zipTables are the lists of codes: GeoNames' files, and the file of a private
// publisher that has classes, aliases and area codes.
func (c *Country) zipTables() []mirrorFile {
	files := []mirrorFile{
		{geoNamesDir + "US.zip", c.countZIPs(c.inGeoNamesUS), zipped("US.txt", c.geoNamesUS)},
		{geoNamesDir + "CA.zip", len(c.FSAs), zipped("CA.txt", c.geoNamesCA)},
		{geoNamesDir + "CA_full.csv.zip", c.countPostal(false), zipped("CA_full.txt", c.geoNamesCAFull)},
	}
	for _, t := range geoNamesTerritories {
		in := func(z *ZIP) bool { return c.States[z.State].Abbr == t && !z.Decommissioned }
		if n := c.countZIPs(in); n > 0 {
			files = append(files, mirrorFile{geoNamesDir + t + ".zip", n, zipped(t+".txt", func(_ context.Context, w io.Writer) error {
				return c.geoNames(w, t, in)
			})})
		}
	}
	return append(files, mirrorFile{"www.unitedstateszipcodes.org/zip_code_database.csv", len(c.ZIPs), c.zipDatabase})
}

func (c *Country) countZIPs(in func(*ZIP) bool) (n int) {
	for i := range c.ZIPs {
		if in(&c.ZIPs[i]) {
			n++
		}
	}
	return n
}

func (c *Country) inGeoNamesUS(z *ZIP) bool {
	for _, t := range geoNamesTerritories {
		if c.States[z.State].Abbr == t {
			return false
		}
	}
	return !z.Decommissioned
}

func (c *Country) geoNamesUS(_ context.Context, w io.Writer) error {
	return c.geoNames(w, "US", c.inGeoNamesUS)
}

// geoNames writes ZIPs in the twelve columns of GeoNames. As in the real file
// military ZIPs have a place "APO AE" and no state, a row stands twice, and
// Connecticut's planning regions are called regions.
func (c *Country) geoNames(w io.Writer, country string, in func(*ZIP) bool) error {
	t := newTable(w, '\t')
	military := 0
	for i := range c.ZIPs {
		z := &c.ZIPs[i]
		if !in(z) {
			continue
		}
		s := c.States[z.State]
		row := []string{country, z.Code.String(), z.City, s.Name, s.Abbr, "", "", "", "", latText(z.Point), lngText(z.Point), ""}
		if z.County != None {
			county := &c.Counties[z.County]
			row[5], row[6] = strings.Replace(county.Name, " Planning Region", " Region", 1), county.FIPS[2:]
			if row[5] == county.Name {
				row[5] = county.Base
			}
		}
		if z.Class == dataset.Military {
			military++
			row[2], row[3], row[4] = z.City+" "+s.Abbr, "", ""
			if !z.Point.IsValid() {
				row[9], row[10] = "0", "0"
			}
		}
		t.row(row...)
		if z.Class == dataset.Military && military == 2 {
			t.row(row...)
		}
	}
	return t.flush()
}

func (c *Country) geoNamesCA(_ context.Context, w io.Writer) error {
	t := newTable(w, '\t')
	for i := range c.FSAs {
		f := &c.FSAs[i]
		s := c.States[f.State]
		p := f.Point
		// As in the real file, one northern point lies far outside its area.
		if c.strayNorth(f) {
			p = vertex{vertexAt(p).X, 79_620_000}.latLng()
		}
		t.row("CA", f.Code.String(), f.City, geoNamesProvince(s), s.Abbr, "", "", "", "", latText(p), lngText(p), "6")
		if i == len(c.FSAs)/2 {
			t.row("CA", f.Code.String(), f.City+" (annex)", geoNamesProvince(s), s.Abbr, "", "", "", "", latText(p), lngText(p), "1")
		}
	}
	return t.flush()
}

// strayNorth reports whether GeoNames has a wrong point for the FSA.
func (c *Country) strayNorth(f *FSA) bool { return f.Code.String() == "X0A" && f.HasArea }

// geoNamesProvince returns the name that GeoNames has for a province.
func geoNamesProvince(s State) string {
	switch s.Abbr {
	case "NT":
		return "Northwest Territory"
	case "NU":
		return "Nunavut Territory"
	default:
		return s.Name
	}
}

func (c *Country) countPostal(register bool) (n int) {
	for i := range c.PostalCodes {
		if c.PostalCodes[i].Register == register {
			n++
		}
	}
	return n
}

func (c *Country) geoNamesCAFull(_ context.Context, w io.Writer) error {
	t := newTable(w, '\t')
	for i := range c.PostalCodes {
		p := &c.PostalCodes[i]
		if p.Register {
			continue
		}
		s := c.States[c.FSAs[p.FSA].State]
		t.row("CA", p.Code.String(), p.City, geoNamesProvince(s), s.Abbr, "", "", "", "", latText(p.Point), lngText(p.Point), "6")
	}
	return t.flush()
}
