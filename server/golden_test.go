package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// TestGolden checks complete responses, headers included, of every route and of
// every error in open mode.
func TestGolden(t *testing.T) {
	db := openDB(t)
	quick := func(code string) *http.Request { return get("/v2/quick-zip?code=" + url.QueryEscape(code)) }
	full := func(code string) *http.Request { return get("/v2/zip?code=" + url.QueryEscape(code)) }
	distance := func(from, to string) *http.Request {
		return get("/v2/distance?" + url.Values{"from": {from}, "to": {to}}.Encode())
	}
	addressed := func(text, include string) *http.Request {
		return get("/v2/address?" + url.Values{"address": {text}, "include": {include}}.Encode())
	}
	geocoded := func(text, more string) *http.Request {
		return get("/v2/geocode?" + url.Values{"address": {text}}.Encode() + "&" + more)
	}
	header := func(r *http.Request, name, value string) *http.Request {
		r.Header.Set(name, value)
		return r
	}
	method := func(m, target string) *http.Request {
		r := get(target)
		r.Method = m
		return r
	}
	tests := map[string]*http.Request{
		"quick-zip":                 quick("90210"),
		"quick-zip-timezone":        get("/v2/quick-zip?code=10001&include=timezone"),
		"quick-zip-unknown-include": get("/v2/quick-zip?code=10001&include=Weather,timezone,census"),
		"quick-zip-zip4":            get("/v2/quick-zip?code=90210-1234&include=timezone"),
		"quick-zip-zip4-unknown":    quick("902109999"),
		"quick-zip-military":        get("/v2/quick-zip?code=09012&include=timezone"),
		"quick-zip-fsa":             quick("k1a"),
		"quick-zip-postal":          quick("k1a0b1"),
		"quick-zip-postal-fallback": quick("K1A 9Z9"),
		"quick-zip-unknown-zip":     quick("00000"),
		"quick-zip-unknown-fsa":     quick("D0D"),
		"quick-zip-unknown-postal":  quick("D0D 0D0"),
		"quick-zip-coordinates":     quick("34.0901,-118.4065"),
		"quick-zip-no-boundary":     quick("0,-30.5"),
		"quick-zip-post":            post("/v2/quick-zip", `{"code":"90210","include":["Timezone"]}`),
		"zip":                       full("90210"),
		"zip-timezone":              get("/v2/zip?code=90210&include=timezone"),
		"zip-unavailable":           get("/v2/zip?code=90210&include=census,acs-social,weather"),
		"zip-zip4":                  full("90210-1234"),
		"zip-zip4-unknown":          full("90210-9999"),
		"zip-fsa":                   full("K1A"),
		"zip-postal":                full("K1A0B1"),
		"zip-military":              full("09012"),
		"zip-coordinates":           full("45.42,-75.7"),
		"zip-no-boundary":           full("0,-30.5"),
		"zip-unknown-zip":           full("00000"),
		"zip-unknown-postal":        full("K1A 9Z9"),
		"distance":                  distance("90210", "10001"),
		"distance-coordinates":      distance("34.0901,-118.4065", "K1A 0B1"),
		"distance-fallback":         distance("90210", "K1A9Z9"),
		"distance-unknown-from":     distance("00000", "99999"),
		"distance-unknown-to":       distance("90210", "09012"),
		"distance-post":             post("/v2/distance", `{"from":"90210","to":"10001"}`),

		"address":              addressed("400 North Sample Drive, Beverly Hills, CA 90210", "coordinates"),
		"address-corrected":    addressed("Jane Doe, 402 n sample, beverly hils ca 90210 (side door)", ""),
		"address-unavailable":  addressed("400 N Sample Dr 90210-1234", "census,cd,acs_tract_social_2023,Weather,acs_tract_social_2019"),
		"address-unmatched":    addressed("999 N Sample Dr, Beverly Hills, CA 90210", "coordinates,census,cd"),
		"address-insufficient": addressed("400 N Sample Dr, Beverly Hills", ""),
		"address-post":         post("/v2/address", `{"address":"400 N Sample Dr, Beverly Hills CA","include":"coordinates","debug_key":"x"}`),

		"geocode":              geocoded("400 N Sample Dr, Beverly Hills, CA 90210", ""),
		"geocode-interpolated": geocoded("51 Quillet St, 90210", "offset=0"),
		"geocode-crossing":     geocoded("N Sample Dr & Quillet St, Beverly Hills, CA", ""),
		"geocode-street":       geocoded("900 Quillet St, 90210", "include=census"),
		"geocode-include":      post("/v2/geocode", `{"address":"402 N Sample Dr 90210","include":["census","coordinates","acs_tract_social"]}`),
		"geocode-uncovered":    geocoded("20 W 34th St, New York, NY 10001", ""),
		"geocode-unknown":      geocoded("1 Main St, Nowhere, CA", "include=cd"),
		"outlines":             get("/v2/outlines?box=-118.45,34.05,-118.35,34.15&tolerance=0.005"),
		"inside":               get(inSquare),
		"outlines-codes":       get("/v2/outlines?codes=90210&tolerance=0.005"),
		"error-outlines-none":  get("/v2/outlines?tolerance=0.005"),
		"error-outlines-box":   get("/v2/outlines?box=-118,34,-150,35"),
		"error-area-lacking":   get("/v2/area?layer=county&geoid=06037"),
		"error-area-layer":     get("/v2/area?layer=kingdom&geoid=1"),
		"error-inside-polygon": get("/v2/inside?polygon=%7B%7D"),
		"error-figures-where":  get("/v2/figures?field=economic.income.median_household_income&layer=&code=90210"),
		"zip3":                 get("/v2/zip3?code=090"),
		"zip3-small":           get("/v2/zip3?code=90210"),
		"zip3-unknown":         get("/v2/zip3?code=99901"),
		"zip3-malformed":       get("/v2/zip3?code=K1A"),
		"reverse":              get("/v2/reverse?point=34.1010,-118.4000"),
		"reverse-segment":      get("/v2/reverse?point=34.0998,-118.405&within=100&include=cd,weather"),
		"reverse-far":          get("/v2/reverse?point=34.2,-118.4"),

		"error-geocode-short":   geocoded("1 A St", ""),
		"error-geocode-offset":  geocoded("400 N Sample Dr 90210", "offset=101"),
		"error-geocode-missing": get("/v2/geocode?addr=Main"),
		"error-reverse-point":   get("/v2/reverse?point=91,0"),
		"error-reverse-code":    get("/v2/reverse?point=90210"),
		"error-reverse-within":  get("/v2/reverse?point=34.1,-118.4&within=0"),

		"error-address-short":   addressed("1 A St", ""),
		"error-address-long":    addressed(strings.Repeat("1 Main ", 60), ""),
		"error-address-raw":     addressed(strings.Repeat(" ", 501), ""),
		"error-address-missing": get("/v2/address?street=Main"),
		"error-address-include": post("/v2/address", `{"address":"400 N Sample Dr 90210","include":["coordinates"]}`),

		"error-missing-param":       get("/v2/zip"),
		"error-missing-param-alias": get("/v2/zip?zip_code=90210"),
		"error-missing-to":          get("/v2/distance?from=90210&zip2=10001"),
		"error-empty-param":         get("/v2/zip?code=+"),
		"error-too-long":            full(strings.Repeat("9", 51)),
		"error-invalid-zip":         full("9021"),
		"error-invalid-fsa":         full("KA1"),
		"error-invalid-postal":      full("K1A 0B"),
		"error-invalid-coordinates": full("91,0"),
		"error-invalid-to":          distance("90210", "91,0"),
		"error-body-malformed":      post("/v2/zip", `{"code":`),
		"error-body-trailing":       post("/v2/zip", `{"code":"90210"}x`),
		"error-body-not-object":     post("/v2/zip", `["90210"]`),
		"error-body-wrong-type":     post("/v2/zip", `{"code":90210}`),
		"error-body-wrong-include":  post("/v2/zip", `{"code":"90210","include":{}}`),
		"error-body-too-deep":       post("/v2/zip", `{"code":"90210","x":`+strings.Repeat("[", 64)+strings.Repeat("]", 64)+`}`),
		"error-body-too-large":      post("/v2/zip", `{"code":"`+strings.Repeat("9", 256<<10)+`"}`),
		"error-body-compressed":     header(post("/v2/zip", "x"), "Content-Encoding", "gzip"),
		"error-body-not-utf8":       post("/v2/zip", "{\"code\":\"\xff\"}"),
		"include-many":              post("/v2/zip", `{"code":"90210","include":[`+strings.Repeat(`"x",`, 50)+`"x"]}`),
		"error-query-malformed":     get("/v2/zip?code=%2"),
		"error-query-too-long":      get("/v2/zip?code=" + strings.Repeat("9", 8192)),
		"error-missing-version":     get("/zip?code=90210"),
		"error-unknown-version":     get("/v3/zip?code=90210"),
		"error-unknown-version-dot": get("/v2.0/zip?code=90210"),
		"error-unknown-path":        get("/v2/zips"),
		"error-trailing-slash":      get("/v2/zip/?code=90210"),
		"error-method":              method(http.MethodPut, "/v2/zip?code=90210"),
		"error-health-method":       post("/v2/health", "{}"),

		"health":        get("/v2/health"),
		"options":       method(http.MethodOptions, "/v2/zip"),
		"options-other": method(http.MethodOptions, "/v2/nothing"),
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			golden(t, name, dump(t, do(newServer(t, db), r)))
		})
	}
}

