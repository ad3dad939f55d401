// Command geocode measures the errors of geocoding. It writes tables to standard
// output:
//
//	go -C bench run ./geocode
//
// The positions of ranges are measured in an invented country, because no public
// county has both ranges and points. Those between points are measured in Vermont, if
// the shared files are present. With -peers it compares PostGIS and a table in SQLite
// FTS5, which bench/geocode/run.sh prepares.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/dataset/builder/source"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
)

func main() {
	mirror := flag.String("mirror", "../../shared/data/mirror", "folder of the shared files")
	peers := flag.Bool("peers", false, "compare PostGIS and SQLite FTS5")
	program.Main("geocode", func(ctx context.Context, dir string) error { return run(ctx, dir, *mirror, *peers) })
}

// A place is an address of known position.
type place struct {
	text   string
	street string // with its ZIP Code
	number store.HouseNumber
	zip    dataset.ZIP
	at     geo.LatLng
}

// places reads the addresses of a file of points.
func places(path string) (list []place, err error) {
	for p, err := range source.ReadAddressPoints(path) {
		if err != nil || !p.HasZIP {
			continue
		}
		n := p.Numbers[0]
		list = append(list, place{fmt.Sprintf("%s %s, %s %s", n, p.Name, p.State, p.ZIP), p.Name.String(), n, p.ZIP, p.Location})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no addresses", path)
	}
	rng := rand.New(rand.NewPCG(18, 2))
	rng.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list, nil
}

func run(ctx context.Context, dir, mirror string, peers bool) error {
	positions := results.Table{Title: "positions", Columns: []string{"positions", "addresses", "found", "median", "p90", "p99", "within `radius_m`"}}
	invented, db, err := ranges(ctx, filepath.Join(dir, "mirror"))
	if err != nil {
		return err
	}
	defer db.Close()
	along := measure(ctx, db, &positions, "along ranges, invented country with the vertex spacing of TIGER/Line", invented[:min(20_000, len(invented))], geocode.Interpolated)
	groups := []group{along}
	if list, err := places(below(mirror, nationalAddresses)); err == nil {
		half, err := points(ctx, filepath.Join(dir, "half"), mirror, list[:len(list)/2])
		if err != nil {
			return err
		}
		defer half.Close()
		unknown := list[len(list)/2:][:40_000]
		between := measure(ctx, half, &positions, "between points, Vermont, half of the points hidden", unknown, geocode.Interpolated)
		measure(ctx, half, &positions, "at the nearest known number, the other hidden points", unknown, geocode.Street)
		groups = append(groups, between, measure(ctx, half, &positions, "address points, Vermont", list[:20_000], geocode.Point))
		if err := open(ctx, dir, mirror, &positions); err != nil {
			return err
		}
		if err := between.byCounty(filepath.Join(dir, "half.db")); err != nil {
			return err
		}
		if err := hidden(ctx, half, list[:len(list)/2], unknown[:10_000]); err != nil {
			return err
		}
	}
	positions.Print(os.Stdout)
	byLength(groups[:min(len(groups), 2)])
	county := filepath.Join(dir, "county.db")
	if err := polled(ctx, county, mirror); err != nil {
		return err
	}
	if _, err := os.Stat(county); err == nil { // with the shared files
		if err := crossings(ctx, county, dir, mirror); err != nil {
			return err
		}
	}
	if peers {
		if err := compare(ctx, db, filepath.Join(dir, "mirror"), invented[:1_000]); err != nil {
			return err
		}
	}
	return nil
}

// ranges builds a dataset with the ranges of an invented country and returns the
// true positions of its houses.
func ranges(ctx context.Context, dir string) ([]place, *postgeo.DB, error) {
	c, err := synth.New(synth.Options{Seed: 18, ZIPs: 300})
	if err == nil {
		err = c.WriteMirror(ctx, dir)
	}
	if err == nil {
		_, _, err = c.WriteStreets(ctx, dir, synth.StreetOptions{Segments: 30_000, Points: 60_000})
	}
	if err != nil {
		return nil, nil, err
	}
	list, err := places(below(dir, nationalAddresses))
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, "ranges.db")
	_, err = builder.Build(ctx, builder.Options{Output: path, Mirror: dir, Offline: true, Layers: []string{"streets"}, Sample: true})
	if err != nil {
		return nil, nil, err
	}
	db, err := postgeo.Open(path)
	return list, db, err
}

