package shape

import (
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/rings"
)

// Repairs counts the repairs of the outlines of a layer.
type Repairs struct {
	Closed int64 // rings that were open
	rings.Counts
}

// RepairAll makes outlines valid, side by side, and counts.
func (n *Repairs) RepairAll(outlines []orb.MultiPolygon) {
	var workers []*Repairs
	_ = ParallelWith(len(outlines), func() func(int) error {
		w := &Repairs{}
		workers = append(workers, w)
		return func(i int) error {
			outlines[i] = w.Repair(outlines[i])
			return nil
		}
	})
	for _, w := range workers {
		n.add(w.Counts)
	}
}

func (n *Repairs) add(c rings.Counts) {
	n.Repeated, n.Dropped, n.Crossing = n.Repeated+c.Repeated, n.Dropped+c.Dropped, n.Crossing+c.Crossing
}

// Repair returns the polygons made valid, as package rings does, and counts.
func (n *Repairs) Repair(polygons orb.MultiPolygon) orb.MultiPolygon {
	out, counts, _ := rings.Repair(polygons, rings.Limits{}) // without limits there is no error
	n.add(counts)
	return out
}
