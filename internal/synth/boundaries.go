package synth

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/postgeo/postgeo/internal/tzif"
)

// outlined returns a zipped shapefile of the outlines of groups of cells. The
// attributes of group i are values(i); a group without attributes is left out.
func (c *Country) outlined(base, columns string, canada bool, groups func() [][]int32, values func(i int) []string) mirrorFile {
	return mirrorFile{base + ".zip", func(_ context.Context, w io.Writer) (int, error) {
		s := newShapefile(fieldsOf(columns), canada)
		for i, cells := range groups() {
			if len(cells) == 0 {
				continue
			}
			if v := values(i); v != nil {
				s.add(c.mesh.outline(cells), v...)
			}
		}
		return s.records, s.write(w, path.Base(base))
	}}
}

func (c *Country) owned(base, columns string, canada bool, n int, owner func(*Cell) int32, values func(i int) []string) mirrorFile {
	return c.outlined(base, columns, canada, func() [][]int32 { return group(c.Cells, n, owner) }, values)
}

// boundaries are the outlines of the Census, of timezone-boundary-builder, and
// of Statistics Canada, and the clock rules of the zones.
func (c *Country) boundaries() []mirrorFile {
	const area = " ALAND:N14 AWATER:N14"
	return []mirrorFile{
		c.owned(tigerDir+"GENZ2020/shp/cb_2020_us_zcta520_500k", "ZCTA5CE20:5 AFFGEOID20:14 GEOID20:5 NAME20:5 LSAD20:2 ALAND20:N14 AWATER20:N14", false,
			len(c.ZIPs), func(k *Cell) int32 { return k.ZIP }, func(i int) []string {
				z := &c.ZIPs[i]
				id := z.Code.String()
				return append([]string{id, "860Z200US" + id, id, id, "Z5"}, z.Area.squareMeters()...)
			}),
		c.owned(shp2024+"cb_2024_us_state_500k", "STATEFP:2 STATENS:8 GEOIDFQ:11 GEOID:2 STUSPS:2 NAME:100 LSAD:2"+area, false,
			len(c.States), func(k *Cell) int32 { return k.State }, func(i int) []string {
				t := &c.States[i]
				if t.FIPS == "" {
					return nil
				}
				return append([]string{t.FIPS, ansi(i), "0400000US" + t.FIPS, t.FIPS, t.Abbr, t.Name, "00"}, t.Area.squareMeters()...)
			}),
		c.owned(shp2024+"cb_2024_us_county_500k", "STATEFP:2 COUNTYFP:3 COUNTYNS:8 GEOIDFQ:14 GEOID:5 NAME:100 NAMELSAD:100 STUSPS:2 STATE_NAME:100 LSAD:2"+area, false,
			len(c.Counties), func(k *Cell) int32 { return k.County }, func(i int) []string {
				k := &c.Counties[i]
				t := &c.States[k.State]
				return append([]string{k.FIPS[:2], k.FIPS[2:], ansi(i), "0500000US" + k.FIPS, k.FIPS, k.Base, k.Name, t.Abbr, t.Name, k.LSAD}, k.Area.squareMeters()...)
			}),
		c.owned(shp2024+"cb_2024_us_cousub_500k", "STATEFP:2 COUNTYFP:3 COUSUBFP:5 COUSUBNS:8 GEOIDFQ:19 GEOID:10 NAME:100 NAMELSAD:100 STUSPS:2 NAMELSADCO:100 STATE_NAME:100 LSAD:2"+area, false,
			len(c.Subdivisions), func(k *Cell) int32 { return k.Subdivision }, func(i int) []string {
				d := &c.Subdivisions[i]
				k, id := &c.Counties[d.County], d.GEOID
				t := &c.States[k.State]
				return append([]string{id[:2], id[2:5], id[5:], ansi(i), "0600000US" + id, id, d.Base, d.Name, t.Abbr, k.Name, t.Name, d.LSAD}, d.Area.squareMeters()...)
			}),
		c.owned(shp2024+"cb_2024_us_place_500k", "STATEFP:2 PLACEFP:5 PLACENS:8 GEOIDFQ:16 GEOID:7 NAME:100 NAMELSAD:100 STUSPS:2 STATE_NAME:100 LSAD:2"+area, false,
			len(c.Places), func(k *Cell) int32 { return k.Place }, func(i int) []string {
				l := &c.Places[i]
				t, id := &c.States[l.State], l.GEOID
				return append([]string{id[:2], id[2:], ansi(i), "1600000US" + id, id, l.Base, l.Name, t.Abbr, t.Name, l.LSAD}, l.Area.squareMeters()...)
			}),
		archived("github.com/evansiroky/timezone-boundary-builder/releases/download/2025b/timezones.geojson.zip", "combined.json", c.timeZones),
		archived("github.com/python/tzdata/archive/refs/tags/2026.6.tar.gz", "", func(_ context.Context, w io.Writer) (int, error) {
			return len(tzif.Names()), tzif.WriteArchive(w, c.Label)
		}),
		c.owned(statCanDir+"lfsa000b21a_e", "CFSAUID:3 DGUID:21 PRUID:2 PRNAME:55 LANDAREA:N12.4", true,
			len(c.FSAs), func(k *Cell) int32 { return k.FSA }, func(i int) []string {
				f := &c.FSAs[i]
				t, code := &c.States[f.State], f.Code.String()
				return []string{code, "2021A0011" + code, t.PRUID, t.provinceName(), f.Area.squareKilometers()}
			}),
		c.owned(statCanDir+"lcd_000b21a_e", "CDUID:4 DGUID:21 CDNAME:100 CDTYPE:3 LANDAREA:N12 PRUID:2", true,
			len(c.CensusDivisions), func(k *Cell) int32 {
				if k.Municipality == None {
					return None
				}
				return int32(c.Municipalities[k.Municipality].Division)
			}, func(i int) []string {
				d := &c.CensusDivisions[i]
				return []string{d.UID, "2021A0003" + d.UID, d.Name, d.Type, d.Area.squareKilometers(), c.States[d.State].PRUID}
			}),
		c.owned(statCanDir+"lcsd000b21a_e", "CSDUID:7 DGUID:21 CSDNAME:100 CSDTYPE:3 LANDAREA:N12 PRUID:2", true,
			len(c.Municipalities), func(k *Cell) int32 { return k.Municipality }, func(i int) []string {
				m := &c.Municipalities[i]
				return []string{m.UID, "2021A0005" + m.UID, m.Name, m.Type, m.Area.squareKilometers(), c.States[m.State].PRUID}
			}),
	}
}

