package radius

import (
	"cmp"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookup"
)

// Bounds of Options.Points, in degrees.
const (
	MinStep = 1e-4
	MaxStep = 1
)

const expectedPoints = "a number from 0.0001 to 1"

// Points are all matches of a search in a compact form, for maps. They are in ascending
// order of their codes, and the limit does not apply.
type Points struct {
	Tolerance float64    `json:"tolerance"`           // degrees of a step in locations
	Codes     [][]string `json:"codes"`               // groups of codes: a common beginning and then the endings, such as ["902","10","13"]
	Locations []int32    `json:"locations"`           // longitudes and latitudes in steps of the tolerance, pairs relative to their predecessors
	PctInside []*float64 `json:"pct_inside,omitzero"` // 0 to 100, 1 decimal; null for a point; absent in centroid mode
}

// points returns the hits in compact form.
func (e *Engine) points(set *pointSet, hits []hit, opt *Options) *Points {
	hits = slices.SortedFunc(slices.Values(hits), func(a, b hit) int { return cmp.Compare(a.at, b.at) })
	out := &Points{Tolerance: opt.Points, Codes: [][]string{}, Locations: make([]int32, 0, 2*len(hits))}
	var shares []float64
	if opt.Mode == Spatial {
		shares, out.PctInside = make([]float64, len(hits)), make([]*float64, len(hits))
	}
	var text [8]byte
	var last [2]int32
	for i, h := range hits {
		code := string(set.appendText(text[:0], h.at))
		n := set.beginning(h.at)
		if k := len(out.Codes); k == 0 || out.Codes[k-1][0] != code[:n] {
			out.Codes = append(out.Codes, []string{code[:n]})
		}
		list := &out.Codes[len(out.Codes)-1]
		*list = append(*list, code[n:])
		p := e.pointOf(set, h.at)
		at := [2]int32{stepsOf(p.Lng(), opt.Points), stepsOf(p.Lat(), opt.Points)}
		out.Locations = append(out.Locations, at[0]-last[0], at[1]-last[1])
		last = at
		if opt.Mode == Spatial && set.hasArea(h.at) {
			shares[i] = geo.Round(h.share, 1)
			out.PctInside[i] = &shares[i]
		}
	}
	return out
}

func stepsOf(degrees, step float64) int32 { return int32(math.Round(degrees / step)) }

// beginning returns how many bytes the code at a position has in common with its
// neighbors.
func (s *pointSet) beginning(at int32) int {
	switch {
	case int(at) < s.zips:
		return len("123")
	case s.kind == lookup.FSA:
		return len("A1")
	default:
		return len("A1A ")
	}
}
