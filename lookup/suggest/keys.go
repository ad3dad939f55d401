package suggest

import (
	"math/bits"
	"slices"

	"github.com/postgeo/postgeo/internal/store"
)

// A keyList is a sorted list of keys with the ranks and filters of their
// entities. The keys are one text from the file, each with a line feed behind it, which
// sorts before all other bytes: "york" precedes "york haven". Ranks and classes lie in
// columns beside them, so that a span is filtered without a look at the entities.
//
// Most steps of a binary search miss the processor's cache. A table of the first three
// letters therefore leaves a few keys to search: 39 classes of bytes make 59,319 buckets,
// 240 KB a list.
type keyList struct {
	text   string
	offset []uint32 // in text, by key
	entity []uint32 // by key; with store.AliasKey if the key is another name
	rank   []uint16
	cell   []uint16 // of one degree, noCell without a point
	class  []uint16 // see classOfEntity
	first  []uint32 // by the classes of the first three bytes: the first key at or after them
	top    rangeMax

	byState groups
	byKind  groups
	byCell  groups
	cellTop []uint16 // by cell, the greatest rank there

	// Only for names as one word: the number of leading letters shared with the
	// name in words, and the keys by that number.
	shared   []uint8
	byShared groups
}

// keyInfo holds the rank and filters of a key's entity.
type keyInfo struct{ rank, cell, class uint16 }

// classOfEntity combines kind and state into one number for filters.
func classOfEntity(kind store.EntityKind, state uint8) uint16 {
	return uint16(kind)<<8 | uint16(state)
}

// numEntityClasses exceeds all results of classOfEntity.
const numEntityClasses = 8 << 8

const (
	endOfKey   = '\n'
	manyStates = 255
	noCell     = 1<<16 - 1
)

// The classes of bytes, in the order of bytes: the end of a key, space, each
// digit, each letter, and the rest. Bytes after one of the rest are ignored.
const (
	classEnd = iota
	classBlank
	class0
	classA     = class0 + 10
	classRest  = classA + 26
	numClasses = classRest + 1
)

func classOf(c byte) int {
	switch {
	case c == endOfKey:
		return classEnd
	case c == ' ':
		return classBlank
	case c >= '0' && c <= '9':
		return class0 + int(c-'0')
	case c >= 'a' && c <= 'z':
		return classA + int(c-'a')
	default:
		return classRest
	}
}

// aliasLoss is the loss of rank of other names, so that the prefix of a nickname
// does not precede an entity of that name.
const aliasLoss = 4 * rankUnit

func newKeyList(t *store.Entities, k store.EntityKeys, infos []keyInfo) *keyList {
	l := &keyList{text: t.Text, offset: k.Offset, entity: k.Entity}
	n := len(k.Offset)
	l.rank, l.cell, l.class = make([]uint16, n), make([]uint16, n), make([]uint16, n)
	l.first = make([]uint32, numClasses*numClasses*numClasses+1)
	for i, e := range k.Entity {
		info := infos[e&^store.AliasKey]
		if e&store.AliasKey != 0 {
			info.rank -= min(info.rank, aliasLoss)
		}
		l.rank[i], l.cell[i], l.class[i] = info.rank, info.cell, info.class
		l.first[l.bucket(i)+1]++
	}
	for i := 1; i < len(l.first); i++ {
		l.first[i] += l.first[i-1]
	}
	l.top = newRangeMax(l.rank)
	return l
}

// bucket returns the number of the key's first three classes. After the end of the
// key, or a byte of the rest, the class is classEnd. Buckets are in the order of the keys,
// as the classes are in the order of bytes.
func (l *keyList) bucket(i int) int {
	at, b := int(l.offset[i]), 0
	ended := false
	for j := range 3 {
		c := classEnd
		if !ended {
			c = classOf(l.text[at+j])
		}
		ended = ended || c == classEnd || c == classRest
		b = b*numClasses + c
	}
	return b
}

// A span is a range of keys.
type span struct{ lo, hi int }

func (s span) size() int { return s.hi - s.lo }

// while returns the beginning of s. The function ok is true for its keys and false
// for the others.
func (s span) while(ok func(i int) bool) span {
	lo, hi := s.lo, s.hi
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if ok(mid) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return span{s.lo, lo}
}

func (l *keyList) prefix(q []byte) span {
	if len(q) == 0 {
		return span{0, len(l.offset)}
	}
	low, width := 0, 1
	ended := false
	for i := range 3 {
		low *= numClasses
		switch {
		case ended:
		case i < len(q):
			c := classOf(q[i])
			low += c
			ended = c == classRest
		default:
			width *= numClasses
		}
	}
	return l.narrow(span{int(l.first[low]), int(l.first[low+width])}, q, 0)
}

// narrow returns the keys of s that continue with q after their common first skip
// bytes.
func (l *keyList) narrow(s span, q []byte, skip int) span {
	start := s.while(func(i int) bool { return l.compare(i, q, skip) < 0 }).hi
	// The end is searched from the start in growing steps, because there are often only a
	// few matches.
	end := start // keys from start to end match
	step := 1
	for end+step <= s.hi && l.compare(end+step-1, q, skip) == 0 {
		end += step
		step *= 2
	}
	rest := span{end, min(end+step, s.hi)}.while(func(i int) bool { return l.compare(i, q, skip) == 0 })
	return span{start, rest.hi}
}

