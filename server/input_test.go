package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/server"
)

// An answer is what the tests below read of a body.
type answer struct {
	Success bool                  `json:"success"`
	Request operation.CodeRequest `json:"request"`
	Error   *envelope.Error       `json:"error"`
	Meta    envelope.Meta         `json:"meta"`
}

func ask(t testing.TB, s *server.Server, r *http.Request) (int, answer) {
	t.Helper()
	resp := do(s, r)
	var a answer
	check(t, json.Unmarshal([]byte(readAll(t, resp)), &a))
	return resp.StatusCode, a
}

// TestBodyOverQuery combines values of a parameter in the body and in the
// query.
func TestBodyOverQuery(t *testing.T) {
	s := newServer(t, openDB(t))
	missing, empty := envelope.ValidationMissingParam, envelope.ValidationInvalidParam
	wrong := envelope.ValidationInvalidRequest
	tests := []struct {
		body, query string
		want        string // code that was looked up
		err         envelope.Code
	}{
		{``, ``, "", missing},
		{` `, `code=90210`, "90210", ""},
		{`{}`, ``, "", missing},
		{`{}`, `code=90210`, "90210", ""},
		{`{}`, `code=`, "", empty},
		{`{"code":null}`, ``, "", missing},
		{`{"code":null}`, `code=90210`, "90210", ""},
		{`{"code":"10001"}`, ``, "10001", ""},
		{`{"code":"10001"}`, `code=90210`, "10001", ""},
		{`{"code":""}`, `code=90210`, "", empty},
		{`{"code":10001}`, `code=90210`, "", wrong},
		{`{"code":["10001"]}`, ``, "", wrong},
		{`{"code":true}`, ``, "", wrong},
		{`{"Code":"10001"}`, `code=90210`, "90210", ""},
		{`{"code":"10001","code":"90210"}`, ``, "", envelope.ValidationInvalidParam},
		{`{"other":{"code":"10001"}}`, `code=90210`, "90210", ""},
		{"\ufeff" + `{"code":"10001"}`, ``, "10001", ""},
		{`{"code":"\u0031\u0030\u0030\u0030\u0031"}`, ``, "10001", ""},
		{`null`, `code=90210`, "", wrong},
		{`"90210"`, ``, "", wrong},
		{`{"code":"90210"} {"code":"90210"}`, ``, "", wrong},
		{``, `code=90210&code=10001`, "", envelope.ValidationInvalidParam},
		{``, `CODE=10001&code=90210`, "90210", ""},
		{``, `a;b=c&code=90210`, "90210", ""},
		{``, `code=k1a+0b1`, "K1A 0B1", ""},
		{``, `%63ode=90210`, "90210", ""},
	}
	for _, tt := range tests {
		t.Run(tt.body+"?"+tt.query, func(t *testing.T) {
			status, a := ask(t, s, post("/v2/quick-zip?"+tt.query, tt.body))
			var code envelope.Code
			if a.Error != nil {
				code = a.Error.Code
			}
			if a.Request.Code != tt.want || code != tt.err {
				t.Errorf("looked up %q with error %q, want %q with %q", a.Request.Code, code, tt.want, tt.err)
			}
			if wantStatus := map[bool]int{true: 200, false: 400}[tt.err == ""]; status != wantStatus {
				t.Errorf("status %d, want %d", status, wantStatus)
			}
			if tt.err != "" && a.Meta.Credits.Used != 0 {
				t.Errorf("a validation failure costs %d credits", a.Meta.Credits.Used)
			}
		})
	}
}

func TestGETIgnoresBody(t *testing.T) {
	r := get("/v2/quick-zip?code=90210")
	r.Body = http.NoBody
	r = r.Clone(t.Context())
	r.Body = post("/", `{"code":"10001"`).Body
	if _, a := ask(t, newServer(t, openDB(t)), r); a.Request.Code != "90210" {
		t.Errorf("looked up %q, want 90210", a.Request.Code)
	}
}

func TestContentTypeDoesNotMatter(t *testing.T) {
	s := newServer(t, openDB(t))
	for _, contentType := range []string{"", "application/json", "text/plain", "application/x-www-form-urlencoded", "§"} {
		r := post("/v2/quick-zip", `{"code":"10001"}`)
		r.Header.Set("Content-Type", contentType)
		if _, a := ask(t, s, r); a.Request.Code != "10001" {
			t.Errorf("content type %q: looked up %q, want 10001", contentType, a.Request.Code)
		}
	}
}

