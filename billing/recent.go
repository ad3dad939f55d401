package billing

// A recent is a table of bounded size that drops the least recently used entry. It
// is not safe for concurrent use.
type recent[K comparable, V any] struct {
	max     int
	index   map[K]int32
	entries []entry[K, V]
	newest  int32 // -1: the table is empty
	oldest  int32
}

type entry[K comparable, V any] struct {
	key          K
	newer, older int32 // -1: none
	value        V
}

func newRecent[K comparable, V any](limit int) *recent[K, V] {
	return &recent[K, V]{max: max(limit, 1), index: map[K]int32{}, newest: -1, oldest: -1}
}

// get returns the value of a key, or nil, and makes it the newest.
func (r *recent[K, V]) get(key K) *V {
	i, ok := r.index[key]
	if !ok {
		return nil
	}
	r.touch(i)
	return &r.entries[i].value
}

// peek returns the value of a key, or nil.
func (r *recent[K, V]) peek(key K) *V {
	i, ok := r.index[key]
	if !ok {
		return nil
	}
	return &r.entries[i].value
}

// add adds a key with the zero value. The oldest entry is replaced if it is idle
// or the table is full.
func (r *recent[K, V]) add(key K, idle func(*V) bool) *V {
	var i int32
	if len(r.entries) == r.max || r.oldest >= 0 && idle(&r.entries[r.oldest].value) {
		i = r.oldest
		delete(r.index, r.entries[i].key)
		r.unlink(i)
		r.entries[i] = entry[K, V]{key: key}
	} else {
		i = int32(len(r.entries)) // at most max, which is an int32 by its callers
		r.entries = append(r.entries, entry[K, V]{key: key})
	}
	r.index[key] = i
	r.link(i)
	return &r.entries[i].value
}

func (r *recent[K, V]) len() int { return len(r.entries) }

func (r *recent[K, V]) touch(i int32) {
	if r.newest == i {
		return
	}
	r.unlink(i)
	r.link(i)
}

func (r *recent[K, V]) link(i int32) {
	r.entries[i].newer, r.entries[i].older = -1, r.newest
	if r.newest >= 0 {
		r.entries[r.newest].newer = i
	} else {
		r.oldest = i
	}
	r.newest = i
}

func (r *recent[K, V]) unlink(i int32) {
	e := &r.entries[i]
	if e.newer >= 0 {
		r.entries[e.newer].older = e.older
	} else {
		r.newest = e.older
	}
	if e.older >= 0 {
		r.entries[e.older].newer = e.newer
	} else {
		r.oldest = e.newer
	}
}
