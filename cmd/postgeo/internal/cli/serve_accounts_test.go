//go:build unix

package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// An asked is what the test below reads of an answer.
type asked struct {
	status int
	header http.Header
	Error  struct {
		Code string `json:"code"`
		URL  string `json:"url"`
	} `json:"error"`
	Meta struct {
		Credits struct {
			Used      int    `json:"used"`
			Source    string `json:"source"`
			Remaining *int   `json:"remaining"`
		} `json:"credits"`
	} `json:"meta"`
}

func call(t *testing.T, url, key, body string) (a asked) {
	t.Helper()
	method, reader := http.MethodGet, io.Reader(nil)
	if body != "" {
		method, reader = http.MethodPost, strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, reader)
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("X-Api-Key", key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&a); err != nil {
		t.Fatal(err)
	}
	a.status, a.header = res.StatusCode, res.Header
	return a
}

// A stranger's first minutes: an account, a key, calls, the end of the
// credits, a batch, a deactivated key, and a server that starts again.
func TestServeAccounts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "accounts.db")
	accounts := []string{"--accounts", file}
	account := told(t, "account", append([]string{"account", "create", "--plan", "developer"}, accounts...)...)
	key := told(t, "key", append([]string{"key", "create", "--account", account}, accounts...)...)
	free := told(t, "account", append([]string{"account", "create"}, accounts...)...)
	freeKey := told(t, "key", append([]string{"key", "create", "--account", free}, accounts...)...)

	start := func() (*served, string) {
		s := serve(t, "--listen", "127.0.0.1:0", "--private-listen", "none", "--accounts", file, "--docs-url", "https://docs.example.test/",
			"--demo-key", "try-these-codes-without-signup", "--trusted-proxies", "127.0.0.0/8,::1")
		return s, s.await(t, `serving dataset .* on (http://[0-9.:]+)`)
	}
	end := func(s *served) {
		http.DefaultClient.CloseIdleConnections()
		s.stop()
		s.await(t, "stopped; all requests were answered")
		if code := <-s.code; code != cli.Done {
			t.Errorf("exit code %d", code)
		}
	}
	want := func(a asked, status int, code string, used int, source string) {
		t.Helper()
		if a.status != status || a.Error.Code != code || a.Meta.Credits.Used != used || a.Meta.Credits.Source != source {
			t.Errorf("%+v; want %d %s, %d credits of %s", a, status, code, used, source)
		}
	}

	s, url := start()
	quick := url + "/v2/quick-zip?code=90210"
	want(call(t, url+"/v2/health", "", ""), 200, "", 0, "none")
	want(call(t, quick, "", ""), 401, "AUTH_MISSING_KEY", 0, "none")
	want(call(t, quick, strings.Repeat("x", 32), ""), 401, "AUTH_INVALID_KEY", 0, "none")
	want(call(t, quick, key, ""), 402, "CREDIT_INSUFFICIENT", 0, "none")
	want(call(t, quick, freeKey, ""), 200, "", 1, "free_daily")
	want(call(t, url+"/v2/quick-zip/batch", freeKey, `{"codes":["90210"]}`), 403, "AUTH_BATCH_REQUIRES_SUBSCRIPTION", 0, "none")
	want(call(t, quick, "try-these-codes-without-signup", ""), 200, "", 1, "demo")

	// The command line works on the accounts of a running server.
	told(t, "", append([]string{"credits", "grant", account, "--source", "pack", "--amount", "25000", "--reference", "test"}, accounts...)...)
	a := call(t, url+"/v2/quick-zip/batch", key, `{"codes":["90210","10001"],"include":"timezone"}`)
	want(a, 200, "", 4, "pack")
	if a.Meta.Credits.Remaining == nil || *a.Meta.Credits.Remaining != 24_996 {
		t.Errorf("remaining: %v", a.Meta.Credits.Remaining)
	}
	if got := a.header.Get("X-RateLimit-Limit"); got != "300" {
		t.Errorf("X-RateLimit-Limit: %q", got)
	}
	end(s)

	// What was spent stays spent.
	s, url = start()
	a = call(t, url+"/v2/radius?code=90210&max=10", key, "")
	want(a, 200, "", 1, "pack")
	if a.Meta.Credits.Remaining == nil || *a.Meta.Credits.Remaining != 24_995 {
		t.Errorf("remaining after another start: %v", a.Meta.Credits.Remaining)
	}
	end(s)
}
