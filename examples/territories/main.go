// Command territories divides the ZIP Codes of a metropolitan area among sales
// representatives. Each gets codes near home, and at most slightly more than an
// equal part of the households. It writes the territories as GeoJSON, ready for
// a map, and their sizes to standard error.
//
// The division is greedy: the closest pair of code and home is settled first. It takes
// milliseconds and is easy to explain to those who get the territories. It is not the best
// division, and does not keep territories in one piece; solvers for "capacitated clustering"
// do better.
//
//	go run ./examples/territories > territories.geojson
//	go run ./examples/territories -area 31080 -reps mine.csv > territories.geojson
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/examples/internal/input"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// slack is how much more than an equal part a territory may have. Without slack, the last
// codes of each representative would seldom fit, and go to someone far away.
const slack = 1.1

// A rep is a representative and the ZIP Code that the territory grows around.
type rep struct{ name, home string }

// A parcel is a ZIP Code to assign.
type parcel struct {
	code       string
	households int64
	rep        int // position in the list of representatives; -1 before it is assigned
}

func main() {
	area := flag.String("area", "42660", "metropolitan area, `CBSA` code of five digits")
	file := flag.String("reps", "", "CSV `file` with the columns name and home, a code; without one those of the example")
	flag.Parse()
	reps, err := []rep{{"Ada", "98107"}, {"Ben", "98052"}, {"Cyn", "98118"}}, error(nil)
	if *file != "" {
		reps, err = readReps(*file)
	}
	if err == nil {
		err = run(context.Background(), os.Stdout, os.Stderr, *area, reps)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readReps(file string) ([]rep, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	table, err := input.Read(file, f, "name", "home")
	if err != nil {
		return nil, err
	}
	var reps []rep
	for {
		row, err := table.Next()
		if errors.Is(err, io.EOF) {
			if len(reps) == 0 {
				return nil, fmt.Errorf("%s has no representative; expected a row for each", file)
			}
			return reps, nil
		}
		if err != nil {
			return nil, err
		}
		reps = append(reps, rep{name: table.Cell(row, "name"), home: table.Cell(row, "home")})
	}
}

func run(ctx context.Context, out, summary io.Writer, cbsa string, reps []rep) error {
	db, err := input.Dataset()
	if err != nil {
		return err
	}
	defer db.Close()

	parcels, err := parcelsOf(ctx, db, cbsa)
	if err != nil {
		return err
	}
	if err := assign(ctx, db, parcels, reps); err != nil {
		return err
	}
	if err := report(summary, parcels, reps); err != nil {
		return err
	}
	return writeGeoJSON(ctx, out, db, parcels, reps)
}

// MustField panics for a misspelt name, when the program starts and not in the middle.
var households = acs.MustField("social.households.total_households")

// parcelsOf returns the ZIP Codes of a metropolitan area with their households.
func parcelsOf(ctx context.Context, db *postgeo.DB, cbsa string) ([]parcel, error) {
	layer, ok := lookup.ParseLayer("cbsa")
	if !ok {
		return nil, fmt.Errorf("no layer of metropolitan areas")
	}
	in, err := db.CodesIn(ctx, layer, cbsa, lookup.CodesInOptions{})
	if err != nil {
		return nil, err
	}
	newest := acs.Tag{Profile: acs.Social} // without a year, the newest
	var parcels []parcel
	for _, c := range in.Codes {
		outline, _, err := db.CodeOutline(ctx, c.Code)
		if err != nil {
			return nil, err
		}
		if len(outline) == 0 {
			continue // such as a PO Box ZIP without residents
		}
		// A ZIP Code without published figures has no error and no ACS: zero households.
		r, err := db.Lookup(ctx, c.Code, lookup.Options{Include: lookup.Include{ACS: []acs.Tag{newest}}})
		if err != nil {
			return nil, err
		}
		p := parcel{code: c.Code, rep: -1}
		for _, year := range r.ACS {
			n, _ := year.Metric(households).Estimate.Float64() // 0 if the figure is withheld
			p.households = max(p.households, int64(n))
		}
		parcels = append(parcels, p)
	}
	if len(parcels) == 0 {
		return nil, fmt.Errorf("no ZIP Code lies in the metropolitan area %s", cbsa)
	}
	return parcels, nil
}

// assign gives each code to the nearest representative who has room for it.
// Pairs of code and home are processed by ascending distance.
func assign(ctx context.Context, db *postgeo.DB, parcels []parcel, reps []rep) error {
	codes, homes := make([]string, len(parcels)), make([]string, len(reps))
	var total int64
	for i, p := range parcels {
		codes[i] = p.code
		total += p.households
	}
	for i, r := range reps {
		homes[i] = r.home
	}
	// All distances in one call, which finds each place once and not once for each pair.
	m, err := db.DistanceMatrix(ctx, codes, homes, radius.DistanceOptions{})
	if err != nil {
		return err
	}
	type pair struct{ parcel, rep int }
	var pairs []pair
	for i := range parcels {
		for j := range reps {
			pairs = append(pairs, pair{i, j})
		}
	}
	miles := func(p pair) float64 { return float64(m.Miles[p.parcel][p.rep]) }
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(miles(a), miles(b)) })

	room := make([]int64, len(reps))
	for i := range room {
		room[i] = int64(slack * float64(total) / float64(len(reps)))
	}
	for _, p := range pairs {
		if x := &parcels[p.parcel]; x.rep < 0 && x.households <= room[p.rep] {
			x.rep = p.rep
			room[p.rep] -= x.households
		}
	}
	// Nobody has room for the largest of the last parcels. They go to the representative with
	// the most room left, because no code may stay without one.
	for i := range parcels {
		if x := &parcels[i]; x.rep < 0 {
			most := 0
			for j := range room {
				if room[j] > room[most] {
					most = j
				}
			}
			x.rep = most
			room[most] -= x.households
		}
	}
	return nil
}

func report(w io.Writer, parcels []parcel, reps []rep) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "rep\tcodes\thouseholds\t")
	for i, r := range reps {
		codes, homes := 0, int64(0)
		for _, p := range parcels {
			if p.rep == i {
				codes++
				homes += p.households
			}
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t\n", r.name, codes, homes)
	}
	return t.Flush()
}

func writeGeoJSON(ctx context.Context, w io.Writer, db *postgeo.DB, parcels []parcel, reps []rep) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, `{"type":"FeatureCollection","features":[`)
	var b []byte
	for i, p := range parcels {
		// Read again and not kept, so that memory does not grow with the area.
		outline, _, err := db.CodeOutline(ctx, p.code)
		if err != nil {
			return err
		}
		b = b[:0]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n"+`{"type":"Feature","properties":{"zip":`...)
		b = append(b, `"`+p.code+`"`...)
		b = append(b, `,"rep":`...)
		name, err := json.Marshal(reps[p.rep].name)
		if err != nil {
			return err
		}
		b = append(b, name...)
		b = append(b, `,"households":`...)
		b = strconv.AppendInt(b, p.households, 10)
		b = append(b, `},"geometry":`...)
		b = geojson.AppendPolygons(b, outline)
		b = append(b, '}')
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	fmt.Fprint(out, "\n]}\n")
	return out.Flush()
}
