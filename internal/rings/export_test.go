package rings

import "github.com/paulmach/orb"

// CrossingsOf returns how often a ring crosses itself.
func CrossingsOf(r orb.Ring) int {
	cuts, _, _ := new(work).crossings(r)
	return len(cuts) / 2
}
