package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestAt checks that the parameter at sets the time of time zones on every route
// that returns them. British Columbia drops winter time on 2026-11-01.
func TestAt(t *testing.T) {
	s := newServer(t, sampletest.Open(t))
	for _, tt := range []struct {
		name    string
		request func(at string) *http.Request
	}{
		{"quick-zip", func(at string) *http.Request {
			return get("/v2/quick-zip?code=V6B&include=timezone&at=" + at)
		}},
		{"zip", func(at string) *http.Request { return get("/v2/zip?code=V6B&include=timezone&at=" + at) }},
		{"distance", func(at string) *http.Request { return get("/v2/distance?from=V6B&to=V6B&at=" + at) }},
		{"radius", func(at string) *http.Request {
			return get("/v2/radius?code=V6B&max=1&mode=spatial&include=timezone&at=" + at)
		}},
		{"inside", func(at string) *http.Request {
			return post("/v2/inside", `{"polygon":{"type":"Polygon","coordinates":[[[-123.12,49.27],[-123.10,49.27],[-123.10,49.29],[-123.12,49.29],[-123.12,49.27]]]},"include":"timezone","at":"`+at+`"}`)
		}},
		{"body", func(at string) *http.Request {
			return post("/v2/zip", `{"code":"V6B","include":"timezone","at":"`+at+`"}`)
		}},
		{"quick-zip/batch", func(at string) *http.Request {
			return post("/v2/quick-zip/batch", `{"codes":["V6B"],"include":"timezone","at":"`+at+`"}`)
		}},
		{"zip/batch", func(at string) *http.Request {
			return post("/v2/zip/batch", `{"codes":["V6B"],"include":"timezone","at":"`+at+`"}`)
		}},
		{"distance/batch", func(at string) *http.Request {
			return post("/v2/distance/batch", `{"pairs":[{"from":"V6B","to":"V6B"}],"at":"`+at+`"}`)
		}},
		{"radius/batch", func(at string) *http.Request {
			return post("/v2/radius/batch", `{"searches":[{"code":"96813"}],"max":1,"include":"timezone","at":"`+at+`"}`)
		}},
		{"one search of radius/batch", func(at string) *http.Request {
			return post("/v2/radius/batch", `{"searches":[{"code":"96813","at":"`+at+`"}],"max":1,"include":"timezone","at":"2027-01-15T00:00:00Z"}`)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wants := map[string]string{"2025-01-15T00:00:00Z": `"PDT"`, "2025-01-15": `"PDT"`, "2026-12-01T01:30:00-08:00": `"MST"`}
			if strings.HasSuffix(tt.name, "radius/batch") { // without full codes of British Columbia: Hawaii, whose clocks changed in 1947
				wants = map[string]string{"1946-01-15T00:00:00Z": `"utc_offset":-10.5`, "1946-01-15": `"utc_offset":-10.5`, "2026-12-01T01:30:00-08:00": `"utc_offset":-10,`}
			}
			for at, want := range wants {
				resp := do(s, tt.request(at))
				text, err := io.ReadAll(resp.Body)
				if err != nil || resp.StatusCode != http.StatusOK {
					t.Fatal(resp.StatusCode, err, string(text))
				}
				if !strings.Contains(string(text), want) {
					t.Errorf("at %s: no %s in %s", at, want, text)
				}
			}
		})
	}
}

// TestAtRefused checks the message for a time in another form.
func TestAtRefused(t *testing.T) {
	s := newServer(t, sampletest.Open(t))
	for _, r := range []*http.Request{
		get("/v2/zip?code=90210&at=31.1.2027"),
		get("/v2/zip?code=90210&at=9999-12-31T23:00:00-02:00"),
		get("/v2/zip?code=90210&at=0000-01-01T01:00:00%2B02:00"),
		post("/v2/radius/batch", `{"searches":[{"code":"90210"}],"max":5,"at":"soon"}`),
	} {
		resp := do(s, r)
		var got struct {
			Error struct{ Code, Message string } `json:"error"`
		}
		if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		const want = "Parameter 'at' must be a time in RFC 3339 form, such as 2027-01-31T12:00:00Z."
		if resp.StatusCode != http.StatusBadRequest || got.Error.Code != "VALIDATION_INVALID_PARAM" || got.Error.Message != want {
			t.Errorf("%s: %d %+v; want %q", r.URL, resp.StatusCode, got.Error, want)
		}
	}
}
