package maker

import (
	"context"
	"errors"
	"iter"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/spatial"
)

// A clip keeps the rows of the publishers' files that are about the sample's codes:
// rows of these codes, of the counties that they meet, and the areas that they meet.
// Outlines of areas are exact around the codes and coarse elsewhere.
type clip struct {
	mirror   string
	zips     map[dataset.ZIP]bool
	zctas    map[string]bool // of the ZIPs: their own, and those that enclose post office boxes
	fsas     map[dataset.FSA]bool
	codes    []codeOutline
	fine     map[[2]int32]bool          // cells of the grid around the codes
	near     map[[2]int32]bool          // blocks of ten cells around these
	met      map[string]map[string]bool // areas by source and GEOID
	counties map[string]bool            // FIPS
	counted  map[dataset.FSA]bool       // FSAs whose full codes are kept
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

// Files that are read before the build.
const (
	zctaFile = "www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip"
	udsFile  = "aux.local/uds/zip_to_zcta_2015.csv.gz"
	tigerDir = "www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_"
	canDir   = "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"
)

// areaFiles are the files of areas. The areas that meet a code are kept.
var areaFiles = []struct {
	id, path string
	columns  source.LayerColumns
}{
	{"cb-counties", tigerDir + "county_500k.zip", source.CensusColumns},
	{"cb-places", tigerDir + "place_500k.zip", source.CensusColumns},
	{"cb-cousubs", tigerDir + "cousub_500k.zip", source.CensusColumns},
	{"cb-tracts", tigerDir + "tract_500k.zip", source.CensusColumns},
	{"cb-block-groups", tigerDir + "bg_500k.zip", source.CensusColumns},
	{"cb-cbsas", tigerDir + "cbsa_500k.zip", source.CensusColumns},
	{"cb-congress", tigerDir + "cd119_500k.zip", source.CongressColumns},
	{"plan-cd120", "aux.local/plans/us_cd120_2026.zip", source.CongressColumns},
	{"cb-state-upper", tigerDir + "sldu_500k.zip", source.LegislativeColumns},
	{"cb-state-lower", tigerDir + "sldl_500k.zip", source.LegislativeColumns},
	{"cb-school-unified", tigerDir + "unsd_500k.zip", source.CensusColumns},
	{"statcan-lcsd", canDir + "lcsd000b21a_e.zip", source.StatCanColumns("CSD")},
	{"statcan-lfed", canDir + "lfed000b21a_e.zip", source.FederalColumns},
}

func newClip(ctx context.Context, mirror, list string) (*clip, error) {
	c := &clip{
		mirror: mirror, zips: map[dataset.ZIP]bool{}, zctas: map[string]bool{}, fsas: map[dataset.FSA]bool{}, fine: map[[2]int32]bool{}, near: map[[2]int32]bool{},
		met: map[string]map[string]bool{}, counties: map[string]bool{}, counted: map[dataset.FSA]bool{},
	}
	for _, text := range fsas {
		f, _ := dataset.ParseFSA(text)
		c.fsas[f] = true
	}
	for _, text := range counted {
		f, _ := dataset.ParseFSA(text)
		c.counted[f] = true
	}
	err := errors.Join(
		text(list, "", source.ZIPDatabase, func(r source.ZIPDatabaseRow) error {
			c.zips[r.ZIP], c.zctas[r.ZIP.String()] = true, true
			return c.addPoint(r.Location)
		}),
		text(c.path("download.geonames.org/export/zip/US.zip"), "US.txt", source.GeoNames, c.addPlace),
		text(c.path("download.geonames.org/export/zip/CA.zip"), "CA.txt", source.GeoNames, c.addPlace),
		text(c.path(udsFile), "", source.UDS, func(r source.UDSRow) error {
			if c.zips[r.ZIP] && r.ZCTA != "" {
				c.zctas[r.ZCTA] = true
			}
			return nil
		}),
		each(source.Census2020Columns.Areas(c.path(zctaFile)), func(r source.LayerAreaRow) error {
			if zip, ok := dataset.ParseZIP(r.ID); ok && c.zips[zip] {
				return c.add(r.Polygon)
			}
			return nil
		}),
		each(source.FSALand(c.path(canDir+"lfsa000b21a_e.zip")), func(r source.FSALandRow) error {
			if c.fsas[r.FSA] {
				return c.add(r.Polygon)
			}
			return nil
		}),
	)
	for _, f := range areaFiles {
		c.met[f.id] = map[string]bool{}
		err = errors.Join(err, ctx.Err(), each(f.columns.Areas(c.path(f.path)), func(r source.LayerAreaRow) error {
			if meets, err := c.meets(r.Polygon); err != nil || !meets {
				return err
			}
			c.met[f.id][r.ID] = true
			return nil
		}))
	}
	maps.Copy(c.counties, c.met["cb-counties"])
	for _, territory := range []string{"60010", "60020", "60030", "60040", "60050", "66010", "69085", "69100", "69110", "69120", "78010", "78020", "78030"} {
		c.counties[territory] = true // without outlines in the file
	}
	return c, err
}

func (c *clip) path(name string) string { return filepath.Join(c.mirror, filepath.FromSlash(name)) }

// add adds the outline of a code, piece by piece: a code on both sides of the
// meridian of 180° is not all in between.
func (c *clip) add(m orb.MultiPolygon) error {
	far := large(m.Bound())
	for _, p := range m {
		o, err := spatial.NewOutline(orb.MultiPolygon{p})
		if err != nil {
			return err
		}
		b := p.Bound()
		c.codes = append(c.codes, codeOutline{b, o})
		if far {
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
	return nil
}

func cell(degrees float64) int32 { return int32(math.Floor(degrees / gridStep)) }

// large reports whether an outline is of a part of the north, which stays coarse.
func large(b orb.Bound) bool { return b.Max[1]-b.Min[1] > 1 || b.Max[0]-b.Min[0] > 2 }

// floorDiv returns the block of a cell.
func floorDiv(cell int32) int32 { return int32(math.Floor(float64(cell) / 10)) }

// meets reports whether an area and a code share more than a sliver of either.
func (c *clip) meets(m orb.MultiPolygon) (bool, error) {
	var area *spatial.Outline
	var meter spatial.OverlapMeter
	bounds := make([]orb.Bound, len(m))
	for i, p := range m {
		bounds[i] = p.Bound()
	}
	for _, code := range c.codes {
		if !slices.ContainsFunc(bounds, code.bound.Intersects) {
			continue
		}
		if area == nil {
			var err error
			if area, err = spatial.NewOutline(m); err != nil {
				return false, err
			}
		}
		if float64(meter.Area(area, code.outline)) > leastOf*float64(min(area.Area(), code.outline.Area())) {
			return true, nil
		}
	}
	return false, nil
}

// coarse moves vertices far from the codes to the grid, alike in all areas that
// share them, and drops the rings that vanish. Their detail near the codes differs by layer.
func (c *clip) coarse(m orb.MultiPolygon, detail detail) orb.MultiPolygon {
	out := orb.MultiPolygon{}
	for _, p := range m {
		if c.island(p) {
			continue
		}
		var rings orb.Polygon
		for i, r := range p {
			ring := c.coarseRing(r, detail)
			if ring == nil && i == 0 {
				break
			}
			if ring != nil {
				rings = append(rings, ring)
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

// island reports whether a polygon is small and far from the codes.
func (c *clip) island(p orb.Polygon) bool {
	b := p.Bound()
	at := b.Center()
	return b.Max[0]-b.Min[0] < smallest && b.Max[1]-b.Min[1] < smallest && !c.near[[2]int32{floorDiv(cell(at[0])), floorDiv(cell(at[1]))}]
}

// A detail is that of outlines in the blocks around the codes.
type detail uint8

const (
	coarseNear detail = iota // on the fine grid
	coarseAll                // on the grid of what is far
	exactNear
)

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

// addPlace adds the point of a code.
func (c *clip) addPlace(r source.GeoNamesRow) error {
	if !c.code(r.Code) {
		return nil
	}
	return c.addPoint(r.Location)
}

// addPoint adds a small square, for codes without an outline.
func (c *clip) addPoint(p geo.LatLng) error {
	const half = 5e-4 // degrees
	if !p.IsValid() {
		return nil
	}
	x, y := p.Lng(), p.Lat()
	return c.add(orb.MultiPolygon{orb.Bound{Min: orb.Point{x - half, y - half}, Max: orb.Point{x + half, y + half}}.ToPolygon()})
}

// spike reports whether a line returns at b the way that it came.
func spike(a, b, c orb.Point) bool {
	x, y, u, v := b[0]-a[0], b[1]-a[1], c[0]-b[0], c[1]-b[1]
	return math.Abs(float64(x*v)-float64(y*u)) < 1e-9 && float64(x*u)+float64(y*v) < 0
}

// text reads the rows of a delimited file.
func text[R any](path, member string, rows func(*format.Input) iter.Seq2[R, error], take func(R) error) error {
	in, err := format.Open(path, format.OpenOptions{Member: member})
	if err != nil {
		return err
	}
	return errors.Join(each(rows(in), take), in.Close())
}

// each takes the rows that can be read.
func each[R any](rows iter.Seq2[R, error], take func(R) error) error {
	for r, err := range rows {
		if err != nil && !errors.Is(err, format.ErrValue) {
			return err
		}
		if err == nil {
			if err := take(r); err != nil {
				return err
			}
		}
	}
	return nil
}