func TestInclude(t *testing.T) {
	s := newServer(t, openDB(t))
	want := envelope.Flags{"timezone", "state_leg"}
	for _, r := range []*http.Request{
		get("/v2/zip?code=90210&include=" + url.QueryEscape(" Timezone,,state-leg , TIMEZONE")),
		post("/v2/zip", `{"code":"90210","include":"timezone,State-Leg"}`),
		post("/v2/zip", `{"code":"90210","include":["timezone","state_leg,timezone",""]}`),
		post("/v2/zip?include=census", `{"code":"90210","include":["timezone"," STATE-LEG"]}`),
		post("/v2/zip?include=timezone,state_leg", `{"code":"90210","include":null}`),
	} {
		_, a := ask(t, s, r)
		if diff := cmp.Diff(want, a.Request.Include); diff != "" {
			t.Errorf("include (-want +got):\n%s", diff)
		}
	}
}

func TestIncludeHasLimits(t *testing.T) {
	s := newServer(t, openDB(t))
	list := func(n int) string { return `["` + strings.Repeat(`x","`, n-1) + `x"]` }
	tests := []struct {
		name, include string
		want          envelope.Code
	}{
		{"50 entries", list(50), ""},
		{"63 entries", list(63), ""},
		{"4096 characters", `"` + strings.Repeat("é", 4096) + `"`, ""},
		{"4097 characters", `"` + strings.Repeat("x", 4097) + `"`, envelope.ValidationInputTooLong},
		{"4097 characters in a list", `["` + strings.Repeat("x", 4000) + `","` + strings.Repeat("y", 96) + `"]`, envelope.ValidationInputTooLong},
		{"number in a list", `["timezone",1]`, envelope.ValidationInvalidRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, a := ask(t, s, post("/v2/zip", `{"code":"90210","include":`+tt.include+`}`))
			var got envelope.Code
			if a.Error != nil {
				got = a.Error.Code
			}
			if got != tt.want {
				t.Errorf("error %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAliasHints checks decision D5 for all parameters.
func TestAliasHints(t *testing.T) {
	s := newServer(t, openDB(t))
	for _, tt := range []struct{ path, param, alias string }{
		{"/v2/quick-zip?", "code", "zip"},
		{"/v2/quick-zip?", "code", "zipcode"},
		{"/v2/zip?", "code", "zip_code"},
		{"/v2/zip?", "code", "postal"},
		{"/v2/zip?", "code", "postalcode"},
		{"/v2/zip?", "code", "postal_code"},
		{"/v2/radius?code=10001&", "max", "radius"},
		{"/v2/radius?code=10001&", "max", "distance"},
		{"/v2/radius?code=10001&", "max", "miles"},
		{"/v2/distance?to=10001&", "from", "origin"},
		{"/v2/distance?to=10001&", "from", "zip1"},
		{"/v2/distance?from=10001&", "to", "destination"},
		{"/v2/distance?from=10001&", "to", "zip2"},
	} {
		want := wording.MissingParam(tt.param, tt.alias)
		for _, r := range []*http.Request{
			get(tt.path + tt.alias + "=90210"),
			post(tt.path, `{"`+tt.alias+`":"90210"}`),
		} {
			status, a := ask(t, s, r)
			if status != http.StatusBadRequest || a.Error == nil || a.Error.Message != want {
				t.Errorf("%s %s%s: status %d, error %+v, want %q", r.Method, tt.path, tt.alias, status, a.Error, want)
			}
		}
	}
}

// FuzzRequest sends arbitrary input to the decoder. Every response is complete
// JSON with a status that identifies the faulty side.
func FuzzRequest(f *testing.F) {
	s := newServer(f, openDB(f))
	for _, path := range append(server.RoutePaths(s), "/v2/x", "/v9/", "*", "") {
		f.Add(path, "code=90210&include=timezone&from=K1A&to=10001", `{"code":"K1A 0B1","include":["timezone"],"codes":["90210",null],"pairs":[{}],"searches":[{"code":"K1A"}],"max":5,"min":0.1,"limit":1,"mode":"spatial","from":null}`, "", true)
	}
	f.Add("/v2/zip", "code=%zz&;=\x00", "\ufeff{\"code\":{\"a\":[[[\"\\", "br, gzip;q=0.1", false)
	f.Add("/v2/zip", "code", strings.Repeat("[", 100_000), "*;q=NaN,,;", true)
	f.Fuzz(func(t *testing.T, path, query, body, accept string, isPost bool) {
		r := get("/")
		if isPost {
			r = post("/", body)
		}
		r.URL.Path, r.URL.RawQuery = path, query
		r.Header["Accept-Encoding"] = []string{accept}
		resp := do(s, r)
		if resp.Header.Get("Content-Encoding") != "" || resp.Header.Get("Content-Type") != "application/json; charset=utf-8" {
			return
		}
		if resp.StatusCode >= 500 || resp.StatusCode < 200 {
			t.Errorf("status %d", resp.StatusCode)
		}
		// Not held to the document of the interface: that would take most of the time.
		if got, err := io.ReadAll(resp.Body); err != nil || !json.Valid(got) {
			t.Errorf("the answer is no JSON: %q, %v", got, err)
		}
	})
}

// TestKeyOfMalformedQuery checks that a key is known whatever the rest of the query, and
// that a malformed key is invalid, not missing.
func TestKeyOfMalformedQuery(t *testing.T) {
	h := newServer(t, openDB(t), withAccounts(t, rich()))
	for target, want := range map[string]string{
		"/v2/zip?code=90210&key=" + key("paid") + "&x=%zz":         "VALIDATION_INVALID_REQUEST",
		"/v2/zip?code=%zz&key=" + key("paid"):                      "VALIDATION_INVALID_REQUEST",
		"/v2/zip?code=90210&x=%zz":                                 "AUTH_MISSING_KEY",
		"/v2/zip?code=90210&key=" + strings.Repeat("%ff", 32):      "AUTH_INVALID_KEY",
		"/v2/zip?code=90210&key=" + strings.Repeat("%zz", 32):      "AUTH_INVALID_KEY",
		"/v2/zip?code=90210&key=" + strings.Repeat("\xff", 32):     "AUTH_INVALID_KEY",
		"/v2/zip?x=" + strings.Repeat("x", 9000) + "&key=" + "abc": "VALIDATION_INVALID_REQUEST",
	} {
		r := get("/v2/zip")
		_, r.URL.RawQuery, _ = strings.Cut(target, "?")
		if body := readAll(t, do(h, r)); !strings.Contains(body, `"code":"`+want+`"`) {
			t.Errorf("%.60s: %.300s; want %s", target, body, want)
		}
	}
}

// TestNumbersAndEmptyItems checks whole numbers with a fraction, and an empty radius of an
// item (decision D75).
func TestNumbersAndEmptyItems(t *testing.T) {
	h := newServer(t, openDB(t))
	for body, want := range map[string]string{
		`{"code":"90210","max":5,"limit":2.0}`: `"limit":2`, `{"code":"90210","max":5,"limit":2e0}`: `"limit":2`,
		`{"code":"90210","max":5,"limit":2.5}`: "VALIDATION_INVALID_PARAM", `{"code":"90210","max":5,"limit":1e999}`: "VALIDATION_INVALID_PARAM",
		`{"code":"90210","max":5,"min":0}`: `"max":5,"min":0`,
	} {
		if got := readAll(t, do(h, post("/v2/radius", body))); !strings.Contains(got, want) {
			t.Errorf("%s: %.300s; want %s", body, got, want)
		}
	}
	for body, want := range map[string]string{
		`{"searches":[{"code":"90210","max":""}]}`: "VALIDATION_INVALID_PARAM", `{"searches":[{"code":"90210","max":""}],"max":5}`: "VALIDATION_INVALID_PARAM",
		`{"searches":[{"code":"90210"}]}`: "VALIDATION_MISSING_PARAM",
	} {
		if got := readAll(t, do(h, post("/v2/radius/batch", body))); !strings.Contains(got, want) {
			t.Errorf("%s: %.300s; want %s", body, got, want)
		}
	}
}

// TestHostilePolygons posts polygons that cross themselves, are not polygons, or have as
// many edges as possible. Each is answered, or refused with its reason and without
// charge, in seconds.
func TestHostilePolygons(t *testing.T) {
	const most, few = 12_501, 900 // vertices; more do not fit into a request
	random := rand.New(rand.NewPCG(11, 12))
	ring := func(n int, at func(i int) (x, y float64)) string {
		var b strings.Builder
		for i := range n + 1 { // closed
			x, y := at(i % n)
			fmt.Fprintf(&b, ",[%.4f,%.4f]", x-118.4, y+34.1)
		}
		return "[" + b.String()[1:] + "]"
	}
	turn := func(i, n int, radius float64) (x, y float64) {
		y, x = math.Sincos(2 * math.Pi * float64(i) / float64(n))
		return radius * x, radius * y
	}
	polygon := func(rings ...string) string {
		return `{"type":"Polygon","coordinates":[` + strings.Join(rings, ",") + `]}`
	}
	for name, tt := range map[string]struct {
		polygon string
		refused string // part of the message; otherwise it is answered
		credits int    // 0: 1
	}{
		"figure of eight": {polygon: polygon(`[[-118.6,34],[-118.3,34.3],[-118.3,34],[-118.6,34.3],[-118.6,34]]`)},
		"turns":           {polygon: polygon(ring(few, func(i int) (x, y float64) { return turn(i, 3, 0.2) }))},
		"thousand turns":  {polygon: polygon(ring(3_000, func(i int) (x, y float64) { return turn(i, 3, 0.2) })), refused: "simplify it"},
		"star":            {polygon: polygon(ring(41, func(i int) (x, y float64) { return turn(2*i, 41, 0.2) }))},
		"spikes":          {polygon: polygon(ring(most/3, func(i int) (x, y float64) { return turn(i, most/3, 0.1+0.2*float64(i%2)) })), credits: 3},
		"comb": {polygon: polygon(ring(most, func(i int) (x, y float64) {
			switch i {
			case most - 2:
				return 0.2, -0.3
			case most - 1:
				return -0.2, -0.3
			}
			return 0.4*float64(i)/most - 0.2, 0.2 * float64(i%2)
		})), credits: 7},
		"long teeth":  {polygon: polygon(ring(500, func(i int) (x, y float64) { return 0.01 * float64(i), 10 * float64(i%2) })), credits: 11},
		"longer":      {polygon: polygon(ring(most, func(i int) (x, y float64) { return 0.004 * float64(i), 25 * float64(i%2) })), refused: "simplify or divide it"},
		"eights":      {polygon: polygon(ring(most, func(i int) (x, y float64) { return 0.2 * float64(i%2), 0.2 * float64(i/2%2) })), refused: "simplify it"},
		"whole star":  {polygon: polygon(ring(most, func(i int) (x, y float64) { return turn(i*(most/2), most, 0.2) })), refused: "cross"},
		"random":      {polygon: polygon(ring(most, func(int) (x, y float64) { return random.Float64(), random.Float64() })), refused: "cross"},
		"too many":    {polygon: polygon(ring(3*most, func(i int) (x, y float64) { return turn(i, 3*most, 0.2) })), refused: "bytes"},
		"line":        {polygon: polygon(ring(few, func(i int) (x, y float64) { return float64(i) / few, 0 })), refused: "encloses nothing"},
		"point":       {polygon: polygon(ring(few, func(int) (x, y float64) { return 0, 0 })), refused: "encloses nothing"},
		"NaN":         {polygon: polygon(`[[NaN,34],[-118,34],[-118,35],[NaN,34]]`), refused: "JSON"},
		"huge number": {polygon: polygon(`[[1e400,34],[-118,34],[-118,35],[1e400,34]]`), refused: "polygon"},
		"far away":    {polygon: polygon(`[[1e300,34],[-118,34],[-118,-1e300],[1e300,34]]`), refused: "polygon"},
		"text":        {polygon: polygon(`[["x",34],[-118,34],[-118,35],["x",34]]`), refused: "polygon"},
		"deep":        {polygon: polygon(strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000)), refused: "nested"},
		"rings":       {polygon: polygon(strings.Repeat(`[[0,0],[1,0],[0,1],[0,0]],`, most/2) + `[[0,0],[1,0],[0,1],[0,0]]`), refused: "encloses nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			b := rich()
			s := newServer(t, openDB(t), withAccounts(t, b))
			began := time.Now()
			resp := do(s, as("paid", post("/v2/inside", `{"mode":"centroid","polygon":`+tt.polygon+`}`)))
			took := time.Since(began)
			var a answer
			check(t, json.Unmarshal([]byte(readAll(t, resp)), &a))
			spent := 1000 - b.available()
			t.Logf("%v, status %d, %d credits, %v", took, resp.StatusCode, spent, a.Error)
			switch {
			case a.Error == nil && (tt.refused != "" || resp.StatusCode != http.StatusOK || spent != max(tt.credits, 1)):
				t.Errorf("status %d, %d credits, refusal %q expected", resp.StatusCode, spent, tt.refused)
			case a.Error != nil && (tt.refused == "" || resp.StatusCode/100 != 4 || spent != 0 || len(b.holds) != 0):
				t.Errorf("status %d, %d credits, held %v: %+v", resp.StatusCode, spent, b.holds, a.Error)
			case a.Error != nil && !strings.Contains(a.Error.Message, tt.refused):
				t.Errorf("%q has no %q", a.Error.Message, tt.refused)
			}
			if took > time.Minute { // many times more than alone
				t.Errorf("it took %v", took)
			}
		})
	}
}

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
