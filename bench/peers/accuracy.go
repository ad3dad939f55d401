package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/bench/internal/boundary"
	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// Times of engines are only comparable if their results are the same, so all are compared with
// PostGIS, which computes them independently: with GEOS in planes, and with GeographicLib on
// the ellipsoid. Limits are above what was measured and far below what a user could notice.

// A comparison is a kind of result that PostGIS computes too. rows returns ours and theirs
// for each row of the statement.
type comparison struct {
	name, statement, unit string
	limit                 float64
	ours                  func(row []string) (ours, theirs float64, err error)
}

// compare prints how far results differ from those of PostGIS. A difference beyond its
// limit is an error.
func compare(ctx context.Context, w *world, o *ours) error {
	points, err := loadStored(ctx, o)
	if err != nil {
		return err
	}
	counties, err := loadCounties(ctx, w)
	if err != nil {
		return err
	}
	list := []comparison{
		{"distances", strings.Replace(withinSQL(500), ":i", "c.id", 1), "%.1e m", 1e-6, func(row []string) (float64, float64, error) {
			point, want, center, err := numbers(row)
			return float64(geo.Distance(w.centers[center], w.points[point])), want, err
		}},
		{"points on and near borders, in every area or not", `SELECT p.id, (SELECT string_agg(a.id::text, ',' ORDER BY a.id) FROM stored a WHERE p.shape && a.shape AND ST_Covers(a.shape, p.shape)) FROM probe p`, "%.0f", 0, func(row []string) (float64, float64, error) {
			id, err := strconv.Atoi(row[0])
			got := o.areas.AppendContaining(nil, points[id])
			slices.Sort(got)
			want := strings.TrimPrefix(row[1], `\N`)
			if text := strings.Trim(strings.ReplaceAll(fmt.Sprint(got), " ", ","), "[]"); text != want {
				return 1, 0, err
			}
			return 0, 0, err
		}},
	}
	for _, miles := range areaMiles {
		list = append(list, comparison{fmt.Sprintf("shares of areas inside %v miles", miles), strings.Replace(sharesSQL(miles), ":i", "c.id", 1), "%.1e percentage points", 0.05, func(row []string) (float64, float64, error) {
			area, want, center, err := numbers(row)
			if err != nil {
				return 0, 0, err
			}
			c, err := spatial.NewCircle(w.centers[center], miles.Meters())
			return o.areas.Share(area, c), want, err
		}})
	}
	var meter spatial.OverlapMeter
	list = append(list, comparison{"overlaps of ZIP Codes and counties", overlapSQL, "%.1e of the ZIP Code", 1e-6, func(row []string) (float64, float64, error) {
		code, want, county, err := numbers(row)
		if err != nil {
			return 0, 0, err
		}
		o, err := spatial.NewOutline(w.areas[code].Outline)
		if err != nil {
			return 0, 0, err
		}
		whole := float64(o.Area())
		return float64(meter.Area(o, counties[county])) / whole, want / whole, nil
	}})
	table := results.Table{Title: "accuracy", Columns: []string{"result", "number", "median difference", "largest difference"}}
	for _, c := range list {
		rows, err := postgis.Query(ctx, c.statement)
		if err != nil {
			return err
		}
		var off []float64
		for _, row := range rows {
			ours, theirs, err := c.ours(row)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			off = append(off, math.Abs(ours-theirs))
		}
		median := results.Median(off) // sorts them
		if most := off[len(off)-1]; most > c.limit {
			return fmt.Errorf("%s: off by "+c.unit, c.name, most)
		}
		table.Add(c.name, len(off), fmt.Sprintf(c.unit, median), fmt.Sprintf(c.unit, off[len(off)-1]))
	}
	table.Print(os.Stdout)
	return nil
}

// numbers parses a row of an index, a value and an index.
func numbers(row []string) (id int, v float64, other int, err error) {
	_, err = fmt.Sscan(strings.Join(row, " "), &id, &v, &other)
	return id, v, other, err
}

