package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server"
)

// An answer is what the tests below read of a body.
type answer struct {
	Success bool            `json:"success"`
	Results []envelope.Item `json:"results"`
	Error   *envelope.Error `json:"error"`
	Meta    envelope.Meta   `json:"meta"`
}

func ask(t testing.TB, s *server.Server, r *http.Request) (int, answer) {
	t.Helper()
	resp := do(s, r)
	var a answer
	check(t, json.Unmarshal([]byte(readAll(t, resp)), &a))
	return resp.StatusCode, a
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
