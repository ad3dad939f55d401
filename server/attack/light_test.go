package attack_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// A feel is how the server felt to a light caller.
type feel struct {
	requests, unavailable, failed int
	took                          []time.Duration
}

// add takes in what another measurement found.
func (f *feel) add(other *feel) {
	f.requests += other.requests
	f.unavailable += other.unavailable
	f.failed += other.failed
	f.took = append(f.took, other.took...)
}

func (f *feel) percentile(p int) time.Duration {
	if len(f.took) == 0 {
		return 0
	}
	slices.Sort(f.took)
	return f.took[min(len(f.took)*p/100, len(f.took)-1)]
}

func (f *feel) String() string {
	ms := func(d time.Duration) string { return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 2, 64) }
	return fmt.Sprintf("p50 %s ms, p99 %s ms, %d × 503, %d other failures of %d", ms(f.percentile(50)), ms(f.percentile(99)), f.unavailable, f.failed, f.requests)
}

// A victim is an honest caller: it sends a request in each interval, over connections
// in turn. A connection that still waits for an answer then misses its turn.
type victim struct {
	name        string
	path        string
	connections int
	every       time.Duration
}

// victims look codes up, and search near one. The last ones wait for turns.
var victims = []victim{
	{"lookups", lightLookup, 1, 2 * time.Millisecond},
	{"lookups, 4 connections", lightLookup, 4, 2 * time.Millisecond},
	{"searches of 25 miles", nearSearch, 1, 25 * time.Millisecond},
}

// feel sends the requests of a victim for a while.
func (s *target) feel(t testing.TB, v victim, span time.Duration) *feel {
	t.Helper()
	var f feel
	var mu sync.Mutex
	var wg sync.WaitGroup
	began := time.Now()
	for n := range v.connections {
		wg.Go(func() {
			transport := &http.Transport{MaxConnsPerHost: 1}
			defer transport.CloseIdleConnections()
			c, keys := &http.Client{Transport: transport, Timeout: 10 * time.Second}, s.customers[light].keys
			for i := n; ; i += v.connections {
				due := began.Add(time.Duration(i) * v.every)
				if due.Sub(began) > span {
					return
				}
				if time.Since(due) > v.every {
					continue
				}
				time.Sleep(time.Until(due))
				sent := time.Now()
				status, _, err := s.ask(c, v.path, keys[i%len(keys)])
				took := time.Since(sent)
				mu.Lock()
				f.requests++
				f.took = append(f.took, took)
				switch {
				case status == http.StatusServiceUnavailable:
					f.unavailable++
				case err != nil || status != http.StatusOK:
					f.failed++
				}
				mu.Unlock()
				if err != nil {
					t.Errorf("light caller: %v", err)
				}
			}
		})
	}
	wg.Wait()
	return &f
}

// ask sends one request and reads the answer.
func (s *target) ask(c *http.Client, path, key string) (status int, body []byte, err error) {
	req, err := http.NewRequest(http.MethodGet, "http://"+s.address+path, http.NoBody)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("X-Api-Key", key)
	resp, err := c.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, body, err
}

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
		return float64(o.Served) / o.Took.Seconds()
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
		{"unread by all customers", stream{Keys: all(400), Path: heavySearch, Connections: lasting(225, 900), Unread: true, Over: lasting(300*time.Millisecond, 10*time.Second)}, lasting(700*time.Millisecond, 20*time.Second)},
		{"unread by one customer", stream{Keys: keys, Path: heavySearch, Connections: lasting(225, 900), Unread: true, Over: lasting(300*time.Millisecond, 10*time.Second)}, lasting(700*time.Millisecond, 20*time.Second)},
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

// crowd sends the requests of a stream and checks the memory that the server used.
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