// metroBoundaries are the outlines of core based statistical areas.
func (c *Country) metroBoundaries() []mirrorFile {
	owner := func(k *Cell) int32 {
		if k.County == None {
			return None
		}
		return int32(c.Counties[k.County].CBSA)
	}
	return []mirrorFile{c.owned(shp2024+"cb_2024_us_cbsa_500k", "CSAFP:3 CBSAFP:5 GEOIDFQ:14 GEOID:5 NAME:100 NAMELSAD:100 LSAD:2 ALAND:N14 AWATER:N14", false,
		len(c.CBSAs), owner, func(i int) []string {
			m := &c.CBSAs[i]
			words, lsad := " Micro Area", "M2"
			if m.Metropolitan {
				words, lsad = " Metro Area", "M1"
			}
			return slices.Concat([]string{m.CSA, m.Code, "310M700US" + m.Code, m.Code, m.Title, m.Title + words, lsad}, m.Area.squareMeters())
		})}
}

// provinceName returns the bilingual name of Statistics Canada's files.
func (s State) provinceName() string {
	if s.NameFR == "" || s.NameFR == s.Name {
		return s.Name
	}
	return s.Name + " / " + s.NameFR
}

// timeZones writes the zones as one GeoJSON collection, in the order of their
// first cell.
func (c *Country) timeZones(_ context.Context, w io.Writer) (rows int, err error) {
	b := bufio.NewWriter(w)
	b.WriteString(`{"type":"FeatureCollection","features":[`)
	for i, cells := range group(c.Cells, len(c.Zones), func(k *Cell) int32 { return k.Zone }) {
		if len(cells) == 0 {
			continue
		}
		if rows > 0 {
			b.WriteByte(',')
		}
		rows++
		fmt.Fprintf(b, "\n"+`{"type":"Feature","properties":{"tzid":%q},"geometry":{"type":"MultiPolygon","coordinates":[`, c.Zones[i])
		for k, p := range c.mesh.outline(cells) {
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
	}
	b.WriteString("\n]}\n")
	return rows, b.Flush()
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
