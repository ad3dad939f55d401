package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"github.com/postgeo/postgeo/bench/internal/boundary"
	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/geo"
)

// overlapPairs is how many pairs of each layer are compared with PostGIS.
const overlapPairs = 625

// The layers that codes are laid over, with those of the codes.
var overlapLayers = []struct {
	name  string
	codes boundary.Layer
	areas boundary.Layer
}{
	{"counties", boundary.ZCTA, boundary.County},
	{"places", boundary.ZCTA, boundary.Place},
	{"tracts", boundary.ZCTA, boundary.Tract},
	{"congressional districts", boundary.ZCTA, boundary.Congress},
	{"state upper chambers", boundary.ZCTA, boundary.Upper},
	{"state lower chambers", boundary.ZCTA, boundary.Lower},
	{"census divisions", boundary.FSA, boundary.CensusDivision},
	{"federal electoral districts", boundary.FSA, boundary.Federal},
}

// overlapsSQL measures each pair in the cylindrical equal-area plane of the
// ellipsoid. Edges are first cut to %v degrees, straight in longitude and
// latitude.
const overlapsSQL = `
WITH plane AS (
	SELECT id, ST_Transform(ST_Segmentize(a, %[1]v), '+proj=longlat +datum=WGS84', '+proj=cea +datum=WGS84') AS a,
		ST_Transform(ST_Segmentize(b, %[1]v), '+proj=longlat +datum=WGS84', '+proj=cea +datum=WGS84') AS b
	FROM overlap_pair)
SELECT id, ST_Area(ST_Intersection(CASE WHEN ST_IsValid(a) THEN a ELSE ST_MakeValid(a) END, CASE WHEN ST_IsValid(b) THEN b ELSE ST_MakeValid(b) END))
FROM plane ORDER BY id`

// A pair is a code and an area that share something.
type pair struct {
	code, area string
	a, b       orb.MultiPolygon
	whole      float64 // square meters of the code
	got        float64
}

// compareOverlaps measures what every code shares with every area of some
// layers, and compares pairs drawn at random with PostGIS.
func compareOverlaps(ctx context.Context, w *world) (int, error) {
	table := results.Table{Title: "overlaps", Columns: []string{"layer", "codes", "areas", "pairs that meet", "all pairs, seconds", "compared", "median", "99th percentile", "largest", "slivers, largest"}}
	failures, compared, worst := 0, 0, 0.0
	for i, l := range overlapLayers {
		n, off, err := w.compareLayer(ctx, i, l.name, l.codes, l.areas, &table)
		if err != nil {
			return failures, fmt.Errorf("%s: %w", l.name, err)
		}
		failures, compared, worst = failures+n, compared+len(off), max(worst, most(off))
	}
	table.Print(os.Stdout)
	w.summary.Add("overlaps of codes and areas, "+results.Count(compared)+" pairs", "PostGIS", fmt.Sprintf("%.1e of the overlap", worst))
	return failures, nil
}

// compareLayer returns how far the overlaps are off, relative to themselves. Slivers are
// left out.
func (w *world) compareLayer(ctx context.Context, stream int, name string, codes, areas boundary.Layer, table *results.Table) (failures int, off []float64, err error) {
	a, err := boundary.Read(w.mirror, codes)
	if err != nil {
		return 0, nil, err
	}
	b, err := boundary.Read(w.mirror, areas)
	if err != nil {
		return 0, nil, err
	}
	start := time.Now()
	all, err := measureAll(a, b)
	if err != nil {
		return 0, nil, err
	}
	seconds := time.Since(start).Seconds()
	r := w.random(uint64(10 + stream))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	pairs := slices.DeleteFunc(slices.Clone(all), func(p pair) bool { return crossesAntimeridian(p.a) || crossesAntimeridian(p.b) })
	pairs = pairs[:min(len(pairs), overlapPairs)]
	want, err := measurePairs(ctx, pairs, cmp.Or(w.edge, 60)*degreesPerMeter)
	if err != nil {
		return 0, nil, err
	}
	const (
		limit  = 1e-6
		least  = 0.05 // square meters: near coinciding borders, edges cut for PostGIS are less exact
		sliver = 1e-4 // of the code; smaller overlaps are compared with the code's area
	)
	var slivers []float64
	for i, p := range pairs {
		if want[i] < sliver*p.whole {
			slivers = append(slivers, math.Abs(p.got-want[i])/p.whole)
		} else {
			off = append(off, math.Abs(p.got-want[i])/want[i])
		}
		if d := math.Abs(p.got - want[i]); d > least+limit*max(want[i], sliver*p.whole) {
			failures++
			report("%s and %s: %.3f m², PostGIS returns %.3f m², of %.0f", p.code, p.area, p.got, want[i], p.whole)
		}
	}
	table.Add(name, len(a), len(b), len(all), fmt.Sprintf("%.2f", seconds), len(pairs), scientific(results.Median(off)), scientific(percentile(off, 99)), scientific(most(off)),
		scientific(most(slivers))+" of the code")
	return failures, off, nil
}

func scientific(v float64) string { return strconv.FormatFloat(v, 'e', 1, 64) }

// measureAll lays out both layers and measures all pairs that may meet.
func measureAll(a, b []boundary.Area) ([]pair, error) {
	lay := func(list []boundary.Area) ([]*geo.Outline, error) {
		out := make([]*geo.Outline, len(list))
		for i := range list {
			var err error
			if out[i], err = geo.NewOutline(list[i].Outline); err != nil {
				return nil, fmt.Errorf("%s: %w", list[i].Code, err)
			}
		}
		return out, nil
	}
	codes, err := lay(a)
	if err != nil {
		return nil, err
	}
	areas, err := lay(b)
	if err != nil {
		return nil, err
	}
	finder := geo.NewOverlapIndex(areas).Finder()
	var meter geo.OverlapMeter
	var near []int32
	var pairs []pair
	const rounding = 1e-4 // square meters
	for i, o := range codes {
		near = finder.AppendMeeting(near[:0], o)
		for _, k := range near {
			if v := float64(meter.Area(o, areas[k])); math.Abs(v) >= rounding {
				pairs = append(pairs, pair{a[i].Code, b[k].Code, a[i].Outline, b[k].Outline, float64(o.Area()), v})
			}
		}
	}
	return pairs, nil
}

func crossesAntimeridian(m orb.MultiPolygon) bool {
	const half = 180
	b := m.Bound()
	return b.Max[0]-b.Min[0] > half
}

// measurePairs returns the areas that PostGIS measures for the pairs.
func measurePairs(ctx context.Context, pairs []pair, edge float64) ([]float64, error) {
	if err := postgis.Execute(ctx, `DROP TABLE IF EXISTS overlap_pair;
		CREATE TABLE overlap_pair (id int PRIMARY KEY, a geometry NOT NULL, b geometry NOT NULL)`); err != nil {
		return nil, err
	}
	if err := postgis.Load(ctx, "overlap_pair", func(out *bufio.Writer) error {
		for i, p := range pairs {
			a, err := wkb.Marshal(p.a)
			if err != nil {
				return err
			}
			b, err := wkb.Marshal(p.b)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(out, "%d\t%s\t%s\n", i, hex.EncodeToString(a), hex.EncodeToString(b)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	rows, err := postgis.Query(ctx, fmt.Sprintf(overlapsSQL, edge))
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(pairs))
	for _, row := range rows {
		i, err := strconv.Atoi(row[0])
		if err != nil {
			return nil, err
		}
		if out[i], err = strconv.ParseFloat(row[1], 64); err != nil {
			return nil, err
		}
	}
	return out, nil
}
