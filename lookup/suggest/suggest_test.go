package suggest_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup/suggest"
)

var update = flag.Bool("update", false, "write the tables of testdata again")

func ask(t testing.TB, e *suggest.Engine, query string, o suggest.Options) *suggest.Result {
	t.Helper()
	r, err := e.Suggest(context.Background(), query, o)
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return r
}

func TestFields(t *testing.T) {
	e := newWorld(t)
	tests := []struct{ query, want string }{
		{"chicago", `{"type":"place","name":"Chicago","state":"IL","state_name":"Illinois","country":"US","geoid":"1714000","location":{"lat":41.88,"lon":-87.63},"population":2700000,"associated_zips":["60601","60614"]}`},
		{"kansas city", `{"type":"cbsa","name":"Kansas City, MO-KS","state":"MO","state_name":"Missouri","country":"US","geoid":"28140","cbsa_code":"28140","metro_micro":"metro","location":{"lat":39.1,"lon":-94.6},"population":2200000}`},
		{"cook county", `{"type":"county","name":"Cook County","state":"IL","state_name":"Illinois","country":"US","fips":"17031","geoid":"17031","location":{"lat":41.8,"lon":-87.8},"population":5100000}`},
		{"60614", `{"type":"zip","name":"60614","city":"Chicago","state":"IL","state_name":"Illinois","country":"US","classification":"G","classification_name":"General","location":{"lat":41.92,"lon":-87.65},"population":21000}`},
		{"m5v", `{"type":"fsa","name":"M5V","city":"Toronto","province":"ON","state_name":"Ontario","country":"CA","location":{"lat":43.64,"lon":-79.4},"population":21000,"postal_code_count":2}`},
	}
	for _, tt := range tests {
		r := ask(t, e, tt.query, suggest.Options{Limit: 1})
		got, err := json.Marshal(r.Matches[0])
		check(t, err)
		if diff := cmp.Diff(tt.want, string(got)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.query, diff)
		}
		var back suggest.Match
		check(t, json.Unmarshal(got, &back))
		back.Bucket = r.Matches[0].Bucket
		if diff := cmp.Diff(r.Matches[0], back, cmp.AllowUnexported(geo.LatLng{})); diff != "" {
			t.Errorf("%q read back (-want +got):\n%s", tt.query, diff)
		}
	}
}

type atlas map[netip.Addr]geo.LatLng

func (a atlas) LocateIP(_ context.Context, addr netip.Addr) (geo.LatLng, bool) {
	p, ok := a[addr]
	return p, ok
}

// TestRefusals checks the length of queries, and types. The files of testdata have further cases.
func TestRefusals(t *testing.T) {
	e := newWorld(t)
	ask(t, e, strings.Repeat("é", suggest.MaxQueryLength), suggest.Options{})
	_, err := e.Suggest(t.Context(), strings.Repeat("é", suggest.MaxQueryLength+1), suggest.Options{})
	if failure := envelope.FaultOf(err); failure == nil || failure.Code != envelope.ValidationInputTooLong {
		t.Errorf("a query of more characters: %v", err)
	}
	if got, err := suggest.ParseTypes([]string{"CA-Postal, zip"}); err != nil || fmt.Sprint(got) != "[ca_postal zip]" {
		t.Errorf("types %q, %v; want zip,ca_postal", got, err)
	}
}

// TestUnknownProximity checks positions that nothing locates.
func TestUnknownProximity(t *testing.T) {
	e := newWorld(t)
	for _, proximity := range []string{"auto", "192.0.2.1", "near me", strings.Repeat("1", 1000)} {
		r := ask(t, e, "portland", suggest.Options{Proximity: proximity})
		if r.Matches[0].State != "OR" || len(r.Notices) == 0 {
			t.Errorf("%.20q: first Portland is in %s, notices %v; want OR and a notice", proximity, r.Matches[0].State, r.Notices)
		}
	}
}

func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newWorld(t).Suggest(ctx, "x", suggest.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v; want %v", err, context.Canceled)
	}
}

// FuzzSuggest checks that no query panics. Matches must be within the limit,
// distinct, and in the order of scores.
func FuzzSuggest(f *testing.F) {
	e := newWorld(f)
	for _, q := range []string{
		"portland", "port ", "st louis", "chigaco", "90210", "k1a 0b1", "\"*\" OR 1=1", "a AND NEAR(b)", "\u0301\u0301", "Моsсow", "\xff\xfe", "ca ca ca ca",
		strings.Repeat("a ", 100), "new york, ny 10001", "county of cook", "m5v3", "\ud7ff", "zip", "zip code", ",", "x y z 606",
	} {
		f.Add(q, "", "", "", 10)
	}
	f.Add("springfield", "il", "us", "43,-70", 500)
	f.Fuzz(func(t *testing.T, query, state, country, proximity string, limit int) {
		r, err := e.Suggest(context.Background(), query, suggest.Options{State: state, Country: country, Proximity: proximity, Limit: limit})
		if err != nil {
			if !errors.Is(err, envelope.ErrInvalidParam) {
				t.Fatal(err)
			}
			return
		}
		if limit == 0 {
			limit = suggest.DefaultLimit
		}
		if len(r.Matches) > limit || r.TotalMatched < len(r.Matches) {
			t.Fatalf("%d matches of %d with limit %d", len(r.Matches), r.TotalMatched, limit)
		}
		seen := map[string]bool{}
		for _, m := range r.Matches {
			key := string(m.Type) + m.Name + m.State + m.Province
			if seen[key] {
				t.Fatalf("%s is told twice", key)
			}
			seen[key] = true
		}
	})
}
