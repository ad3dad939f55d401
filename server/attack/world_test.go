// Package attack_test attacks a running server over TCP. The callers do not read,
// read much, send large batches, or break their connections. The server and the
// attackers run in separate processes, so that the server's memory and the measured
// latency are not affected.
//
// With -short nothing is attacked. The usual form runs in every `go test`; `make soak` runs the long one, which
// also judges latency and throughput. These variables change the setup:
//
//	POSTGEO_TEST_ATTACK  "long" for the long form
//	POSTGEO_TEST_DATA    dataset to serve, instead of an invented one
//	POSTGEO_TEST_PROGRAM postgeo binary to attack, instead of one built here
package attack_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// center is the ZIP Code around which attackers search. Real datasets have
// more than 10,000 codes within 500 miles of it.
const center = "62901"

// worldZIPs is the number of codes of the invented dataset: a search of 500
// miles finds more than an answer holds.
const worldZIPs = 12_000

// writeWorld writes an invented dataset: codes in a spiral around the center,
// the outermost 480 miles away.
func writeWorld(path string) error {
	w, err := storewrite.Create(path)
	if err != nil {
		return err
	}
	middle, _ := postcode.ParseZIP(center)
	rows := []store.ZIPRow{{ZIP: middle, Location: geo.MustLatLng(37.74, -89.21)}}
	for i := 1; i < worldZIPs; i++ {
		const golden = 2.399963 // radians, which spread a spiral evenly
		miles := 480 * math.Sqrt(float64(i)/worldZIPs)
		north, east := miles*math.Cos(golden*float64(i)), miles*math.Sin(golden*float64(i))
		zip := middle + postcode.ZIP(i+1)/2
		if i%2 == 0 {
			zip = middle - postcode.ZIP(i)/2
		}
		rows = append(rows, store.ZIPRow{ZIP: zip, Location: geo.MustLatLng(37.74+north/69, -89.21+east/54.7)})
	}
	slices.SortFunc(rows, func(a, b store.ZIPRow) int { return int(a.ZIP) - int(b.ZIP) })
	return errors.Join(
		w.SetStates([]store.State{{Country: store.US, Abbr: "IL", Name: "Illinois", FIPS: "17", Region: "Midwest", Division: "East North Central"}}),
		w.SetCounties([]store.County{{FIPS: "17077", Name: "Jackson County", State: 1}}),
		w.SetZones([]store.Zone{tzif.Row("America/Chicago", "invented zones of the attacks")}),
		func() error {
			for _, row := range rows {
				row.City, row.Municipality, row.State, row.County, row.Class, row.Zone = "Invented City", "Invented City", 1, 1, store.General, 1
				if err := w.AddZIP(row, store.ZIPDetail{AreaCodes: []uint16{618, 730}}); err != nil {
					return err
				}
			}
			return nil
		}(),
		w.Finish(dataset.Manifest{
			Version: "attack", Built: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Builder: "attack tests", Layers: []string{"identity"},
			Sources: []dataset.Source{{ID: "attack", Title: "Invented codes", License: "none"}},
		}),
	)
}

// attackProcess is set in a process that attacks.
const attackProcess = "POSTGEO_TEST_ATTACK_PROCESS"

// long selects the long form.
var long = os.Getenv("POSTGEO_TEST_ATTACK") == "long"

// lasting returns a number or duration of the usual or of the long form.
func lasting[T any](usual, longer T) T {
	if long {
		return longer
	}
	return usual
}

// program is the postgeo binary that tests attack; dataFile is the dataset.
var program, dataFile string

func TestMain(m *testing.M) {
	if os.Getenv(attackProcess) != "" {
		os.Exit(attack())
	}
	flag.Parse()
	if testing.Short() {
		fmt.Println("with -short nothing is attacked")
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "postgeo-attack")
	if err == nil {
		err = prepare(dir)
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, "preparing the attacks:", err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// prepare builds the program and writes the dataset, unless they are given.
func prepare(dir string) error {
	if program = os.Getenv("POSTGEO_TEST_PROGRAM"); program == "" {
		program = filepath.Join(dir, "postgeo.exe")
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "github.com/postgeo/postgeo/cmd/postgeo")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	if dataFile = os.Getenv("POSTGEO_TEST_DATA"); dataFile == "" {
		dataFile = filepath.Join(dir, "world.db")
		return writeWorld(dataFile)
	}
	return nil
}
