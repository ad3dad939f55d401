package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/geo"
)

// The sizes of circles for shares of areas.
var areaMiles = []geo.Miles{5, 50, 250}

// server is PostGIS behind a Unix socket. pgbench runs the prepared statements.
type server struct{ w *world }

func newServer(ctx context.Context, w *world) (*server, error) {
	err := postgis.Execute(ctx, `
		CREATE TABLE point (id int PRIMARY KEY, at geography(point) NOT NULL);
		CREATE TABLE center (id int PRIMARY KEY, at geography(point) NOT NULL, lat float8, lng float8);
		CREATE TABLE area (id int PRIMARY KEY, shape geometry NOT NULL)`)
	for table, write := range map[string]func(*bufio.Writer) error{
		"point": func(out *bufio.Writer) error {
			for i, p := range w.points {
				fmt.Fprintf(out, "%d\tSRID=4326;POINT(%v %v)\n", i, p.Lng(), p.Lat())
			}
			return nil
		},
		"center": func(out *bufio.Writer) error {
			for i, p := range w.centers {
				fmt.Fprintf(out, "%d\tSRID=4326;POINT(%v %v)\t%[3]v\t%[2]v\n", i, p.Lng(), p.Lat())
			}
			return nil
		},
		"area": func(out *bufio.Writer) (err error) {
			for i := 0; i < len(w.areas) && err == nil; i++ {
				err = postgis.WriteShape(out, i, w.areas[i].Outline)
			}
			return err
		},
	} {
		if err == nil {
			err = postgis.Load(ctx, table, write)
		}
	}
	// Shares are measured in the equal-area projection of the United States. Circles are
	// drawn within 2 cm in the equidistant plane about their centers; that is not timed.
	statement := `
		UPDATE area SET shape = ST_SetSRID(shape, 4326);
		CREATE TABLE flat AS SELECT id, ST_MakeValid(ST_Transform(shape, 5070)) AS shape, 0::float8 AS extent FROM area;
		UPDATE flat SET extent = ST_Area(shape);
		CREATE INDEX ON point USING gist (at);
		CREATE INDEX ON area USING gist (shape);
		CREATE INDEX ON flat USING gist (shape);
		CREATE TABLE disc (id int, miles float8, shape geometry, PRIMARY KEY (id, miles));`
	for _, miles := range areaMiles {
		r := float64(miles.Meters())
		statement += fmt.Sprintf(`INSERT INTO disc SELECT id, %v, ST_Transform(ST_Buffer(ST_Point(0, 0), %v, %d),
			'+proj=aeqd +datum=WGS84 +lat_0=' || lat || ' +lon_0=' || lng, 5070) FROM center;`, float64(miles), r, int(math.Ceil(math.Pi*math.Sqrt(r/0.04)/4)))
	}
	if err == nil {
		err = postgis.Execute(ctx, statement)
	}
	if err == nil {
		err = postgis.Execute(ctx, "VACUUM ANALYZE")
	}
	return &server{w}, err
}

// Statements about the center :i, or about all with c.id in place of :i.
const (
	nearestSQL    = `SELECT n.id FROM center c CROSS JOIN LATERAL (SELECT id FROM point ORDER BY at <-> c.at LIMIT 1) n WHERE c.id = :i`
	containingSQL = `SELECT a.id FROM center c JOIN area a ON ST_Covers(a.shape, c.at::geometry) WHERE c.id = :i`
)

func withinSQL(miles geo.Miles) string {
	return fmt.Sprintf(`SELECT p.id, ST_Distance(p.at, c.at), c.id AS center FROM center c JOIN point p ON ST_DWithin(p.at, c.at, %v) WHERE c.id = :i ORDER BY 2, 1`, float64(miles.Meters()))
}

func sharesSQL(miles geo.Miles) string {
	return fmt.Sprintf(`SELECT a.id, CASE WHEN ST_Covers(c.shape, a.shape) THEN 100 ELSE 100 * ST_Area(ST_Intersection(a.shape, c.shape)) / a.extent END AS share, c.id AS center
		FROM disc c JOIN flat a ON ST_Intersects(a.shape, c.shape) WHERE c.id = :i AND c.miles = %v`, float64(miles))
}

var latency = regexp.MustCompile(`latency average = ([0-9.]+) ms`)

// time queries every center ten times and returns the mean.
func (s *server) time(statement string) measurement {
	return func(ctx context.Context) (float64, error) {
		script := filepath.Join(s.w.work, "script.sql")
		if err := os.WriteFile(script, []byte("\\set i (:i + 1) % "+strconv.Itoa(numCenters)+"\n"+statement+";\n"), 0o600); err != nil {
			return 0, err
		}
		out, err := postgis.Run(ctx, nil, "pgbench", "-n", "-M", "prepared", "-D", "i=0", "-t", strconv.Itoa(10*numCenters), "-f", script)
		if err != nil {
			return 0, err
		}
		m := latency.FindSubmatch(out)
		if m == nil {
			return 0, fmt.Errorf("pgbench printed %q", out)
		}
		ms, err := strconv.ParseFloat(string(m[1]), 64)
		return 1e6 * ms, err
	}
}
