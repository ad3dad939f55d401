package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver of the table in SQLite

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/source"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

func unzipped(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }

// A side is a range of a segment.
type side struct {
	name  store.RoadName
	zip   dataset.ZIP
	left  bool
	of    store.NumberRange
	line  []geo.LatLng
	tlid  int
	piece string // WKT of the line
}

// sides reads the ranges of the county files of a mirror.
func sides(mirror string) (list []side, err error) {
	files, err := filepath.Glob(below(mirror, "www2.census.gov/geo/tiger/TIGER2025/ADDRFEAT/*.zip"))
	if err != nil {
		return nil, err
	}
	id := 0
	for _, file := range files {
		for p, err := range source.RoadPieces(file) {
			if err != nil {
				return nil, err
			}
			id++
			var b strings.Builder
			for i, v := range p.Segment.Line {
				if i > 0 {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b, "%v %v", v.Lng(), v.Lat())
			}
			piece := "SRID=4269;MULTILINESTRING((" + b.String() + "))"
			if p.Left.Has() {
				list = append(list, side{p.Name, p.Left.ZIP, true, p.Segment.Left, p.Segment.Line, id, piece})
			}
			if p.Right.Has() {
				list = append(list, side{p.Name, p.Right.ZIP, false, p.Segment.Right, p.Segment.Line, id, piece})
			}
		}
	}
	return list, nil
}

// A result is the position or street that a peer returns.
type result struct {
	at     geo.LatLng
	found  bool
	street string
	took   time.Duration
}

// A peer finds positions and addresses.
type peer struct {
	name    string
	find    func(p place) (result, error)
	reverse func(p place) (result, error) // nil without
}

