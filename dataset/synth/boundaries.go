package synth

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/postgeo/postgeo/dataset/tzif"
)

// boundaries are the outlines: of the Census, of timezone-boundary-builder
// with the clock rules of the zones, and of Statistics Canada.
func (c *Country) boundaries() []mirrorFile {
	file := func(path, base string, rows int, build func() *shapefile) mirrorFile {
		return mirrorFile{path + base + ".zip", rows, func(_ context.Context, w io.Writer) error {
			return build().write(w, base)
		}}
	}
	states, fsas := 0, 0
	for _, s := range c.States {
		if s.FIPS != "" && s.Area.Total() > 0 {
			states++
		}
	}
	for _, f := range c.FSAs {
		if f.HasArea {
			fsas++
		}
	}
	return []mirrorFile{
		file(tigerDir+"GENZ2020/shp/", "cb_2020_us_zcta520_500k", c.countZIPs(func(z *ZIP) bool { return z.HasArea }), c.zctaShapes),
		file(shp2024, "cb_2024_us_state_500k", states, c.stateShapes),
		file(shp2024, "cb_2024_us_county_500k", len(c.Counties), c.countyShapes),
		file(shp2024, "cb_2024_us_cousub_500k", len(c.Subdivisions), c.subdivisionShapes),
		file(shp2024, "cb_2024_us_place_500k", len(c.Places), c.placeShapes),
		{
			"github.com/evansiroky/timezone-boundary-builder/releases/download/2025b/timezones.geojson.zip", len(c.Zones),
			zipped("combined.json", c.timeZones),
		},
		{
			"github.com/python/tzdata/archive/refs/tags/2026.6.tar.gz", len(tzif.Names()),
			gzipped(func(_ context.Context, w io.Writer) error { return tzif.WriteArchive(w, c.Label) }),
		},
		file(statCanDir, "lfsa000b21a_e", fsas, c.fsaShapes),
		file(statCanDir, "lcd_000b21a_e", len(c.CensusDivisions), c.divisionShapes),
		file(statCanDir, "lcsd000b21a_e", len(c.Municipalities), c.municipalityShapes),
	}
}

// each joins the cells of every owner that has some.
func (c *Country) each(n int, owner func(*Cell) int32, visit func(i int, p []polygon)) {
	for i, cells := range group(c.Cells, n, owner) {
		if len(cells) > 0 {
			visit(i, c.mesh.outline(cells))
		}
	}
}

func (c *Country) zctaShapes() *shapefile {
	s := newShapefile([]field{
		text("ZCTA5CE20", 5), text("AFFGEOID20", 14), text("GEOID20", 5), text("NAME20", 5), text("LSAD20", 2),
		number("ALAND20", 14), number("AWATER20", 14),
	})
	c.each(len(c.ZIPs), func(k *Cell) int32 { return k.ZIP }, func(i int, p []polygon) {
		z := &c.ZIPs[i]
		id := z.Code.String()
		s.add(p, id, "860Z200US"+id, id, id, "Z5", itoa(z.Area.Land), itoa(z.Area.Water))
	})
	return s
}

func (c *Country) stateShapes() *shapefile {
	s := newShapefile([]field{
		text("STATEFP", 2), text("STATENS", 8), text("GEOIDFQ", 11), text("GEOID", 2), text("STUSPS", 2), text("NAME", 100),
		text("LSAD", 2), number("ALAND", 14), number("AWATER", 14),
	})
	c.each(len(c.States), func(k *Cell) int32 { return k.State }, func(i int, p []polygon) {
		if t := &c.States[i]; t.FIPS != "" {
			s.add(p, t.FIPS, ansi(i), "0400000US"+t.FIPS, t.FIPS, t.Abbr, t.Name, "00", itoa(t.Area.Land), itoa(t.Area.Water))
		}
	})
	return s
}

func (c *Country) countyShapes() *shapefile {
	s := newShapefile([]field{
		text("STATEFP", 2), text("COUNTYFP", 3), text("COUNTYNS", 8), text("GEOIDFQ", 14), text("GEOID", 5), text("NAME", 100),
		text("NAMELSAD", 100), text("STUSPS", 2), text("STATE_NAME", 100), text("LSAD", 2), number("ALAND", 14), number("AWATER", 14),
	})
	c.each(len(c.Counties), func(k *Cell) int32 { return k.County }, func(i int, p []polygon) {
		k := &c.Counties[i]
		t := &c.States[k.State]
		s.add(p, k.FIPS[:2], k.FIPS[2:], ansi(i), "0500000US"+k.FIPS, k.FIPS, k.Base, k.Name, t.Abbr, t.Name, k.LSAD,
			itoa(k.Area.Land), itoa(k.Area.Water))
	})
	return s
}

