package server_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestPlansEchoed checks that every route that takes as_of and plan repeats them in
// request of its response and omits parameters that were not given.
func TestPlansEchoed(t *testing.T) {
	s := newServer(t, sampletest.Open(t))
	const (
		query = "&as_of=2027-01-03&plan=cd119"
		body  = `,"as_of":"2027-01-03","plan":"cd119"}`
	)
	for _, tt := range []struct {
		name           string
		given, without *http.Request
	}{
		{"zip", get("/v2/zip?code=90210" + query), get("/v2/zip?code=90210")},
		{"address", get("/v2/address?address=1+Main+St+90210" + query), get("/v2/address?address=1+Main+St+90210")},
		{"geocode", get("/v2/geocode?address=1+Main+St+90210" + query), get("/v2/geocode?address=1+Main+St+90210")},
		{"reverse", get("/v2/reverse?point=34.1,-118.4" + query), get("/v2/reverse?point=34.1,-118.4")},
		{"zip/batch", post("/v2/zip/batch", `{"codes":["90210"]`+body), post("/v2/zip/batch", `{"codes":["90210"]}`)},
		{"address/batch", post("/v2/address/batch", `{"addresses":["1 Main St 90210"]`+body), post("/v2/address/batch", `{"addresses":["1 Main St 90210"]}`)},
		{"geocode/batch", post("/v2/geocode/batch", `{"addresses":["1 Main St 90210"]`+body), post("/v2/geocode/batch", `{"addresses":["1 Main St 90210"]}`)},
		{"reverse/batch", post("/v2/reverse/batch", `{"points":["34.1,-118.4"]`+body), post("/v2/reverse/batch", `{"points":["34.1,-118.4"]}`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := echoedPlans(t, s, tt.given); got["as_of"] != "2027-01-03" || got["plan"] != "cd119" {
				t.Errorf("request %v; want as_of 2027-01-03 and plan cd119", got)
			}
			got := echoedPlans(t, s, tt.without)
			for _, name := range []string{"as_of", "plan"} {
				if value, ok := got[name]; ok {
					t.Errorf("request has %s %v, but it was not given", name, value)
				}
			}
		})
	}
}

// echoedPlans returns the request that the response of r repeats.
func echoedPlans(t *testing.T, s http.Handler, r *http.Request) map[string]any {
	t.Helper()
	var got struct {
		Request map[string]any `json:"request"`
	}
	if err := json.NewDecoder(do(s, r).Body).Decode(&got); err != nil || len(got.Request) == 0 {
		t.Fatal(err, got)
	}
	return got.Request
}