// compare prints the errors and times of geocoders with the same ranges.
func compare(ctx context.Context, db *postgeo.DB, mirror string, list []place) error {
	all, err := sides(mirror)
	if err != nil {
		return err
	}
	wrong := make([]place, 300)
	for i := range wrong {
		w := list[i]
		w.number.Value += 20_000
		w.text = strings.Replace(list[i].text, list[i].number.String(), w.number.String(), 1)
		wrong[i] = w
	}
	words, err := newTable(ctx, all)
	if err != nil {
		return err
	}
	tiger, err := newTiger(ctx, all, append(slices.Clone(list), wrong...))
	if err != nil {
		return err
	}
	ours := peer{
		"postgeo", func(p place) (result, error) {
			began := time.Now()
			r, err := db.Geocode(ctx, p.text, postgeo.GeocodeOptions{})
			if err != nil {
				return result{}, err
			}
			return result{r.Location, r.Precision <= geocode.Interpolated, r.Street, time.Since(began)}, nil
		}, func(p place) (result, error) {
			began := time.Now()
			r, err := db.Reverse(ctx, p.at, postgeo.ReverseOptions{})
			if err != nil {
				return result{}, err
			}
			return result{r.Location, true, r.Street, time.Since(began)}, nil
		},
	}
	table := results.Table{Title: "geocoders", Columns: []string{"geocoder", "found", "median", "p90", "p50 / p99", "invented numbers found", "reverse: street", "p50 / p99"}}
	for _, p := range []peer{ours, tiger, {"table in SQLite FTS5", words, nil}} {
		if err := p.row(&table, list, wrong); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	table.Print(os.Stdout)
	return nil
}

// row measures a peer and adds its row.
func (p *peer) row(table *results.Table, list, wrong []place) error {
	var errs []residual
	var took, back []time.Duration
	invented, right := 0, 0
	for _, at := range list {
		a, err := p.find(at)
		if err != nil {
			return err
		}
		if took = append(took, a.took); a.found {
			errs = append(errs, residual{error: float64(geo.Distance(a.at, at.at))})
		}
		if p.reverse == nil {
			continue
		}
		if a, err = p.reverse(at); err != nil {
			return err
		}
		if back = append(back, a.took); strings.EqualFold(a.street, at.street) {
			right++
		}
	}
	for _, at := range wrong {
		a, err := p.find(at)
		if err != nil {
			return err
		}
		if a.found {
			invented++
		}
	}
	row := []any{
		p.name, fmt.Sprintf("%.1f %%", 100*float64(len(errs))/float64(len(list))), fmt.Sprintf("%.0f m", quantile(errs, 0.5)), fmt.Sprintf("%.0f m", quantile(errs, 0.9)),
		timed(took), fmt.Sprintf("%d of %d", invented, len(wrong)),
	}
	if p.reverse != nil {
		row = append(row, fmt.Sprintf("%.1f %%", 100*float64(right)/float64(len(list))), timed(back))
	}
	table.Add(row...)
	return nil
}

// newTable loads a table with full-text search and returns its search. A query has the
// words of the street, the ZIP Code and the number.
func newTable(ctx context.Context, all []side) (func(place) (result, error), error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "CREATE VIRTUAL TABLE road USING fts5(street, zip, low UNINDEXED, high UNINDEXED, lat1 UNINDEXED, lng1 UNINDEXED, lat2 UNINDEXED, lng2 UNINDEXED)"); err != nil {
		return nil, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		a, b := s.line[0], s.line[len(s.line)-1]
		if s.of.From > s.of.To {
			a, b = b, a
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO road VALUES (?,?,?,?,?,?,?,?)", s.name.String(), s.zip.String(), min(s.of.From, s.of.To), max(s.of.From, s.of.To), a.Lat(), a.Lng(), b.Lat(), b.Lng()); err != nil {
			return nil, err
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, err
	}
	find, err := db.PrepareContext(ctx, "SELECT low, high, lat1, lng1, lat2, lng2 FROM road WHERE road MATCH ? AND low <= ? AND high >= ? AND (low - ?) % 2 = 0 ORDER BY rank LIMIT 1")
	if err != nil {
		return nil, err
	}
	return func(p place) (result, error) {
		began, n := time.Now(), p.number.Value
		rows, err := find.QueryContext(ctx, fmt.Sprintf(`street:%q AND zip:%q`, p.street, p.zip.String()), n, n, n)
		if err != nil {
			return result{}, err
		}
		defer rows.Close()
		if !rows.Next() {
			return result{took: time.Since(began)}, rows.Err()
		}
		var low, high, lat1, lng1, lat2, lng2 float64
		if err := rows.Scan(&low, &high, &lat1, &lng1, &lat2, &lng2); err != nil {
			return result{}, err
		}
		t := (float64(n) - low) / max(high-low, 1)
		at, err := geo.LatLngFromDegrees(lat1+t*(lat2-lat1), lng1+t*(lng2-lng1))
		return result{at, err == nil, p.street, time.Since(began)}, err
	}, nil
}

// newTiger loads the geocoder of PostGIS and runs all queries on the server. Their
// times contain no transfer.
func newTiger(ctx context.Context, all []side, list []place) (peer, error) {
	if err := postgis.Execute(ctx, tigerSource); err != nil {
		return peer{}, err
	}
	err := postgis.Load(ctx, "side", func(w *bufio.Writer) error {
		for _, s := range all {
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%t\t%s\n", s.tlid, s.zip, s.name.PreDir, s.name.Name, s.name.Suffix, s.name.PostDir, s.of.From, s.of.To, s.left, s.piece)
		}
		return nil
	})
	if err == nil {
		err = postgis.Load(ctx, "lookup", func(w *bufio.Writer) error {
			for i, p := range list {
				fmt.Fprintf(w, "%d\t%s %s, Town, VA %s\t%v\t%v\n", i, p.number, p.street, p.zip, p.at.Lat(), p.at.Lng())
			}
			return nil
		})
	}
	if err == nil {
		err = postgis.Execute(ctx, tigerTables)
	}
	if err == nil {
		err = postgis.Execute(ctx, tigerLookups)
	}
	if err != nil {
		return peer{}, err
	}
	found, reversed := map[string]result{}, map[string]result{}
	rows, err := postgis.Query(ctx, "SELECT id, coalesce(lat, 0), coalesce(lng, 0), coalesce(exact, false), took, coalesce(street, ''), took_back FROM result")
	for _, r := range rows {
		var id int
		var lat, lng, took, back float64
		if _, err := fmt.Sscan(strings.Join([]string{r[0], r[1], r[2], r[4], r[6]}, " "), &id, &lat, &lng, &took, &back); err != nil {
			return peer{}, err
		}
		at, err := geo.LatLngFromDegrees(lat, lng)
		if err != nil {
			return peer{}, err
		}
		found[list[id].text] = result{at: at, found: r[3] == "t", took: time.Duration(took * 1e9)}
		reversed[list[id].text] = result{street: r[5], took: time.Duration(back * 1e9)}
	}
	return peer{
		"PostGIS `geocode()`, `reverse_geocode()`",
		func(p place) (result, error) { return found[p.text], nil },
		func(p place) (result, error) { return reversed[p.text], nil },
	}, err
}
