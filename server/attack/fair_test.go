package attack_test

import (
	"encoding/json"
	"fmt"
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
	huge := radiusBatch(codes[:lasting(50, 100)], 500)
	return []attackKind{
		{"A, 220 answers unread", []stream{{Name: "unread", Keys: one, Path: heavySearch, Connections: 220, Over: lasting(3*time.Second, 100*time.Second), Unread: true}}, true},
		{"B, 16 readers", []stream{{Name: "readers", Keys: one, Path: heavySearch, Connections: 16}}, true},
		{"C, 2 huge batches", []stream{
			{Name: "two batches", Keys: one, Path: "/v2/radius/batch", Body: huge, Connections: 2, Rounds: 1, Gzip: true},
			{Name: "next batch", Keys: other, Path: "/v2/radius/batch", Body: huge, Connections: 1, Rounds: 1, Gzip: true, After: 300 * time.Millisecond},
		}, false},
		{"D, 8 batch callers", batches, false},
	}
}

// TestFairShares has one kind of attacker after the other at work and measures
// how the server feels to a customer who looks single codes up.
func TestFairShares(t *testing.T) {
	s := start(t, program, dataFile)
	codes := s.codes(t, 100)
	span := lasting(time.Second, 15*time.Second)
	s.feel(t, 4, span/2) // warm
	quiet := [2]*feel{s.feel(t, 1, span), s.feel(t, 4, span)}
	t.Logf("| attack | light caller, 1 connection | 4 connections | VmHWM |")
	t.Logf("| none | %v | %v | %d MB |", quiet[0], quiet[1], s.peakMB())
	for _, kind := range s.attacks(codes) {
		t.Run(kind.name, func(t *testing.T) {
			s.forgetPeak()
			a := s.attack(t, kind.streams...)
			loaded, took := [2]*feel{{}, {}}, lasting(4*time.Second, 30*time.Second)
			if over := kind.streams[0].Over; over > 0 {
				took = over + 2*time.Second
			}
			for began := time.Now(); time.Since(began) < took; {
				loaded[0].add(s.feel(t, 1, 500*time.Millisecond))
				loaded[1].add(s.feel(t, 4, 500*time.Millisecond))
				if !a.running() {
					break
				}
			}
			if kind.endless {
				took = 0
			} else {
				took = lasting(time.Minute, 5*time.Minute)
			}
			outcomes := a.wait(t, took)
			t.Logf("| %s | %v | %v | %d MB |", kind.name, loaded[0], loaded[1], s.peakMB())
			for _, o := range outcomes {
				t.Log(o)
			}
			judge(t, s, quiet, loaded, outcomes)
		})
	}
}

// judge holds an attack to the bars. A program that does not bound its memory
// is older than them and is measured only.
func judge(t *testing.T, s *target, quiet, loaded [2]*feel, outcomes []*outcome) {
	if !s.bounded {
		return
	}
	for i, f := range loaded {
		if f.unavailable+f.failed > 0 {
			t.Errorf("light caller: %v; want no failure", f)
		}
		most := max(5*quiet[i].percentile(99), 15*time.Millisecond)
		if p99 := f.percentile(99); long && p99 > most {
			t.Errorf("p99 of the light caller is %v; want at most %v", p99, most)
		}
	}
	for _, o := range outcomes {
		if o.Unavailable > 0 && o.Name != "unread" || o.Other > 0 {
			t.Errorf("%v; want it served or cut: %s", o, o.First)
		}
		if o.Wanted > 0 && !o.finished() {
			t.Errorf("%v; want %d answers: %s", o, o.Wanted, o.First)
		}
	}
	if peak := s.peakMB(); peak > memoryLimitMB {
		t.Errorf("VmHWM %d MB; want at most %d", peak, memoryLimitMB)
	}
}
