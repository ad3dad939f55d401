package builder_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"flag"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/rings"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/spatial"
)

var update = flag.Bool("update", false, "write the embedded sample again")

// The codes of the sample: its FSAs, and those whose full postal codes it has. The ZIP
// Codes are in codes.csv.
const (
	sampleFSAs = `A1A A1B A1C B3H B3J C1A E1C E3B G1K G1R H2X H2Y H2Z H3A H3B H3C J8X K1A K1M K1N K1P K1R K1S K2P K7L L2A L2E L2G
	L8P M4W M4Y M5A M5B M5C M5E M5G M5H M5J M5R M5S M5T M5V M5X M6G M6J M6K N6A N8X N9A N9B R3B R3C S4P S7K T2P T5J
	V5T V5Z V6A V6B V6C V6E V6G V6Z V8W X0A X1A Y1A`
	sampleCounted = "K1A K1P M5V M5X N9A"
)

// The time and version that the sample bears change with its codes.
var sampleBuilt = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

const sampleVersion = "sample-2026-11"

// TestSample builds the embedded sample from a mirror of the publishers' files. It
// consists of the rows about its codes, of the counties that they meet, and of the areas
// that they meet. Outlines of areas are exact around the codes and coarse elsewhere.
func TestSample(t *testing.T) {
	if !*update && os.Getenv("POSTGEO_LONG") == "" {
		t.Skip("make generate builds the sample and compares it")
	}
	const lists = "../../internal/sample/"
	mirror := cmp.Or(os.Getenv("POSTGEO_MIRROR"), "../../../shared/data/mirror")
	if !exists(mirror) {
		t.Skip("$POSTGEO_MIRROR names no mirror of the publishers' files")
	}
	c, dir := newClip(t, mirror, lists+"codes.csv"), t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	tables, err := zip.OpenReader(lists + "invented.zip") // what no publisher gives away
	check(t, err)
	defer tables.Close()
	check(t, os.CopyFS(dir, tables))
	survey, _ := filepath.Glob(in("acs/*"))
	_, err = builder.BuildSample(t.Context(), builder.Options{
		Output: in("sample.db"), Mirror: mirror, Offline: true, Cache: in("cache"), Layers: []string{"all"}, ZIPDatabase: lists + "codes.csv",
		USPSZIP4: in("zip4.txt"), USPSCityState: in("ctystate.txt"), USPSDeliveryStats: in("delstat.txt"), ZIP4Points: in("zip4_points.csv"),
		AddressPoints: []string{in("landmarks.csv")}, ACS: survey, Version: sampleVersion, Builder: "postgeo sample", Sample: true, SourceDateEpoch: sampleBuilt,
	}, c.keep, c.simplify, describe)
	check(t, err)
	got, err := os.ReadFile(in("sample.db"))
	check(t, err)
	if *update {
		check(t, os.WriteFile(lists+"sample.db", got, 0o644))
	}
	if want, err := os.ReadFile(lists + "sample.db"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the embedded file has %d bytes and differs from the one that -update writes, %d bytes: %v", len(want), len(got), err)
	}
}

var inventedSource = regexp.MustCompile(`^(usps-.*|zip4-points|address-points|acs(-\d+)?)$`)

// describe gives the sources of the project's own rows, codes.csv and those that are
// invented, their properties in the manifest.
func describe(s *dataset.Source) {
	switch {
	case s.ID == "zip-database":
		s.Title, s.URL, s.Note = "Codes of the sample", "https://github.com/postgeo/postgeo", "class, city, county and area codes"
		s.License, s.Attribution, s.Redistribution = "MIT", "postgeo", dataset.WithAttribution
	case inventedSource.MatchString(s.ID):
		*s = dataset.Source{
			ID: s.ID, Title: "Sample: " + s.Title, Vintage: "sample", License: "MIT", Redistribution: dataset.WithAttribution, Refresh: "with the program",
			Note: "invented rows in the format of the named source, not the publisher's data", Rows: s.Rows, SHA256: s.SHA256,
		}
	}
}

const (
	fineCell = 0.0125        // degrees, of the cells around the codes; further levels double them
	farStep  = 16 * fineCell // degrees, of the grid of vertices beyond the last level
	leastOf  = 2e-3          // the part of a code or of an area that they must share to meet
)

// A clip chooses the rows of the sample, and simplifies its outlines.
type clip struct {
	t        *testing.T
	codes    map[string]bool            // ZIP Codes and FSAs
	bounds   []orb.Bound                // of the pieces of outlines of codes
	outlines []*spatial.Outline         // these pieces
	near     map[cell]bool              // cells of each size that a code touches, and those next to them
	met      map[string]map[string]bool // areas that meet a code, by source and GEOID
	metros   map[string]bool            // of their counties
}

