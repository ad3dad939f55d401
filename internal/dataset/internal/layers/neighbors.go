package layers

import "github.com/postgeo/postgeo/geo"

// A Neighbor is what touches an area.
type Neighbor[K AreaKey] struct {
	Key K

	// Shared is the length of the common border along vertices that both outlines
	// have. It is 0 if they meet in points, or overlap because they come from
	// different sources.
	Shared geo.Meters
}

// Neighbors returns what touches or overlaps the area of the key, the longest
// common border first, from memory. It is empty for a key without an outline.
func (a *Areas[K]) Neighbors(key K) []Neighbor[K] {
	i, ok := a.Find(key)
	if !ok {
		return nil
	}
	adjacent := a.index.AppendAdjacent(nil, i)
	list := make([]Neighbor[K], len(adjacent))
	for n, m := range adjacent {
		list[n] = Neighbor[K]{a.keys[m.Index], m.Shared}
	}
	return list
}
