package attack_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// zipBatch is a batch of full records with the five flags that read the most.
func zipBatch(codes []string) string {
	return body(map[string]any{"include": []string{"census", "cd", "state_leg", "school_district", "timezone"}, "codes": codes})
}

// radiusBatch is a batch of searches.
func radiusBatch(codes []string, miles int) string {
	searches := make([]map[string]string, len(codes))
	for i, code := range codes {
		searches[i] = map[string]string{"code": code}
	}
	return body(map[string]any{"max": miles, "searches": searches})
}

func body(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // the values here are JSON
	}
	return string(b)
}

// An attackKind is a way of taking more than a fair share.
type attackKind struct {
	name    string
	streams []stream
	endless bool // until it is stopped
}

// attacks returns the kinds that must not affect others. The last one is not an
// attack: eight customers send batches and all of them must receive responses.
func (s *target) attacks(codes []string) []attackKind {
	one, other := s.customers[attacker].keys, s.customers[second].keys
	var batches []stream
	for n := range 8 {
		b := stream{Keys: s.customers[batchers+n].keys, Path: "/v2/zip/batch", Body: zipBatch(codes), Connections: 1, Rounds: lasting(1, 10), Gzip: true}
		if n%2 == 1 {
			b.Path, b.Body = "/v2/radius/batch", radiusBatch(codes, 100)
		}
		b.Name = fmt.Sprintf("batch caller %d, %s", n+1, b.Path)
		batches = append(batches, b)
	}
	huge := radiusBatch(codes[:lasting(20, 100)], 500)
	var combs []stream
	for n, keys := range [][]string{one[:1], other[:1], s.customers[batchers].keys[:1]} {
		combs = append(combs, stream{Name: fmt.Sprint("combs ", n+1), Keys: keys, Path: "/v2/inside", Body: comb(5500), Connections: 4})
	}
	honest := stream{
		Name: "batches of a customer", Keys: s.customers[batchers+1].keys, Path: "/v2/zip/batch", Body: zipBatch(codes) + strings.Repeat(" ", 900_000),
		Connections: 1, Rounds: lasting(3, 30), Gzip: true, After: lasting(0, time.Second),
	}
	var several []string // keys of accounts
	for n := range batchers + 6 {
		if n != light && n != batchers+1 {
			several = append(several, s.customers[n].keys[0])
		}
	}
	names := "{" + strings.Repeat(`"a":1,`, 880_000/6) + `"a":1}`
	return []attackKind{
		{"A, 220 answers unread", []stream{{Name: "unread", Keys: one, Path: heavySearch, Connections: 220, Over: lasting(300*time.Millisecond, 100*time.Second), Unread: true}}, true},
		{"B, 16 readers", []stream{{Name: "readers", Keys: one, Path: heavySearch, Connections: 16}}, true},
		{"C, 2 huge batches", []stream{
			{Name: "two batches", Keys: one, Path: "/v2/radius/batch", Body: huge, Connections: 2, Rounds: 1, Gzip: true},
			{Name: "next batch", Keys: other, Path: "/v2/radius/batch", Body: huge, Connections: 1, Rounds: 1, Gzip: true, After: 300 * time.Millisecond},
		}, false},
		{"D, 8 batch callers", batches, false},
		{"E, combs of a key", combs[:1], true},
		{"F, small combs", []stream{{Name: "combs", Keys: one[:1], Path: "/v2/inside", Body: comb(900), Connections: 1}}, true},
		{"G, combs of 3 accounts", append(combs, honest), true},
		{"H, repeated names", []stream{{Name: "bodies", Keys: one[:1], Path: "/v2/zip/batch", Body: names, Connections: 1, Every: time.Second / 30, Refused: true}}, true},
		{"I, repeated names, 40 keys", []stream{{Name: "bodies", Keys: one, Path: "/v2/zip/batch", Body: names, Connections: 16, Refused: true}}, true},
		{"J, 160 slow senders", []stream{{Name: "senders", Keys: several, Path: "/v2/zip/batch", Body: honest.Body, Connections: 160, Dripping: true, Refused: true}, honest}, true},
		{"K, pages without a key", []stream{{Name: "pages", Keys: []string{""}, Path: "/v2/postman.json", Connections: 8}}, true},
	}
}

