package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// TestGolden compares the complete responses, headers included, to the requests of
// testdata/requests.txt: every route, and every error. No request that is not authorized
// reaches the ledger, and failures are free.
func TestGolden(t *testing.T) {
	eachLine(t, "requests.txt", func(t *testing.T, s *server.Server, b *book, line string) {
		name, asked, _ := strings.Cut(line, " ")
		before := b.available()
		golden(t, name, dump(t, do(s, request(asked))))
		if strings.HasPrefix(name, "error") && b.available() != before || strings.HasPrefix(name, "error-auth") && b.calls() != "" {
			t.Errorf("%s: %d of %d credits are left; the ledger is asked: %s", name, b.available(), before, b.calls())
		}
	})
}

// TestGoldenFailures checks the responses to internal errors.
func TestGoldenFailures(t *testing.T) {
	db := openDB(t)
	tests := map[string]struct {
		quick func(context.Context) (*lookup.QuickRecord, error)
		set   func(*server.Config)
	}{
		"error-ledger-away": {set: func(c *server.Config) {
			b := rich()
			b.err["reserve"] = errors.Join(billing.ErrUnavailable, errors.New("secret internals"))
			withAccounts(t, b)(c)
		}},
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
			got := dump(t, do(s, as("paid", get("/v2/quick-zip?code=90210"))))
			if strings.Contains(got, "secret") {
				t.Errorf("the answer shows internals: %s", got)
			}
			golden(t, name, got)
		})
	}
}

// openRoads opens a dataset with boundary families and the streets of the test dataset.
func openRoads(t testing.TB) *postgeo.DB {
	t.Helper()
	d := lookuptest.OpenFile(t, lookuptest.Path(t))
	path := filepath.Join(t.TempDir(), "roads.db")
	w, err := storewrite.Extend(path, d)
	check(t, err)
	check(t, errors.Join(addRoads(w), w.Finish(d.Manifest()), d.Close()))
	return sampletest.File(t, path)
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
