package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/lookuptest"
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
	for _, line := range []string{
		"/v2/quick-zip?code=90210&key=KEY", "/v2/quick-zip?code=90210&%6Bey=KEY", "/v2/quick-zip?code=KEY", "/v2/quick-zip?key=%zzKEY", "/v2/KEY", "/KEY",
		"X-Api-Key:KEY /v2/quick-zip?code=90210", "Authorization:Bearer{blank}KEY /v2/quick-zip?code=90210", "Accept-Encoding:KEY /v2/quick-zip?code=90210",
		`POST /v2/quick-zip {"code":"90210","key":"KEY"}`, `POST /v2/quick-zip {"code":"KEY`,
	} {
		do(s, request(strings.ReplaceAll(line, "KEY", key)))
	}
	if strings.Contains(log.String(), "SECRET") {
		t.Errorf("the log holds a key:\n%s", log.String())
	}
	golden(t, "log", log.String())
}

// TestLogsTellTheSender checks that refused requests are logged with their code,
// account and key.
func TestLogsTellTheSender(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, openDB(t), withAccounts(t, newBook(billing.Part{Source: billing.PackCredits, Credits: 1})), func(c *server.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(&log, nil))
	})
	for _, tt := range []struct{ line, code, account string }{
		{"paid /v2/quick-zip?code=90210", "", "acct_paid"},
		{"paid /v2/quick-zip?code=9021", "VALIDATION_INVALID_ZIP", "acct_paid"},
		{"paid /v2/quick-zip?code=34,-118", "CREDIT_INSUFFICIENT", "acct_paid"},
		{"suspended /v2/quick-zip?code=90210", "AUTH_INACTIVE_ACCOUNT", "acct_suspended"},
		{"expired /v2/quick-zip?code=90210", "AUTH_INACTIVE_KEY", "acct_expired"},
		{"at-home /v2/quick-zip?code=90210", "AUTH_IP_RESTRICTED", "acct_at-home"},
		{`free POST /v2/zip/batch {"codes":["90210"]}`, "AUTH_BATCH_REQUIRES_SUBSCRIPTION", "acct_free"},
		{"nobody /v2/quick-zip?code=90210", "AUTH_INVALID_KEY", ""},
		{"/v2/quick-zip?code=90210", "AUTH_MISSING_KEY", ""},
	} {
		log.Reset()
		do(s, request(tt.line))
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

// scrape returns the lines of the metrics that are postgeo's.
func scrape(t *testing.T, s *server.Server) map[string]string {
	t.Helper()
	resp := do(s.PrivateHandler(), get("/metrics"))
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v", resp.StatusCode, err)
	}
	lines := map[string]string{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if name, value, ok := strings.Cut(line, " "); ok && !strings.HasPrefix(line, "#") {
			if i := strings.LastIndex(line, "} "); i > 0 {
				name, value = line[:i+1], line[i+2:]
			}
			lines[name] = value
		}
	}
	return lines
}

// TestMetrics checks the metrics.
func TestMetrics(t *testing.T) {
	b := rich()
	s := newServer(t, openDB(t), withAccounts(t, b))
	for _, name := range []string{`postgeo_http_errors_total{code="INTERNAL_ERROR"}`, `postgeo_ledger_failures_total{call="settle"}`, `postgeo_dataset_reloads_total{result="refused"}`} {
		if v := scrape(t, s)[name]; v != "0" {
			t.Errorf("%s begins at %q, so an alert would miss the first one", name, v)
		}
	}
	for _, line := range []string{
		"paid /v2/quick-zip?code=90210", "paid /v2/quick-zip?code=90210&include=timezone", "test /v2/quick-zip?code=90210", "paid /v2/quick-zip?code=x",
		"nobody /v2/zip?code=90210", "/v2/nowhere", "paid BREW /v2/zip",
	} {
		do(s, request(line))
	}
	for range 6 {
		do(s, as("demo", get("/v2/quick-zip?code=90210")))
	}
	b.err["settle"] = errors.New("the disk is full")
	do(s, as("paid", get("/v2/quick-zip?code=90210")))
	got := scrape(t, s)
	lookuptest.Table(t, "metrics.txt", false, func(name string) string { return got[name] })
	if got["go_goroutines"] == "" || got["process_start_time_seconds"] == "" {
		t.Error("the metrics have nothing about the process")
	}
	b.err["ping"] = errors.New("away")
	if v := scrape(t, s)[`postgeo_up{part="ledger"}`]; v != "0" {
		t.Errorf("a ledger that is away: %q", v)
	}
}

// TestMetricsAreBounded checks that callers cannot make more of them.
func TestMetricsAreBounded(t *testing.T) {
	s := newServer(t, openDB(t), withAccounts(t, rich()))
	before := 0
	for i := range 300 {
		if i == 100 {
			before = len(scrape(t, s))
		}
		for _, r := range []*http.Request{
			httptest.NewRequest(fmt.Sprintf("M%d", i), fmt.Sprintf("/v2/p%d", i), nil),
			get(fmt.Sprintf("/v%d/zip", i)),
			as(fmt.Sprint("k", i), get(fmt.Sprintf("/v2/zip?code=%05d", i))),
			as("paid", get(fmt.Sprintf("/v2/zip?code=%05d&include=f%d", i, i))),
			as("test", get(fmt.Sprintf("/v2/radius?code=%05d&max=%d", i, i))),
		} {
			do(s, r)
		}
	}
	if after := len(scrape(t, s)); after != before {
		t.Errorf("%d metrics became %d", before, after)
	}
}

// TestReload checks that a POST to the private address reloads the dataset, or
// returns the reason of a failure.
func TestReload(t *testing.T) {
	fail := error(nil)
	s := newServer(t, openDB(t), func(c *server.Config) { c.Reload = func(context.Context) error { return fail } })
	ask := func(r *http.Request) (int, string) {
		resp := do(s.PrivateHandler(), r)
		body, err := io.ReadAll(resp.Body)
		check(t, err)
		return resp.StatusCode, string(body)
	}
	for _, tt := range []struct {
		name   string
		r      *http.Request
		fail   error
		status int
		body   string
	}{
		{"done", post("/reload", ""), nil, 200, `{"status":"reloaded","from":"test-1","version":"test-1"}`},
		{"refused", post("/reload", ""), errors.New(`new.db: "no" dataset`), 500, `{"status":"refused","version":"test-1","error":"new.db: \"no\" dataset"}`},
		{"GET", get("/reload"), nil, 405, "Method Not Allowed\n"},
		{"another page", with(post("/reload", ""), "Sec-Fetch-Site", "cross-site"), nil, 403, "cross-origin request detected from Sec-Fetch-Site header\n"},
	} {
		fail = tt.fail
		if status, body := ask(tt.r); status != tt.status || body != tt.body {
			t.Errorf("%s: %d %s; want %d %s", tt.name, status, body, tt.status, tt.body)
		}
	}
	got := scrape(t, s)
	if done, refused := got[`postgeo_dataset_reloads_total{result="done"}`], got[`postgeo_dataset_reloads_total{result="refused"}`]; done != "1" || refused != "1" {
		t.Errorf("%s reloads done, %s refused; want one of each", done, refused)
	}
	none := newServer(t, openDB(t))
	if resp := do(none.PrivateHandler(), post("/reload", "")); resp.StatusCode != http.StatusNotImplemented {
		t.Errorf("status %d of a server that cannot reload", resp.StatusCode)
	}
	if err := none.Reload(t.Context()); !errors.Is(err, server.ErrNoReload) {
		t.Errorf("Reload: %v", err)
	}
}
