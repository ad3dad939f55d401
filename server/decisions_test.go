package server_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestDecisionsOnSample checks answers that decisions of the contract name.
func TestDecisionsOnSample(t *testing.T) {
	h := newServer(t, sampletest.Open(t))
	for target, want := range map[string]string{
		"/v2/address?include=census&address=" + url.QueryEscape("101 N Aspen Dr Ste 101, New York, NY 10118"): `"is_usps_primary":true`,
		"/v2/quick-zip?code=" + url.QueryEscape("34.0901, -118.40"):                                           "Input '34.0901, -118.40' was normalized to '34.0901,-118.4'.",
		"/v2/radius?code=90210&max=5&min=0":                                                                   `"max":5,"min":0`,
		"/v2/outlines?codes=90210&tolerance=0.01":                                                             `"land":[]`,
		"/v2/outlines?code=90210&max=5":                                                                       "Parameter 'box'",
		"/v2/radius?code=90210&max=5&points=0.01":                                                             `"success":true`,
	} {
		if body := readAll(t, do(h, get(target))); !strings.Contains(body, want) || strings.Contains(body, `"points"`) {
			t.Errorf("%s: %.400s; want %s", target, body, want)
		}
	}
	world := `{"limit":1,"polygon":{"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]]]}}`
	if body := readAll(t, do(h, post("/v2/inside", world))); !strings.Contains(body, `"success":true`) {
		t.Errorf("the world encloses %.300s", body)
	}
}
