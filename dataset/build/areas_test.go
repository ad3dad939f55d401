package build_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/build"
	"github.com/postgeo/postgeo/geo"
)

func ring(points ...float64) orb.Ring {
	var r orb.Ring
	for i := 0; i < len(points); i += 2 {
		r = append(r, orb.Point{points[i], points[i+1]})
	}
	return append(r, r[0])
}

// TestAreas holds which outline contains a point: one of those that share the
// edge on which it lies, none in a hole.
func TestAreas(t *testing.T) {
	a := build.NewAreas([]string{"west", "east", "ring", "split"}, []orb.MultiPolygon{
		{{ring(0, 0, 1, 0, 1, 1, 0, 1)}},
		{{ring(1, 0, 2, 0, 2, 1, 1, 1)}},
		{{ring(10, 10, 14, 10, 14, 14, 10, 14), ring(11, 11, 11, 13, 13, 13, 13, 11)}},
		{{ring(20, 20, 21, 20, 21, 21, 20, 21)}, {ring(-179.5, 50, -179, 50, -179, 51, -179.5, 51)}},
	})
	for _, test := range []struct {
		lat, lng float64
		want     []string
	}{
		{0.5, 0.5, []string{"west"}},
		{0.5, 1.5, []string{"east"}},
		{0.5, 1, []string{"east"}},
		{0, 1, []string{"east"}},
		{0, 0, []string{"west"}},
		{10.5, 10.5, []string{"ring"}},
		{12, 12, nil},
		{13.5, 12, []string{"ring"}},
		{50.5, -179.2, []string{"split"}},
		{20.5, 20.5, []string{"split"}},
		{5, 5, nil},
	} {
		if diff := cmp.Diff(test.want, a.At(geo.MustLatLng(test.lat, test.lng))); diff != "" {
			t.Errorf("at %v, %v (-want +got):\n%s", test.lat, test.lng, diff)
		}
	}
	if got := a.At(geo.LatLng{}); got != nil {
		t.Errorf("no point is in %v", got)
	}
	if got := a.Near(geo.MustLatLng(1.05, 0.5), 20_000); got != "west" {
		t.Errorf("5.5 km north of west is near %q", got)
	}
	if got := a.Near(geo.MustLatLng(1.05, 0.5), 5_000); got != "" {
		t.Errorf("5.5 km north of west is within 5 km of %q", got)
	}
}

// TestAreasTile holds that each point lies in exactly one cell of a grid with
// crooked inner borders.
func TestAreasTile(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	const n = 5
	var corner [n + 1][n + 1]orb.Point
	for i := range corner {
		for j := range corner[i] {
			corner[i][j] = orb.Point{float64(i), float64(j)}
			if i > 0 && i < n && j > 0 && j < n {
				corner[i][j] = orb.Point{float64(i) + g.Float64()/2, float64(j) + g.Float64()/2}
			}
		}
	}
	var names []string
	var cells []orb.MultiPolygon
	for i := range n {
		for j := range n {
			names = append(names, string(rune('a'+i))+string(rune('a'+j)))
			cells = append(cells, orb.MultiPolygon{{orb.Ring{corner[i][j], corner[i+1][j], corner[i+1][j+1], corner[i][j+1], corner[i][j]}}})
		}
	}
	a := build.NewAreas(names, cells)
	for range 20_000 {
		p := geo.MustLatLng(g.Float64()*n, g.Float64()*n)
		if got := a.At(p); len(got) != 1 {
			t.Fatalf("%v is in %v, want one cell", p, got)
		}
	}
	for i := 1; i < n; i++ {
		for j := 1; j < n; j++ {
			if got := a.At(geo.MustLatLng(corner[i][j][1], corner[i][j][0])); len(got) != 1 {
				t.Errorf("the corner %v is in %v, want one cell", corner[i][j], got)
			}
		}
	}
}

