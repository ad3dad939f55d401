//go:build unix

package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
	"github.com/postgeo/postgeo/internal/storetest/redisserver"
)

// A served is "postgeo serve" under test.
type served struct {
	lines chan string // standard error
	stop  context.CancelFunc
	code  chan int
}

func serve(t *testing.T, args ...string) *served {
	t.Helper()
	return serveWith(t, nil, args...)
}

// serveWith serves with environment variables.
func serveWith(t *testing.T, vars map[string]string, args ...string) *served {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	s := &served{lines: make(chan string, 100), stop: stop, code: make(chan int, 1)}
	go func() {
		s.code <- cli.Run(ctx, append([]string{"serve"}, args...), cli.Env{
			Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: w, Getenv: func(name string) string { return vars[name] },
		})
		w.Close()
	}()
	go func() {
		defer close(s.lines)
		for scanner := bufio.NewScanner(r); scanner.Scan(); {
			s.lines <- scanner.Text()
		}
	}()
	t.Cleanup(stop)
	return s
}

// await returns the first submatch in the next line that the pattern matches.
func (s *served) await(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	var seen []string
	for line := range s.lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("log line %q is not JSON", line)
		}
		if m := re.FindStringSubmatch(line); m != nil {
			return m[len(m)-1]
		}
		seen = append(seen, line)
	}
	t.Fatalf("no line matches %q in:\n%s", pattern, strings.Join(seen, "\n"))
	return ""
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	res, err := http.Get(url)
	check(t, err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	check(t, err)
	return res.StatusCode, string(data)
}

// From start to stop over real sockets, with a new dataset in between.
func TestServe(t *testing.T) {
	path := sampleFile(t)
	s := serve(t, "--listen", "127.0.0.1:0", "--private-listen", "127.0.0.1:0", "--data", path, "--docs-url", "https://docs.example.test/")
	s.await(t, "neither --open nor --accounts is set")
	public := s.await(t, `serving dataset .* on (http://[0-9.:]+)`)
	private := s.await(t, `/live, /ready, /metrics and /reload on (http://[0-9.:]+)`)

	if status, body := get(t, public+"/v2/quick-zip?code=90210"); status != http.StatusOK || !strings.Contains(body, `"code":"90210"`) {
		t.Errorf("quick-zip: %d %s", status, body)
	}
	if status, body := get(t, public+"/v2/quick-zip"); status != http.StatusBadRequest || !strings.Contains(body, "https://docs.example.test/") {
		t.Errorf("quick-zip without a code: %d %s", status, body)
	}
	if status, _ := get(t, public+"/"); status != http.StatusOK {
		t.Errorf("page: %d", status)
	}
	for _, probe := range []string{"/live", "/ready"} {
		if status, body := get(t, private+probe); status != http.StatusOK {
			t.Errorf("%s: %d %s", probe, status, body)
		}
	}

	hangUp := func() {
		t.Helper()
		check(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
	}
	hangUp()
	s.await(t, `"msg":"dataset reloaded"`)
	check(t, os.Rename(path, path+".away"))
	hangUp()
	s.await(t, `"msg":"dataset not reloaded`)
	if status, _ := get(t, public+"/v2/zip?code=90210"); status != http.StatusOK {
		t.Errorf("zip after a failed reload: %d", status)
	}

	http.DefaultClient.CloseIdleConnections()
	s.stop()
	s.await(t, "stopped; all requests were answered")
	if code := <-s.code; code != cli.Done {
		t.Errorf("exit code %d", code)
	}
}

// TestServeReloadsSettings changes the configuration of a server that runs.
func TestServeReloadsSettings(t *testing.T) {
	path := sampleFile(t)
	config := writeConfig(t, `{"listen": "127.0.0.1:0", "private-listen": "none", "data": `+quoted(path)+`}`)
	s := serve(t, "--config", config, "--trusted-proxies", "10.0.0.0/8", "--trusted-proxies", "192.0.2.1", "--accounts", newAccounts(t))
	s.await(t, `serving dataset .* on (http://[0-9.:]+)`)
	reload := func(text string) {
		t.Helper()
		check(t, os.WriteFile(config, []byte(text), 0o600))
		check(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
	}
	reload(`{"listen": "127.0.0.1:0", "private-listen": "none", "min-rate": "x"}`)
	s.await(t, `dataset not reloaded.*invalid min-rate`)
	reload(`{"listen": "127.0.0.1:0", "private-listen": "none", "request-timeout": "45s"}`)
	s.await(t, `dataset not reloaded.*--write-timeout 45s must be longer than --request-timeout 45s`)
	reload(`{"listen": "127.0.0.1:0", "private-listen": "none", "request-timeout": "45s", "write-timeout": "50s"}`)
	s.await(t, `dataset not reloaded.*--request-timeout 45s must be shorter than --write-timeout 45s`)
	moved := path + ".new"
	check(t, os.Rename(path, moved))
	reload(`{"listen": "127.0.0.1:0", "private-listen": "none", "min-rate": 9, "max-waiting": 9, "data": ` + quoted(moved) + `}`)
	s.await(t, `"msg":"settings changed that need a restart","settings":\["max-waiting"\]`)
	s.await(t, `"msg":"dataset reloaded"`)
	s.stop()
	<-s.code
}

// TestServeRelativePaths names files of a configuration from its folder.
func TestServeRelativePaths(t *testing.T) {
	path, accounts := sampleFile(t), newAccounts(t)
	config := filepath.Join(filepath.Dir(path), "postgeo.json")
	relative, err := filepath.Rel(filepath.Dir(path), accounts)
	check(t, err)
	check(t, os.WriteFile(config, []byte(`{"listen": "127.0.0.1:0", "private-listen": "none", "data": `+quoted(filepath.Base(path))+`, "accounts": `+quoted(relative)+`}`), 0o600))
	s := serve(t, "--config", config)
	s.await(t, `serving dataset .*\(`+regexp.QuoteMeta(path)+`\) on .*accounts in `+regexp.QuoteMeta(accounts))
	s.stop()
	<-s.code
}

// TestServeNotifies starts a server under a service manager, and then one whose
// manager does not listen.
func TestServeNotifies(t *testing.T) {
	manager := filepath.Join(t.TempDir(), "notify")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: manager, Net: "unixgram"})
	if err != nil {
		t.Skip("no such sockets: ", err)
	}
	vars := map[string]string{"NOTIFY_SOCKET": manager}
	s := serveWith(t, vars, "--listen", "127.0.0.1:0", "--private-listen", "none", "--open")
	public := s.await(t, `serving dataset .* on (http://[0-9.:]+)`)
	var message [100]byte
	n, err := c.Read(message[:])
	if string(message[:n]) != "READY=1" || err != nil {
		t.Errorf("the manager got %q, error %v", message[:n], err)
	}
	if status, _ := get(t, public+"/v2/health"); status != http.StatusOK {
		t.Errorf("health: %d", status)
	}
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	s.await(t, "stopped")
	<-s.code
	c.Close()
	s = serveWith(t, vars, "--listen", "127.0.0.1:0", "--private-listen", "none", "--open")
	s.await(t, `"level":"WARN","msg":"the service manager was not notified: `)
}

