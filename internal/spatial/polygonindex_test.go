package spatial_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

func TestPolygonIndexKeepsOutlines(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	areas := tessellate(rng, 178.8, 60, 0.4, 6, 6, 6) // 256 vertices each, across the antimeridian
	areas = append(areas, nil, orb.MultiPolygon{{
		closed(orb.Point{0, 0}, orb.Point{9, 0}, orb.Point{9, 9}, orb.Point{0, 9}),
		closed(orb.Point{1, 1}, orb.Point{1, 2}, orb.Point{2, 2}, orb.Point{2, 1}),
	}, {closed(orb.Point{20, 0}, orb.Point{29, 0}, orb.Point{29, 9}, orb.Point{20, 9})}})
	data := packBytes(t, areas)
	if !bytes.Equal(data, packBytes(t, areas)) {
		t.Error("the same areas give other bytes")
	}
	index := pack(t, areas)
	check(t, index.Verify())
	near := gocmp.Comparer(func(a, b float64) bool { return math.Abs(math.Remainder(a-b, 360)) < 1e-9 })
	for i, want := range areas {
		box, err := spatial.BoundingBox(index.Polygons(i))
		check(t, err)
		if got := index.Box(i); got != box {
			t.Errorf("the box of area %d is %v, want %v", i, got, box)
		}
		if diff := gocmp.Diff(plain(want), plain(index.Polygons(i)), near); diff != "" {
			t.Errorf("area %d (-want +got):\n%s", i, diff)
		}
		area, err := spatial.MultiPolygonArea(want)
		if err != nil || math.Abs(float64(index.Area(i)-area)) > 1e-9*float64(area) {
			t.Errorf("area %d has %v m², want %v, %v", i, index.Area(i), area, err)
		}
		if index.HasPolygon(i) != (want != nil) {
			t.Errorf("area %d: HasPolygon %v", i, index.HasPolygon(i))
		}
	}
	if index.Len() != len(areas) || index.Vertices() != 36*256+12 {
		t.Errorf("%d areas, %d vertices", index.Len(), index.Vertices())
	}
}

// plain returns the numbers of rings, of vertices and the vertices themselves.
func plain(m orb.MultiPolygon) (out []float64) {
	for _, p := range m {
		out = append(out, float64(len(p)))
		for _, r := range p {
			out = append(out, float64(len(r)))
			for _, v := range r {
				out = append(out, v[0], v[1])
			}
		}
	}
	return out
}

func TestPolygonIndexOrientsRings(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	areas := tessellate(rng, -100, 40, 0.4, 2, 2, 3)
	turned := flip(areas, 1)
	for _, m := range turned {
		m[0][0].Reverse()
	}
	c := circle(t, geo.MustLatLng(40.3, -99.7), 30000)
	for i := range areas {
		if a, b := pack(t, areas).Share(i, c), pack(t, turned).Share(i, c); math.Abs(a-b) > 1e-9 {
			t.Errorf("area %d: %v %% one way round, %v the other", i, a, b)
		}
	}
}

func TestPolygonIndexDropsWhatHasNoExtent(t *testing.T) {
	point := orb.Ring{{1, 1}, {1.0000001, 1}, {1, 1.0000001}, {1, 1}}
	line := closed(orb.Point{1, 1}, orb.Point{2, 2}, orb.Point{1, 1})
	square := closed(orb.Point{0, 0}, orb.Point{1, 0}, orb.Point{1, 1}, orb.Point{0, 1})
	index := pack(t, []orb.MultiPolygon{{}, {{}}, {{point}}, {{line}}, {{square, point}, {point, square}}})
	for i := range 4 {
		if index.HasPolygon(i) {
			t.Errorf("area %d has a polygon", i)
		}
	}
	if got := index.Polygons(4); len(got) != 1 || len(got[0]) != 1 {
		t.Errorf("the square is %v", got)
	}
}

func TestDecodePolygonIndexRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 3))
	data := packBytes(t, tessellate(rng, -100, 40, 0.4, 3, 3, 5))
	change := func(at int, v uint32) []byte {
		out := slices.Clone(data)
		binary.LittleEndian.PutUint32(out[at:], v)
		return out
	}
	const header = 32
	for name, bad := range map[string][]byte{
		"nothing":             nil,
		"another format":      append([]byte("SQLite"), data[6:]...),
		"another version":     change(4, 2),
		"more areas":          change(8, math.MaxUint32),
		"fewer areas":         change(8, 3),
		"more shapes":         change(12, 10),
		"more rings":          change(16, 1<<30),
		"more chunks":         change(20, math.MaxUint32),
		"more vertices":       change(24, math.MaxUint32),
		"many more vertices":  change(28, math.MaxUint32),
		"truncated":           data[:len(data)-1],
		"only the header":     data[:header],
		"longer":              append(slices.Clone(data), 0),
		"an area twice":       change(header, binary.LittleEndian.Uint32(data[header+32:])),
		"an area beyond":      change(header, 99),
		"no rings":            change(header+4, 0),
		"too many rings":      change(header+4, 100),
		"a bound of NaN":      change(header+8, math.Float32bits(float32(math.NaN()))),
		"a negative bound":    change(header+20, math.Float32bits(-1)),
		"a ring of no chunks": change(header+9*32, 0),
	} {
		if _, err := spatial.DecodePolygonIndex(bad); !errors.Is(err, spatial.ErrDamagedIndex) {
			t.Errorf("%s: %v, want ErrDamagedIndex", name, err)
		}
	}
	damaged := slices.Clone(data)
	for i := len(damaged) - 400; i < len(damaged)-300; i++ {
		damaged[i] ^= 0xff
	}
	index, err := spatial.DecodePolygonIndex(damaged)
	check(t, err)
	if err := index.Verify(); !errors.Is(err, spatial.ErrDamagedIndex) {
		t.Errorf("Verify of changed vertices: %v, want ErrDamagedIndex", err)
	}
}

func FuzzDecodePolygonIndex(f *testing.F) {
	rng := rand.New(rand.NewPCG(9, 4))
	for _, areas := range [][]orb.MultiPolygon{
		nil,
		tessellate(rng, -100, 40, 0.4, 1, 1, 1),
		tessellate(rng, 179.9, 40, 4, 2, 1, 4),
		{{{closed(orb.Point{0, 80}, orb.Point{120, 80}, orb.Point{-120, 80})}}, nil},
	} {
		f.Add(packBytes(f, areas), 40.1, -99.9)
	}
	f.Fuzz(func(t *testing.T, data []byte, lat, lng float64) {
		index, err := spatial.DecodePolygonIndex(data)
		if err != nil {
			if !errors.Is(err, spatial.ErrDamagedIndex) {
				t.Fatalf("%v, want ErrDamagedIndex", err)
			}
			return
		}
		if err := index.Verify(); err != nil && !errors.Is(err, spatial.ErrDamagedIndex) {
			t.Fatalf("%v, want ErrDamagedIndex", err)
		}
		p, err := geo.LatLngFromDegrees(lat, lng)
		if err != nil {
			return
		}
		index.Containing(p)
		index.AppendContaining(nil, p)
		for _, radius := range []geo.Meters{1, 1e4, 4e5} {
			for _, s := range index.AppendShares(nil, circle(t, p, radius)) {
				if s.Index < 0 || s.Index >= index.Len() || !(s.Percent > 0 && s.Percent <= 100) {
					t.Fatalf("share %v of %d areas", s, index.Len())
				}
			}
		}
		for i := range min(index.Len(), 4) {
			index.Polygons(i)
			index.Covers(i, p)
			index.DistanceToBoundary(i, p)
		}
	})
}

func FuzzPolygonIndexBuilder(f *testing.F) {
	f.Add([]byte{0, 0, 0, 10, 0, 10, 10, 10, 10, 0})
	f.Add([]byte{127, 127, 128, 127, 0, 200, 3, 128, 90, 91, 92})
	f.Fuzz(func(t *testing.T, data []byte) {
		var ring orb.Ring
		for i := 0; i+1 < len(data); i += 2 {
			ring = append(ring, orb.Point{float64(int8(data[i])) * 1.5, float64(int8(data[i+1])) * 0.71})
		}
		m := orb.MultiPolygon{{ring}}
		var b spatial.PolygonIndexBuilder
		if err := b.Add(m); err != nil {
			if !errors.Is(err, geo.ErrInvalidPolygon) {
				t.Fatalf("%v, want ErrInvalidPolygon", err)
			}
			return
		}
		packed, err := b.AppendBinary(nil)
		check(t, err)
		index, err := spatial.DecodePolygonIndex(packed)
		check(t, err)
		check(t, index.Verify())
		for _, poly := range index.Polygons(0) {
			for _, v := range poly[0] {
				p := geo.MustLatLng(v[1], math.Remainder(v[0], 360))
				if !index.Covers(0, p) {
					t.Fatalf("the vertex %v is not on the outline", v)
				}
				if d, ok := index.DistanceToBoundary(0, p); !ok || d > 1e-3 {
					t.Fatalf("the vertex %v is %v m from the outline", v, d)
				}
			}
		}
	})
}
