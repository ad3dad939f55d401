package lookup

import (
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// AppendOrder appends the numbers of n places to dst, in their lower halves, so that
// near places follow each other. Looked up in this order, many places read each outline
// once, while it is in the cache of the processor. The order has no other meaning. curve
// returns the key of a place, as [CurveKey] does.
func AppendOrder(dst []uint64, n int, curve func(i int) uint32) []uint64 {
	from := len(dst)
	dst = slices.Grow(dst, n)
	for i := range n {
		dst = append(dst, uint64(curve(i))<<32|uint64(uint32(i)))
	}
	slices.Sort(dst[from:])
	return dst
}

// CurveKey returns about the place of a coordinate on the curve of [geo.LatLng.CurveKey].
// It is 0 for other texts.
func CurveKey(s string) uint32 {
	lat, s, ok := roughDegrees(s)
	if !ok || s == "" || s[0] != ',' {
		return 0
	}
	lng, _, _ := roughDegrees(s[1:])
	p, err := geo.LatLngFromDegrees(lat, lng)
	if err != nil {
		return 0
	}
	return p.CurveKey()
}

// roughDegrees reads a number with four decimals and returns the rest. It stops at other
// characters, because the order of keys needs no more.
func roughDegrees(s string) (v float64, rest string, ok bool) {
	i, n, scale, decimals := 0, 0, 1, -1
	if negative := i < len(s) && s[i] == '-'; negative {
		i, scale = 1, -1
	}
	for ; i < len(s); i++ {
		const enough = 4
		switch c := s[i]; {
		case c == '.' && decimals < 0:
			decimals = 0
		case c < '0' || c > '9':
			return float64(n) / float64(scale), s[i:], decimals >= 0 || i > 0
		case decimals >= enough || n > 1e9:
		default:
			n = 10*n + int(c-'0')
			if decimals >= 0 {
				decimals++
				scale *= 10
			}
		}
	}
	return float64(n) / float64(scale), "", true
}
