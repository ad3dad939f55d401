package shape_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
)

func ring(points ...float64) orb.Ring {
	var r orb.Ring
	for i := 0; i < len(points); i += 2 {
		r = append(r, orb.Point{points[i], points[i+1]})
	}
	return append(r, r[0])
}

func setOf(names []string, outlines []orb.MultiPolygon) *shape.Areas {
	set := shape.NewAreas()
	for i, name := range names {
		set.Add(name, outlines[i])
	}
	return set
}

// TestAreas checks which outline contains a point: one of those that share its
// edge, none in a hole.
func TestAreas(t *testing.T) {
	a := setOf([]string{"west", "east", "ring", "split"}, []orb.MultiPolygon{
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

// TestAreasTile checks that each point lies in exactly one cell of a grid with
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
	a := setOf(names, cells)
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

// TestPointWithin checks that the point lies within, also if the centroid does
// not.
func TestPointWithin(t *testing.T) {
	for name, polygon := range map[string]orb.MultiPolygon{
		"square":   {{ring(0, 0, 1, 0, 1, 1, 0, 1)}},
		"crescent": {{ring(0, 0, 10, 0, 10, 10, 0, 10, 0, 9, 9, 9, 9, 1, 0, 1)}},
		"ring":     {{ring(0, 0, 9, 0, 9, 9, 0, 9), ring(1, 1, 1, 8, 8, 8, 8, 1)}},
		"islands":  {{ring(50, 50, 50.1, 50, 50.1, 50.1)}, {ring(0, 0, 3, 0, 3, 3, 0, 3)}},
	} {
		p := shape.PointWithin(polygon)
		if got := setOf([]string{"x"}, []orb.MultiPolygon{polygon}).At(p); len(got) != 1 {
			t.Errorf("the point of the %s, %v, is not within", name, p)
		}
	}
	if p := shape.PointWithin(nil); p.IsValid() {
		t.Errorf("nothing has the point %v", p)
	}
}