func (c *Country) subdivisionShapes() *shapefile {
	s := newShapefile([]field{
		text("STATEFP", 2), text("COUNTYFP", 3), text("COUSUBFP", 5), text("COUSUBNS", 8), text("GEOIDFQ", 19), text("GEOID", 10),
		text("NAME", 100), text("NAMELSAD", 100), text("STUSPS", 2), text("NAMELSADCO", 100), text("STATE_NAME", 100), text("LSAD", 2),
		number("ALAND", 14), number("AWATER", 14),
	})
	c.each(len(c.Subdivisions), func(k *Cell) int32 { return k.Subdivision }, func(i int, p []polygon) {
		d := &c.Subdivisions[i]
		k := &c.Counties[d.County]
		t := &c.States[k.State]
		s.add(p, d.GEOID[:2], d.GEOID[2:5], d.GEOID[5:], ansi(i), "0600000US"+d.GEOID, d.GEOID, d.Base, d.Name, t.Abbr, k.Name,
			t.Name, d.LSAD, itoa(d.Area.Land), itoa(d.Area.Water))
	})
	return s
}

func (c *Country) placeShapes() *shapefile {
	s := newShapefile([]field{
		text("STATEFP", 2), text("PLACEFP", 5), text("PLACENS", 8), text("GEOIDFQ", 16), text("GEOID", 7), text("NAME", 100),
		text("NAMELSAD", 100), text("STUSPS", 2), text("STATE_NAME", 100), text("LSAD", 2), number("ALAND", 14), number("AWATER", 14),
	})
	c.each(len(c.Places), func(k *Cell) int32 { return k.Place }, func(i int, p []polygon) {
		l := &c.Places[i]
		t := &c.States[l.State]
		s.add(p, l.GEOID[:2], l.GEOID[2:], ansi(i), "1600000US"+l.GEOID, l.GEOID, l.Base, l.Name, t.Abbr, t.Name, l.LSAD,
			itoa(l.Area.Land), itoa(l.Area.Water))
	})
	return s
}

// provinceName returns the bilingual name of Statistics Canada's files.
func (s State) provinceName() string {
	if s.NameFR == "" || s.NameFR == s.Name {
		return s.Name
	}
	return s.Name + " / " + s.NameFR
}

func squareKilometres(m2 int64) string { return strconv.FormatFloat(float64(m2)/1e6, 'f', 4, 64) }

func (c *Country) fsaShapes() *shapefile {
	land := number("LANDAREA", 12)
	land.decimals = 4
	s := newCanadianShapefile([]field{text("CFSAUID", 3), text("DGUID", 21), text("PRUID", 2), text("PRNAME", 55), land})
	c.each(len(c.FSAs), func(k *Cell) int32 { return k.FSA }, func(i int, p []polygon) {
		f := &c.FSAs[i]
		t := &c.States[f.State]
		s.add(p, f.Code.String(), "2021A0011"+f.Code.String(), t.PRUID, t.provinceName(), squareKilometres(f.Area.Land))
	})
	return s
}

func (c *Country) divisionShapes() *shapefile {
	s := newCanadianShapefile([]field{text("CDUID", 4), text("DGUID", 21), text("CDNAME", 100), text("CDTYPE", 3), number("LANDAREA", 12), text("PRUID", 2)})
	owner := func(k *Cell) int32 {
		if k.Municipality == None {
			return None
		}
		return int32(c.Municipalities[k.Municipality].Division)
	}
	c.each(len(c.CensusDivisions), owner, func(i int, p []polygon) {
		d := &c.CensusDivisions[i]
		s.add(p, d.UID, "2021A0003"+d.UID, d.Name, d.Type, squareKilometres(d.Area.Land), c.States[d.State].PRUID)
	})
	return s
}

func (c *Country) municipalityShapes() *shapefile {
	s := newCanadianShapefile([]field{text("CSDUID", 7), text("DGUID", 21), text("CSDNAME", 100), text("CSDTYPE", 3), number("LANDAREA", 12), text("PRUID", 2)})
	c.each(len(c.Municipalities), func(k *Cell) int32 { return k.Municipality }, func(i int, p []polygon) {
		m := &c.Municipalities[i]
		s.add(p, m.UID, "2021A0005"+m.UID, m.Name, m.Type, squareKilometres(m.Area.Land), c.States[m.State].PRUID)
	})
	return s
}

// timeZones writes the zones as one GeoJSON collection, in the order of their
// first cell.
func (c *Country) timeZones(_ context.Context, w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString(`{"type":"FeatureCollection","features":[`)
	first := true
	c.each(len(c.Zones), func(k *Cell) int32 { return k.Zone }, func(i int, polygons []polygon) {
		if !first {
			b.WriteByte(',')
		}
		first = false
		fmt.Fprintf(b, "\n"+`{"type":"Feature","properties":{"tzid":%q},"geometry":{"type":"MultiPolygon","coordinates":[`, c.Zones[i])
		for k, p := range polygons {
			if k > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('[')
			writeRing(b, p.Outer)
			for _, h := range p.Holes {
				b.WriteByte(',')
				writeRing(b, h)
			}
			b.WriteByte(']')
		}
		b.WriteString("]}}")
	})
	b.WriteString("\n]}\n")
	return b.Flush()
}

func writeRing(b *bufio.Writer, ring []vertex) {
	b.WriteByte('[')
	for k := range len(ring) + 1 {
		if k > 0 {
			b.WriteByte(',')
		}
		v := ring[k%len(ring)]
		b.WriteString("[" + decimal(v.lng(), 6) + "," + decimal(v.lat(), 6) + "]")
	}
	b.WriteByte(']')
}
