package server_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestRepeatedParameters checks that repeated lists are joined, and that other
// repeated parameters fail with their name (decision D66), in queries and in
// bodies.
func TestRepeatedParameters(t *testing.T) {
	h := newServer(t, openDB(t))
	batch := func(item string) *http.Request {
		return post("/v2/distance/batch", `{"pairs":[`+item+`,{"from":"90210","to":"10001"}]}`)
	}
	once := func(name string) string { return "Parameter '" + name + "' must be given once." }
	tests := []struct {
		name   string
		r      *http.Request
		status int
		want   string
	}{
		{"list", get("/v2/zip?code=90210&include=cd&include=timezone"), 200, `"include":["cd","timezone"]`},
		{"list thrice", get("/v2/zip?include=timezone&code=90210&include=&include=cd,timezone"), 200, `"include":["timezone","cd"]`},
		{"quick", get("/v2/quick-zip?code=90210&include=weather&include=timezone"), 200, `"iana_name"`},
		{"text with commas", get("/v2/address?address=400+N+Sample+Dr+90210&include=coordinates&include=cd"), 200, `"include":["coordinates","cd"]`},
		{"types", get("/v2/suggest?q=bev&include=zip&include=place"), 200, `"include":["zip","place"]`},
		{"code", get("/v2/zip?code=90210&code=10001"), 400, once("code")},
		{"same code", get("/v2/quick-zip?code=90210&code=90210"), 400, once("code")},
		{"encoded name", get("/v2/quick-zip?code=90210&%63ode=90210"), 400, once("code")},
		{"number", get("/v2/radius?code=90210&max=10&max=20"), 400, once("max")},
		{"mode", get("/v2/radius?code=90210&max=10&mode=centroid&mode=spatial"), 400, once("mode")},
		{"limit", get("/v2/suggest?q=bev&limit=3&limit=4"), 400, once("limit")},
		{"end", get("/v2/distance?from=90210&to=10001&to=90210"), 400, once("to")},
		{"unknown name", get("/v2/quick-zip?code=90210&utm=1&utm=2"), 200, `"success":true`},
		{"body before query", post("/v2/quick-zip?code=1&code=2", `{"code":"90210"}`), 200, `"success":true`},

		{"body", post("/v2/quick-zip", `{"code":"90210","code":"10001"}`), 400, once("code")},
		{"escaped in the body", post("/v2/quick-zip", `{"code":"90210","\u0063ode":"10001"}`), 400, once("code")},
		{"list in the body", post("/v2/zip", `{"code":"90210","include":["cd"],"include":["timezone"]}`), 400, once("include")},
		{"colons in a body", post("/v2/quick-zip", `{"code":"90210","a":{"code":1,"b":":"},"c":[{"d":2}],"e:f":":"}`), 200, `"success":true`},
		{"batch", post("/v2/distance/batch", `{"pairs":[],"pairs":[{"from":"90210","to":"10001"}]}`), 400, once("pairs")},
		{"item", batch(`{"from":"90210","from":"10001","to":"90210"}`), 200, once("from")},
		{"item alone", batch(`{"from":"90210","from":"10001","to":"90210"}`), 200, `"succeeded":1,"failed":1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp := do(h, tt.r)
			body := readAll(t, resp)
			if resp.StatusCode != tt.status || !strings.Contains(body, tt.want) || tt.status == 400 && !strings.Contains(body, "VALIDATION_INVALID_PARAM") {
				t.Errorf("status %d: %s; want %d with %s", resp.StatusCode, body, tt.status, tt.want)
			}
		})
	}
}

// TestRepeatedKey checks that a query has one key at most, unless the header
// has one.
func TestRepeatedKey(t *testing.T) {
	b := rich()
	h := newServer(t, openDB(t), withAccounts(t, b))
	target := "/v2/quick-zip?code=90210&key=" + key("paid") + "&key=" + key("nobody")
	resp := do(h, get(target))
	if body := readAll(t, resp); resp.StatusCode != http.StatusBadRequest || !strings.Contains(body, "Parameter 'key' must be given once.") || b.calls() != "" {
		t.Errorf("status %d: %s; the ledger was asked: %s", resp.StatusCode, body, b.calls())
	}
	if resp := do(h, as("paid", get(target))); resp.StatusCode != http.StatusOK {
		t.Errorf("with a key in the header: status %d", resp.StatusCode)
	}
}