// A cell is one of the grid of a level.
type cell struct{ size, x, y float64 }

func cellOf(p orb.Point, size float64) cell {
	return cell{size, math.Floor(p[0] / size), math.Floor(p[1] / size)}
}

func newClip(t *testing.T, mirror, list string) *clip {
	c := &clip{t: t, codes: map[string]bool{}, near: map[cell]bool{}, met: map[string]map[string]bool{}, metros: map[string]bool{}}
	file := func(id string) format.File {
		sources := builder.Catalog()
		s := sources[slices.IndexFunc(sources, func(s fetch.Source) bool { return s.ID == id })]
		return format.File{Path: filepath.Join(mirror, strings.TrimPrefix(s.URL, "https://")), Member: s.Member}
	}
	for code := range strings.FieldsSeq(sampleFSAs) {
		c.codes[code] = true
	}
	each(t, source.ZIPDatabase(format.File{Path: list}), func(r source.ZIPDatabaseRow) {
		c.codes[r.ZIP.String()] = true
		c.add(around(r.Location), true)
	})
	for _, id := range []string{"geonames-us", "geonames-ca"} {
		each(t, source.GeoNames(file(id)), func(r source.GeoNamesRow) {
			if c.codes[r.Code] {
				c.add(around(r.Location), true)
			}
		})
	}
	each(t, catalog.Columns("cb-zctas").Areas(file("cb-zctas")), func(r source.AreaRow) {
		if c.codes[r.ID] {
			c.add(r.Polygon, true)
		}
	})
	each(t, catalog.Columns("statcan-lfsa").Areas(file("statcan-lfsa")), func(r source.AreaRow) {
		if c.codes[r.ID] {
			c.add(r.Polygon, !large(r.Polygon.Bound()))
		}
	})
	c.met["cb-zctas"], c.met["statcan-lfsa"], c.met["cb-zcta"] = c.codes, c.codes, maps.Clone(c.codes)
	each(t, source.UDS(file("uds-zcta-2015")), func(r source.UDSRow) {
		c.met["cb-zcta"][r.ZCTA] = c.met["cb-zcta"][r.ZCTA] || c.codes[r.ZIP.String()]
	})
	const census = "cb-congress plan-cd120 cb-state-upper cb-state-lower cb-counties cb-places cb-cousubs cb-tracts cb-block-groups cb-cbsas cb-school-unified"
	for id := range strings.FieldsSeq(census + " statcan-lcsd statcan-lfed") {
		columns := source.LayerColumns{ID: cmp.Or(map[string]string{"statcan-lcsd": "CSDUID", "statcan-lfed": "FEDUID"}[id], "GEOID")}
		c.met[id] = map[string]bool{}
		each(t, columns.Areas(file(id)), func(r source.AreaRow) { c.met[id][r.ID] = c.met[id][r.ID] || c.meets(r.Polygon) })
	}
	each(t, source.Delineation(file("delineation")), func(r source.DelineationRow) {
		c.metros[r.CBSA] = c.metros[r.CBSA] || c.met["cb-counties"][r.CountyFIPS]
	})
	return c
}

// around returns a small square, for codes without an outline; none without a point.
func around(p geo.LatLng) orb.MultiPolygon {
	if !p.IsValid() {
		return nil
	}
	return orb.MultiPolygon{orb.Point{p.Lng(), p.Lat()}.Bound().Pad(5e-4).ToPolygon()}
}

// each takes the rows of a file that can be read.
func each[R any](t *testing.T, rows iter.Seq2[R, error], take func(R)) {
	t.Helper()
	for r, err := range rows {
		if err == nil {
			take(r)
		} else if !errors.Is(err, format.ErrValue) {
			t.Fatal(err)
		}
	}
}

func (c *clip) outline(m orb.MultiPolygon) *spatial.Outline {
	o, err := spatial.NewOutline(m)
	if err != nil {
		c.t.Fatal(err)
	}
	return o
}

// add adds the outline of a code, piece by piece: a code on both sides of the
// meridian of 180° is not all in between. Areas around it are exact.
func (c *clip) add(m orb.MultiPolygon, exact bool) {
	var meter spatial.OverlapMeter
	for _, p := range m {
		o, b := c.outline(orb.MultiPolygon{p}), p.Bound()
		c.bounds, c.outlines = append(c.bounds, b), append(c.outlines, o)
		for size := fineCell; exact && size <= farStep && !large(b); size *= 2 {
			low, high := cellOf(b.Min, size), cellOf(b.Max, size)
			for x := low.x - 1; x <= high.x+1; x++ {
				for y := low.y - 1; y <= high.y+1; y++ {
					around := orb.Bound{Min: orb.Point{(x - 1) * size, (y - 1) * size}, Max: orb.Point{(x + 2) * size, (y + 2) * size}}
					if meter.Area(c.outline(orb.MultiPolygon{around.ToPolygon()}), o) > 0 {
						c.near[cell{size, x, y}] = true
					}
				}
			}
		}
	}
}

