package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/geo"
)

// The circles, about centers drawn near vertices of areas drawn at random.
var circleSizes = []struct {
	miles   geo.Miles
	circles int
}{{3, 300}, {5, 240}, {10, 150}, {25, 80}, {50, 40}, {100, 20}, {250, 10}}

// quadrantSegments returns the number of segments of a quarter circle that
// keeps their middles within the requested distance of the circle.
func (w *world) quadrantSegments(radius geo.Meters) int {
	return int(math.Ceil(math.Pi * math.Sqrt(float64(radius)/(2*w.outline)) / 4))
}

// A circleKind is the country that a circle was drawn in, as an index into
// layers, and its size.
type circleKind struct {
	layer int
	miles geo.Miles
}

type circle struct {
	circleKind
	center geo.LatLng
}

const (
	metersPerDegree = 110_000 // a little less than the least of latitude
	degreesPerMeter = 9e-6    // a round number for the length of edges
)

// sharesSQL measures every area that a circle may touch. The plane is the
// azimuthal equidistant one of the ellipsoid about the center, because the
// circle is round there. Edges are cut to %v degrees, straight in longitude and
// latitude, before they are mapped. Because that plane is not equal-area, the
// pieces are measured again in one that is.
const sharesSQL = `
SELECT c.id, z.id,
	CASE WHEN p.most <= c.inside THEN 100 ELSE 100 * ST_Area(q.piece) / ST_Area(p.shape) END,
	CASE WHEN p.most <= c.inside THEN 100 ELSE
		100 * ST_Area(ST_Transform(q.piece, c.plane, c.equal)) / ST_Area(ST_Transform(p.shape, c.plane, c.equal)) END
FROM (SELECT id, box, radius, radius * cos(pi() / (4 * quad)) AS inside,
		ST_Buffer(ST_Point(0, 0), radius, 'quad_segs=' || quad) AS disc,
		'+proj=aeqd +datum=WGS84 +lat_0=' || lat || ' +lon_0=' || lng AS plane,
		'+proj=laea +datum=WGS84 +lat_0=' || lat || ' +lon_0=' || lng AS equal
	FROM circle OFFSET 0) c
JOIN zcta z ON z.shape && c.box
CROSS JOIN LATERAL (
	SELECT m.shape, ST_MaxDistance(ST_Point(0, 0), m.shape) AS most, ST_Distance(ST_Point(0, 0), m.shape) AS least
	FROM (SELECT ST_Transform(ST_Segmentize(z.shape, %v), '+proj=longlat +datum=WGS84', c.plane) AS shape OFFSET 0) m
	OFFSET 0) p
CROSS JOIN LATERAL (
	SELECT CASE WHEN p.most > c.inside THEN
		ST_Intersection(CASE WHEN ST_IsValid(p.shape) THEN p.shape ELSE ST_MakeValid(p.shape) END, c.disc) END AS piece
	OFFSET 0) q
WHERE p.least < c.radius`

// A piece is the percentage of an area inside a circle, measured in the
// equidistant plane and in the equal-area one.
type piece struct{ equidistant, equalArea float64 }

// A tally gathers the differences for a size of circles and a country, in
// percentage points.
type tally struct {
	circles, cut, whole int
	off, offEqualArea   []float64
}

// compareShares compares how much of an area lies inside a circle.
func compareShares(ctx context.Context, w *world) (int, error) {
	if err := w.loadAreas(); err != nil {
		return 0, err
	}
	circles := w.drawCircles()
	if err := w.loadPublished(ctx, circles); err != nil {
		return 0, err
	}
	want, err := w.measurePieces(ctx, len(circles))
	if err != nil {
		return 0, err
	}
	failures := 0
	tallies := map[circleKind]*tally{}
	for i, c := range circles {
		t := tallies[c.circleKind]
		if t == nil {
			t = &tally{}
			tallies[c.circleKind] = t
		}
		t.circles++
		n, err := w.compareCircle(t, c, want[i])
		if err != nil {
			return 0, err
		}
		failures += n
	}
	table := results.Table{Title: "shares", Columns: []string{"country", "miles", "segments", "circles", "areas cut", "areas inside", "median", "99th percentile", "largest", "equal-area, median", "equal-area, largest"}}
	cut, worst := 0, 0.0
	for layer := range layers {
		for _, size := range circleSizes {
			t := tallies[circleKind{layer, size.miles}]
			table.Add(layers[layer].Country, size.miles, 4*w.quadrantSegments(size.miles.Meters()), t.circles, t.cut, t.whole,
				points(results.Median(t.off)), points(percentile(t.off, 99)), points(most(t.off)), points(results.Median(t.offEqualArea)), points(most(t.offEqualArea)))
			cut, worst = cut+t.cut, max(worst, most(t.off))
		}
	}
	table.Print(os.Stdout)
	w.summary.Add("shares of areas inside a circle, "+results.Count(cut)+" pairs", "PostGIS", points(worst)+" percentage points")
	return failures, nil
}

