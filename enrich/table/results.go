package table

import (
	"hash/maphash"
	"sync"

	"github.com/postgeo/postgeo/enrich"
)

// A result is the outcome of a key, for every row that has it.
type result struct {
	values []enrich.Value // with status and reason; nil for text
	cells  []byte         // the values as text that follows a row
	status enrich.Status
	zeros  bool // see Outcome.LostZeros
	mended bool // see Outcome.Repaired
}

// results is a bounded cache that the workers share. A full shard is emptied,
// which costs less than a record of the use of each result.
type results struct {
	seed   maphash.Seed
	shards [resultShards]resultShard
}

// An resultShard is a hash table with open addressing. A search touches a slot and
// the text behind it.
type resultShard struct {
	sync.RWMutex
	slots []resultSlot // a power of two, at most half of them used
	used  int
	text  []byte // keys, each with the cells after it; only appended to
	rows  []result
	size  int // about the bytes of rows
}

type resultSlot struct {
	hash       uint64 // 0 for a free slot
	at         uint32 // in text
	row        uint32 // number of the result in rows
	key, cells uint32 // lengths
}

const (
	resultShards = 64
	shardBytes   = 1 << 20
	firstSlots   = 64
)

func newResults() *results { return &results{seed: maphash.MakeSeed()} }

// find returns the shard of a key and its hash, which is not 0.
func (a *results) find(key []byte) (*resultShard, uint64) {
	h := maphash.Bytes(a.seed, key) | 1
	return &a.shards[h>>58], h
}

// slot returns the slot of a key, or the free one that it would take.
func (s *resultShard) slot(h uint64, key []byte) *resultSlot {
	for i := h >> 1; ; i++ {
		t := &s.slots[i%uint64(len(s.slots))]
		if t.hash == 0 || t.hash == h && string(s.text[t.at:t.at+t.key]) == string(key) {
			return t
		}
	}
}

// get sets of to the result of a key and reports whether there is one.
func (a *results) get(key []byte, of *result) bool {
	s, h := a.find(key)
	s.RLock()
	defer s.RUnlock()
	if s.used == 0 {
		return false
	}
	t := s.slot(h, key)
	if t.hash == 0 {
		return false
	}
	*of = s.rows[t.row]
	from := t.at + t.key
	of.cells = s.text[from : from+t.cells : from+t.cells]
	return true
}

// put stores a result. It keeps the values and copies the rest.
func (a *results) put(key []byte, of result) {
	s, h := a.find(key)
	s.Lock()
	defer s.Unlock()
	size := 0
	for _, v := range of.values {
		const perValue = 64
		size += perValue + len(v.String())
	}
	if more := len(key) + len(of.cells) + size; len(s.text)+s.size+more > shardBytes {
		if more > shardBytes {
			return
		}
		s.text, s.rows, s.used, s.size = nil, nil, 0, 0 // readers may still have parts of the text
		clear(s.slots)
	}
	if 2*s.used >= len(s.slots) {
		s.grow()
	}
	t := s.slot(h, key)
	if t.hash != 0 {
		return // another worker was faster
	}
	*t = resultSlot{h, uint32(len(s.text)), uint32(len(s.rows)), uint32(len(key)), uint32(len(of.cells))}
	s.text = append(append(s.text, key...), of.cells...)
	of.cells = nil
	s.rows = append(s.rows, of)
	s.used++
	s.size += size
}

func (s *resultShard) grow() {
	old := s.slots
	s.slots = make([]resultSlot, max(firstSlots, 2*len(old)))
	for _, t := range old {
		if t.hash == 0 {
			continue
		}
		for i := t.hash >> 1; ; i++ {
			if to := &s.slots[i%uint64(len(s.slots))]; to.hash == 0 {
				*to = t
				break
			}
		}
	}
}
