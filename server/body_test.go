package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/server"
)

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
