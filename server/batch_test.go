package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// repeat writes a list of n times the same entry.
func repeat(entry string, n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(entry+",", n), ",") + "]"
}

// A batchAnswer is what the tests below read of a body.
type batchAnswer struct {
	Success bool `json:"success"`
	Request struct {
		CodesCount int `json:"codes_count"`
	} `json:"request"`
	Results []envelope.Item `json:"results"`
	Error   *envelope.Error `json:"error"`
	Meta    envelope.Meta   `json:"meta"`
}

func askBatch(t testing.TB, s *server.Server, r *http.Request) (int, batchAnswer) {
	t.Helper()
	resp := do(s, r)
	var a batchAnswer
	check(t, json.Unmarshal([]byte(readAll(t, resp)), &a))
	return resp.StatusCode, a
}

// TestBatchIgnoresQuery checks that a batch has no parameters in its query.
func TestBatchIgnoresQuery(t *testing.T) {
	s := newServer(t, openDB(t))
	if _, a := askBatch(t, s, post("/v2/quick-zip/batch?codes=90210&include=timezone", `{}`)); a.Error == nil || a.Error.Code != envelope.ValidationMissingParam {
		t.Errorf("codes in the query: error %+v", a.Error)
	}
	if _, a := askBatch(t, s, post("/v2/quick-zip/batch?include=timezone", `{"codes":["90210"]}`)); a.Meta.Credits.Used != 1 {
		t.Errorf("include in the query: %d credits, want 1", a.Meta.Credits.Used)
	}
}

// TestBatchAgreesWithSingles checks that an item of a batch is the item of the
// single route, with its input, and that credits add up.
func TestBatchAgreesWithSingles(t *testing.T) {
	s := newServer(t, openDB(t))
	codes := []string{"90210", "90210-1234", "K1A", "k1a0b1", "K1A 9Z9", "09012", "10001", "90210"}
	list, err := json.Marshal(codes)
	check(t, err)
	for _, path := range []string{"/v2/quick-zip", "/v2/zip"} {
		t.Run(path, func(t *testing.T) {
			type item = map[string]json.RawMessage
			var got struct {
				Results []item        `json:"results"`
				Meta    envelope.Meta `json:"meta"`
			}
			body := readAll(t, do(s, post(path+"/batch", `{"codes":`+string(list)+`,"include":"timezone"}`)))
			check(t, json.Unmarshal([]byte(body), &got))
			if len(got.Results) != len(codes) {
				t.Fatalf("%d results", len(got.Results))
			}
			credits, failed := 0, 0
			for i, code := range codes {
				var single struct {
					Results []item        `json:"results"`
					Meta    envelope.Meta `json:"meta"`
				}
				body := readAll(t, do(s, post(path, fmt.Sprintf(`{"code":%q,"include":"timezone"}`, code))))
				check(t, json.Unmarshal([]byte(body), &single))
				credits += single.Meta.Credits.Used
				want := single.Results[0]
				want["input"] = json.RawMessage(fmt.Sprintf(`{"code":%q}`, code))
				if _, bad := want["error"]; bad {
					failed++
				}
				if path == "/v2/quick-zip" && want["error"] != nil { // decision D75
					want["error"] = json.RawMessage(strings.Replace(string(want["error"]), "Postal code K1A 9Z9", "Code K1A 9Z9", 1))
				}
				if diff := cmp.Diff(want, got.Results[i]); diff != "" {
					t.Errorf("%s (-single +batch):\n%s", code, diff)
				}
			}
			if got.Meta.Credits.Used != credits {
				t.Errorf("%d credits, the singles have %d", got.Meta.Credits.Used, credits)
			}
			want := &envelope.Batch{Requested: len(codes), Succeeded: len(codes) - failed, Failed: failed}
			if diff := cmp.Diff(want, got.Meta.Batch); diff != "" {
				t.Errorf("meta.batch (-want +got):\n%s", diff)
			}
		})
	}
}

