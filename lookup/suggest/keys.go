package suggest

import (
	"math/bits"

	"github.com/postgeo/postgeo/dataset"
)

// A keyList is an ascending list of keys with what their entities are ranked
// and filtered by.
type keyList struct {
	text   string
	offset []uint32
	entity []uint32 // with dataset.AliasKey
	rank   []uint16
	cell   []uint16 // of one degree, noCell without a point
	class  []uint16 // see classOfEntity
	first  []uint32 // by the classes of the first three bytes: the first key from there on
	top    rangeMax

	byState groups
	byCell  groups
	cellTop []uint16 // by cell, the greatest rank there

	// Of the list of names as one word: how many letters a key shares with the
	// name in words, and the keys by that.
	shared   []uint8
	byShared groups
}

// keyInfo is what a scan needs of a key's entity.
type keyInfo struct{ rank, cell, class uint16 }

// classOfEntity puts kind and state into one number, which filters look up.
func classOfEntity(kind dataset.EntityKind, state uint8) uint16 {
	return uint16(kind)<<8 | uint16(state)
}

// numEntityClasses is more than any of those numbers.
const numEntityClasses = 8 << 8

const (
	endOfKey   = '\n'
	manyStates = 255
	noCell     = 1<<16 - 1
)

// classes are the ranks of bytes in the order of bytes: the end of a key,
// blank, each digit, each letter, all the rest, behind which nothing is told
// apart.
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

// aliasLoss is what other names lose of the rank, so that the beginning of a
// nickname does not outdo what is called so.
const aliasLoss = 4 * rankUnit

func newKeyList(t *dataset.Entities, k dataset.EntityKeys, infos []keyInfo) *keyList {
	l := &keyList{text: t.Text, offset: k.Offset, entity: k.Entity}
	n := len(k.Offset)
	l.rank, l.cell, l.class = make([]uint16, n), make([]uint16, n), make([]uint16, n)
	l.first = make([]uint32, numClasses*numClasses*numClasses+1)
	for i, e := range k.Entity {
		info := infos[e&^dataset.AliasKey]
		if e&dataset.AliasKey != 0 {
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

// bucket returns the number of the key's first three classes; a key that ends
// or comes to the rest earlier has the end in place of what follows.
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

// prefix returns the keys that begin with q.
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

// narrow returns the keys of s that begin with q after their first skip bytes,
// which they share.
func (l *keyList) narrow(s span, q []byte, skip int) span {
	lo, hi := s.lo, s.hi
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if l.compare(mid, q, skip) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	start, end := lo, lo // those from start to end begin with q
	step := 1            // what follows is often a handful of keys
	for end+step <= s.hi && l.compare(end+step-1, q, skip) == 0 {
		end += step
		step *= 2
	}
	lo, hi = end, min(end+step, s.hi)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if l.compare(mid, q, skip) == 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return span{start, lo}
}

// compare compares as many bytes of a key as q has.
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

// upTo returns the part of s whose keys have at most c after their first n
// bytes, which they share: with endOfKey those that end there, with a blank
// those, too, whose next word begins.
func (l *keyList) upTo(s span, n int, c byte) span {
	lo, hi := s.lo, s.hi
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if l.text[int(l.offset[mid])+n] <= c {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return span{s.lo, lo}
}

// names returns the part of a span of equal keys that are entities' own names,
// which stand before other names.
func (l *keyList) names(s span) span {
	lo, hi := s.lo, s.hi
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if l.entity[mid]&dataset.AliasKey == 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return span{s.lo, lo}
}

// rangeMax finds the greatest of a range of numbers: a sparse table over
// blocks.
type rangeMax struct {
	values []uint16
	blocks [][]uint16 // [level][block] the greatest of 2^level blocks from there
}

const blockBits = 4

func newRangeMax(values []uint16) rangeMax {
	r := rangeMax{values: values}
	n := (len(values) + 1<<blockBits - 1) >> blockBits
	level := make([]uint16, n)
	for i, v := range values {
		level[i>>blockBits] = max(level[i>>blockBits], v)
	}
	r.blocks = append(r.blocks, level)
	for width := 2; width <= n; width *= 2 {
		next := make([]uint16, n-width+1)
		for i := range next {
			next[i] = max(level[i], level[i+width/2])
		}
		r.blocks = append(r.blocks, next)
		level = next
	}
	return r
}

// find returns the first place of the greatest value in a range that is not
// empty.
func (r *rangeMax) find(lo, hi int) int {
	a, b := (lo+1<<blockBits-1)>>blockBits, hi>>blockBits // whole blocks
	if a >= b {
		return r.scan(lo, hi)
	}
	level := bits.Len(uint(b-a)) - 1
	whole := max(r.blocks[level][a], r.blocks[level][b-1<<level])
	at, most := -1, -1
	if lo < a<<blockBits {
		at = r.scan(lo, a<<blockBits)
		most = int(r.values[at])
	}
	if int(whole) > most {
		at, most = r.inBlocks(a, b, whole), int(whole)
	}
	if b<<blockBits < hi {
		if k := r.scan(b<<blockBits, hi); int(r.values[k]) > most {
			at = k
		}
	}
	return at
}

// inBlocks returns the first place of a value that some block from a to b
// holds as its greatest.
func (r *rangeMax) inBlocks(a, b int, value uint16) int {
	for b-a > 1 {
		mid := a + (b-a)/2
		level := bits.Len(uint(mid-a)) - 1
		if max(r.blocks[level][a], r.blocks[level][mid-1<<level]) == value {
			b = mid
		} else {
			a = mid
		}
	}
	lo := a << blockBits
	return r.scan(lo, min(lo+1<<blockBits, len(r.values)))
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
