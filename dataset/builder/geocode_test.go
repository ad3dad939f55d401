package builder_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// An addressLine is an address of known position.
type addressLine struct {
	text, street, number string
	at                   geo.LatLng
}

// vermont returns the address points of the shared National Address Database: those of
// every sixth ZIP Code, or all of them for the published figures.
func vermont(t testing.TB, all bool) (list []addressLine) {
	t.Helper()
	path := filepath.Join(sharedMirror(t), "data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed")
	if !exists(path) {
		t.Skipf("the shared data lack %s", path)
	}
	for p, err := range source.ReadAddressPoints(format.File{Path: path}) {
		if err != nil || !all && p.ZIP%6 != 0 {
			continue
		}
		n := p.Numbers[0].String()
		list = append(list, addressLine{n + " " + p.Name.String() + ", VT " + p.ZIP.String(), p.Name.String() + p.ZIP.String(), n, p.Location})
	}
	return list
}

// geocoder builds a dataset with the points and opens it.
func geocoder(t testing.TB, o builder.Options) *postgeo.DB {
	t.Helper()
	o.Output, o.Mirror, o.Layers = filepath.Join(t.TempDir(), "x.db"), sharedMirror(t), []string{"identity"}
	_, err := builder.Build(t.Context(), o)
	check(t, err)
	db := sampletest.File(t, o.Output)
	return db
}

func csvOf(t testing.TB, list []addressLine) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "points.csv")
	f, err := os.Create(path)
	check(t, err)
	defer f.Close()
	fmt.Fprintln(f, "number,street,zip,lat,lon")
	for _, a := range list {
		fmt.Fprintf(f, "%s,%s,%s,%v,%v\n", a.number, a.street[:len(a.street)-5], a.street[len(a.street)-5:], a.at.Lat(), a.at.Lng())
	}
	return path
}

// quantile sorts and returns a quantile.
func quantile(list []float64, q float64) float64 {
	slices.Sort(list)
	return list[min(int(q*float64(len(list))), len(list)-1)]
}

