package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/geo"
)

// server is PostGIS behind a Unix socket. Program pgbench runs the prepared
// statements.
type server struct{ *world }

func newServer(ctx context.Context, w *world) (*server, error) {
	if err := postgis.Execute(ctx, `
		CREATE TABLE point (id int PRIMARY KEY, at geography(point) NOT NULL);
		CREATE TABLE center (id int PRIMARY KEY, at geography(point) NOT NULL, lat float8, lng float8);
		CREATE TABLE area (id int PRIMARY KEY, shape geometry NOT NULL)`); err != nil {
		return nil, err
	}
	if err := postgis.Load(ctx, "point", func(out *bufio.Writer) error {
		for i, p := range w.points {
			fmt.Fprintf(out, "%d\tSRID=4326;POINT(%v %v)\n", i, p.Lng(), p.Lat())
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if err := postgis.Load(ctx, "center", func(out *bufio.Writer) error {
		for i, p := range w.centers {
			fmt.Fprintf(out, "%d\tSRID=4326;POINT(%v %v)\t%[3]v\t%[2]v\n", i, p.Lng(), p.Lat())
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if err := postgis.Load(ctx, "area", func(out *bufio.Writer) error {
		for i, a := range w.areas {
			if err := postgis.WriteShape(out, i, a.Outline); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	// Shares are measured in the equal-area projection of the United States.
	if err := postgis.Execute(ctx, `
		UPDATE area SET shape = ST_SetSRID(shape, 4326);
		CREATE TABLE flat AS SELECT id, ST_MakeValid(ST_Transform(shape, 5070)) AS shape, 0::float8 AS extent FROM area;
		UPDATE flat SET extent = ST_Area(shape);
		CREATE TABLE round AS SELECT id, shape::geography AS shape, ST_Area(shape::geography) AS extent FROM area;
		CREATE INDEX ON point USING gist (at);
		CREATE INDEX ON area USING gist (shape);
		CREATE INDEX ON flat USING gist (shape);
		CREATE INDEX ON round USING gist (shape)`); err != nil {
		return nil, err
	}
	s := &server{w}
	if err := s.drawCircles(ctx); err != nil {
		return nil, err
	}
	return s, postgis.Execute(ctx, "VACUUM ANALYZE")
}

func (s *server) within(miles geo.Miles) *subject {
	return s.subject("PostGIS geography", fmt.Sprintf(`SELECT p.id, ST_Distance(p.at, c.at) FROM center c JOIN point p ON ST_DWithin(p.at, c.at, %v)
		WHERE c.id = :i ORDER BY 2, 1`, float64(miles.Meters())))
}

func (s *server) nearest() *subject {
	return s.subject("PostGIS geography, index order", `SELECT n.id FROM center c CROSS JOIN LATERAL (SELECT id FROM point ORDER BY at <-> c.at LIMIT 1) n WHERE c.id = :i`)
}

func (s *server) containing() *subject {
	return s.subject("PostGIS geometry", `SELECT a.id FROM center c JOIN area a ON ST_Covers(a.shape, c.at::geometry) WHERE c.id = :i`)
}

// nothing measures a query that reads one row by its key.
func (s *server) nothing() *subject {
	return s.subject("PostgreSQL, for comparison: one row by its key", `SELECT c.id FROM center c WHERE c.id = :i`)
}

// A circleShape sets the number of segments of a quarter circle.
type circleShape struct {
	name     string
	segments func(geo.Meters) int
}

var (
	// fineCircle keeps within 2 cm of the true outline.
	fineCircle = circleShape{"ready circle right to 2 cm", func(r geo.Meters) int {
		return int(math.Ceil(math.Pi * math.Sqrt(float64(r)/0.04) / 4))
	}}
	coarseCircle = circleShape{"ready circle of 64 corners", func(geo.Meters) int { return 16 }}
)

// drawCircles fills the table disc. The circles are drawn in the equidistant
// plane about their centers and mapped to the plane of the areas. PROJ takes
// about 20 ms for each; this time is not measured.
func (s *server) drawCircles(ctx context.Context) error {
	statement := `CREATE TABLE disc (id int, miles float8, segments int, shape geometry, PRIMARY KEY (id, miles, segments));`
	for _, miles := range areaMiles {
		for _, shape := range []circleShape{fineCircle, coarseCircle} {
			statement += fmt.Sprintf(`
				INSERT INTO disc SELECT id, %[1]v, %[2]d, ST_Transform(ST_Buffer(ST_Point(0, 0), %[3]v, %[2]d),
					'+proj=aeqd +datum=WGS84 +lat_0=' || lat || ' +lon_0=' || lng, 5070) FROM center;`,
				float64(miles), shape.segments(miles.Meters()), float64(miles.Meters()))
		}
	}
	return postgis.Execute(ctx, statement)
}

func (s *server) shares(o *ours, miles geo.Miles, shape circleShape) *subject {
	return s.shareSubject(o, miles, "PostGIS geometry, "+shape.name, fmt.Sprintf(`SELECT a.id,
			CASE WHEN ST_Covers(c.shape, a.shape) THEN 100 ELSE 100 * ST_Area(ST_Intersection(a.shape, c.shape)) / a.extent END AS share, c.id AS center
		FROM disc c JOIN flat a ON ST_Intersects(a.shape, c.shape)
		WHERE c.id = :i AND c.miles = %v AND c.segments = %d`, float64(miles), shape.segments(miles.Meters())))
}

// geographyShares uses the geography type directly.
func (s *server) geographyShares(o *ours, miles geo.Miles) *subject {
	q := s.shareSubject(o, miles, "PostGIS geography, buffer as it comes", fmt.Sprintf(`SELECT a.id, 100 * ST_Area(ST_Intersection(a.shape, d.disc)) / a.extent AS share, d.id AS center
		FROM (SELECT c.id, ST_Buffer(c.at, %v) AS disc FROM center c WHERE c.id = :i OFFSET 0) d
		JOIN round a ON ST_Intersects(a.shape, d.disc)`, float64(miles.Meters())))
	q.once = true
	return q
}

// shareSubject also reports how far the shares are from ours. The statement
// returns area, share and center.
func (s *server) shareSubject(o *ours, miles geo.Miles, name, statement string) *subject {
	q := s.subject(name, statement)
	q.off = func(ctx context.Context) (float64, error) {
		rows, err := postgis.Query(ctx, forAllCenters(statement))
		if err != nil {
			return 0, err
		}
		var circles [numCenters]*geo.Circle
		for i, c := range s.centers {
			if circles[i], err = geo.NewCircle(c, miles.Meters()); err != nil {
				return 0, err
			}
		}
		off := 0.0
		for _, row := range rows {
			area, errArea := strconv.Atoi(row[0])
			share, errShare := strconv.ParseFloat(row[1], 64)
			center, errCenter := strconv.Atoi(row[2])
			if err := errors.Join(errArea, errShare, errCenter); err != nil {
				return 0, err
			}
			off = max(off, math.Abs(share-o.areas.Share(area, circles[center])))
		}
		return off, nil
	}
	return q
}

// forAllCenters turns a statement about one center into one about all centers.
func forAllCenters(statement string) string {
	return strings.Replace(statement, "c.id = :i", "true", 1)
}

// serverPasses is the number of queries per center in a round.
const serverPasses = 3

// subject queries every center in several passes and keeps the fastest query of
// each center. The statement contains the number of the center as :i.
func (s *server) subject(name, statement string) *subject {
	found := -1.0
	return &subject{name: name, column: postGIS, measure: func(ctx context.Context) (figure, error) {
		if found < 0 {
			// The statement for all centers yields the number of rows.
			var err error
			if found, err = s.count(ctx, statement); err != nil {
				return figure{}, err
			}
		}
		ns, err := s.time(ctx, statement)
		return figure{ns, found}, err
	}}
}

func (s *server) count(ctx context.Context, statement string) (float64, error) {
	rows, err := postgis.Query(ctx, "SELECT count(*) FROM ("+forAllCenters(statement)+") q")
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseFloat(rows[0][0], 64)
	return n / numCenters, err
}

func (s *server) time(ctx context.Context, statement string) (float64, error) {
	dir, err := os.MkdirTemp(s.work, "pgbench")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	script := filepath.Join(dir, "script.sql")
	// pgbench reads a statement up to its semicolon.
	if err := os.WriteFile(script, []byte("\\set i (:i + 1) % "+strconv.Itoa(numCenters)+"\n"+statement+";\n"), 0o600); err != nil {
		return 0, err
	}
	if _, err := postgis.Run(ctx, nil, "pgbench", "-n", "-M", "prepared", "-D", "i=0", "-t", strconv.Itoa(serverPasses*numCenters),
		"-f", script, "-l", "--log-prefix", filepath.Join(dir, "log")); err != nil {
		return 0, err
	}
	logs, err := filepath.Glob(filepath.Join(dir, "log.*"))
	if err != nil || len(logs) != 1 {
		return 0, fmt.Errorf("pgbench left %d logs: %w", len(logs), err)
	}
	data, err := os.ReadFile(logs[0])
	if err != nil {
		return 0, err
	}
	var fastest [numCenters]float64 // microseconds
	n := 0
	for line := range strings.Lines(string(data)) {
		columns := strings.Fields(line) // client, transaction, microseconds, …
		v, err := strconv.ParseFloat(columns[2], 64)
		if err != nil {
			return 0, fmt.Errorf("pgbench logged %q: %w", line, err)
		}
		if i := n % numCenters; n < numCenters || v < fastest[i] {
			fastest[i] = v
		}
		n++
	}
	if n != serverPasses*numCenters {
		return 0, fmt.Errorf("pgbench logged %d transactions", n)
	}
	sum := 0.0
	for _, v := range fastest {
		sum += v
	}
	return 1e3 * sum / numCenters, nil
}