// TestPointWithin holds that the point lies within, also where the centroid
// does not.
func TestPointWithin(t *testing.T) {
	for name, polygon := range map[string]orb.MultiPolygon{
		"square":   {{ring(0, 0, 1, 0, 1, 1, 0, 1)}},
		"crescent": {{ring(0, 0, 10, 0, 10, 10, 0, 10, 0, 9, 9, 9, 9, 1, 0, 1)}},
		"ring":     {{ring(0, 0, 9, 0, 9, 9, 0, 9), ring(1, 1, 1, 8, 8, 8, 8, 1)}},
		"islands":  {{ring(50, 50, 50.1, 50, 50.1, 50.1)}, {ring(0, 0, 3, 0, 3, 3, 0, 3)}},
	} {
		p := build.PointWithin(polygon)
		if got := build.NewAreas([]string{"x"}, []orb.MultiPolygon{polygon}).At(p); len(got) != 1 {
			t.Errorf("the point of the %s, %v, is not within", name, p)
		}
	}
	if p := build.PointWithin(nil); p.IsValid() {
		t.Errorf("nothing has the point %v", p)
	}
}

// TestCountyName holds which names of counties meet.
func TestCountyName(t *testing.T) {
	for _, same := range [][]string{
		{"Saint Elm County", "St. Elm County", "ST ELM COUNTY", "St. Elm"},
		{"Elm city", "Elm City", "City of Elm"},
		{"City and Borough of Elm", "Elm City and Borough", "Elm Borough"},
		{"Municipality of Elm", "Elm Municipality"},
		{"Doña Elm County", "Dona Elm County"},
		{"Prince Elm's County", "Prince Elms County"},
		{"LaElm Parish", "La Elm Parish"},
	} {
		for _, name := range same[1:] {
			if build.CountyName(name) != build.CountyName(same[0]) {
				t.Errorf("%q is %q, %q is %q, want the same", name, build.CountyName(name), same[0], build.CountyName(same[0]))
			}
		}
	}
	if build.CountyName("Elm city") == build.CountyName("Elm County") {
		t.Error("an independent city and the county of its name are one")
	}
}

// TestPlainName holds names of places without their legal description.
func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{
		"Elm city": "Elm", "Elm City city": "Elm City", "Elm City": "Elm City", "Elm CDP": "Elm", "Elm charter township": "Elm",
		"Elm-Oak metropolitan government (balance)": "Elm-Oak", "Elm zona urbana": "Elm", "Elm city and borough": "Elm", "town": "town", "Elm UT": "Elm",
	} {
		if got := build.PlainName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// FuzzSpell holds that spelling keeps the letters and is its own fixed point.
func FuzzSpell(f *testing.F) {
	for _, s := range []string{"MC LEAN", "O FALLON", "Isle Of The Winds", "WINSTON-ELM", "St Elmo", "É", "Mc", "d d d", "O o", "mcA"} {
		f.Add(s)
	}
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(unicode.ToUpper(r))
			}
			return -1
		}, s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if strings.ToValidUTF8(name, "") != name {
			t.Skip("readers give valid text only")
		}
		name = strings.ToUpper(name) // as postal products write
		once := build.Spell(name, "McLean city", "O'Fallon", "Winston-Elm")
		for _, r := range name {
			if r > unicode.MaxLatin1 {
				return // letters beyond Latin need not keep their number in another case
			}
		}
		if build.Fold(name) != "" && letters(build.Fold(once)) != letters(build.Fold(name)) {
			t.Errorf("%q became %q", name, once)
		}
		if twice := build.Spell(once, "McLean city", "O'Fallon", "Winston-Elm"); twice != once {
			t.Errorf("%q became %q and then %q", name, once, twice)
		}
	})
}

// BenchmarkBuild builds from the shared mirror.
func BenchmarkBuild(b *testing.B) {
	mirror := sharedMirror(b)
	for _, layer := range []string{"identity", "all"} {
		b.Run(layer, func(b *testing.B) {
			out := b.TempDir() + "/out.db"
			for b.Loop() {
				report, err := build.Build(b.Context(), build.Options{Mirror: mirror, Output: out, Layers: []string{layer}})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(report.Bytes)/1e6, "MB")
			}
		})
	}
}