// TestGoldenFailures checks the responses to internal errors.
func TestGoldenFailures(t *testing.T) {
	db := openDB(t)
	tests := map[string]struct {
		quick func(context.Context) (*lookup.QuickRecord, error)
		set   func(*server.Config)
	}{
		"error-internal": {quick: func(context.Context) (*lookup.QuickRecord, error) {
			return nil, errors.New("secret internals")
		}},
		"error-damaged": {quick: func(context.Context) (*lookup.QuickRecord, error) {
			return nil, store.ErrDamaged
		}},
		"error-panic": {quick: func(context.Context) (*lookup.QuickRecord, error) { panic("secret internals") }},
		"error-closed": {quick: func(context.Context) (*lookup.QuickRecord, error) {
			return nil, store.ErrClosed
		}},
		"error-timeout": {
			quick: func(ctx context.Context) (*lookup.QuickRecord, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
			set: func(c *server.Config) { c.RequestTimeout = time.Millisecond },
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			set := tt.set
			if set == nil {
				set = func(*server.Config) {}
			}
			s := newServer(t, brokenDB{DB: db, quick: tt.quick}, set)
			got := dump(t, do(s, get("/v2/quick-zip?code=90210")))
			if strings.Contains(got, "secret") {
				t.Errorf("the answer shows internals: %s", got)
			}
			golden(t, name, got)
		})
	}
}

