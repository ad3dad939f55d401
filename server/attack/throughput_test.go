package attack_test

import (
	"testing"
	"time"
)

// TestThroughput measures the answers a second of heavy work, alone and beside
// a light caller.
func TestThroughput(t *testing.T) {
	if !long {
		t.Skip("only the long form measures throughput")
	}
	s := start(t, dataFile)
	const span = 4 * time.Second
	readers := func(meanwhile func()) float64 {
		a := s.attack(t, stream{Name: "readers", Keys: s.customers[attacker].keys, Path: heavySearch, Connections: 16})
		time.Sleep(200 * time.Millisecond)
		meanwhile()
		o := a.stop(t)[0]
		if o.Served != o.Requests {
			t.Errorf("%v: %s", o, o.First)
		}
		return o.rate()
	}
	readers(func() { time.Sleep(span) }) // warm
	var f *feel
	alone := readers(func() { time.Sleep(span) })
	beside := readers(func() { f = s.feel(t, victims[0], span) })
	t.Logf("%.0f answers/s alone, %.0f beside a light caller with %v", alone, beside, f)
	if beside < 0.3*alone {
		t.Errorf("%.0f answers/s beside a light caller of %.0f alone", beside, alone)
	}
}