// TestBatchSurvivesItems checks that an internal error fails only its item. The
// item is free, hides the error and is logged as a defect.
func TestBatchSurvivesItems(t *testing.T) {
	db := openDB(t)
	tests := map[string]struct {
		quick func(context.Context) (*lookup.QuickRecord, error)
		want  envelope.Code
	}{
		"error":  {func(context.Context) (*lookup.QuickRecord, error) { return nil, errors.New("secret internals") }, envelope.InternalError},
		"panic":  {func(context.Context) (*lookup.QuickRecord, error) { panic("secret internals") }, envelope.InternalError},
		"closed": {func(context.Context) (*lookup.QuickRecord, error) { return nil, store.ErrClosed }, envelope.ServiceUnavailable},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var calls atomic.Int64
			sometimes := func(ctx context.Context) (*lookup.QuickRecord, error) {
				if calls.Add(1)%2 == 0 {
					return tt.quick(ctx)
				}
				return db.QuickLookup(ctx, "90210", lookup.QuickOptions{})
			}
			var log bytes.Buffer
			s := newServer(t, brokenDB{DB: db, quick: sometimes}, func(c *server.Config) { c.Logger = slog.New(slog.NewJSONHandler(&log, nil)) })
			status, a := askBatch(t, s, post("/v2/quick-zip/batch", `{"codes":`+repeat(`"90210"`, 10)+`}`))
			if status != http.StatusOK || !a.Success {
				t.Fatalf("status %d, success %t", status, a.Success)
			}
			for _, item := range a.Results {
				if item.Success {
					continue
				}
				if item.Error.Code != tt.want || item.Error.Retryable != nil || strings.Contains(item.Error.Message, "secret") {
					t.Errorf("item error %+v, want %s", item.Error, tt.want)
				}
			}
			if diff := cmp.Diff(&envelope.Batch{Requested: 10, Succeeded: 5, Failed: 5}, a.Meta.Batch); diff != "" {
				t.Errorf("meta.batch (-want +got):\n%s", diff)
			}
			if a.Meta.Credits.Used != 5 {
				t.Errorf("%d credits, want 5", a.Meta.Credits.Used)
			}
			if !strings.Contains(log.String(), `"level":"ERROR"`) {
				t.Errorf("log: %s", log.String())
			}
		})
	}
}

// TestNormalizedFailures checks that an item that fails after its code was
// normalized has the notice of that (decision D55).
func TestNormalizedFailures(t *testing.T) {
	s := newServer(t, openDB(t))
	spaced := notice.Normalized("x9x9x9", "X9X 9X9")
	for target, want := range map[string][]envelope.Notice{
		"/v2/quick-zip?code=x9x9x9":             {spaced},
		"/v2/zip?code=x9x9x9":                   {spaced},
		"/v2/zip?code=X9X+9X9":                  nil,
		"/v2/radius?max=5&code=000009999":       {notice.Normalized("000009999", "00000-9999")},
		"/v2/distance?from=90210&to=x9x9x9":     {spaced},
		"/v2/distance?from=x9x9x9&to=000000000": {spaced, notice.Normalized("000000000", "00000-0000")},
	} {
		var a struct{ Results []envelope.Item }
		check(t, json.Unmarshal([]byte(readAll(t, do(s, get(target)))), &a))
		if len(a.Results) != 1 || a.Results[0].Success {
			t.Fatalf("%s: %+v; want a failed item", target, a.Results)
		}
		if diff := cmp.Diff(want, a.Results[0].Notices, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: notices (-want +got):\n%s", target, diff)
		}
	}
	_, a := askBatch(t, s, post("/v2/zip/batch", `{"codes":["x9x9x9","90210"]}`))
	if len(a.Results) != 2 {
		t.Fatalf("%d results; want 2", len(a.Results))
	}
	if diff := cmp.Diff([]envelope.Notice{spaced}, a.Results[0].Notices); diff != "" {
		t.Errorf("batch: notices (-want +got):\n%s", diff)
	}
}