// TestGoldenEnrichments checks complete responses with boundary families,
// Medicare and demographics, and their cost.
func TestGoldenEnrichments(t *testing.T) {
	path := lookuptest.Path(t)
	d := lookuptest.OpenFile(t, path)
	path = filepath.Join(t.TempDir(), "roads.db")
	w, err := storewrite.Extend(path, d)
	check(t, err)
	check(t, errors.Join(addRoads(w), w.Finish(d.Manifest()), d.Close()))
	db := sampletest.File(t, path)
	zip := func(code, include string) *http.Request { return get("/v2/zip?code=" + code + "&include=" + include) }
	for name, r := range map[string]*http.Request{
		"zip-families":             zip("90210", "census,cd,state-leg,school_district"),
		"zip-families-null":        zip("10001", "state_leg,school_district"),
		"zip-families-point-only":  zip("90209", "census,cd,medicare"),
		"zip-families-coordinates": zip("34.09,-118.41", "cd,school_district"),
		"zip-families-fsa":         zip("K1A", "census,cd,state_leg,school_district,demographics,medicare"),
		"zip-families-postal":      zip("K1A0B1", "census,cd"),
		"zip-legacy":               zip("90210", "demographics,medicare,weather"),
		"zip-batch-families":       post("/v2/zip/batch", `{"codes":["90210","K1A","90209","90210"],"include":["cd","medicare","weather"]}`),

		"geocode-areas":       get("/v2/geocode?address=400+N+Sample+Dr+90210&include=census,cd,state_leg,acs_tract_social"),
		"geocode-batch-areas": post("/v2/geocode/batch", `{"addresses":["400 N Sample Dr 90210","1 Nowhere Ln 90210"],"include":["cd"]}`),
		"reverse-areas":       get("/v2/reverse?point=34.101,-118.4&include=cd"),
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name, dump(t, do(newServer(t, db), r)))
		})
	}
}

// errorTable is the contract's table of whole-request errors, with the page
// and the retryable of each.
var errorTable = []struct {
	status    int
	code      envelope.Code
	url       string
	retryable bool
}{
	{401, envelope.AuthMissingKey, testLinks.Account, false},
	{401, envelope.AuthInvalidKey, testLinks.Account, false},
	{403, envelope.AuthInactiveKey, testLinks.Account, false},
	{403, envelope.AuthInactiveAccount, testLinks.Account, false},
	{403, envelope.AuthIPRestricted, testLinks.Account, false},
	{403, envelope.AuthOriginRestricted, testLinks.Account, false},
	{403, envelope.AuthIPBlocked, testLinks.Site, false},
	{403, envelope.AuthBatchRequiresSubscription, testLinks.Pricing, false},
	{403, envelope.AuthFreeTierRadiusExceeded, testLinks.Pricing, false},
	{403, envelope.AuthTestKeyRestricted, testLinks.Account, false},
	{403, envelope.AuthTestKeyRadiusExceeded, testLinks.Account, false},
	{402, envelope.CreditInsufficient, testLinks.Account, false},
	{429, envelope.RateLimitMinute, testLinks.Pricing, true},
	{400, envelope.ValidationMissingParam, testLinks.Docs, false},
	{400, envelope.ValidationInvalidParam, testLinks.Docs, false},
	{400, envelope.ValidationInvalidZIP, testLinks.Docs, false},
	{400, envelope.ValidationInvalidFSA, testLinks.Docs, false},
	{400, envelope.ValidationInvalidPostal, testLinks.Docs, false},
	{400, envelope.ValidationInvalidCoordinates, testLinks.Docs, false},
	{400, envelope.ValidationInvalidRequest, testLinks.Docs, false},
	{400, envelope.ValidationBatchTooLarge, testLinks.Docs, false},
	{400, envelope.ValidationInputTooLong, testLinks.Docs, false},
	{400, envelope.ValidationInputTooShort, testLinks.Docs, false},
	{400, envelope.SpatialModeDisabledBatch, testLinks.Docs, false},
	{400, envelope.MissingVersion, testLinks.Docs, false},
	{400, envelope.UnknownVersion, testLinks.Docs, false},
	{404, envelope.BadRequest, testLinks.Docs, false},
	{405, envelope.BadRequest, testLinks.Docs, false},
	{413, envelope.ValidationInvalidRequest, testLinks.Docs, false},
	{415, envelope.ValidationInvalidRequest, testLinks.Docs, false},
	{500, envelope.InternalError, testLinks.Site, false},
	{503, envelope.ServiceUnavailable, testLinks.Site, true},
	{503, envelope.ServiceUnavailable, testLinks.Site, false}, // the dataset lacks something
	{504, envelope.ServiceUnavailable, testLinks.Site, true},
}

// TestErrorTable checks that every row of the table has a golden response, and
// that every golden error is a row and free.
func TestErrorTable(t *testing.T) {
	type row struct {
		status    int
		code      envelope.Code
		url       string
		retryable bool
	}
	missing := map[row]bool{}
	for _, r := range errorTable {
		missing[row(r)] = true
	}
	files, err := filepath.Glob("testdata/*.golden")
	check(t, err)
	known := map[row]bool{}
	for r := range missing {
		known[r] = true
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		check(t, err)
		head, body, ok := bytes.Cut(data, []byte("\n\n"))
		var a struct {
			Success bool            `json:"success"`
			Error   *envelope.Error `json:"error"`
			Results json.RawMessage `json:"results"`
			Meta    envelope.Meta   `json:"meta"`
		}
		if !ok || json.Unmarshal(body, &a) != nil || a.Error == nil {
			continue
		}
		status, err := strconv.Atoi(string(bytes.SplitN(head, []byte("\n"), 2)[0]))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		r := row{status, a.Error.Code, a.Error.URL, isRetryable(a.Error)}
		if a.Error.URL == testLinks.AuthDocs { // a key in the Bearer header
			r.url = testLinks.Account
		}
		if !known[r] {
			t.Errorf("%s is no row of the table: %+v", file, r)
		}
		delete(missing, r)
		if a.Success || a.Results != nil || a.Meta.Credits.Used != 0 || a.Error.Message == "" || a.Meta.RequestID == "" {
			t.Errorf("%s: not the shape of a failure: %s", file, body)
		}
	}
	for r := range missing {
		t.Errorf("no golden answer for %+v", r)
	}
}

// TestAreasOfSample compares an area of the sample, and the figures of a circle, a
// polygon and an area.
func TestAreasOfSample(t *testing.T) {
	db := sampletest.Open(t)
	const field = "&field=economic.income.median_household_income"
	for name, target := range map[string]string{
		"figures":         "/v2/figures?code=90210&max=3" + field,
		"figures-polygon": "/v2/figures?polygon=%7B%22type%22%3A%22Polygon%22%2C%22coordinates%22%3A%5B%5B%5B-118.45%2C34%5D%2C%5B-118.38%2C34%5D%2C%5B-118.38%2C34.15%5D%2C%5B-118.45%2C34%5D%5D%5D%7D" + field,
		"figures-area":    "/v2/figures?layer=county&geoid=06037" + field,
		"area":            "/v2/area?layer=county&geoid=06037&tolerance=0.05",
		"area-missing":    "/v2/area?layer=county&geoid=99999",
		"figures-canada":  "/v2/figures?code=M5V&max=2" + field,
		"figures-unknown": "/v2/figures?code=99999&max=2" + field,
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, dump(t, do(newServer(t, db), get(target)))) })
	}
}