// loadStored fills the tables stored, with the polygons of the index, and probe, with
// points on their vertices and near them. Coordinates are whole numbers of 1e-7 degree,
// which PostGIS holds exactly.
func loadStored(ctx context.Context, o *ours) (points []geo.LatLng, err error) {
	const unit, count = 1e7, 100_000
	r := rand.New(rand.NewPCG(1, 3))
	if err := postgis.Execute(ctx, `CREATE TABLE stored (id int PRIMARY KEY, shape geometry NOT NULL); CREATE TABLE probe (id int PRIMARY KEY, shape geometry NOT NULL)`); err != nil {
		return nil, err
	}
	var probes []orb.Point
	if err := postgis.Load(ctx, "stored", func(out *bufio.Writer) (err error) {
		for i := 0; i < o.areas.Len() && err == nil; i++ {
			m := o.areas.Polygons(i)
			if m == nil {
				continue
			}
			for _, polygon := range m {
				for _, ring := range polygon {
					for k, p := range ring {
						ring[k] = orb.Point{math.Round(p[0] * unit), math.Round(p[1] * unit)}
					}
				}
			}
			for range 1 + count/o.areas.Len() {
				ring := m[r.IntN(len(m))][0]
				p, by := ring[r.IntN(len(ring))], []int{0, 9, 1000, 100_000}[r.IntN(4)]
				probes = append(probes, orb.Point{p[0] + float64(r.IntN(2*by+1)-by), p[1] + float64(r.IntN(2*by+1)-by)})
			}
			err = postgis.WriteShape(out, i, m)
		}
		return err
	}); err != nil {
		return nil, err
	}
	for _, p := range probes {
		points = append(points, geo.MustLatLng(p[1]/unit, p[0]/unit))
	}
	if err := postgis.Execute(ctx, `CREATE INDEX ON stored USING gist (shape); ANALYZE stored`); err != nil {
		return nil, err
	}
	return points, postgis.Load(ctx, "probe", func(out *bufio.Writer) (err error) {
		for i := 0; i < len(probes) && err == nil; i++ {
			err = postgis.WriteShape(out, i, probes[i])
		}
		return err
	})
}

// overlapSQL measures the areas that every 40th ZIP Code shares with counties, in the
// cylindrical equal-area plane of the ellipsoid. Edges are first cut to 60 m, straight in
// longitude and latitude. Areas across the antimeridian are left out.
const overlapSQL = `WITH pair AS (SELECT a.id AS code, c.id AS county, a.shape AS a, c.shape AS c FROM area a JOIN county c ON ST_Intersects(a.shape, c.shape)
		WHERE a.id % 40 = 0 AND greatest(ST_XMax(a.shape) - ST_XMin(a.shape), ST_XMax(c.shape) - ST_XMin(c.shape)) < 180),
	plane AS (SELECT code, county, ST_MakeValid(ST_Transform(ST_Segmentize(a, 5.4e-4), '+proj=longlat +datum=WGS84', '+proj=cea +datum=WGS84')) AS a,
		ST_MakeValid(ST_Transform(ST_Segmentize(c, 5.4e-4), '+proj=longlat +datum=WGS84', '+proj=cea +datum=WGS84')) AS c FROM pair)
	SELECT code, ST_Area(ST_Intersection(a, c)), county FROM plane`

// loadCounties fills the table county and returns the outlines.
func loadCounties(ctx context.Context, w *world) (outlines []*spatial.Outline, err error) {
	counties, err := boundary.Read(w.mirror, boundary.County)
	if err != nil {
		return nil, err
	}
	if err := postgis.Execute(ctx, `CREATE TABLE county (id int PRIMARY KEY, shape geometry)`); err != nil {
		return nil, err
	}
	if err := postgis.Load(ctx, "county", func(out *bufio.Writer) error {
		for i, c := range counties {
			o, err := spatial.NewOutline(c.Outline)
			if err == nil {
				err = postgis.WriteShape(out, i, c.Outline)
			}
			if err != nil {
				return err
			}
			outlines = append(outlines, o)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return outlines, postgis.Execute(ctx, `UPDATE county SET shape = ST_SetSRID(shape, 4326); CREATE INDEX ON county USING gist (shape); ANALYZE county`)
}
