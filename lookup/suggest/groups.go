package suggest

import (
	"slices"

	"github.com/postgeo/postgeo/dataset"
)

// groups are the keys of a list by something that they have in common: of each
// number the keys, ascending.
type groups struct {
	first []uint32 // by number, and one more: where its keys begin
	keys  []uint32
}

// newGroups puts n keys in groups. each calls its function with every number
// of a key.
func newGroups(numbers, n int, each func(key int, in func(number int))) groups {
	g := groups{first: make([]uint32, numbers+1)}
	for i := range n {
		each(i, func(number int) { g.first[number+1]++ })
	}
	for i := 1; i <= numbers; i++ {
		g.first[i] += g.first[i-1]
	}
	g.keys = make([]uint32, g.first[numbers])
	next := slices.Clone(g.first)
	for i := range n {
		each(i, func(number int) {
			g.keys[next[number]] = uint32(i)
			next[number]++
		})
	}
	return g
}

// within returns the keys of a group that lie in a span.
func (g *groups) within(number int, in span) []uint32 {
	keys := g.keys[g.first[number]:g.first[number+1]]
	lo, _ := slices.BinarySearch(keys, uint32(in.lo))
	hi, _ := slices.BinarySearch(keys[lo:], uint32(in.hi))
	return keys[lo : lo+hi]
}

// group notes which keys lie in which state and in which cell.
func (l *keyList) group(e *Engine) {
	const states = 256
	l.byState = newGroups(states, len(l.offset), func(i int, in func(int)) {
		if state := int(l.class[i] & 0xff); state != manyStates {
			in(state)
			return
		}
		set := e.several[int(l.entity[i]&^dataset.AliasKey)]
		for id := range set.all() {
			in(int(id))
		}
	})
	l.byCell = newGroups(cellRows*cellColumns, len(l.offset), func(i int, in func(int)) {
		if l.cell[i] != noCell {
			in(int(l.cell[i]))
		}
	})
	l.cellTop = make([]uint16, cellRows*cellColumns)
	for i, c := range l.cell {
		if c != noCell {
			l.cellTop[c] = max(l.cellTop[c], l.rank[i])
		}
	}
}
