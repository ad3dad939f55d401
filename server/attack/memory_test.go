package attack_test

import (
	"fmt"
	"testing"
	"time"
)

// TestMemory watches the largest memory of the server under crowds of readers,
// of callers who do not read, and under bursts.
func TestMemory(t *testing.T) {
	s := start(t, dataFile)
	codes := s.codes(t, 100)
	keys := s.customers[attacker].keys
	all := func(n int) (keys []string) { // of many customers
		for i := range n {
			c := s.customers[i%numCustomers]
			keys = append(keys, c.keys[i/numCustomers%keysOfAll])
		}
		return keys
	}
	tests := []struct {
		name string
		s    stream
		span time.Duration // maximum duration
	}{
		{"readers of all customers", stream{Keys: all(200), Path: heavySearch, Connections: lasting(50, 200), Rounds: lasting(1, 0)}, lasting(time.Minute, 30*time.Second)},
		{"readers of one customer", stream{Keys: keys, Path: heavySearch, Connections: lasting(50, 200), Rounds: lasting(1, 0)}, lasting(time.Minute, 30*time.Second)},
		{"slow readers", stream{Keys: all(200), Path: heavySearch, Connections: lasting(50, 200), Slowly: 4 << 20, Rounds: lasting(1, 0)}, lasting(time.Minute, 30*time.Second)},
		{"unread by all customers", stream{Keys: all(400), Path: heavySearch, Connections: lasting(225, 900), Unread: true, Over: lasting(time.Second, 10*time.Second)}, lasting(1500*time.Millisecond, 20*time.Second)},
		{"unread by one customer", stream{Keys: keys, Path: heavySearch, Connections: lasting(225, 900), Unread: true, Over: lasting(time.Second, 10*time.Second)}, lasting(1500*time.Millisecond, 20*time.Second)},
		{"burst of searches", stream{Keys: all(300), Path: heavySearch, Connections: lasting(75, 300), Rounds: 1}, 0},
		{"burst of radius batches", stream{Keys: all(40), Path: "/v2/radius/batch", Body: radiusBatch(codes[:lasting(10, 100)], 500), Connections: lasting(6, 40), Rounds: 1, Gzip: true}, lasting(20*time.Second, 2*time.Minute)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { s.crowd(t, test.name, test.s, test.span) })
	}
	// The sample has figures of every year of the survey.
	t.Run("burst of everything", func(t *testing.T) {
		s := start(t, "")
		flags := []string{"census", "cd", "state_leg", "school_district", "timezone"}
		for year := 2024; len(flags) < 50; year-- { // an answer has at most 50
			for _, profile := range []string{"social", "economic", "housing", "demographic"} {
				flags = append(flags, fmt.Sprintf("acs_%s_%d", profile, year))
			}
		}
		var codes []string
		for range 25 {
			codes = append(codes, "10001", "90210", "98101", "60601")
		}
		text := body(map[string]any{"include": flags[:50], "codes": codes})
		crowd := stream{Keys: all(100), Path: "/v2/zip/batch", Body: text, Connections: lasting(4, 100), Rounds: 1}
		for i := range crowd.Keys {
			crowd.Keys[i] = s.customers[i%numCustomers].keys[i/numCustomers]
		}
		s.crowd(t, "burst of everything", crowd, lasting(40*time.Second, 2*time.Minute))
	})
}

// crowd sends what the stream has and judges the memory that the server took.
func (s *target) crowd(t *testing.T, name string, crowd stream, span time.Duration) {
	s.forgetPeak()
	crowd.Name = name
	a := s.attack(t, crowd)
	if span == 0 {
		span = time.Minute
	}
	o := a.wait(t, span)[0]
	peak := s.peakMB()
	t.Logf("| %d connections | %d MB | %v |", crowd.Connections, peak, o)
	if peak > memoryLimitMB {
		t.Errorf("VmHWM %d MB; want at most %d", peak, memoryLimitMB)
	}
	if o.Served == 0 && !crowd.Unread {
		t.Errorf("%v: %s", o, o.First)
	}
	s.get(t, lightLookup) // it still answers
}
