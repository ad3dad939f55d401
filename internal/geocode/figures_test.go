package geocode_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset/build"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
	"github.com/postgeo/postgeo/internal/geocode"
)

const shared = "../../../shared/data/mirror"

// An addressLine is an address of known position.
type addressLine struct {
	text, street, number string
	at                   geo.LatLng
}

// vermont returns the address points of the shared National Address Database.
func vermont(t testing.TB) (list []addressLine) {
	t.Helper()
	path := filepath.Join(shared, "data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed")
	if _, err := os.Stat(path); err != nil {
		t.Skip("the shared files are not there: ", err)
	}
	for p, err := range source.ReadAddressPoints(path) {
		if err != nil {
			continue
		}
		n := p.Numbers[0].String()
		list = append(list, addressLine{n + " " + p.Name.String() + ", VT " + p.ZIP.String(), p.Name.String() + p.ZIP.String(), n, p.Location})
	}
	return list
}

// geocoder builds a dataset with the points and opens it.
func geocoder(t testing.TB, o build.Options) *postgeo.DB {
	t.Helper()
	o.Output, o.Mirror, o.Layers = filepath.Join(t.TempDir(), "x.db"), shared, []string{"identity"}
	if _, err := build.Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	db, err := postgeo.Open(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func csvOf(t testing.TB, list []addressLine) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "points.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintln(f, "number,street,zip,lat,lon")
	for _, a := range list {
		fmt.Fprintf(f, "%s,%s,%s,%v,%v\n", a.number, a.street[:len(a.street)-5], a.street[len(a.street)-5:], a.at.Lat(), a.at.Lng())
	}
	return path
}

// quantiles sorts and returns the median, the 90th and the 99.5th percentile.
func quantiles(list []float64) (p50, p90, p995 float64) {
	slices.Sort(list)
	at := func(q float64) float64 { return list[min(int(q*float64(len(list))), len(list)-1)] }
	return at(0.5), at(0.9), at(0.995)
}

// TestVermont geocodes the address points of Vermont: known ones, and hidden ones
// between known ones. It also looks for the nearest address of positions.
func TestVermont(t *testing.T) {
	if testing.Short() {
		t.Skip("builds datasets")
	}
	all := vermont(t)
	rng := rand.New(rand.NewPCG(18, 1))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	half := len(all) / 2
	db := geocoder(t, build.Options{AddressPoints: []string{csvOf(t, all[:half])}})

	var known []float64
	for _, a := range all[:20_000] {
		r, err := db.Geocode(t.Context(), a.text, postgeo.GeocodeOptions{})
		if err != nil {
			t.Fatalf("%s: %v", a.text, err)
		}
		d := float64(geo.Distance(r.Location, a.at))
		if r.Precision != geocode.Point {
			d = 1e6
		}
		known = append(known, d)
	}
	within := 0
	for _, d := range known {
		if d <= 1 {
			within++
		}
	}
	p50, p90, p995 := quantiles(known)
	t.Logf("known points: median %.2f m, p90 %.2f m, p99.5 %.1f m, %.2f %% within 1 m", p50, p90, p995, 100*float64(within)/float64(len(known)))
	if within < len(known)*97/100 { // others have several points at one address
		t.Errorf("%d of %d known points are within 1 m", within, len(known))
	}

	ratios := map[int][]float64{}
	precision := map[geocode.Precision]int{}
	var hidden []float64
	held := 0
	for _, a := range all[half : half+40_000] {
		r, err := db.Geocode(t.Context(), a.text, postgeo.GeocodeOptions{})
		if err != nil {
			t.Fatalf("%s: %v", a.text, err)
		}
		precision[r.Precision]++
		if r.Precision == geocode.Interpolated {
			d := float64(geo.Distance(r.Location, a.at))
			bin := min(r.Record.Length/50, 12)
			ratios[bin] = append(ratios[bin], d)
			if hidden = append(hidden, d); d <= float64(r.RadiusM) {
				held++
			}
		}
	}
	p50, p90, _ = quantiles(hidden)
	t.Logf("hidden points: %v; interpolated: median %.1f m, p90 %.1f m, the radius holds %.1f %%", precision, p50, p90, 100*float64(held)/float64(len(hidden)))
	if p50 > 45 || p90 > 200 || held < len(hidden)*88/100 {
		t.Errorf("median %.1f m, p90 %.1f m, %d of %d within the radius; expected at most 45 and 200 m, and 90 %%", p50, p90, held, len(hidden))
	}

	for bin := range 13 {
		if len(ratios[bin]) > 0 {
			_, p90, _ := quantiles(ratios[bin])
			t.Logf("known numbers %d m apart: %d positions, p90 %.0f m", bin*50, len(ratios[bin]), p90)
		}
	}

	street, number := 0, 0
	for _, a := range all[half : half+5_000] {
		r, err := db.Reverse(t.Context(), a.at, postgeo.ReverseOptions{Within: 3000})
		if err != nil {
			t.Fatalf("%v: %v", a.at, err)
		}
		if r.Street+r.ZIP == a.street {
			street++
		}
		var x, y int
		fmt.Sscan(r.Number, &x)
		fmt.Sscan(a.number, &y)
		if max(x-y, y-x) <= 10 {
			number++
		}
	}
	t.Logf("reverse, hidden points: street %.1f %%, number within 10 %.1f %%", float64(street)/50, float64(number)/50)

	false1, false2 := 0, 0
	for i, a := range all[:20_000] {
		invented := fmt.Sprintf("%d %s", 100_000+rng.IntN(800_000), a.text[len(a.number)+1:])
		if i%2 == 1 {
			invented = fmt.Sprintf("%s %s Rd, VT %s", a.number, syllables(rng), a.street[len(a.street)-5:])
		}
		r, err := db.Geocode(t.Context(), invented, postgeo.GeocodeOptions{})
		switch {
		case err != nil:
		case r.Precision == geocode.Point || r.Precision == geocode.Interpolated:
			if false1++; false1 < 5 {
				t.Logf("%s is %s", invented, r.Formatted)
			}
		case i%2 == 1 && r.Precision == geocode.Street:
			false2++
		}
	}
	if false1+false2 > 0 {
		t.Errorf("of 20,000 invented addresses %d have a position and %d a street", false1, false2)
	}
}

func syllables(rng *rand.Rand) string {
	s := ""
	for range 3 + rng.IntN(2) {
		s += string("bdfgklmnprstvz"[rng.IntN(14)]) + string("aeiou"[rng.IntN(5)]) + string("lmnrst"[rng.IntN(6)])
	}
	return s
}
