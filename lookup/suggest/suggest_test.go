package suggest_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup/suggest"
)

var update = flag.Bool("update", false, "write the tables of testdata again")

// written writes matches as "type name, state (bucket)".
func written(r *suggest.Result) []string {
	list := []string{}
	for _, m := range r.Matches {
		list = append(list, string(m.Type)+" "+m.Name+", "+m.State+m.Province+" ("+m.Bucket.String()+")")
	}
	return list
}

func ask(t testing.TB, e *suggest.Engine, query string, o suggest.Options) *suggest.Result {
	t.Helper()
	r, err := e.Suggest(context.Background(), query, o)
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return r
}

func TestSuggest(t *testing.T) {
	e := newWorld(t)
	lookuptest.Table(t, "world.txt", *update, func(text string) string {
		query, o := asked(t, text)
		return listed(ask(t, e, query, o))
	})
}

// asked reads a query with its options, which is quoted if it has blanks around it.
func asked(t *testing.T, text string) (query string, o suggest.Options) {
	t.Helper()
	query, options, _ := strings.Cut(text, " | ")
	if strings.HasPrefix(query, `"`) {
		var err error
		query, err = strconv.Unquote(query)
		check(t, err)
	}
	for _, option := range strings.Fields(options) {
		var err error
		switch key, value, _ := strings.Cut(option, "="); key {
		case "include":
			o.Include, err = suggest.ParseTypes([]string{value})
		case "limit":
			o.Limit, err = strconv.Atoi(value)
		case "state":
			o.State = value
		case "country":
			o.Country = value
		case "proximity":
			o.Proximity = value
		default:
			t.Fatalf("unknown option %q", key)
		}
		check(t, err)
	}
	return query, o
}

