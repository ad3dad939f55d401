package store

// A street filter is a Bloom filter of the keys of a ZIP's streets, ten bits
// per key. It stays in memory and saves the read for nearly every key that the
// ZIP does not have. Most readings of an address have such keys. With five hashes,
// 0.9 % of them pass; the best number for ten bits, seven, would let 0.8 % pass.
//
// Filters are part of the file: another hash needs another version of the format.
const (
	filterBitsOfKey = 10
	filterHashes    = 5
)

func filterSize(n int) int { return (n*filterBitsOfKey + 7) / 8 }

// eachFilterBit calls f with the bits of a key in a filter of size bytes, until
// it returns false.
func eachFilterBit(key string, size int, f func(bit uint64) bool) {
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	// All hashes are made from one (Kirsch and Mitzenmacher 2006). The step is odd, so that it is
	// never 0 in a filter of whole bytes.
	h ^= h >> 32
	step := h>>17 | 1
	for range filterHashes {
		if !f(h % uint64(size*8)) {
			return
		}
		h += step
	}
}

// StreetFilter returns the filter of the keys of a ZIP Code's streets.
func StreetFilter(keys []string) []byte {
	b := make([]byte, filterSize(len(keys)))
	for _, k := range keys {
		eachFilterBit(k, len(b), func(bit uint64) bool {
			b[bit/8] |= 1 << (bit % 8)
			return true
		})
	}
	return b
}

func (s *streetZIP) mayHave(key string) bool {
	may := true
	eachFilterBit(key, len(s.Filter), func(bit uint64) bool {
		may = s.Filter[bit/8]>>(bit%8)&1 != 0
		return may
	})
	return may
}