// TestVermont geocodes the address points of Vermont: known ones, and hidden ones
// between known ones. It also looks for the nearest address of positions.
func TestVermont(t *testing.T) {
	if testing.Short() {
		t.Skip("builds datasets")
	}
	long := os.Getenv("POSTGEO_LONG")+os.Getenv("POSTGEO_SCORES") != ""
	all := vermont(t, long)
	rng := rand.New(rand.NewPCG(18, 1))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	half, some := len(all)/2, min(len(all)/10, 20_000)
	db := geocoder(t, builder.Options{AddressPoints: []string{csvOf(t, all[:half])}})
	least := func(what string, share, floor float64) {
		t.Helper()
		t.Logf("%s: %.2f %%", what, 100*share)
		if 100*share < floor {
			t.Errorf("%s: %.2f %%, expected at least %v %%", what, 100*share, floor)
		}
	}

	known := all[:some]
	positions := scoretest.Table{Title: "positions", Columns: []string{"`precision`", ">addresses", ">median", ">p90", ">p99"}}
	exact := 0
	for _, a := range known {
		r, err := db.Geocode(t.Context(), a.text, geocode.Options{})
		if err != nil {
			t.Fatalf("%s: %v", a.text, err)
		}
		if r.Precision == geocode.Point && geo.Distance(r.Location, a.at) <= 1 {
			exact++
		}
	}
	least("known points within 1 m", float64(exact)/float64(len(known)), 99.5) // others have several points at one address

	precision, held, placed := map[geocode.Precision]int{}, map[geocode.Precision]float64{}, map[geocode.Precision]float64{}
	hold := func(r *geocode.Result, at geo.LatLng) float64 {
		d := float64(geo.Distance(r.Location, at))
		if placed[r.Precision]++; d <= float64(r.RadiusM) {
			held[r.Precision]++
		}
		return d
	}
	var away, near []float64
	for _, a := range all[half : half+2*some] {
		r, err := db.Geocode(t.Context(), a.text, geocode.Options{})
		if err != nil {
			t.Fatalf("%s: %v", a.text, err)
		}
		precision[r.Precision]++
		switch d := hold(r, a.at); r.Precision {
		case geocode.Interpolated:
			away = append(away, d)
		case geocode.Street:
			near = append(near, d)
		}
	}
	p50, p90 := quantile(away, 0.5), quantile(away, 0.9)
	t.Logf("hidden points: %v; interpolated: median %.1f m, p90 %.1f m", precision, p50, p90)
	if p50 > 50 || p90 > 200 {
		t.Errorf("hidden points: median %.1f m, p90 %.1f m; expected at most 50 and 200 m", p50, p90)
	}

	p50, p90 = quantile(near, 0.5), quantile(near, 0.9)
	t.Logf("at the nearest known number: median %.1f m, p90 %.1f m", p50, p90)
	if p50 > 140 || p90 > 600 {
		t.Errorf("at the nearest known number: median %.1f m, p90 %.1f m; expected at most 140 and 600 m", p50, p90)
	}

	for _, row := range []struct {
		name   string
		errors []float64
	}{{"`interpolated`, between known points", away}, {"`street`, at the nearest known number", near}} {
		cells := []any{row.name, scoretest.Count(len(row.errors))}
		for _, q := range []float64{0.5, 0.9, 0.99} {
			cells = append(cells, fmt.Sprintf("%.0f m", quantile(row.errors, q)))
		}
		positions.Rows = append(positions.Rows, cells)
	}
	if long {
		scoretest.Hold(t, "geocode", positions)
	}

	street, number := reversed(t, db, all[half:half+some/2], func(at geo.LatLng) geo.LatLng { return at })
	least("reverse at hidden points, street", street, 80.8)
	least("reverse at hidden points, number within 10", number, 42)
	full := db
	if long {
		full = geocoder(t, builder.Options{AddressPoints: []string{csvOf(t, all)}})
	}
	street, number = reversed(t, full, all[:some/2], func(at geo.LatLng) geo.LatLng {
		const perDegree, deviation = 111_000, 7 // meters; the errors are 9 m on average
		return geo.MustLatLng(at.Lat()+rng.NormFloat64()*deviation/perDegree, at.Lng()+rng.NormFloat64()*deviation/perDegree*1.4)
	})
	least("reverse about 9 m from known points, street", street, 99)
	least("reverse about 9 m from known points, number within 10", number, 98)

	false1, false2 := 0, 0
	for i, a := range all[:some] {
		invented := fmt.Sprintf("%d %s", 100_000+rng.IntN(800_000), a.text[len(a.number)+1:])
		if i%2 == 1 {
			invented = fmt.Sprintf("%s %s Rd, VT %s", a.number, syllables(rng), a.street[len(a.street)-5:])
			if i%4 == 3 {
				if r, err := db.Geocode(t.Context(), invented, geocode.Options{}); err == nil {
					invented = fmt.Sprintf("%s %s Rd, %s, VT", a.number, syllables(rng), r.City)
				}
			}
		}
		r, err := db.Geocode(t.Context(), invented, geocode.Options{})
		switch {
		case err != nil:
		case r.Precision == geocode.Point || r.Precision == geocode.Interpolated:
			if false1++; false1 < 5 {
				t.Logf("%s is %s", invented, r.Formatted)
			}
		case i%2 == 1 && r.Precision == geocode.Street:
			false2++
		}
		if err == nil {
			hold(r, a.at)
		}
	}
	for _, p := range [...]geocode.Precision{geocode.Interpolated, geocode.Street, geocode.ZIP, geocode.City} {
		least("errors within the radius of "+string(p), held[p]/placed[p], 90)
	}
	if false1+false2 > 0 {
		t.Errorf("of %d invented addresses %d have a position and %d a street", some, false1, false2)
	}
}

// reversed returns how often the address nearest to a moved point is on its street,
// and how often its number differs by at most 10.
func reversed(t *testing.T, db *postgeo.DB, list []addressLine, moved func(geo.LatLng) geo.LatLng) (street, number float64) {
	t.Helper()
	for _, a := range list {
		r, err := db.Reverse(t.Context(), moved(a.at), geocode.ReverseOptions{Within: 3000})
		if err != nil {
			continue
		}
		if r.Street+r.ZIP == a.street {
			street++
		}
		x, _ := store.ParseHouseNumber(r.Number)
		y, _ := store.ParseHouseNumber(a.number)
		if max(x.Value, y.Value)-min(x.Value, y.Value) <= 10 {
			number++
		}
	}
	return street / float64(len(list)), number / float64(len(list))
}

func syllables(rng *rand.Rand) string {
	s := ""
	for range 3 + rng.IntN(2) {
		s += string("bdfgklmnprstvz"[rng.IntN(14)]) + string("aeiou"[rng.IntN(5)]) + string("lmnrst"[rng.IntN(6)])
	}
	return s
}
