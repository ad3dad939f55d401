package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/draw"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/server"
)

// TestGoldenRadiusAccounts checks the responses about radii to callers with
// keys.
func TestGoldenRadiusAccounts(t *testing.T) {
	db := openDB(t)
	q := func(rest string) *http.Request { return get("/v2/radius?code=90210&" + rest) }
	tests := map[string]*http.Request{
		"key-radius":                  as("paid", q("max=150&include=timezone")),
		"key-radius-auto":             as("paid", q("max=auto&mode=spatial")),
		"key-radius-test":             as("test", q("max=10")),
		"error-auth-free-radius":      as("free", q("max=100.1")),
		"error-auth-free-spatial":     as("free", q("max=51&mode=spatial")),
		"error-auth-test-radius":      as("test", q("max=10.5")),
		"error-auth-test-radius-auto": as("test", q("max=auto")),
		"error-auth-test-center":      as("test", get("/v2/radius?code=34,-118&max=5")),
		"error-auth-demo-radius":      as("demo", q("max=101")),
		"error-auth-radius-batch":     as("free", post("/v2/radius/batch", `{"searches":[{"code":"90210"}],"max":5}`)),
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			b := rich()
			golden(t, name, dump(t, do(newServer(t, db, withAccounts(t, b)), r)))
			if strings.HasPrefix(name, "error") && b.calls() != "" {
				t.Errorf("the ledger is asked: %s", b.calls())
			}
		})
	}
}

// TestRadiusBatchDefaults compares searches of a batch with single searches.
// Their values take precedence over those of the batch.
func TestRadiusBatchDefaults(t *testing.T) {
	s := newServer(t, openDB(t))
	const defaults = `,"max":4,"min":1,"include":"timezone"`
	tests := []struct{ item, single string }{
		{`{"code":"90210"}`, `{"code":"90210","max":4,"min":1,"include":"timezone"}`},
		{`{"code":"90210","max":1.5}`, `{"code":"90210","max":1.5,"min":1,"include":"timezone"}`},
		{`{"code":"90210","max":"auto"}`, `{"code":"90210","max":"auto","min":1,"include":"timezone"}`},
		{`{"code":"90210","min":0}`, `{"code":"90210","max":4,"min":0,"include":"timezone"}`},
		{`{"code":"90210","include":""}`, `{"code":"90210","max":4,"min":1}`},
		{`{"code":"90210","include":[]}`, `{"code":"90210","max":4,"min":1}`},
		{`{"code":"90210","max":null,"include":null}`, `{"code":"90210","max":4,"min":1,"include":"timezone"}`},
		{`{"code":"90210","limit":1,"min":0}`, `{"code":"90210","max":4,"min":0,"include":"timezone","limit":1}`},
		{`{"code":"90210","mode":"spatial"}`, `{"code":"90210","max":4,"min":1,"include":"timezone"}`},
	}
	type item = map[string]json.RawMessage
	results := func(r *http.Request) item {
		var a struct {
			Results []item        `json:"results"`
			Meta    envelope.Meta `json:"meta"`
		}
		check(t, json.Unmarshal([]byte(readAll(t, do(s, r))), &a))
		if len(a.Results) != 1 {
			t.Fatalf("%d results", len(a.Results))
		}
		used, err := json.Marshal(a.Meta.Credits.Used)
		check(t, err)
		a.Results[0]["credits"] = used
		delete(a.Results[0], "input")
		return a.Results[0]
	}
	for _, tt := range tests {
		want := results(post("/v2/radius", tt.single))
		got := results(post("/v2/radius/batch", `{"searches":[`+tt.item+`]`+defaults+`}`))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-single +batch):\n%s", tt.item, diff)
		}
	}
}

// TestRadiusBatchEchoesItsOwnMax checks that a failed item with an invalid max
// does not show the max of the batch.
func TestRadiusBatchEchoesItsOwnMax(t *testing.T) {
	s := newServer(t, openDB(t))
	body := `{"searches":[{"code":"90210"},{"code":"90210","max":7},{"code":"90210","max":"x"},{"code":"90210","max":""},{"code":"90210","max":1000}],"max":5}`
	var a struct {
		Results []struct {
			Input json.RawMessage `json:"input"`
		} `json:"results"`
	}
	check(t, json.Unmarshal([]byte(readAll(t, do(s, post("/v2/radius/batch", body)))), &a))
	var got []string
	for _, r := range a.Results {
		got = append(got, string(r.Input))
	}
	want := []string{
		`{"index":0,"code":"90210","max":5}`, `{"index":1,"code":"90210","max":7}`, `{"index":2,"code":"90210"}`,
		`{"index":3,"code":"90210"}`, `{"index":4,"code":"90210","max":1000}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}

// TestAutoRadiusIsNeverRefusedWrongly checks that an automatic search reserves
// the credits of its resolved radius, not of the maximum.
func TestAutoRadiusIsNeverRefusedWrongly(t *testing.T) {
	b := newBook(billing.Part{Source: billing.DailyCredits, Credits: 2})
	resp := do(newServer(t, openDB(t), withAccounts(t, b)), as("free", get("/v2/radius?code=90210&max=auto")))
	if resp.StatusCode != http.StatusOK || b.available() != 0 {
		t.Errorf("status %d, %d credits left; want 200 and none", resp.StatusCode, b.available())
	}
}

// TestOperations checks that every operation has its routes, or a reason for none.
func TestOperations(t *testing.T) {
	paths := server.RoutePaths(newServer(t, openDB(t)))
	used := []string{"/v2/health"}
	for _, o := range append(draw.All(), operation.All()...) {
		for _, path := range []string{o.Path, o.Batch} {
			switch {
			case path == "" && o.Absent == "" && o.Command+o.Batch != "":
				t.Errorf("%s lacks a route and a reason", o.Name)
			case path != "" && !slices.Contains(paths, path):
				t.Errorf("%s: unknown route %s", o.Name, path)
			}
			used = append(used, path)
		}
		if o.Path != "" && o.Price == "" {
			t.Errorf("%s has no price", o.Name)
		}
	}
	for _, path := range paths {
		if !slices.Contains(used, path) {
			t.Errorf("no operation describes %s", path)
		}
	}
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	check(t, err)
	return string(text)
}

// TestPlantedOperation makes a route of an invented operation.
func TestPlantedOperation(t *testing.T) {
	planted, err := server.Planted(openDB(t))
	check(t, err)
	for query, want := range map[string]string{
		"code=k1a&times=3&include=upper": `"results":[{"codes":["K1A","K1A","K1A"]}]`,
		"zip=k1a":                        `"message":"Parameter 'code' is required. Did you mean 'code' instead of 'zip'?"`,
		"code=k1a&times=6":               `"message":"Parameter 'times' must be a whole number from 1 to 5."`,
	} {
		if got := body(t, do(planted, get("/v2/echo?"+query))); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	document, _, err := server.PlainDocument(planted)
	check(t, err)
	text, err := json.Marshal(document)
	check(t, err)
	for _, want := range []string{`"/v2/echo":{"get":`, `"summary":"Repeat a code several times."`, `Credits: 1 for each time.`, `"name":"times"`, `"maximum":5`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the document has no %s", want)
		}
	}
}
