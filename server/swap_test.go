package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/server"
)

// twinRequests are requests of every kind that two datasets answer
// differently.
func twinRequests() []string {
	var codes, addresses, pairs, searches []string
	for i := range lookuptest.TwinZIPs {
		code := lookuptest.TwinFirst + postcode.ZIP(i)
		codes = append(codes, fmt.Sprintf("%q", code))
		searches = append(searches, fmt.Sprintf(`{"code":%q}`, code))
		addresses = append(addresses, fmt.Sprintf(`"120 Sample St, %s"`, code))
		pairs = append(pairs, fmt.Sprintf(`{"from":%q,"to":%q}`, code, lookuptest.TwinFirst+postcode.ZIP((i+7)%lookuptest.TwinZIPs)))
	}
	list := func(items []string) string { return "[" + strings.Join(items, ",") + "]}" }
	return []string{
		"/v2/quick-zip?code=44002&include=timezone", "/v2/quick-zip?code=N2L3G1", "/v2/zip?code=44007&include=timezone,census",
		"/v2/zip?code=40.001,-83.001", "/v2/radius?code=44015&max=12", "/v2/radius?code=44015&max=9&mode=spatial", "/v2/radius?code=44015&max=auto",
		"/v2/distance?from=44001&to=44030", "/v2/suggest?q=sample", "/v2/address?address=120+Sample+St,+44003&include=coordinates",
		"/v2/geocode?address=120+Sample+St,+44003",
		`POST /v2/quick-zip/batch {"codes":` + list(codes),
		`POST /v2/zip/batch {"include":["timezone"],"codes":` + list(codes),
		`POST /v2/radius/batch {"max":12,"searches":` + list(searches),
		`POST /v2/distance/batch {"pairs":` + list(pairs),
		`POST /v2/address/batch {"addresses":` + list(addresses),
		`POST /v2/geocode/batch {"addresses":` + list(addresses),
	}
}

// twinAnswer sends a request and returns the results without what is about the
// request.
func twinAnswer(h http.Handler, r *http.Request) (string, error) {
	resp := do(h, r)
	var envelope struct{ Results json.RawMessage }
	if err := json.NewDecoder(resp.Body).Decode(&envelope); err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK || len(envelope.Results) == 0 {
		return "", fmt.Errorf("%s %s: status %d, results %s", r.Method, r.URL, resp.StatusCode, envelope.Results)
	}
	return string(envelope.Results), nil
}

