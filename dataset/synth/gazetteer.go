package synth

import (
	"context"
	"io"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// gazetteer are the files of the Census Gazetteer, pipe separated.
func (c *Country) gazetteer() []mirrorFile {
	file := func(name string, rows int, write func(*table)) mirrorFile {
		member := "2025_Gaz_" + name + "_national"
		return mirrorFile{gazetteerDir + member + ".zip", rows, zipped(member+".txt", func(_ context.Context, w io.Writer) error {
			t := newTable(w, '|')
			write(t)
			return t.flush()
		})}
	}
	return []mirrorFile{
		file("zcta", c.countZIPs(func(z *ZIP) bool { return z.HasArea }), c.gazetteerZCTAs),
		file("counties", len(c.Counties), c.gazetteerCounties),
		file("cbsa", len(c.CBSAs), c.gazetteerCBSAs),
		file("place", len(c.Places), c.gazetteerPlaces),
		file("cousubs", len(c.Subdivisions), c.gazetteerSubdivisions),
	}
}

func gazetteerRow(t *table, a Area, p geo.LatLng, first ...string) {
	t.row(slices.Concat(first, a.areaColumns(), []string{latText(p), lngText(p)})...)
}

func (c *Country) gazetteerZCTAs(t *table) {
	t.row("GEOID", "GEOIDFQ", "ALAND", "AWATER", "ALAND_SQMI", "AWATER_SQMI", "INTPTLAT", "INTPTLONG")
	for i := range c.ZIPs {
		if z := &c.ZIPs[i]; z.HasArea {
			gazetteerRow(t, z.Area, z.Point, z.Code.String(), "860Z200US"+z.Code.String())
		}
	}
}

func (c *Country) gazetteerCounties(t *table) {
	t.row("USPS", "GEOID", "GEOIDFQ", "ANSICODE", "NAME", "ALAND", "AWATER", "ALAND_SQMI", "AWATER_SQMI", "INTPTLAT", "INTPTLONG")
	for i := range c.Counties {
		k := &c.Counties[i]
		gazetteerRow(t, k.Area, k.Point, c.States[k.State].Abbr, k.FIPS, "0500000US"+k.FIPS, ansi(i), k.Name)
	}
}

// ansi returns the eight-digit feature number that an invented thing has.
func ansi(i int) string {
	s := itoa(90_000_001 + i)
	return s[len(s)-8:]
}

func (c *Country) gazetteerCBSAs(t *table) {
	t.row("CSAFP", "GEOID", "GEOIDFQ", "NAME", "CBSA_TYPE", "ALAND", "AWATER", "ALAND_SQMI", "AWATER_SQMI", "INTPTLAT", "INTPTLONG")
	for i := range c.CBSAs {
		m := &c.CBSAs[i]
		name, kind := m.Title+" Micro Area", "2"
		if m.Metropolitan {
			name, kind = m.Title+" Metro Area", "1"
		}
		gazetteerRow(t, m.Area, m.Point, m.CSA, m.Code, "310M700US"+m.Code, name, kind)
	}
}

func (c *Country) gazetteerPlaces(t *table) {
	t.row("USPS", "GEOID", "GEOIDFQ", "ANSICODE", "NAME", "LSAD", "FUNCSTAT", "ALAND", "AWATER", "ALAND_SQMI", "AWATER_SQMI", "INTPTLAT", "INTPTLONG")
	for i := range c.Places {
		p := &c.Places[i]
		gazetteerRow(t, p.Area, p.Point, c.States[p.State].Abbr, p.GEOID, "1600000US"+p.GEOID, ansi(i), p.Name, p.LSAD, functional(p.Active))
	}
}

func (c *Country) gazetteerSubdivisions(t *table) {
	t.row("USPS", "GEOID", "GEOIDFQ", "ANSICODE", "NAME", "FUNCSTAT", "ALAND", "AWATER", "ALAND_SQMI", "AWATER_SQMI", "INTPTLAT", "INTPTLONG")
	for i := range c.Subdivisions {
		s := &c.Subdivisions[i]
		gazetteerRow(t, s.Area, s.Point, c.States[c.Counties[s.County].State].Abbr, s.GEOID, "0600000US"+s.GEOID, ansi(i), s.Name, functional(s.Active))
	}
}

// functional returns the functional status: A an active government, S a
// statistical entity.
func functional(active bool) string {
	if active {
		return "A"
	}
	return "S"
}
