package suggest

import "github.com/postgeo/postgeo/geo"

// NewEngine is [New] for a dataset.
var NewEngine = newEngine

// LookThrough makes the engine scan every span key by key and count its
// matches, as a reference for the shortcuts.
func (e *Engine) LookThrough() {
	e.many = 1 << 30
	e.totals = nil
}

// Beginning returns the number of the first key from the start of a name that
// begins with q, and that behind the last.
func (e *Engine) Beginning(q string) (lo, hi int) {
	in := e.starts.prefix([]byte(q))
	return in.lo, in.hi
}

// Shortcut makes the engine take the ways around looking through a span for
// spans of any size.
func (e *Engine) Shortcut() { e.many = 0 }

// Maximum returns a function that finds the first maximum of a range of values.
func Maximum(values []uint16) func(lo, hi int) int {
	r := newRangeMax(values)
	return r.find
}

// Bounds returns the bound of the gain of each point's cell, and the gain.
func Bounds(near geo.LatLng, points []geo.LatLng) [][2]int32 {
	s := &search{}
	s.near.set(near)
	list := make([][2]int32, len(points))
	for i, p := range points {
		list[i] = [2]int32{s.near.most(cellOf(p), 0), s.near.at(p)}
	}
	return list
}
