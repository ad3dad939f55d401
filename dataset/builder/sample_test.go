package builder_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"flag"
	"iter"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
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

// describeCodes describes codes.csv, a list of the project's own.
func describeCodes(s *fetch.Source) {
	if s.ID == "zip-database" {
		s.Title, s.URL, s.Note = "Codes of the sample", "https://github.com/postgeo/postgeo", "class, city, county and area codes"
		s.License, s.Attribution, s.Redistribution = "MIT", "postgeo", "attribution"
	}
}

// TestSample builds the embedded sample from a mirror of the publishers' files. It
// consists of the rows about its codes, of the counties that they meet, and of the areas
// that they meet. Outlines of areas are exact around the codes and coarse elsewhere.
func TestSample(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const lists = "../../internal/sample/"
	mirror := cmp.Or(os.Getenv("POSTGEO_MIRROR"), "../../../shared/data/mirror")
	if !exists(mirror) {
		t.Skip("$POSTGEO_MIRROR names no mirror of the publishers' files")
	}
	c, dir := newClip(t, mirror, lists+"codes.csv"), t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	tables, err := zip.OpenReader(lists + "invented.zip") // what no publisher gives away
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	if err := os.CopyFS(dir, tables); err != nil {
		t.Fatal(err)
	}
	var survey []string
	for _, f := range tables.File {
		if strings.HasPrefix(f.Name, "acs/") {
			survey = append(survey, in(f.Name))
		}
	}
	_, err = builder.BuildSample(t.Context(), builder.Options{
		Output: in("sample.db"), Mirror: mirror, Offline: true, Cache: in("cache"), Layers: []string{"all"}, ZIPDatabase: lists + "codes.csv",
		USPSZIP4: in("zip4.txt"), USPSCityState: in("ctystate.txt"), USPSDeliveryStats: in("delstat.txt"), ZIP4Points: in("zip4_points.csv"),
		AddressPoints: []string{in("landmarks.csv")}, ACS: survey, Version: sampleVersion, Builder: "postgeo sample", Sample: true, SourceDateEpoch: sampleBuilt,
	}, c.keep, describeCodes, markInvented)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(in("sample.db"))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(lists+"sample.db", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(lists + "sample.db"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the embedded file has %d bytes and differs from the one that -update writes, %d bytes: %v", len(want), len(got), err)
	}
}

var inventedSource = regexp.MustCompile(`^(usps-.*|zip4-points|address-points|acs(-\d+)?)$`)

// markInvented gives a source of invented rows properties of its own in the manifest.
func markInvented(s *dataset.Source) {
	if inventedSource.MatchString(s.ID) {
		*s = dataset.Source{
			ID: s.ID, Title: "Sample: " + s.Title, Vintage: "sample", License: "MIT", Redistribution: dataset.WithAttribution, Refresh: "with the program",
			Note: "invented rows in the format of the named source, not the publisher's data", Rows: s.Rows, SHA256: s.SHA256,
		}
	}
}

// sampleLayers are the files of areas. Those that meet a code are kept. Districts that
// wind through cities stay exact there.
var sampleLayers = func() map[string]sampleLayer {
	const tiger, can = "www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_", "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"
	layers := map[string]sampleLayer{
		"cb-congress": {tiger + "cd119_500k.zip", source.CongressColumns, exactNear}, "plan-cd120": {"aux.local/plans/us_cd120_2026.zip", source.CongressColumns, exactNear},
		"cb-state-upper": {tiger + "sldu_500k.zip", source.LegislativeColumns, coarseNear}, "cb-state-lower": {tiger + "sldl_500k.zip", source.LegislativeColumns, coarseNear},
		"statcan-lcsd": {can + "lcsd000b21a_e.zip", source.StatCanColumns("CSD"), coarseNear}, "statcan-lfed": {can + "lfed000b21a_e.zip", source.FederalColumns, coarseNear},
		"cb-states": {detail: coarseAll}, "statcan-lcd": {detail: coarseAll}, "timezones": {detail: coarseAll}, // all of their areas
	}
	for id, name := range map[string]string{
		"cb-counties": "county", "cb-places": "place", "cb-cousubs": "cousub", "cb-tracts": "tract", "cb-block-groups": "bg", "cb-cbsas": "cbsa", "cb-school-unified": "unsd",
	} {
		layers[id] = sampleLayer{tiger + name + "_500k.zip", source.CensusColumns, coarseNear}
	}
	return layers
}()

type sampleLayer struct {
	file    string
	columns source.LayerColumns
	detail  detail
}

// A detail is that of outlines in the blocks around the codes.
type detail uint8

const (
	coarseNear detail = iota // on the fine grid
	coarseAll                // on the grid of what is far
	exactNear
)

// A clip chooses the rows of the sample.
type clip struct {
	t       *testing.T
	zips    map[postcode.ZIP]bool
	zctas   map[string]bool // of the ZIPs: their own, and those that enclose post office boxes
	fsas    map[postcode.FSA]bool
	counted map[postcode.FSA]bool
	codes   []codeOutline
	fine    map[[2]int32]bool          // cells of the grid around the codes
	near    map[[2]int32]bool          // blocks of ten cells around these
	met     map[string]map[string]bool // areas by source and GEOID
	metros  map[string]bool            // of their counties
}

// A codeOutline is one piece of the outline of a code.
type codeOutline struct {
	bound   orb.Bound
	outline *spatial.Outline
}

const (
	gridStep = 0.02 // degrees, of the coarse parts of outlines
	farStep  = 0.17 // degrees, further than 20 steps from a code
	smallest = 0.5  // degrees, of a far island
	leastOf  = 2e-3 // the part of a code or of an area that they must share to meet
)

func newClip(t *testing.T, mirror, list string) *clip {
	c := &clip{t: t, zips: map[postcode.ZIP]bool{}, zctas: map[string]bool{}, fsas: map[postcode.FSA]bool{}, counted: map[postcode.FSA]bool{}, fine: map[[2]int32]bool{}, near: map[[2]int32]bool{}, met: map[string]map[string]bool{}, metros: map[string]bool{}}
	path := func(name string) string { return filepath.Join(mirror, filepath.FromSlash(name)) }
	for i, text := range []string{sampleFSAs, sampleCounted} {
		for code := range strings.FieldsSeq(text) {
			f, _ := postcode.ParseFSA(code)
			[]map[postcode.FSA]bool{c.fsas, c.counted}[i][f] = true
		}
	}
	clipText(t, list, "", source.ZIPDatabase, func(r source.ZIPDatabaseRow) {
		c.zips[r.ZIP], c.zctas[r.ZIP.String()] = true, true
		c.addPoint(r.Location)
	})
	for _, country := range []string{"US", "CA"} {
		clipText(t, path("download.geonames.org/export/zip/"+country+".zip"), country+".txt", source.GeoNames, func(r source.GeoNamesRow) {
			if c.code(r.Code) {
				c.addPoint(r.Location)
			}
		})
	}
	clipText(t, path("aux.local/uds/zip_to_zcta_2015.csv.gz"), "", source.UDS, func(r source.UDSRow) {
		if c.zips[r.ZIP] && r.ZCTA != "" {
			c.zctas[r.ZCTA] = true
		}
	})
	clipRows(t, source.Census2020Columns.Areas(path("www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip")), func(r source.AreaRow) {
		if zip, ok := postcode.ParseZIP(r.ID); ok && c.zips[zip] {
			c.add(r.Polygon)
		}
	})
	clipRows(t, source.FSALand(path(statCanBounds+"lfsa000b21a_e.zip")), func(r source.FSALandRow) {
		if c.fsas[r.FSA] {
			c.add(r.Polygon)
		}
	})
	for id, l := range sampleLayers {
		if l.file == "" {
			continue
		}
		c.met[id] = map[string]bool{}
		clipRows(t, l.columns.Areas(path(l.file)), func(r source.AreaRow) {
			if c.meets(r.Polygon) {
				c.met[id][r.ID] = true
			}
		})
	}
	clipRows(t, source.Delineation(path("www2.census.gov/programs-surveys/metro-micro/geographies/reference-files/2023/delineation-files/list1_2023.xlsx")), func(r source.DelineationRow) {
		c.metros[r.CBSA] = c.metros[r.CBSA] || c.listed("counties", r.CountyFIPS)
	})
	return c
}

// clipText reads the rows of a delimited file.
func clipText[R any](t *testing.T, path, member string, rows func(*format.Input) iter.Seq2[R, error], take func(R)) {
	t.Helper()
	in, err := format.Open(path, format.OpenOptions{Member: member})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	clipRows(t, rows(in), take)
}

// clipRows takes the rows that can be read.
func clipRows[R any](t *testing.T, rows iter.Seq2[R, error], take func(R)) {
	t.Helper()
	for r, err := range rows {
		switch {
		case err == nil:
			take(r)
		case !errors.Is(err, format.ErrValue):
			t.Fatal(err)
		}
	}
}

// add adds the outline of a code, piece by piece: a code on both sides of the
// meridian of 180° is not all in between.
func (c *clip) add(m orb.MultiPolygon) {
	for _, p := range m {
		o, err := spatial.NewOutline(orb.MultiPolygon{p})
		if err != nil {
			c.t.Fatal(err)
		}
		b := p.Bound()
		c.codes = append(c.codes, codeOutline{b, o})
		if large(m.Bound()) {
			continue
		}
		for x := cell(b.Min[0]) - 1; x <= cell(b.Max[0])+1; x++ {
			for y := cell(b.Min[1]) - 1; y <= cell(b.Max[1])+1; y++ {
				c.fine[[2]int32{x, y}] = true
				for i := range int32(9) {
					c.near[[2]int32{floorDiv(x) + i%3 - 1, floorDiv(y) + i/3 - 1}] = true
				}
			}
		}
	}
}

// addPoint adds a small square, for codes without an outline.
func (c *clip) addPoint(p geo.LatLng) {
	const half = 5e-4 // degrees
	if x, y := p.Lng(), p.Lat(); p.IsValid() {
		c.add(orb.MultiPolygon{orb.Bound{Min: orb.Point{x - half, y - half}, Max: orb.Point{x + half, y + half}}.ToPolygon()})
	}
}

func cell(degrees float64) int32 { return int32(math.Floor(degrees / gridStep)) }

// floorDiv returns the block of a cell.
func floorDiv(cell int32) int32 { return int32(math.Floor(float64(cell) / 10)) }

// large reports whether an outline is of a part of the north, which stays coarse.
func large(b orb.Bound) bool { return b.Max[1]-b.Min[1] > 1 || b.Max[0]-b.Min[0] > 2 }

// meets reports whether an area and a code share more than a sliver of either.
func (c *clip) meets(m orb.MultiPolygon) bool {
	var area *spatial.Outline
	var meter spatial.OverlapMeter
	var bounds []orb.Bound
	for _, p := range m {
		bounds = append(bounds, p.Bound())
	}
	for _, code := range c.codes {
		if !slices.ContainsFunc(bounds, code.bound.Intersects) {
			continue
		}
		if area == nil {
			var err error
			if area, err = spatial.NewOutline(m); err != nil {
				c.t.Fatal(err)
			}
		}
		if float64(meter.Area(area, code.outline)) > leastOf*float64(min(area.Area(), code.outline.Area())) {
			return true
		}
	}
	return false
}

// coarse moves vertices far from the codes to the grid, alike in all areas that
// share them, and drops the rings that vanish, and islands.
func (c *clip) coarse(m orb.MultiPolygon, detail detail) orb.MultiPolygon {
	out := orb.MultiPolygon{}
	for _, p := range m {
		b, at := p.Bound(), p.Bound().Center()
		if b.Max[0]-b.Min[0] < smallest && b.Max[1]-b.Min[1] < smallest && !c.near[[2]int32{floorDiv(cell(at[0])), floorDiv(cell(at[1]))}] {
			continue
		}
		var rings orb.Polygon
		for i, r := range p {
			if ring := c.coarseRing(r, detail); ring != nil {
				rings = append(rings, ring)
			} else if i == 0 {
				break
			}
		}
		if rings != nil {
			out = append(out, rings)
		}
	}
	if len(out) == 0 {
		return m
	}
	return out
}

func (c *clip) coarseRing(r orb.Ring, detail detail) orb.Ring {
	const least = 4 // points of a ring
	out := make(orb.Ring, 0, len(r))
	for _, p := range r {
		x, y := cell(p[0]), cell(p[1])
		near := c.near[[2]int32{floorDiv(x), floorDiv(y)}]
		if !c.fine[[2]int32{x, y}] && !(near && detail == exactNear) {
			step := farStep
			if near && detail == coarseNear {
				step = gridStep
			}
			p = orb.Point{math.Round(p[0]/step) * step, math.Round(p[1]/step) * step}
		}
		n := len(out)
		if n > 0 && out[n-1] == p {
			continue
		}
		for ; n > 1 && spike(out[n-2], out[n-1], p); n-- {
			out = out[:n-1]
		}
		if out = append(out, p); n > 0 && out[n-1] == p {
			out = out[:n]
		}
	}
	if len(out) < least || out[0] != out[len(out)-1] || math.Abs(planar.Area(out)) < 1e-6 {
		return nil
	}
	return out
}

// spike reports whether a line returns at b the way that it came.
func spike(a, b, c orb.Point) bool {
	x, y, u, v := b[0]-a[0], b[1]-a[1], c[0]-b[0], c[1]-b[1]
	return math.Abs(float64(x*v)-float64(y*u)) < 1e-9 && float64(x*u)+float64(y*v) < 0
}

// keep is the filter of the build.
func (c *clip) keep(id string, row any) (any, bool) {
	switch r := row.(type) {
	case source.GeoNamesRow:
		return row, c.code(r.Code)
	case source.UDSRow:
		return row, c.zips[r.ZIP]
	case source.ZIPBusinessRow:
		return row, c.zips[r.ZIP]
	case source.CorrespondenceRow:
		return row, c.counted[r.Code.FSA()]
	case source.CodeBlockRow:
		return row, c.counted[r.Code.FSA()]
	case source.FSAPopulationRow:
		return row, c.fsas[r.FSA]
	case source.GazetteerRow:
		return row, c.listed(strings.TrimPrefix(id, "gazetteer-"), r.GEOID)
	case source.ElevationRow:
		return row, c.listed(strings.TrimPrefix(id, "elevation-"), r.Code)
	case source.CenterRow:
		return row, c.fine[[2]int32{cell(r.Location.Lng()), cell(r.Location.Lat())}]
	case source.DelineationRow: // all counties of a metropolitan area, for its people
		if !c.listed("counties", r.CountyFIPS) {
			r.Division, r.DivisionTitle = "", ""
		}
		return r, c.metros[r.CBSA]
	case source.SSACountyRow:
		return row, c.listed("counties", r.CountyFIPS)
	case source.RatingAreaRow:
		return row, r.CountyFIPS == "" || c.listed("counties", r.CountyFIPS)
	case source.SubdivisionRow: // all, for the people of provinces
		if !c.met["statcan-lcsd"][r.CSD] {
			r.Name, r.Metro = "", ""
		}
		return r, true
	case source.SchoolIDRow:
		return row, c.met["cb-school-unified"][r.LEA]
	case source.SummaryRow:
		list, ok := map[source.SummaryLevel]string{source.ZCTALevel: "zcta", source.SubdivisionLevel: "counties", source.PlaceLevel: "places"}[r.Level]
		return row, !ok || c.listed(list, r.GEOID)
	case source.FSALandRow:
		if large(r.Polygon.Bound()) {
			r.Polygon = c.coarse(r.Polygon, coarseNear)
		}
		return r, c.fsas[r.FSA]
	case source.AreaRow:
		if zip, ok := postcode.ParseZIP(r.ID); id == "cb-zctas" {
			return row, ok && c.zips[zip]
		}
		ok := c.area(id, &r)
		return r, ok
	}
	return row, true
}

// area makes the outline of an area coarse and reports whether it meets a code.
func (c *clip) area(id string, r *source.AreaRow) bool {
	if met := c.met[id]; met != nil && !met[r.ID] {
		return false
	}
	r.Polygon = c.coarse(r.Polygon, sampleLayers[id].detail)
	return true
}

// code reports whether a line of GeoNames is of the sample.
func (c *clip) code(code string) bool {
	if zip, ok := postcode.ParseZIP(code); ok {
		return c.zips[zip]
	}
	if fsa, ok := postcode.ParseFSA(code); ok {
		return c.fsas[fsa]
	}
	postal, ok := postcode.ParsePostalCode(code)
	return ok && c.counted[postal.FSA()]
}

// listed reports whether an area of a table is of the sample. Counties of territories are
// without outlines in their file.
func (c *clip) listed(list, geoid string) bool {
	switch list {
	case "zcta":
		return c.zctas[geoid]
	case "cbsas", "places":
		return c.met["cb-"+list][geoid]
	default: // counties and their subdivisions
		const territories = "60010 60020 60030 60040 60050 66010 69085 69100 69110 69120 78010 78020 78030"
		return c.met["cb-counties"][geoid[:5]] || strings.Contains(territories, geoid[:5])
	}
}
