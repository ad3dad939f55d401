package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// TestLogs checks the fields of a record, and that keys are never logged.
func TestLogs(t *testing.T) {
	const key = "SECRETSECRETSECRETSECRETSECRET12"
	var log bytes.Buffer
	s := newServer(t, openDB(t), func(c *server.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}))
	})
	withHeader := func(name, value string) *http.Request {
		r := get("/v2/quick-zip?code=90210")
		r.Header.Set(name, value)
		return r
	}
	requests := []*http.Request{
		get("/v2/quick-zip?code=90210&key=" + key),
		get("/v2/quick-zip?code=90210&%6Bey=" + key),
		get("/v2/quick-zip?code=" + key),
		get("/v2/quick-zip?key=%zz" + key),
		get("/v2/" + key),
		get("/" + key),
		withHeader("X-Api-Key", key),
		withHeader("Authorization", "Bearer "+key),
		withHeader("Accept-Encoding", key),
		post("/v2/quick-zip", `{"code":"90210","key":"`+key+`"}`),
		post("/v2/quick-zip", `{"code":"`+key),
	}
	for _, r := range requests {
		do(s, r)
	}
	if strings.Contains(log.String(), "SECRET") {
		t.Errorf("the log holds a key:\n%s", log.String())
	}
	golden(t, "log", log.String())
}

// TestLogTellsHiddenErrors checks that errors that are hidden from the caller
// are logged with the caller's request id.
func TestLogTellsHiddenErrors(t *testing.T) {
	for name, quick := range map[string]func(context.Context) (*lookup.QuickRecord, error){
		"error": func(context.Context) (*lookup.QuickRecord, error) { return nil, errors.New("disk on fire") },
		"panic": func(context.Context) (*lookup.QuickRecord, error) { panic("disk on fire") },
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s := newServer(t, brokenDB{DB: openDB(t), quick: quick}, func(c *server.Config) {
				c.Logger = slog.New(slog.NewJSONHandler(&log, nil))
			})
			resp := do(s, get("/v2/quick-zip?code=90210"))
			var record struct {
				Level     string `json:"level"`
				RequestID string `json:"request_id"`
				Route     string `json:"route"`
				Status    int    `json:"status"`
				Error     string `json:"error"`
			}
			if err := json.Unmarshal(log.Bytes(), &record); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(record.Error, "disk on fire") {
				t.Errorf("logged error %q", record.Error)
			}
			record.Error = ""
			want := record
			want.Level, want.RequestID, want.Route, want.Status = "ERROR", resp.Header.Get("X-Request-Id"), "/v2/quick-zip", 500
			if diff := cmp.Diff(want, record); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLogsTellTheSender checks that refused requests are logged with their code,
// account and key.
func TestLogsTellTheSender(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, openDB(t), withAccounts(t, newBook(billing.Part{Source: billing.PackCredits, Credits: 1})), func(c *server.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(&log, nil))
	})
	quick := func() *http.Request { return get("/v2/quick-zip?code=90210") }
	for _, tt := range []struct {
		r             *http.Request
		code, account string
	}{
		{as("paid", quick()), "", "acct_paid"},
		{as("paid", get("/v2/quick-zip?code=9021")), "VALIDATION_INVALID_ZIP", "acct_paid"},
		{as("paid", get("/v2/quick-zip?code=34,-118")), "CREDIT_INSUFFICIENT", "acct_paid"},
		{as("suspended", quick()), "AUTH_INACTIVE_ACCOUNT", "acct_suspended"},
		{as("expired", quick()), "AUTH_INACTIVE_KEY", "acct_expired"},
		{as("at-home", quick()), "AUTH_IP_RESTRICTED", "acct_at-home"},
		{as("free", post("/v2/zip/batch", `{"codes":["90210"]}`)), "AUTH_BATCH_REQUIRES_SUBSCRIPTION", "acct_free"},
		{as("nobody", quick()), "AUTH_INVALID_KEY", ""},
		{quick(), "AUTH_MISSING_KEY", ""},
	} {
		log.Reset()
		do(s, tt.r)
		var record struct {
			Code    string `json:"code"`
			Account string `json:"account"`
			Key     string `json:"key_id"`
		}
		if err := json.Unmarshal(log.Bytes(), &record); err != nil || record.Code != tt.code || record.Account != tt.account || (record.Key == "") != (tt.account == "") {
			t.Errorf("%s: %v, log %s", tt.code, err, log.String())
		}
	}
}