// listed writes matches on a line.
func listed(r *suggest.Result) string {
	if len(r.Matches) == 0 {
		return "nothing"
	}
	return strings.Join(written(r), "; ")
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

func TestTotalIsABound(t *testing.T) {
	e := newWorld(t)
	for _, q := range []string{"p", "s", "chicago", "new", "6", "m5v", "o"} {
		all := ask(t, e, q, suggest.Options{Limit: suggest.MaxLimit})
		if all.TotalMatched != len(all.Matches) {
			t.Errorf("%q: %d matched, %d listed; want the same where the limit is large", q, all.TotalMatched, len(all.Matches))
		}
		for limit := 1; limit <= len(all.Matches); limit++ {
			r := ask(t, e, q, suggest.Options{Limit: limit})
			if r.TotalMatched < min(limit, len(all.Matches)) || limit < len(all.Matches) && r.TotalMatched < limit {
				t.Errorf("%q limit %d: %d matched of %d; want a bound", q, limit, r.TotalMatched, len(all.Matches))
			}
			if diff := cmp.Diff(written(all)[:len(r.Matches)], written(r)); diff != "" {
				t.Errorf("%q limit %d: (-first of all +got):\n%s", q, limit, diff)
			}
		}
	}
}

// TestTotalOfCodes counts what goes with a code beyond the limit.
func TestTotalOfCodes(t *testing.T) {
	e := newWorld(t)
	for _, q := range []string{"m5v 1a1", "m5v1a1"} {
		all := ask(t, e, q, suggest.Options{})
		if one := ask(t, e, q, suggest.Options{Limit: 1}); one.TotalMatched != len(all.Matches) || len(all.Matches) < 2 {
			t.Errorf("%q: %d matched with a limit of 1; %d are listed", q, one.TotalMatched, len(all.Matches))
		}
	}
}

func TestRefusals(t *testing.T) {
	e := newWorld(t)
	tests := []struct {
		query string
		o     suggest.Options
		param string
		code  envelope.Code
	}{
		{"", suggest.Options{}, "query", envelope.ValidationInvalidParam},
		{" \t ", suggest.Options{}, "query", envelope.ValidationInvalidParam},
		{strings.Repeat("é", 201), suggest.Options{}, "query", envelope.ValidationInputTooLong},
		{"x", suggest.Options{Limit: -1}, "limit", envelope.ValidationInvalidParam},
		{"x", suggest.Options{Limit: 501}, "limit", envelope.ValidationInvalidParam},
		{"x", suggest.Options{State: "ZZ"}, "state", envelope.ValidationInvalidParam},
		{"x", suggest.Options{Country: "MX"}, "country", envelope.ValidationInvalidParam},
	}
	for _, tt := range tests {
		_, err := e.Suggest(context.Background(), tt.query, tt.o)
		var refused *envelope.Failure
		if !errors.As(err, &refused) || !errors.Is(err, envelope.ErrInvalidParam) || strings.ToLower(refused.Param) != tt.param || (envelope.Links{}).Error(err).Code != tt.code {
			t.Errorf("%q %+v: %v; want a refusal of %s with %s", tt.query, tt.o, err, tt.param, tt.code)
		}
	}
	if _, err := suggest.ParseTypes([]string{"zip,planet"}); !errors.Is(err, envelope.ErrInvalidParam) {
		t.Errorf("a type planet: %v; want a refusal", err)
	}
	if got, err := suggest.ParseTypes([]string{"CA-Postal, zip"}); err != nil || fmt.Sprint(got) != "[ca_postal zip]" {
		t.Errorf("types %q, %v; want zip,ca_postal", got, err)
	}
}

type atlas map[netip.Addr]geo.LatLng

func (a atlas) LocateIP(_ context.Context, addr netip.Addr) (geo.LatLng, bool) {
	p, ok := a[addr]
	return p, ok
}

func TestProximity(t *testing.T) {
	e := newWorld(t)
	here := netip.MustParseAddr("192.0.2.1")
	known := atlas{here: geo.MustLatLng(43.7, -70.3)}
	tests := []struct {
		proximity string
		o         suggest.Options
		first     string
		used      bool
	}{
		{"43.66,-70.26", suggest.Options{}, "ME", true},
		{"97201", suggest.Options{}, "OR", true},
		{"M5V", suggest.Options{}, "OR", true},
		{"ME", suggest.Options{}, "ME", true},
		{"qc", suggest.Options{}, "OR", true},
		{"192.0.2.1", suggest.Options{Locator: known}, "ME", true},
		{"::ffff:192.0.2.1", suggest.Options{Locator: known}, "ME", true},
		{"auto", suggest.Options{Locator: known, Client: here}, "ME", true},
		{"auto", suggest.Options{Locator: known}, "OR", false},
		{"auto", suggest.Options{}, "OR", false},
		{"192.0.2.2", suggest.Options{Locator: known}, "OR", false},
		{"192.0.2.1", suggest.Options{}, "OR", false},
		{"99999", suggest.Options{}, "OR", false},
		{"K1A", suggest.Options{}, "OR", false},
		{"91,0", suggest.Options{}, "OR", false},
		{"NaN,NaN", suggest.Options{}, "OR", false},
		{"90,180", suggest.Options{}, "OR", true},
		{"-90,-180", suggest.Options{}, "OR", true},
		{"near me", suggest.Options{}, "OR", false},
		{strings.Repeat("1", 1000), suggest.Options{}, "OR", false},
	}
	for _, tt := range tests {
		tt.o.Proximity = tt.proximity
		r := ask(t, e, "portland", tt.o)
		if got := r.Matches[0].State; got != tt.first {
			t.Errorf("%.20q: first Portland is in %s; want %s", tt.proximity, got, tt.first)
		}
		if used := len(r.Notices) == 0; used != tt.used {
			t.Errorf("%.20q: notices %v; want it used: %t", tt.proximity, r.Notices, tt.used)
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

// TestTotalMatched checks that totals count entities instead of names, and do
// not depend on the limit.
func TestTotalMatched(t *testing.T) {
	e := newWorld(t)
	for _, query := range []string{"new", "new york", "n", "o", "st", "s", "port", "springfield", "chicago", "1", "k", "k1a"} {
		all, err := e.Suggest(t.Context(), query, suggest.Options{Limit: suggest.MaxLimit})
		check(t, err)
		want := 0
		for _, m := range all.Matches {
			if m.Bucket <= suggest.InnerWord {
				want++
			}
		}
		for limit := 1; limit <= want; limit++ {
			r, err := e.Suggest(t.Context(), query, suggest.Options{Limit: limit})
			check(t, err)
			if r.TotalMatched != want {
				t.Errorf("%q with limit %d: %d matches in all, want %d", query, limit, r.TotalMatched, want)
				break
			}
		}
	}
}
