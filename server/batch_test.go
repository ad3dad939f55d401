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

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// repeat writes a list of n times the same entry.
func repeat(entry string, n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(entry+",", n), ",") + "]"
}

// TestBatchAgreesWithSingles checks that an item of a batch is the result of the single route,
// and that credits add up. Values of a search take precedence over those of its batch.
func TestBatchAgreesWithSingles(t *testing.T) {
	type item = map[string]json.RawMessage
	s := newServer(t, openDB(t))
	ask := func(path, body string) (list []item, meta envelope.Meta) {
		var a struct {
			Results []item        `json:"results"`
			Meta    envelope.Meta `json:"meta"`
		}
		check(t, json.Unmarshal([]byte(readAll(t, do(s, post(path, body)))), &a))
		for _, r := range a.Results {
			delete(r, "input")
		}
		return a.Results, a.Meta
	}
	codes := []string{`"90210"`, `"90210-1234"`, `"K1A"`, `"k1a0b1"`, `"K1A 9Z9"`, `"09012"`, `"10001"`, `"90210"`}
	var singles []string
	for _, code := range codes {
		singles = append(singles, `{"code":`+code+`,"include":"timezone"}`)
	}
	for _, tt := range []struct {
		path, list, defaults string
		items, singles       []string
	}{
		{"/v2/quick-zip", "codes", `"include":"timezone"`, codes, singles},
		{"/v2/zip", "codes", `"include":"timezone"`, codes, singles},
		{
			"/v2/radius", "searches", `"max":4,"min":1,"include":"timezone"`,
			[]string{
				`{"code":"90210"}`, `{"code":"90210","max":1.5}`, `{"code":"90210","max":"auto"}`, `{"code":"90210","min":0}`, `{"code":"90210","include":""}`,
				`{"code":"90210","include":[]}`, `{"code":"90210","max":null,"include":null}`, `{"code":"90210","limit":1,"min":0}`, `{"code":"90210","mode":"spatial"}`,
			},
			[]string{
				`{"code":"90210","max":4,"min":1,"include":"timezone"}`, `{"code":"90210","max":1.5,"min":1,"include":"timezone"}`,
				`{"code":"90210","max":"auto","min":1,"include":"timezone"}`, `{"code":"90210","max":4,"min":0,"include":"timezone"}`,
				`{"code":"90210","max":4,"min":1}`, `{"code":"90210","max":4,"min":1}`, `{"code":"90210","max":4,"min":1,"include":"timezone"}`,
				`{"code":"90210","max":4,"min":0,"include":"timezone","limit":1}`, `{"code":"90210","max":4,"min":1,"include":"timezone"}`,
			},
		},
	} {
		got, meta := ask(tt.path+"/batch", `{"`+tt.list+`":[`+strings.Join(tt.items, ",")+`],`+tt.defaults+`}`)
		if len(got) != len(tt.items) {
			t.Fatalf("%s: %d results", tt.path, len(got))
		}
		credits, want := 0, &envelope.Batch{Requested: len(got)}
		for i, body := range tt.singles {
			single, alone := ask(tt.path, body)
			credits += alone.Credits.Used
			if failed := single[0]["error"]; failed == nil {
				want.Succeeded++
			} else if want.Failed++; tt.path == "/v2/quick-zip" { // decision D75
				single[0]["error"] = bytes.Replace(failed, []byte("Postal code K1A 9Z9"), []byte("Code K1A 9Z9"), 1)
			}
			if diff := cmp.Diff(single[0], got[i]); diff != "" {
				t.Errorf("%s %s (-single +batch):\n%s", tt.path, tt.items[i], diff)
			}
		}
		if diff := cmp.Diff(want, meta.Batch); diff != "" || meta.Credits.Used != credits {
			t.Errorf("%s: %d credits, the singles have %d; meta.batch (-want +got):\n%s", tt.path, meta.Credits.Used, credits, diff)
		}
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
			status, a := ask(t, s, post("/v2/quick-zip/batch", `{"codes":`+repeat(`"90210"`, 10)+`}`))
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
