package synth

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
)

// gazetteer are the files of the Census Gazetteer.
func (c *Country) gazetteer() []mirrorFile {
	file := func(name, columns string, add func(row func(a Area, p geo.LatLng, first ...string))) mirrorFile {
		member := "2025_Gaz_" + name + "_national"
		return pipes.file(gazetteerDir+member+".zip", member+".txt", func(t *table) {
			t.line(strings.Split(columns+" ALAND AWATER ALAND_SQMI AWATER_SQMI INTPTLAT INTPTLONG", " ")...)
			add(func(a Area, p geo.LatLng, first ...string) {
				lat, lng := latLng(p)
				t.row(slices.Concat(first, a.squareMeters(), a.squareMiles(), []string{lat, lng})...)
			})
		})
	}
	return []mirrorFile{
		file("zcta", "GEOID GEOIDFQ", func(row func(Area, geo.LatLng, ...string)) {
			for _, z := range all(c.ZIPs) {
				if z.HasArea {
					row(z.Area, z.Point, z.Code.String(), "860Z200US"+z.Code.String())
				}
			}
		}),
		file("counties", "USPS GEOID GEOIDFQ ANSICODE NAME", func(row func(Area, geo.LatLng, ...string)) {
			for i, k := range all(c.Counties) {
				row(k.Area, k.Point, c.States[k.State].Abbr, k.FIPS, "0500000US"+k.FIPS, ansi(i), k.Name)
			}
		}),
		file("cbsa", "CSAFP GEOID GEOIDFQ NAME CBSA_TYPE", func(row func(Area, geo.LatLng, ...string)) {
			for _, m := range all(c.CBSAs) {
				name, kind := m.Title+" Micro Area", "2"
				if m.Metropolitan {
					name, kind = m.Title+" Metro Area", "1"
				}
				row(m.Area, m.Point, m.CSA, m.Code, "310M700US"+m.Code, name, kind)
			}
		}),
		file("place", "USPS GEOID GEOIDFQ ANSICODE NAME LSAD FUNCSTAT", func(row func(Area, geo.LatLng, ...string)) {
			for i, p := range all(c.Places) {
				row(p.Area, p.Point, c.States[p.State].Abbr, p.GEOID, "1600000US"+p.GEOID, ansi(i), p.Name, p.LSAD, functional(p.Active))
			}
		}),
		file("cousubs", "USPS GEOID GEOIDFQ ANSICODE NAME FUNCSTAT", func(row func(Area, geo.LatLng, ...string)) {
			for i, s := range all(c.Subdivisions) {
				row(s.Area, s.Point, c.States[c.Counties[s.County].State].Abbr, s.GEOID, "0600000US"+s.GEOID, ansi(i), s.Name, functional(s.Active))
			}
		}),
	}
}

// ansi returns an invented eight-digit feature number.
func ansi(i int) string {
	s := itoa(90_000_001 + i)
	return s[len(s)-8:]
}

// functional returns the functional status: A for an active government, S for
// a statistical entity.
func functional(active bool) string {
	if active {
		return "A"
	}
	return "S"
}