// points builds a dataset with address points.
func points(ctx context.Context, name, mirror string, list []place) (*postgeo.DB, error) {
	f, err := os.Create(name + ".csv")
	if err != nil {
		return nil, err
	}
	w := csv.NewWriter(f)
	err = w.Write([]string{"number", "street", "zip", "lat", "lon"})
	for _, p := range list {
		err = errors.Join(err, w.Write([]string{p.number.String(), p.street, p.zip.String(), fmt.Sprint(p.at.Lat()), fmt.Sprint(p.at.Lng())}))
	}
	w.Flush()
	if err = errors.Join(err, w.Error(), f.Close()); err != nil {
		return nil, err
	}
	_, err = builder.Build(ctx, builder.Options{Output: name + ".db", Mirror: mirror, Offline: true, Layers: []string{"identity"}, AddressPoints: []string{name + ".csv"}})
	if err != nil {
		return nil, err
	}
	return postgeo.Open(name + ".db")
}

// open measures known points of files of OpenAddresses that have ZIP Codes.
func open(ctx context.Context, dir, mirror string, positions *results.Table) error {
	for _, f := range [...][2]string{{"Baltimore County, Maryland", "south"}, {"Plymouth, Massachusetts", "northeast"}, {"Milwaukee, Wisconsin", "midwest"}} {
		list, err := places(below(mirror, "data.openaddresses.io/openaddr-collected-us_"+f[1]+".zip"))
		if err != nil {
			return err
		}
		db, err := points(ctx, filepath.Join(dir, f[1]), mirror, list)
		if err != nil {
			return err
		}
		measure(ctx, db, positions, "address points, "+f[0], list[:min(4_000, len(list))], geocode.Point)
		if err := db.Close(); err != nil {
			return err
		}
	}
	return nil
}

// A residual is the error of a position in meters, with the length of the record
// behind it.
type residual struct {
	error, radius float64
	length        int
	zip           dataset.ZIP
}

// A group is the residuals of one kind of position.
type group struct {
	name string
	list []residual
}

// measure geocodes places and adds a row of the errors of one precision.
func measure(ctx context.Context, db *postgeo.DB, positions *results.Table, name string, list []place, of geocode.Precision) group {
	g := group{name: name}
	for _, p := range list {
		r, err := db.Geocode(ctx, p.text, postgeo.GeocodeOptions{})
		if err != nil || r.Precision != of {
			continue
		}
		length := 0
		if r.Record != nil {
			length = r.Record.Length
		}
		g.list = append(g.list, residual{float64(geo.Distance(r.Location, p.at)), float64(r.RadiusM), length, p.zip})
	}
	positions.Add(append([]any{name, results.Number(float64(len(list))), share(len(g.list), len(list))}, summary(g.list)...)...)
	return g
}

// summary returns the quantiles of residuals and the part within their radius.
func summary(list []residual) []any {
	within := 0
	for _, r := range list {
		if r.error <= r.radius {
			within++
		}
	}
	meters := func(q float64) string { return fmt.Sprintf("%.0f m", quantile(list, q)) }
	return []any{meters(0.5), meters(0.9), meters(0.99), share(within, len(list))}
}

// share returns a part of a number as a percentage.
func share(part, of int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(of, 1)))
}

func quantile(list []residual, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	errs := make([]float64, len(list))
	for i, r := range list {
		errs[i] = r.error
	}
	slices.Sort(errs)
	return errs[min(int(q*float64(len(errs))), len(errs)-1)]
}