// TestServeRefusesDamage starts a server with a file whose last page is damaged, which
// no request may need.
func TestServeRefusesDamage(t *testing.T) {
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	data[len(data)-1] ^= 1
	path := filepath.Join(t.TempDir(), "bad.db")
	check(t, os.WriteFile(path, data, 0o600))
	w := world{}
	r := w.run("serve", "--data", path, "--listen", "127.0.0.1:0")
	if r.code == 0 || !strings.Contains(r.stderr, "damaged file") || !strings.Contains(r.stderr, "has the checksum") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
}

// An asked is what the test below reads of an answer.
type asked struct {
	status int
	header http.Header
	Error  struct{ Code string }
	Meta   struct {
		Credits struct {
			Used      int
			Source    string
			Remaining *int
		}
	}
}

func call(t *testing.T, url, key, body string) (a asked) {
	t.Helper()
	method, reader := http.MethodGet, io.Reader(nil)
	if body != "" {
		method, reader = http.MethodPost, strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, reader)
	check(t, err)
	if key != "" {
		req.Header.Set("X-Api-Key", key)
	}
	res, err := http.DefaultClient.Do(req)
	check(t, err)
	defer res.Body.Close()
	check(t, json.NewDecoder(res.Body).Decode(&a))
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

// Two servers on one database and one Redis act as one: they share keys,
// credits and requests per minute. Without the database they say so, and go
// on when it is back.
func TestServeShared(t *testing.T) {
	database, limits := pgserver.Start(t), redisserver.Start(t)
	pepper := filepath.Join(t.TempDir(), "pepper")
	check(t, os.WriteFile(pepper, []byte(strings.Repeat("salt", 8)), 0o600))
	accounts := []string{"--accounts", database.Address(), "--pepper-file", pepper}
	account := told(t, "account", append([]string{"account", "create", "--plan", "free"}, accounts...)...)
	key := told(t, "key", append([]string{"key", "create", "--account", account}, accounts...)...)

	var urls []string
	var servers []*served
	for range 2 {
		s := serve(t, append([]string{"--listen", "127.0.0.1:0", "--private-listen", "none", "--limits", limits.URL(), "--limit-processes", "2"}, accounts...)...)
		servers = append(servers, s)
		urls = append(urls, s.await(t, `serving dataset .* on (http://[0-9.:]+)`)+"/v2/quick-zip?code=90210")
	}
	for i := range 6 {
		a := call(t, urls[i%2], key, "")
		if a.status != 200 || a.Meta.Credits.Remaining == nil || *a.Meta.Credits.Remaining != 2499-i {
			t.Fatalf("call %d: %+v; want %d credits left", i, a, 2499-i)
		}
		if left := a.header.Get("X-RateLimit-Remaining"); i == 1 && left != "58" {
			t.Errorf("permits left after two calls on two servers: %s; want 58", left)
		}
	}
	database.Kill()
	if a := call(t, urls[0], key, ""); a.status != 503 || a.Error.Code != "SERVICE_UNAVAILABLE" || a.Meta.Credits.Used != 0 {
		t.Errorf("without the database: %+v", a)
	}
	database.Run()
	limits.Kill()
	if a := call(t, urls[1], key, ""); a.status != 200 || *a.Meta.Credits.Remaining != 2493 || a.header.Get("X-RateLimit-Remaining") != "29" {
		t.Errorf("with the database back and without Redis: %+v; want 2493 credits and 29 permits left", a)
	}
	for _, s := range servers {
		s.stop()
		s.await(t, "stopped; all requests were answered")
		if code := <-s.code; code != cli.Done {
			t.Errorf("exit code %d", code)
		}
	}
}
