package suggest

import (
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
)

// groups divides the keys of a list by a number, such as the state. The keys of a
// group are sorted.
type groups struct {
	first []uint32 // by number: the start of its keys; one more entry than groups
	keys  []uint32
}

// newGroups divides keys by their numbers. It omits numbers of groupCount and
// more. The argument more lists further groups of keys.
func newGroups(groupCount int, numbers []uint16, more []groupKey) groups {
	g := groups{first: make([]uint32, groupCount+2)}
	next := g.first[1:] // of each group: the next position, finally its end
	for _, n := range numbers {
		if int(n) < groupCount {
			g.first[n+2]++
		}
	}
	for _, m := range more {
		g.first[m.number+2]++
	}
	for i := 2; i < len(g.first); i++ {
		g.first[i] += g.first[i-1]
	}
	g.keys = make([]uint32, g.first[groupCount+1])
	put := func(key uint32, number uint16) {
		g.keys[next[number]] = key
		next[number]++
	}
	for i, n := range numbers {
		for ; len(more) > 0 && more[0].key <= uint32(i); more = more[1:] {
			put(more[0].key, more[0].number)
		}
		if int(n) < groupCount {
			put(uint32(i), n)
		}
	}
	g.first = g.first[:groupCount+1]
	return g
}

// A groupKey is a key of a group.
type groupKey struct {
	key    uint32
	number uint16
}

func (g *groups) within(number int, in span) []uint32 {
	keys := g.keys[g.first[number]:g.first[number+1]]
	lo, _ := slices.BinarySearch(keys, uint32(in.lo))
	hi, _ := slices.BinarySearch(keys[lo:], uint32(in.hi))
	return keys[lo : lo+hi]
}

// group divides the keys by state, kind and cell.
func (l *keyList) group(e *Engine) {
	states, kinds := make([]uint16, len(l.class)), make([]uint16, len(l.class))
	var several []groupKey
	for i, class := range l.class {
		kinds[i] = class >> 8
		if states[i] = class & 0xff; states[i] == manyStates {
			set := e.several[int(l.entity[i]&^dataset.AliasKey)]
			for id := range set.all() {
				several = append(several, groupKey{uint32(i), uint16(id)})
			}
		}
	}
	l.byState = newGroups(manyStates, states, several)
	l.byKind = newGroups(int(dataset.EntityDistrict)+1, kinds, nil)
	l.byCell = newGroups(cellRows*cellColumns, l.cell, nil)
	l.cellTop = make([]uint16, cellRows*cellColumns)
	for i, c := range l.cell {
		if c != noCell {
			l.cellTop[c] = max(l.cellTop[c], l.rank[i])
		}
	}
}
