package server_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/postgeo/postgeo/envelope"
)

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
	if err != nil {
		t.Fatal(err)
	}
	known := map[row]bool{}
	for r := range missing {
		known[r] = true
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
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
