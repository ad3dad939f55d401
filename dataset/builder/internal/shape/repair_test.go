package shape_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/spatial"
)

func TestRepair(t *testing.T) {
	square := orb.Ring{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}}
	hole := orb.Ring{{1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}}
	tests := []struct {
		name                   string
		in, want               orb.MultiPolygon
		dropped, cut, repeated int64
	}{
		{name: "valid", in: orb.MultiPolygon{{square, hole}}, want: orb.MultiPolygon{{square, hole}}},
		{name: "clockwise stays", in: orb.MultiPolygon{{hole}}, want: orb.MultiPolygon{{hole}}},
		{
			name: "vertices that repeat", in: orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {0, 0}}}},
			want: orb.MultiPolygon{{square}}, repeated: 3,
		},
		{
			name: "rings without extent", in: orb.MultiPolygon{{{{0, 0}, {1, 1}, {1, 1}, {0, 0}}, hole}, {square, {{1, 1}, {1, 1}, {2, 2}, {1, 1}}}},
			want: orb.MultiPolygon{{square}}, dropped: 2, repeated: 2,
		},
		{
			name: "figure of eight", in: orb.MultiPolygon{{{{0, 0}, {2, 2}, {2, 0}, {0, 2}, {0, 0}}}},
			want: orb.MultiPolygon{{{{1, 1}, {2, 0}, {2, 2}, {1, 1}}}, {{{0, 0}, {1, 1}, {0, 2}, {0, 0}}}}, cut: 1,
		},
		{
			name: "a tail beyond the edge", in: orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 4}, {2, 4}, {3, 5}, {1, 5}, {3, 3.5}, {0, 4}, {0, 0}}}},
			cut: 1,
		},
		{
			name: "a loop covered twice", in: orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 3}, {1, 3}, {1, 1}, {3, 1}, {3, 4}, {0, 4}, {0, 0}}}},
			cut: 1,
		},
		{
			name: "a figure of eight through a vertex", in: orb.MultiPolygon{{{{0, 0}, {1, 1}, {2, 2}, {2, 0}, {1, 1}, {0, 3}, {0, 0}}}},
			want: orb.MultiPolygon{{{{0, 0}, {1, 1}, {0, 3}, {0, 0}}}, {{{1, 1}, {2, 0}, {2, 2}, {1, 1}}}}, cut: 1,
		},
		{
			name: "a hole that is part of the ring", in: orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 2}, {2, 1}, {0, 0}}}},
			want: orb.MultiPolygon{{square, {{0, 0}, {1, 2}, {2, 1}, {0, 0}}}}, cut: 1,
		},
		{
			name: "touching itself is no crossing", in: orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}, {0, 0}}}},
			want: orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}, {0, 0}}}},
		},
		{
			name: "crossing an edge with a vertex", in: orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 2}, {2, 0}, {1, -1}, {0, -1}, {0, 0}}}},
			want: orb.MultiPolygon{{{{2, 0}, {4, 0}, {4, 2}, {2, 0}}}, {{{0, 0}, {0, -1}, {1, -1}, {2, 0}, {0, 0}}}}, cut: 1,
		},
		{
			name: "crossing an edge along which it runs", in: orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 2}, {3, 0}, {1, 0}, {0, -2}, {0, 0}}}},
			want: orb.MultiPolygon{{{{3, 0}, {4, 0}, {4, 2}, {3, 0}}}, {{{0, 0}, {0, -2}, {1, 0}, {0, 0}}}}, cut: 1,
		},
		{
			name: "running along an edge on one side", in: orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 4}, {3, 0}, {1, 0}, {0, 4}, {0, 0}}}},
			want: orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 4}, {3, 0}, {1, 0}, {0, 4}, {0, 0}}}},
		},
		{
			name: "across the antimeridian", in: orb.MultiPolygon{{{{179, 50}, {-179, 50}, {-179, 52}, {179, 52}, {179, 50}}}},
			want: orb.MultiPolygon{{{{179, 50}, {-179, 50}, {-179, 52}, {179, 52}, {179, 50}}}},
		},
		{
			name: "a figure of eight across the antimeridian", in: orb.MultiPolygon{{{{179, 50}, {-179, 52}, {-179, 50}, {179, 52}, {179, 50}}}},
			want: orb.MultiPolygon{{{{180, 51}, {181, 50}, {181, 52}, {180, 51}}}, {{{179, 50}, {180, 51}, {179, 52}, {179, 50}}}}, cut: 1,
		},
		{
			name: "a hole that crosses itself", in: orb.MultiPolygon{{square, {{1, 1}, {3, 3}, {3, 1}, {1, 3}, {1, 1}}}},
			want: orb.MultiPolygon{{square, {{2, 2}, {3, 1}, {3, 3}, {2, 2}}, {{1, 1}, {2, 2}, {1, 3}, {1, 1}}}}, cut: 1,
		},
		{name: "nothing", in: nil, want: orb.MultiPolygon{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var before orb.MultiPolygon
			for _, p := range tt.in {
				before = append(before, p.Clone())
			}
			got, dropped, cut, repeated := shape.Repair(tt.in)
			if counts, want := []int64{dropped, cut, repeated}, []int64{tt.dropped, tt.cut, tt.repeated}; !slices.Equal(counts, want) {
				t.Errorf("dropped, cut, repeated %d, want %d", counts, want)
			}
			if tt.want != nil {
				normal := func(m orb.MultiPolygon) orb.MultiPolygon {
					for _, p := range m {
						for i, r := range p {
							p[i] = startLeast(r)
						}
					}
					return m
				}
				if diff := cmp.Diff(normal(tt.want), normal(got)); diff != "" {
					t.Errorf("polygons (-want +got):\n%s", diff)
				}
			}
			if diff := cmp.Diff(before, tt.in); diff != "" {
				t.Errorf("the polygons given were changed:\n%s", diff)
			}
			if again, _, cut, _ := shape.Repair(got); cut != 0 {
				t.Errorf("repaired polygons cross themselves: %v", again)
			}
		})
	}
}