// step returns the grid, in degrees, of vertices at a point: 0 around the codes, and
// less than the distance from them elsewhere.
func (c *clip) step(p orb.Point) float64 {
	size := fineCell
	if c.near[cellOf(p, size)] {
		return 0
	}
	for size < farStep && !c.near[cellOf(p, 2*size)] {
		size *= 2
	}
	return size
}

// large reports whether an outline is of a part of the north, which stays coarse.
func large(b orb.Bound) bool { return b.Max[1]-b.Min[1] > 1 || b.Max[0]-b.Min[0] > 2 }

// meets reports whether an area and a code share more than a sliver of either.
func (c *clip) meets(m orb.MultiPolygon) bool {
	var area *spatial.Outline
	var meter spatial.OverlapMeter
	box := m.Bound()
	for i, code := range c.outlines {
		if c.bounds[i].Intersects(box) {
			if area == nil {
				area = c.outline(m)
			}
			if float64(meter.Area(area, code)) > leastOf*float64(min(area.Area(), code.Area())) {
				return true
			}
		}
	}
	return false
}

// simplify moves vertices off the codes to a grid, alike in all areas that share them, and
// drops the rings that vanish, and islands of a few steps. Codes stay as they are.
func (c *clip) simplify(kind string, m orb.MultiPolygon) orb.MultiPolygon {
	if kind == "ZIPs" || kind == "FSAs" && !large(m.Bound()) {
		return m
	}
	moved := m.Clone()
	for _, p := range moved {
		for _, r := range p {
			for i, v := range r {
				if step := c.step(v); step > 0 {
					r[i] = orb.Point{math.Round(v[0]/step) * step, math.Round(v[1]/step) * step}
				}
			}
		}
	}
	out, _, err := rings.Repair(moved, rings.Limits{})
	if err != nil {
		c.t.Fatal(err)
	}
	if len(out) == 0 {
		return m
	}
	extent := func(p orb.Polygon) float64 {
		return max(p.Bound().Right()-p.Bound().Left(), p.Bound().Top()-p.Bound().Bottom())
	}
	mainland := 0.0
	for _, p := range out {
		mainland = max(mainland, extent(p))
	}
	return slices.DeleteFunc(out, func(p orb.Polygon) bool { return extent(p) < min(mainland, 4*c.step(p.Bound().Center())) })
}

// keep is the filter of the build. The builder itself passes over rows of other codes in
// most tables.
func (c *clip) keep(id string, row any) (any, bool) {
	counted := func(p postcode.PostalCode) bool { return strings.Contains(sampleCounted, p.FSA().String()) }
	switch r := row.(type) {
	case source.GeoNamesRow:
		postal, full := postcode.ParsePostalCode(r.Code)
		return row, c.codes[r.Code] || full && counted(postal)
	case source.CorrespondenceRow:
		return row, counted(r.Code)
	case source.CodeBlockRow:
		return row, counted(r.Code)
	case source.FSAPopulationRow:
		return row, c.codes[r.FSA.String()]
	case source.GazetteerRow:
		// Counties of territories, and their subdivisions, are without outlines in their file.
		const territories = "60010 60020 60030 60040 60050 66010 69085 69100 69110 69120 78010 78020 78030"
		if id == "gazetteer-counties" || id == "gazetteer-cousubs" {
			return row, c.met["cb-counties"][r.GEOID[:5]] || strings.Contains(territories, r.GEOID[:5])
		}
		return row, c.met[strings.Replace(id, "gazetteer-", "cb-", 1)][r.GEOID]
	case source.CenterRow:
		return row, c.step(orb.Point{r.Location.Lng(), r.Location.Lat()}) == 0
	case source.DelineationRow: // all counties of a metropolitan area, for its people
		if !c.met["cb-counties"][r.CountyFIPS] {
			r.Division, r.DivisionTitle = "", ""
		}
		return r, c.metros[r.CBSA]
	case source.SubdivisionRow: // all, for the people of provinces
		if !c.met["statcan-lcsd"][r.CSD] {
			r.Name, r.Metro = "", ""
		}
		return r, true
	case source.SchoolIDRow:
		return row, c.met["cb-school-unified"][r.LEA]
	case source.AreaRow:
		met := c.met[id]
		return row, met == nil || met[r.ID]
	}
	return row, true
}
