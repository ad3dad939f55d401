package main

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	_ "modernc.org/sqlite" // the engine

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// ours is package geo.
type ours struct {
	points *spatial.PointIndex
	areas  *spatial.PolygonIndex
	found  []spatial.Neighbor
	parts  []spatial.Share
}

func newOurs(w *world) (*ours, error) {
	var b spatial.PolygonIndexBuilder
	for _, a := range w.areas {
		if err := b.Add(a.Outline); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Code, err)
		}
	}
	data, err := b.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	areas, err := spatial.DecodePolygonIndex(data)
	return &ours{points: spatial.NewPointIndex(w.points), areas: areas}, err
}

func (o *ours) within(miles geo.Miles) func(geo.LatLng) error {
	return func(center geo.LatLng) error {
		o.found = o.points.AppendWithin(o.found[:0], center, 0, miles.Meters())
		return nil
	}
}

func (o *ours) nearest(center geo.LatLng) error {
	o.found = o.points.AppendNearest(o.found[:0], center, 1)
	return nil
}

func (o *ours) shares(miles geo.Miles) func(geo.LatLng) error {
	return func(center geo.LatLng) error {
		c, err := spatial.NewCircle(center, miles.Meters())
		if err == nil {
			o.parts = o.areas.AppendShares(o.parts[:0], c)
		}
		return err
	}
}

func (o *ours) containing(center geo.LatLng) error {
	o.areas.Containing(center)
	return nil
}

// lite is SQLite with R*Trees in memory. A tree returns the entries that meet a
// box; this program measures them with the geodesic of package geo.
type lite struct {
	w            *world
	db           *sql.DB
	points, hits *sql.Stmt
}

func newLite(ctx context.Context, w *world) (*lite, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	l := &lite{w: w, db: db}
	exec := func(query string, args ...any) {
		if err == nil {
			_, err = db.ExecContext(ctx, query, args...)
		}
	}
	exec(`CREATE VIRTUAL TABLE point USING rtree(id, west, east, south, north, +lat, +lng); CREATE VIRTUAL TABLE area USING rtree(id, west, east, south, north); BEGIN`)
	for i, p := range w.points {
		exec(`INSERT INTO point VALUES (?1, ?3, ?3, ?2, ?2, ?2, ?3)`, i, p.Lat(), p.Lng())
	}
	for i, a := range w.areas {
		b := a.Outline.Bound()
		exec(`INSERT INTO area VALUES (?, ?, ?, ?, ?)`, i, b.Min[0], b.Max[0], b.Min[1], b.Max[1])
	}
	exec("COMMIT")
	if err == nil {
		l.points, err = db.PrepareContext(ctx, `SELECT id, lat, lng FROM point WHERE east >= ? AND west <= ? AND north >= ? AND south <= ?`)
	}
	if err == nil {
		l.hits, err = db.PrepareContext(ctx, `SELECT id FROM area WHERE east >= ?1 AND west <= ?1 AND north >= ?2 AND south <= ?2`)
	}
	return l, err
}

func (l *lite) within(miles geo.Miles) func(geo.LatLng) error {
	return func(center geo.LatLng) error {
		_, err := l.search(center, miles.Meters())
		return err
	}
}

// nearest searches ever larger circles.
func (l *lite) nearest(center geo.LatLng) error {
	for miles := geo.Miles(2); ; miles *= 4 {
		if found, err := l.search(center, miles.Meters()); err != nil || len(found) > 0 {
			return err
		}
	}
}

// search returns the points of a circle by distance. The circle may not reach a pole or
// the antimeridian.
func (l *lite) search(center geo.LatLng, radius geo.Meters) (found []spatial.Neighbor, err error) {
	const metersPerDegree = 110_000 // a little less than the least
	dLat := float64(radius) / metersPerDegree
	dLng := dLat / math.Cos((math.Abs(center.Lat())+dLat)*math.Pi/180)
	rows, err := l.points.Query(center.Lng()-dLng, center.Lng()+dLng, center.Lat()-dLat, center.Lat()+dLat)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var i int
		var lat, lng float64
		if err := rows.Scan(&i, &lat, &lng); err != nil {
			return nil, err
		}
		if d := geo.Distance(center, geo.MustLatLng(lat, lng)); d <= radius {
			found = append(found, spatial.Neighbor{Distance: d, Index: i})
		}
	}
	slices.SortFunc(found, func(a, b spatial.Neighbor) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Index, b.Index))
	})
	return found, rows.Err()
}

func (l *lite) containing(center geo.LatLng) error {
	_, err := l.inside(center)
	return err
}

// inside reports whether an area contains a point.
func (l *lite) inside(p geo.LatLng) (found bool, err error) {
	rows, err := l.hits.Query(p.Lng(), p.Lat())
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		var i int
		if err := rows.Scan(&i); err != nil {
			return false, err
		}
		found = planar.MultiPolygonContains(l.w.areas[i].Outline, orb.Point{p.Lng(), p.Lat()}) || found
	}
	return found, rows.Err()
}