// startLeast turns a closed ring so that it starts at its least vertex.
func startLeast(r orb.Ring) orb.Ring {
	open := slices.Clone(r[:len(r)-1])
	at := 0
	for i, p := range open {
		if p[0] < open[at][0] || p[0] == open[at][0] && p[1] < open[at][1] {
			at = i
		}
	}
	open = append(open[at:], open[:at]...)
	return append(open, open[0])
}

// A part that a ring covers twice counts once, and a tail keeps its area.
func TestRepairKeepsTheUnion(t *testing.T) {
	square := func(m orb.MultiPolygon) float64 {
		whole, _, _, _ := shape.Repair(m)
		sum := 0.0
		for _, p := range whole {
			for i, r := range p {
				a := math.Abs(signed(r))
				if i > 0 {
					a = -a
				}
				sum += a
			}
		}
		return sum
	}
	twice := orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 3}, {1, 3}, {1, 1}, {3, 1}, {3, 4}, {0, 4}, {0, 0}}}}
	if got, want := square(twice), 15.0; math.Abs(got-want) > 1e-12 {
		t.Errorf("a loop covered twice: area %v, want %v", got, want)
	}
	tail := orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 4}, {3, 4}, {2, 5}, {2, 3}, {1, 4}, {0, 4}, {0, 0}}}}
	same, _, _, _ := shape.Repair(tail)
	if diff := cmp.Diff(tail, same); diff != "" {
		t.Errorf("a ring that does not cross itself changed:\n%s", diff)
	}
}

func signed(r orb.Ring) float64 {
	sum := 0.0
	for i := 1; i < len(r); i++ {
		sum += r[i-1][0]*r[i][1] - r[i][0]*r[i-1][1]
	}
	return sum / 2
}

// FuzzRepair checks that no resulting ring is open or degenerate, and that the
// index takes the result.
func FuzzRepair(f *testing.F) {
	f.Add([]byte{0, 0, 2, 2, 2, 0, 0, 2})
	f.Add([]byte{0, 0, 4, 0, 4, 3, 1, 3, 1, 1, 3, 1, 3, 4, 0, 4})
	f.Add([]byte{0, 0, 9, 1, 1, 8, 8, 8, 2, 0, 5, 9, 4, 0, 0, 7})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 200 {
			return
		}
		var r orb.Ring
		for i := 0; i+1 < len(b); i += 2 {
			r = append(r, orb.Point{float64(b[i]) / 2, float64(b[i+1]) / 4})
		}
		if len(r) == 0 {
			return
		}
		r = append(r, r[0])
		got, _, _, _ := shape.Repair(orb.MultiPolygon{{r}})
		for _, p := range got {
			for _, r := range p {
				if len(r) < 4 || !r.Closed() {
					t.Errorf("ring %v", r)
				}
			}
		}
		var index spatial.PolygonIndexBuilder
		if err := index.Add(got); err != nil {
			t.Error(err)
		}
	})
}