// The notice of unknown flags does not depend on the items.
func TestUnknownFlagsOfBadItems(t *testing.T) {
	s := newServer(t, openDB(t))
	for _, r := range []*http.Request{
		post("/v2/address/batch", `{"addresses":["400 N Sample Dr 90210",null],"include":["weather"]}`),
		post("/v2/geocode/batch", `{"addresses":[" "],"include":["weather"]}`),
		post("/v2/reverse/batch", `{"points":["34.1,-118.4",""],"include":["weather"]}`),
	} {
		var a batchAnswer
		check(t, json.NewDecoder(do(s, r).Body).Decode(&a))
		if diff := cmp.Diff([]envelope.Notice{notice.UnknownEnrichments([]string{"weather"})}, a.Meta.Notices); diff != "" {
			t.Errorf("%s: %s", r.URL.Path, diff)
		}
	}
}

// FuzzParseBody compares bodies with those of encoding/json.
func FuzzParseBody(f *testing.F) {
	for _, seed := range []string{
		``, ` {} `, `null`, `[1]`, `"x"`, `{"a":1}`, "\ufeff{\"a\" : [1, {\"b\":\"}\\\"\"}] ,\n\"c\":-1e5,\"d\":null }", `{"a":1,"a":2}`, `{"\u0061":1,"b":true}`,
		`{"a":{"a":1},"b":"\\"}`, `{"a":1`, `{"a":}`, `{"":"",",":":"}`, `{"a":[],"b":{}}`, "{\"a\":\"\xff\"}", `{"a":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := server.ParseBody([]byte(text))
		if err != nil || got == nil {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &want); err != nil {
			t.Fatalf("%q: accepted: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	})
}

// TestLargeBodies checks that bodies with many fields are refused, and that a large body
// that is refused takes two permits of the rate limit.
func TestLargeBodies(t *testing.T) {
	fields := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"f%d":%d,`, i, i)
		}
		return `{` + b.String() + `"code":"90210"}`
	}
	h := newServer(t, openDB(t), withAccounts(t, rich()))
	remaining := 0
	for i, tt := range []struct {
		name    string
		body    string
		status  int
		permits int
	}{
		{"first", `{"code":"90210"}`, 200, 0},
		{"some fields", fields(999), 200, 1},
		{"many fields", fields(1000), 400, 1},
		{"large", `{"code":"90210","x":"` + strings.Repeat("x", 20_000) + `"}`, 200, 1},
		{"large with many fields", fields(10_000), 400, 2},
		{"large with repeated names", `{` + strings.Repeat(`"a":1,`, 10_000) + `"code":"90210"}`, 400, 2},
		{"large and invalid", strings.Repeat("x", 20_000), 400, 2},
	} {
		resp := do(h, as("paid", post("/v2/quick-zip", tt.body)))
		left, err := strconv.Atoi(resp.Header.Get("X-Ratelimit-Remaining"))
		if err != nil || resp.StatusCode != tt.status || i > 0 && remaining-left != tt.permits {
			t.Errorf("%s: status %d, %d permits, %v; want %d and %d", tt.name, resp.StatusCode, remaining-left, err, tt.status, tt.permits)
		}
		remaining = left
	}
}

// TestSlowBodies checks that a body reserves memory only when a part of it has come.
func TestSlowBodies(t *testing.T) {
	s := newServer(t, openDB(t), withAccounts(t, rich()))
	text := `{"codes":["90210"],"x":"` + strings.Repeat("x", 900_000) + `"}`
	var reserved []int64
	at := 0
	r := post("/v2/zip/batch", text)
	r.Body = io.NopCloser(reader(func(p []byte) (int, error) {
		if n := len(reserved); n < 3 && at >= 10_000*n {
			reserved = append(reserved, server.ReservedForBodies(s))
		}
		n := copy(p[:min(len(p), 1000)], text[at:])
		if at += n; n == 0 {
			return 0, io.EOF
		}
		return n, nil
	}))
	if resp := do(s, as("paid", r)); resp.StatusCode != http.StatusOK {
		t.Errorf("status %d", resp.StatusCode)
	}
	if len(reserved) < 3 || reserved[0] != 0 || reserved[1] != 0 || server.ReservedForBodies(s) != 0 {
		t.Errorf("reserved %d bytes; want none at first and none at the end", reserved)
	}
	if last := reserved[len(reserved)-1]; last < int64(len(text)) {
		t.Errorf("reserved %d bytes of %d after 20,000 have come", last, len(text))
	}
}

type reader func(p []byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }
