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

// TestGolden checks complete responses, headers included, of every route and of every
// error in open mode. The plain requests are in testdata/requests.txt.
func TestGolden(t *testing.T) {
	db := openDB(t)
	long := func(text string) *http.Request {
		return get("/v2/address?address=" + url.QueryEscape(text) + "&include=")
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
		"error-address-long":            long(strings.Repeat("1 Main ", 60)),
		"error-address-raw":             long(strings.Repeat(" ", 501)),
		"error-batch-body-too-large":    post("/v2/quick-zip/batch", `{"codes":["`+strings.Repeat("9", 1<<20)+`"]}`),
		"error-batch-too-large":         post("/v2/zip/batch", `{"codes":`+repeat(`"90210"`, 101)+`}`),
		"error-address-batch-too-large": post("/v2/address/batch", `{"addresses":`+repeat(`"400 N Sample Dr 90210"`, 251)+`}`),
		"error-geocode-batch-too-large": post("/v2/geocode/batch", `{"addresses":`+repeat(`"400 N Sample Dr 90210"`, 251)+`}`),
		"error-reverse-batch-too-large": post("/v2/reverse/batch", `{"points":`+repeat(`"34.1,-118.4"`, 101)+`}`),
		"error-body-too-large":          post("/v2/zip", `{"code":"`+strings.Repeat("9", 256<<10)+`"}`),
		"error-body-compressed":         header(post("/v2/zip", "x"), "Content-Encoding", "gzip"),
		"error-body-not-utf8":           post("/v2/zip", "{\"code\":\"\xff\"}"),
		"error-query-too-long":          get("/v2/zip?code=" + strings.Repeat("9", 8192)),
		"error-method":                  method(http.MethodPut, "/v2/zip?code=90210"),
		"options":                       method(http.MethodOptions, "/v2/zip"),
		"options-other":                 method(http.MethodOptions, "/v2/nothing"),
	}
	requests, err := os.ReadFile("testdata/requests.txt")
	check(t, err)
	for line := range strings.Lines(string(requests)) {
		switch name, target, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); {
		case !ok || name == "#":
		case strings.HasPrefix(target, "POST "):
			path, body, _ := strings.Cut(target[len("POST "):], " ")
			tests[name] = post(path, body)
		default:
			tests[name] = get(target)
		}
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
