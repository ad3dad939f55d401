package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestPlansEchoed checks that every route that takes as_of and plan repeats them in
// request of its response. The golden responses omit parameters that were not given.
func TestPlansEchoed(t *testing.T) {
	s := newServer(t, sampletest.Open(t))
	const (
		query = "&as_of=2027-01-03&plan=cd119"
		body  = `,"as_of":"2027-01-03","plan":"cd119"}`
	)
	for _, r := range []*http.Request{
		get("/v2/zip?code=90210" + query), get("/v2/address?address=1+Main+St+90210" + query),
		get("/v2/geocode?address=1+Main+St+90210" + query), get("/v2/reverse?point=34.1,-118.4" + query),
		post("/v2/zip/batch", `{"codes":["90210"]`+body), post("/v2/address/batch", `{"addresses":["1 Main St 90210"]`+body),
		post("/v2/geocode/batch", `{"addresses":["1 Main St 90210"]`+body), post("/v2/reverse/batch", `{"points":["34.1,-118.4"]`+body),
	} {
		if got := readAll(t, do(s, r)); !strings.Contains(got, `"include":[],"as_of":"2027-01-03","plan":"cd119"},"results"`) {
			t.Errorf("%s: %.400s", r.URL, got)
		}
	}
}
