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
)

// lite is SQLite with R*Trees in memory. A tree returns the entries that meet a
// box; this program measures them with the geodesic of package geo.
type lite struct {
	*world
	db           *sql.DB
	points, hits *sql.Stmt
}

func newLite(ctx context.Context, w *world) (_ *lite, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	l := &lite{world: w, db: db}
	defer func() {
		if err != nil {
			l.close()
		}
	}()
	if err := l.fill(ctx); err != nil {
		return nil, err
	}
	l.points, err = db.PrepareContext(ctx, `SELECT id, lat, lng FROM point WHERE east >= ? AND west <= ? AND north >= ? AND south <= ?`)
	if err != nil {
		return nil, err
	}
	l.hits, err = db.PrepareContext(ctx, `SELECT id FROM area WHERE east >= ?1 AND west <= ?1 AND north >= ?2 AND south <= ?2`)
	return l, err
}

func (l *lite) close() { l.db.Close() }

func (l *lite) fill(ctx context.Context) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a Commit it does nothing
	if _, err := tx.ExecContext(ctx, `CREATE VIRTUAL TABLE point USING rtree(id, west, east, south, north, +lat, +lng);
		CREATE VIRTUAL TABLE area USING rtree(id, west, east, south, north)`); err != nil {
		return err
	}
	point, err := tx.PrepareContext(ctx, `INSERT INTO point VALUES (?1, ?3, ?3, ?2, ?2, ?2, ?3)`)
	if err != nil {
		return err
	}
	defer point.Close()
	for i, p := range l.world.points {
		if _, err := point.ExecContext(ctx, i, p.Lat(), p.Lng()); err != nil {
			return err
		}
	}
	area, err := tx.PrepareContext(ctx, `INSERT INTO area VALUES (?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer area.Close()
	for i, a := range l.areas {
		b := a.Outline.Bound()
		if _, err := area.ExecContext(ctx, i, b.Min[0], b.Max[0], b.Min[1], b.Max[1]); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (l *lite) subject(name string, search func(center geo.LatLng) (int, error)) *subject {
	return &subject{name: name, column: sqlite, measure: l.inProcess(func(i int) (int, error) { return search(l.centers[i]) })}
}

func (l *lite) within(miles geo.Miles) *subject {
	return l.subject("SQLite R*Tree and exact geodesics", func(center geo.LatLng) (int, error) {
		found, err := l.search(center, miles.Meters())
		slices.SortFunc(found, func(a, b geo.Neighbor) int {
			return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Index, b.Index))
		})
		return len(found), err
	})
}

// nearest searches ever larger circles.
func (l *lite) nearest() *subject {
	return l.subject("SQLite R*Tree, circles from 2 miles", func(center geo.LatLng) (int, error) {
		for miles := geo.Miles(2); ; miles *= 4 {
			found, err := l.search(center, miles.Meters())
			if err != nil {
				return 0, err
			}
			if len(found) > 0 {
				first := slices.MinFunc(found, func(a, b geo.Neighbor) int { return cmp.Compare(a.Distance, b.Distance) })
				if first.Distance > miles.Meters() {
					return 0, fmt.Errorf("code %d is %v m away, expected at most %v miles", first.Index, first.Distance, miles)
				}
				return 1, nil
			}
		}
	})
}

// search returns the points of a circle in no order. The circle may not reach
// a pole or the antimeridian.
func (l *lite) search(center geo.LatLng, radius geo.Meters) ([]geo.Neighbor, error) {
	const metersPerDegree = 110_000 // a little less than the least
	dLat := float64(radius) / metersPerDegree
	dLng := dLat / math.Cos((math.Abs(center.Lat())+dLat)*math.Pi/180)
	rows, err := l.points.Query(center.Lng()-dLng, center.Lng()+dLng, center.Lat()-dLat, center.Lat()+dLat)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []geo.Neighbor
	for rows.Next() {
		var i int
		var lat, lng float64
		if err := rows.Scan(&i, &lat, &lng); err != nil {
			return nil, err
		}
		if d := geo.Distance(center, geo.MustLatLng(lat, lng)); d <= radius {
			found = append(found, geo.Neighbor{Distance: d, Index: i})
		}
	}
	return found, rows.Err()
}

func (l *lite) containing() *subject {
	return l.subject("SQLite R*Tree and orb/planar", func(center geo.LatLng) (int, error) {
		rows, err := l.hits.Query(center.Lng(), center.Lat())
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		found := 0
		for rows.Next() {
			var i int
			if err := rows.Scan(&i); err != nil {
				return 0, err
			}
			if planar.MultiPolygonContains(l.areas[i].Outline, orb.Point{center.Lng(), center.Lat()}) {
				found = 1
			}
		}
		return found, rows.Err()
	})
}