func (l *keyList) compare(i int, q []byte, skip int) int {
	at := int(l.offset[i]) + skip
	end := min(at+len(q), len(l.text))
	k := l.text[min(at, end):end]
	for j := range k {
		if k[j] != q[j] {
			return int(k[j]) - int(q[j])
		}
	}
	return len(k) - len(q)
}

// upTo returns the keys of s whose byte after the common first n bytes is at most
// c. With endOfKey these are the keys that end there. With a space they include
// keys with further words.
func (l *keyList) upTo(s span, n int, c byte) span {
	return s.while(func(i int) bool { return l.text[int(l.offset[i])+n] <= c })
}

// names returns the main names among equal keys. They precede other names.
func (l *keyList) names(s span) span {
	return s.while(func(i int) bool { return l.entity[i]&store.AliasKey == 0 })
}

// rangeMax finds the maximum of a range of numbers with a sparse table over
// blocks. Two overlapping powers of two cover any run of blocks, and the ends are scanned:
// at most 30 numbers. A table over all numbers instead of blocks would be more than sixteen
// times as large.
type rangeMax struct {
	values []uint16
	blocks [][]uint32 // [level][block]: the first position of the maximum of 2^level blocks
}

const blockSize = 16

func newRangeMax(values []uint16) rangeMax {
	r := rangeMax{values: values}
	var level []uint32
	for lo := 0; lo < len(values); lo += blockSize {
		level = append(level, uint32(r.scan(lo, min(lo+blockSize, len(values)))))
	}
	for half := 1; len(level) > 0; half *= 2 {
		r.blocks = append(r.blocks, level)
		next := make([]uint32, max(0, len(level)-half))
		for i := range next {
			next[i] = uint32(r.better(int(level[i]), int(level[i+half])))
		}
		level = next
	}
	return r
}

// better returns the position of the greater value, the first of equal ones.
func (r *rangeMax) better(a, b int) int {
	if r.values[a] > r.values[b] || r.values[a] == r.values[b] && a < b {
		return a
	}
	return b
}

// find returns the first position of the maximum of a range, which must not be
// empty.
func (r *rangeMax) find(lo, hi int) int {
	a, b := (lo+blockSize-1)/blockSize, hi/blockSize // whole blocks
	if a >= b {
		return r.scan(lo, hi)
	}
	level := bits.Len(uint(b-a)) - 1
	at := r.better(int(r.blocks[level][a]), int(r.blocks[level][b-1<<level]))
	if lo < a*blockSize {
		at = r.better(at, r.scan(lo, a*blockSize))
	}
	if b*blockSize < hi {
		at = r.better(at, r.scan(b*blockSize, hi))
	}
	return at
}

func (r *rangeMax) scan(lo, hi int) int {
	at, most := lo, r.values[lo]
	for i := lo + 1; i < hi; i++ {
		if r.values[i] > most {
			at, most = i, r.values[i]
		}
	}
	return at
}

// groups has the keys of a list by a number, such as the state, ascending. The part of a
// group within a span is a run of it, found by binary search.
type groups [][]uint32

// newGroups divides keys by their numbers. It omits numbers of n and more.
func newGroups[N uint8 | uint16](n int, numbers []N) groups {
	sizes, g := make([]uint32, n), make(groups, n)
	for _, k := range numbers {
		if int(k) < n {
			sizes[k]++
		}
	}
	for i, k := range numbers {
		if int(k) >= n {
			continue
		}
		if g[k] == nil {
			g[k] = make([]uint32, 0, sizes[k])
		}
		g[k] = append(g[k], uint32(i))
	}
	return g
}

func (g groups) within(number int, in span) []uint32 {
	keys := g[number]
	lo, _ := slices.BinarySearch(keys, uint32(in.lo))
	hi, _ := slices.BinarySearch(keys[lo:], uint32(in.hi))
	return keys[lo : lo+hi]
}

// group divides the keys by state, kind and cell.
func (l *keyList) group(e *Engine) {
	states, kinds := make([]uint8, len(l.class)), make([]uint8, len(l.class))
	for i, class := range l.class {
		states[i], kinds[i] = uint8(class), uint8(class>>8)
	}
	l.byState = newGroups(manyStates+1, states)
	for _, i := range l.byState[manyStates] {
		set := e.several[int(l.entity[i]&^store.AliasKey)]
		for id := range set.all() {
			at, _ := slices.BinarySearch(l.byState[id], i)
			l.byState[id] = slices.Insert(l.byState[id], at, i)
		}
	}
	l.byKind = newGroups(int(store.EntityDistrict)+1, kinds)
	l.byCell = newGroups(cellRows*cellColumns, l.cell)
	l.cellTop = make([]uint16, cellRows*cellColumns)
	for i, c := range l.cell {
		if c != noCell {
			l.cellTop[c] = max(l.cellTop[c], l.rank[i])
		}
	}
}