// TestReloadsDoNotMix replaces the dataset of a server by its twin and back
// through POST /reload while all routes are called. No request fails, and each
// response, batches included, is from one dataset. POSTGEO_TEST_SWAPS is the
// number of reloads.
func TestReloadsDoNotMix(t *testing.T) {
	requests := twinRequests()
	var paths [2]string
	var want [2][]string
	for i := range paths {
		paths[i] = filepath.Join(t.TempDir(), "twin.db")
		check(t, lookuptest.WriteTwin(paths[i], i))
		db := sampletest.File(t, paths[i])
		h := newServer(t, db, realClock)
		for _, r := range requests {
			text, err := twinAnswer(h, request(r))
			if err != nil || strings.Contains(text, lookuptest.Twins[1-i]) {
				t.Errorf("%s: %v: %s", lookuptest.Twins[i], err, text)
			}
			want[i] = append(want[i], text)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	for n, r := range requests {
		if want[0][n] == want[1][n] {
			t.Errorf("%s: both answer %s", r, want[0][n])
		}
	}
	if t.Failed() {
		t.FailNow()
	}

	db := sampletest.File(t, paths[0])
	reloads := 0
	s := newServer(t, db, realClock, realEntropy, func(c *server.Config) {
		c.Reload = func(context.Context) error {
			reloads++
			return db.Swap(t.Context(), paths[reloads%2])
		}
	})
	swaps := storetest.Times("POSTGEO_TEST_SWAPS", 50)
	done := make(chan struct{})
	var answers [2]atomic.Int64
	var callers sync.WaitGroup
	for caller := range 4 {
		callers.Go(func() {
			for i := caller; ; i++ {
				n := i % len(requests)
				switch text, err := twinAnswer(s, request(requests[n])); {
				case err != nil:
					t.Error(err)
					return
				case text == want[0][n]:
					answers[0].Add(1)
				case text == want[1][n]:
					answers[1].Add(1)
				default:
					t.Errorf("%s is answered by neither: %s", requests[n], text)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for range swaps {
		if resp := do(s.PrivateHandler(), post("/reload", "")); resp.StatusCode != http.StatusOK {
			t.Errorf("reload: status %d: %s", resp.StatusCode, readAll(t, resp))
		}
	}
	close(done)
	callers.Wait()
	if total := answers[0].Load() + answers[1].Load(); total < int64(swaps) || reloads != swaps {
		t.Errorf("%d answers during %d of %d reloads: no load", total, reloads, swaps)
	}
	t.Logf("%d reloads, %d and %d answers, none of them of both", reloads, answers[0].Load(), answers[1].Load())
}

// TestSoak has a server answer a mixed load over many connections, with keys
// and accounts in SQLite, compression, callers who leave in the midst of an
// answer, and a dataset that is reloaded all the time. Every answer has the
// status that it should, no credit stays held, and all goroutines end.
func TestSoak(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("load", new(soak).run)
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i == 1000 { // ten seconds
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines after the soak, %d before it:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}

type soak struct {
	requests atomic.Int64
	cut      atomic.Int64 // answers whose callers left
	reloads  atomic.Int64
}

// soakClients is the number of concurrent callers.
const soakClients = 16

func (s *soak) run(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sample.db")
	b, err := fs.ReadFile(sample.FS(), sample.Name)
	if err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	check(t, err)
	db := sampletest.File(t, path)
	srv, store, key := keyed(t, db, func(c *server.Config) {
		c.Reload = func(context.Context) error { s.reloads.Add(1); return db.Swap(t.Context(), path) }
	})
	r := run(t, srv)
	var callers sync.WaitGroup
	for i := range soakClients {
		callers.Go(func() { s.call(t, r.public, key, i) })
	}
	stop, reloaded := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(reloaded)
		for {
			if err := srv.Reload(context.Background()); err != nil {
				t.Error(err)
			}
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	callers.Wait()
	close(stop)
	<-reloaded
	r.stop()
	err = r.wait()
	if err != nil {
		t.Errorf("Run: %v", err)
	}
	if s.reloads.Load() == 0 || s.cut.Load() == 0 {
		t.Errorf("%d reloads, %d callers who left: no soak", s.reloads.Load(), s.cut.Load())
	}
	if err := store.Audit(t.Context()); err != nil {
		t.Error(err)
	}
	if bal, err := store.Balance(t.Context(), "acct_1"); err != nil || bal.Held != 0 {
		t.Errorf("%d credits are held after the last request, %v", bal.Held, err)
	}
	t.Logf("%d requests, %d of them left by their callers, %d reloads", s.requests.Load(), s.cut.Load(), s.reloads.Load())
}

// call sends requests over its own connection. It does not read every twentieth
// response to its end.
func (s *soak) call(t *testing.T, address, key string, caller int) {
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	c := http.Client{Transport: transport}
	rng := rand.New(rand.NewPCG(uint64(caller), 16))
	text, err := os.ReadFile("testdata/load.txt")
	if err != nil {
		t.Error(err)
		return
	}
	list := strings.Split(strings.TrimSpace(string(text)), "\n")
	encodings := []string{"", "gzip", "br", "gzip, br;q=0.5"}
	for round := 0; round < len(list) && !t.Failed(); round++ {
		line, keyless := strings.CutPrefix(list[(round+caller)%len(list)], "!")
		status, asked, _ := strings.Cut(line, " ")
		if status == "#" {
			continue
		}
		r := request(asked)
		req, err := http.NewRequestWithContext(t.Context(), r.Method, "http://"+address+r.URL.RequestURI(), r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		if req.ContentLength = r.ContentLength; !keyless {
			req.Header.Set("X-Api-Key", key)
		}
		req.Header.Set("Accept-Encoding", encodings[rng.IntN(len(encodings))])
		resp, err := c.Do(req)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			return
		}
		s.requests.Add(1)
		if strconv.Itoa(resp.StatusCode) != status {
			text, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
			t.Errorf("%s: status %d: %s", line, resp.StatusCode, text)
		}
		if rng.IntN(20) == 0 {
			s.cut.Add(1)
		} else if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		resp.Body.Close()
	}
}