func points(v float64) string { return strconv.FormatFloat(v, 'f', 5, 64) }

// compareCircle compares the shares inside a circle with those that PostGIS
// measured.
func (w *world) compareCircle(t *tally, c circle, want map[int]piece) (int, error) {
	const (
		limit    = 0.02 // percentage points
		rounding = 1e-6
	)
	outline, err := geo.NewCircle(c.center, c.miles.Meters())
	if err != nil {
		return 0, err
	}
	got := map[int]float64{}
	for _, s := range w.index.AppendShares(nil, outline) {
		got[s.Index] = s.Percent
		if _, ok := want[s.Index]; !ok {
			want[s.Index] = piece{} // according to PostGIS they do not touch
		}
	}
	failures := 0
	for id, v := range want {
		if v.equidistant >= 100-rounding && got[id] >= 100-rounding {
			t.whole++
			continue
		}
		off, offEqualArea := math.Abs(got[id]-v.equidistant), math.Abs(got[id]-v.equalArea)
		t.cut++
		t.off = append(t.off, off)
		t.offEqualArea = append(t.offEqualArea, offEqualArea)
		if !(off <= limit && offEqualArea <= limit) {
			failures++
			report("%s in %v miles about %v: %.6f %%, PostGIS returns %.6f %%, equal-area %.6f %%", w.areas[id].Code, c.miles, c.center, got[id], v.equidistant, v.equalArea)
		}
	}
	return failures, nil
}

// measurePieces returns what PostGIS measures, by circle and area.
func (w *world) measurePieces(ctx context.Context, circles int) ([]map[int]piece, error) {
	rows, err := postgis.Query(ctx, fmt.Sprintf(sharesSQL, cmp.Or(w.edge, 1000)*degreesPerMeter))
	if err != nil {
		return nil, err
	}
	pieces := make([]map[int]piece, circles)
	for i := range pieces {
		pieces[i] = map[int]piece{}
	}
	for _, row := range rows {
		var id [2]int
		var percent [2]float64
		for k := range 2 {
			if id[k], err = strconv.Atoi(row[k]); err != nil {
				return nil, err
			}
			if percent[k], err = strconv.ParseFloat(row[2+k], 64); err != nil {
				return nil, err
			}
		}
		pieces[id[0]][id[1]] = piece{percent[0], percent[1]}
	}
	return pieces, nil
}

// drawCircles draws circles near vertices of areas of each country.
func (w *world) drawCircles() []circle {
	r := w.random(4)
	var circles []circle
	for layer := range layers {
		from := slices.IndexFunc(w.areas, func(a area) bool { return a.layer == layer })
		to := from + 1
		for to < len(w.areas) && w.areas[to].layer == layer {
			to++
		}
		for _, size := range circleSizes {
			for range size.circles {
				m := w.areas[from+r.IntN(to-from)].Outline
				ring := m[r.IntN(len(m))][0]
				v := ring[r.IntN(len(ring))]
				center := geo.MustLatLng(v[1]+0.02*r.NormFloat64(), v[0]+0.02*r.NormFloat64()).Rounded()
				circles = append(circles, circle{circleKind{layer, size.miles}, center})
			}
		}
	}
	return circles
}

// loadPublished fills the tables zcta, with the polygons as published or as
// stored, and circle.
func (w *world) loadPublished(ctx context.Context, circles []circle) error {
	if err := postgis.Execute(ctx, `DROP TABLE IF EXISTS zcta, circle;
		CREATE TABLE zcta (id int PRIMARY KEY, shape geometry NOT NULL);
		CREATE TABLE circle (id int PRIMARY KEY, lat float8, lng float8, radius float8, quad int, box geometry)`); err != nil {
		return err
	}
	if err := postgis.Load(ctx, "zcta", func(out *bufio.Writer) error {
		for i, a := range w.areas {
			outline := a.Outline
			if w.stored {
				outline = w.index.Polygons(i)
			}
			if err := postgis.WriteShape(out, i, outline); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if err := postgis.Load(ctx, "circle", func(out *bufio.Writer) error {
		for i, c := range circles {
			radius := float64(c.miles.Meters())
			lat, lng := c.center.Lat(), c.center.Lng()
			dLat := radius / metersPerDegree
			dLng := dLat / math.Cos((math.Abs(lat)+dLat)*math.Pi/180)
			fmt.Fprintf(out, "%d\t%v\t%v\t%v\t%d\tPOLYGON((%[6]v %[7]v,%[8]v %[7]v,%[8]v %[9]v,%[6]v %[9]v,%[6]v %[7]v))\n",
				i, lat, lng, radius, w.quadrantSegments(c.miles.Meters()), lng-dLng, lat-dLat, lng+dLng, lat+dLat)
		}
		return nil
	}); err != nil {
		return err
	}
	return postgis.Execute(ctx, `CREATE INDEX ON zcta USING gist (shape); ANALYZE zcta; ANALYZE circle`)
}
