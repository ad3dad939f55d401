package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/geo"
)

// debianPython is the Python whose SQLite may load extensions; one that is found
// on the way may not.
const debianPython = "/usr/bin/python3"

// spatialite is SQLite with the extension SpatiaLite and its spatial indexes,
// asked by a script in Python. Areas in a plane and circles are those of
// PostGIS.
type spatialite struct{ *world }

func newSpatialite(ctx context.Context, w *world) (*spatialite, error) {
	s := &spatialite{w}
	for _, f := range []struct {
		name  string
		write func(*bufio.Writer) error
	}{
		{"points.tsv", func(out *bufio.Writer) error { return writePoints(out, w.points) }},
		{"centers.tsv", func(out *bufio.Writer) error { return writePoints(out, w.centers) }},
		{"areas.tsv", func(out *bufio.Writer) error {
			for i, a := range w.areas {
				if err := postgis.WriteShape(out, i, a.Outline); err != nil {
					return err
				}
			}
			return nil
		}},
		{"flat.tsv", copyOf(ctx, "SELECT id, extent, encode(ST_AsBinary(shape), 'hex') FROM flat")},
		{"discs.tsv", copyOf(ctx, "SELECT id, miles, encode(ST_AsBinary(shape), 'hex') FROM disc WHERE segments > 16")},
	} {
		if err := writeFile(filepath.Join(w.work, f.name), f.write); err != nil {
			return nil, err
		}
	}
	_, err := s.run(ctx, "load", w.work)
	return s, err
}

func (s *spatialite) run(ctx context.Context, args ...string) ([]byte, error) {
	all := []string{filepath.Join(s.work, "spatialite.py"), filepath.Join(s.work, "spatialite.db")}
	return postgis.Run(ctx, nil, debianPython, append(all, args...)...)
}

func (s *spatialite) subject(name string, args ...string) *subject {
	return &subject{name: name, where: "in process (Python)", measure: func(ctx context.Context) (figure, error) {
		out, err := s.run(ctx, args...)
		if err != nil {
			return figure{}, err
		}
		var f figure
		if _, err := fmt.Sscan(string(out), &f.ns, &f.found); err != nil {
			return figure{}, fmt.Errorf("spatialite.py printed %q: %w", out, err)
		}
		return f, nil
	}}
}

func (s *spatialite) within(miles geo.Miles) *subject {
	return s.subject("SpatiaLite on the ellipsoid", "within", number(float64(miles.Meters())))
}

func (s *spatialite) nearest() *subject {
	return s.subject("SpatiaLite, circles from 2 miles", "nearest")
}

func (s *spatialite) containing() *subject { return s.subject("SpatiaLite", "contains") }

func (s *spatialite) shares(miles geo.Miles) *subject {
	q := s.subject("SpatiaLite, "+fineCircle.name, "shares", number(float64(miles)))
	q.once = true
	return q
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func writePoints(out *bufio.Writer, points []geo.LatLng) error {
	for i, p := range points {
		if _, err := fmt.Fprintf(out, "%d\t%v\t%v\n", i, p.Lat(), p.Lng()); err != nil {
			return err
		}
	}
	return nil
}

// copyOf writes the rows of a query to PostGIS.
func copyOf(ctx context.Context, query string) func(*bufio.Writer) error {
	return func(out *bufio.Writer) error {
		rows, err := postgis.Run(ctx, nil, "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", "COPY ("+query+") TO STDOUT")
		if err == nil {
			_, err = out.Write(rows)
		}
		return err
	}
}

func writeFile(path string, write func(*bufio.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close() // after the one below it does nothing
	out := bufio.NewWriter(f)
	if err := write(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Close()
}
