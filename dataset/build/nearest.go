package build

import (
	"math"

	"github.com/postgeo/postgeo/geo"
)

// nearest finds the nearest of a set of labelled points. It is a grid of
// whole degrees, which is fine enough for the tens of thousands of points of a
// build.
type nearest struct {
	cells map[[2]int16][]labelled
}

type labelled struct {
	at    geo.LatLng
	label string
}

func newNearest() *nearest { return &nearest{cells: map[[2]int16][]labelled{}} }

func (n *nearest) add(at geo.LatLng, label string) {
	key := [2]int16{degree(at.Lng()), degree(at.Lat())}
	n.cells[key] = append(n.cells[key], labelled{at, label})
}

// find returns the label of the nearest point that is wanted and its distance
// in miles; "" where there is none within two degrees. The first added wins a
// tie.
func (n *nearest) find(at geo.LatLng, want func(label string) bool) (string, float64) {
	best, bestMiles := "", math.Inf(1)
	x, y := degree(at.Lng()), degree(at.Lat())
	for ring := int16(0); ring <= 2; ring++ {
		for dx := -ring; dx <= ring; dx++ {
			for dy := -ring; dy <= ring; dy++ {
				if max(dx, -dx, dy, -dy) != ring {
					continue
				}
				for _, p := range n.cells[[2]int16{x + dx, y + dy}] {
					if !want(p.label) {
						continue
					}
					if d := miles(at, p.at); d < bestMiles {
						best, bestMiles = p.label, d
					}
				}
			}
		}
		if best != "" && ring > 0 {
			break
		}
	}
	return best, bestMiles
}
