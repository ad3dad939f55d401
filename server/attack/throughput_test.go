package attack_test

import (
	"os"
	"slices"
	"testing"
	"time"
)

// TestThroughput measures the answers a second of heavy work, alone and beside
// a light caller. With POSTGEO_TEST_BEFORE it compares the server with an older
// one: rounds with the one and the other alternate, so that both meet the same
// noise.
func TestThroughput(t *testing.T) {
	servers := []*target{start(t, program, dataFile)}
	if before := os.Getenv("POSTGEO_TEST_BEFORE"); before != "" {
		servers = append(servers, start(t, before, dataFile))
	}
	var alone, beside [2][]float64
	span, rounds := lasting(time.Second, 4*time.Second), lasting(1, 7)
	for round := range rounds + 1 {
		for i, s := range servers {
			readers := func(meanwhile func()) float64 {
				a := s.attack(t, stream{Name: "readers", Keys: s.customers[attacker].keys, Path: heavySearch, Connections: 16})
				time.Sleep(200 * time.Millisecond)
				meanwhile()
				o := a.stop(t)[0]
				if s.bounded && o.Served != o.Requests {
					t.Errorf("%v: %s", o, o.First)
				}
				return o.rate()
			}
			quiet := readers(func() { time.Sleep(span) })
			var f *feel
			loaded := readers(func() { f = s.feel(t, victims[0], span) })
			if round > 0 { // the first is for warming up
				alone[i], beside[i] = append(alone[i], quiet), append(beside[i], loaded)
				t.Logf("server %d: %.0f answers/s alone, %.0f beside a light caller with %v", i, quiet, loaded, f)
			}
		}
	}
	t.Logf("%.0f answers/s alone, %.0f beside a light caller (medians)", median(alone[0]), median(beside[0]))
	if median(beside[0]) < 0.3*median(alone[0]) {
		t.Errorf("%.0f answers/s beside a light caller of %.0f alone", median(beside[0]), median(alone[0]))
	}
	if len(servers) == 1 {
		return
	}
	before := median(alone[1])
	t.Logf("before: %.0f answers/s alone, %.0f beside a light caller", before, median(beside[1]))
	if now := median(alone[0]); long && now < 0.95*before {
		t.Errorf("%.0f answers/s alone; want at least 95 %% of the %.0f of before", now, before)
	}
	if now := median(beside[0]); long && now < 0.7*before {
		t.Errorf("%.0f answers/s beside a light caller; want at least 70 %% of the %.0f of before", now, before)
	}
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
