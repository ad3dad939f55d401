package server_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/server"
)

// TestShapesWithoutLayers checks that the responses for a dataset with one ZIP
// Code and no layers match the document.
func TestShapesWithoutLayers(t *testing.T) {
	const flags = "timezone,census,cd,state_leg,school_district,medicare,demographics,acs_social,quality"
	s := newServer(t, openStreetless(t))
	h := s
	left := server.RoutePaths(s)
	requests := []*http.Request{
		get("/v2/quick-zip?code=90210&include=timezone"), get("/v2/zip?code=90210&include=" + flags), get("/v2/zip?code=34.1,-118.4&include=" + flags),
		post("/v2/quick-zip/batch", `{"codes":["90210","10001"]}`), post("/v2/zip/batch", `{"codes":["90210","x"],"include":["census","acs_housing"]}`),
		get("/v2/distance?from=90210&to=34,-118"), post("/v2/distance/batch", `{"pairs":[{"from":"90210","to":"0,0"},{"from":"1","to":"2"}]}`),
		get("/v2/radius?code=90210&max=5&include=timezone,acs_social"), get("/v2/radius?code=34,-150&max=1&mode=spatial"), get("/v2/radius?code=90210&max=auto"), get("/v2/radius?code=90210&max=auto-commute"),
		post("/v2/radius/batch", `{"codes":["34,-150","90210"],"max":5,"include":["acs_social"]}`),
		get("/v2/suggest?q=beverly"), get("/v2/suggest?q=zzzzqqqq"),
		get("/v2/address?address=1+A+St+90210"), post("/v2/address/batch", `{"addresses":["1 A St 90210",""]}`),
		get("/v2/geocode?address=1+A+St+90210&include=census"), post("/v2/geocode/batch", `{"addresses":["1 A St 90210","nowhere at all"],"include":["cd"]}`),
		get("/v2/reverse?point=34.1,-118.4"), post("/v2/reverse/batch", `{"points":["34.1,-118.4","x"]}`),
		get("/v2/outlines?box=-118.5,34,-118.3,34.2"), get("/v2/area?layer=county&geoid=06037"), get(inSquare), get("/v2/figures?code=90210&max=5&field=economic.income.median_household_income"),
		get("/v2/health"),
	}
	for _, rt := range server.Routes(s) { // routes of new operations, by their examples
		if !slices.ContainsFunc(requests, func(r *http.Request) bool { return r.URL.Path == rt.Path }) {
			query := url.Values{}
			for _, p := range rt.Params {
				if p.Required {
					query.Set(p.Name, p.Example)
				}
			}
			requests = append(requests, get(rt.Path+"?"+query.Encode()))
		}
	}
	for _, r := range requests {
		readAll(t, do(h, r)) // holds the answer to the document
		left = slices.DeleteFunc(left, func(path string) bool { return path == r.URL.Path })
	}
	if len(left) > 0 {
		t.Errorf("no request of %s", strings.Join(left, ", "))
	}
}

// inSquare is a request of the codes of a polygon.
const inSquare = "/v2/inside?polygon=%7B%22type%22%3A%22Polygon%22%2C%22coordinates%22%3A%5B%5B%5B-118.5%2C34%5D%2C%5B-118.3%2C34%5D%2C%5B-118.3%2C34.2%5D%2C%5B-118.5%2C34%5D%5D%5D%7D"