// comb returns the body of a search in a polygon with many long teeth.
func comb(teeth int) string {
	ring := make([][2]float64, 0, 2*teeth+4)
	for i := range teeth {
		x, width := float64(i), 50/float64(teeth)
		ring = append(ring, [2]float64{-120 + x*width, 30}, [2]float64{-120 + (x+0.5)*width, 45})
	}
	ring = append(ring, [2]float64{-70, 30}, [2]float64{-70, 29.99}, [2]float64{-120, 29.99}, ring[0])
	for i := range ring {
		ring[i][0] = math.Round(ring[i][0]*1e5) / 1e5
	}
	return body(map[string]any{"mode": "spatial", "polygon": map[string]any{"type": "Polygon", "coordinates": [][][2]float64{ring}}})
}

// TestFairShares has one kind of attacker after the other at work and measures
// how the server feels to a customer who looks single codes up, and to one who searches
// near a code.
func TestFairShares(t *testing.T) {
	s := start(t, dataFile)
	codes := s.codes(t, 100)
	span := lasting(100*time.Millisecond, 10*time.Second)
	quiet := make([]*feel, len(victims))
	for i, v := range victims {
		s.feel(t, v, span/2) // warm
		quiet[i] = s.feel(t, v, span)
		t.Logf("| none | %s | %v |", v.name, quiet[i])
	}
	for _, kind := range s.attacks(codes) {
		t.Run(kind.name, func(t *testing.T) {
			s.forgetPeak()
			a := s.attack(t, kind.streams...)
			loaded, took := make([]*feel, len(victims)), lasting(500*time.Millisecond, 20*time.Second)
			for i := range loaded {
				loaded[i] = &feel{}
			}
			if over := kind.streams[0].Over; over > 0 {
				took = over + lasting(500*time.Millisecond, 2*time.Second)
			}
			for began := time.Now(); time.Since(began) < took && a.running(); {
				for i, v := range victims {
					loaded[i].add(s.feel(t, v, lasting(150*time.Millisecond, 500*time.Millisecond)))
				}
			}
			if kind.endless {
				took = 0
			} else {
				took = lasting(time.Minute, 5*time.Minute)
			}
			outcomes := a.wait(t, took)
			for i, v := range victims {
				t.Logf("| %s | %s | %v | %d MB |", kind.name, v.name, loaded[i], s.peakMB())
			}
			for _, o := range outcomes {
				t.Log(o)
			}
			judge(t, s, quiet, loaded, outcomes, kind.endless)
		})
	}
}

// judge holds an attack to the bars. Customers have a number of wanted answers; if the
// attack is endless they may not have received all.
func judge(t *testing.T, s *target, quiet, loaded []*feel, outcomes []*outcome, endless bool) {
	for i, f := range loaded {
		if f.unavailable+f.failed > 0 {
			t.Errorf("%s: %v; want no failure", victims[i].name, f)
		}
		most := max(5*quiet[i].percentile(99), 15*time.Millisecond)
		if p99 := f.percentile(99); long && p99 > most {
			t.Errorf("p99 of %s is %v; want at most %v", victims[i].name, p99, most)
		}
	}
	for _, o := range outcomes {
		if customers := o.Wanted > 0; customers && (o.Unavailable > 0 || o.Other > 0) {
			t.Errorf("%v; want it served or cut: %s", o, o.First)
		}
		if o.Wanted > 0 && (endless && o.Served == 0 || !endless && o.Served != o.Wanted) {
			t.Errorf("%v; want %d answers: %s", o, o.Wanted, o.First)
		}
	}
	if peak := s.peakMB(); peak > memoryLimitMB {
		t.Errorf("VmHWM %d MB; want at most %d", peak, memoryLimitMB)
	}
}