// byLength prints the residuals of groups by the length of the record behind them.
func byLength(groups []group) {
	const step, most, least = 50, 400, 20
	table := results.Table{Title: "lengths", Columns: []string{"length of the record"}}
	for _, g := range groups {
		name, _, _ := strings.Cut(g.name, ",")
		table.Columns = append(table.Columns, name+": p90", "within `radius_m`")
	}
	for at := 0; at <= most; at += step {
		row, full := []any{fmt.Sprintf("from %d m", at)}, false
		for _, g := range groups {
			var bin []residual
			for _, r := range g.list {
				if min(r.length/step*step, most) == at {
					bin = append(bin, r)
				}
			}
			if len(bin) < least {
				row = append(row, "", "")
				continue
			}
			s := summary(bin)
			row, full = append(row, s[1], s[3]), true
		}
		if full {
			table.Add(row...)
		}
	}
	table.Print(os.Stdout)
}

// byCounty prints the residuals of a group by county.
func (g group) byCounty(path string) error {
	d, err := store.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	counties := map[string][]residual{}
	for _, r := range g.list {
		row, _ := d.ZIP(r.zip)
		name := d.County(row.County).Name
		counties[name] = append(counties[name], r)
	}
	table := results.Table{Title: "counties", Columns: []string{"county", "positions", "median", "p90", "p99", "within `radius_m`"}}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name, list := range counties {
			if len(list) >= 100 && !yield(name) {
				return
			}
		}
	}) {
		table.Add(append([]any{name, len(counties[name])}, summary(counties[name])...)...)
	}
	table.Print(os.Stdout)
	return nil
}

// polled counts the polling places of a county by the precision that ranges give. Their
// positions are not known.
func polled(ctx context.Context, out, mirror string) error {
	files := []string{
		below(mirror, "www2.census.gov/geo/tiger/TIGER2014/ADDRFEAT/tl_2014_55059_addrfeat.zip"),
		below(mirror, "../address/tl_2021_30059_addrfeat.zip"),
	}
	in, err := os.Open(below(mirror, "../address/polling_2018_raw.csv.gz"))
	if err != nil {
		return nil // without the shared files
	}
	defer in.Close()
	if _, err := builder.Build(ctx, builder.Options{Output: out, Mirror: mirror, Offline: true, Layers: []string{"identity"}, AddrFeat: files}); err != nil {
		return err
	}
	db, err := postgeo.Open(out)
	if err != nil {
		return err
	}
	defer db.Close()
	z, err := unzipped(in)
	if err != nil {
		return err
	}
	var found [geocode.City + 1]struct{ places, radius int }
	rows := csv.NewReader(z)
	rows.LazyQuotes, rows.FieldsPerRecord = true, -1
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(row) < 4 || row[0] != "WI" || row[1] != "Kenosha" {
			continue
		}
		r, err := db.Geocode(ctx, row[3], postgeo.GeocodeOptions{})
		if err != nil {
			return err
		}
		f := &found[r.Precision]
		f.places, f.radius = f.places+1, max(f.radius, r.RadiusM)
	}
	table := results.Table{Title: "polling", Columns: []string{"`precision`", "polling places", "`radius_m`, at most", "ranges in the file"}}
	for precision, ranges := range []string{
		geocode.Interpolated: "with the number",
		geocode.Street:       "of the street, without the number",
		geocode.ZIP:          "none of the street in the ZIP Code",
		geocode.City:         "",
	} {
		if f := found[precision]; f.places > 0 {
			table.Add("`"+geocode.Precision(precision).String()+"`", f.places, results.Count(f.radius)+" m", ranges)
		}
	}
	table.Print(os.Stdout)
	return nil
}

// timed returns the median and the 99th percentile of durations.
func timed(list []time.Duration) string {
	slices.Sort(list)
	at := func(q int) string { return fmt.Sprintf("%.3g ms", list[(len(list)-1)*q/100].Seconds()*1e3) }
	return strings.Join([]string{at(50), at(99)}, " / ")
}

// nationalAddresses is the path of the National Address Database in a mirror.
const nationalAddresses = "data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed"

// below returns the path of a file in a folder.
func below(dir, path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
