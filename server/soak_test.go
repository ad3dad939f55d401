package server_test

import (
	"context"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
)

// A load is one kind of request of a soak.
type load struct {
	name         string
	method, path string
	body         string
	status       int
	free         bool // it is sent without a key
}

// mixedLoad are requests of every route, small, large, failing and wrong ones.
func mixedLoad() []load {
	repeated := func(n int, item string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	codes := []string{`"90210"`, `"10001"`, `"98101"`, `"60601"`, `"K1A"`, `"M5V 2T6"`, `"00601"`, `"99999"`, `"40.75,-73.99"`, `"9021"`}
	hundred := repeated(10, strings.Join(codes, ","))
	return []load{
		{"quick", "GET", "/v2/quick-zip?code=90210", "", 200, false},
		{"quick, time zone", "GET", "/v2/quick-zip?code=K1A+0B1&include=timezone", "", 200, false},
		{"full", "GET", "/v2/zip?code=98101&include=census,cd,state_leg,school_district,timezone,acs_social,acs_economic_2019", "", 200, false},
		{"coordinate", "GET", "/v2/zip?code=47.61,-122.33&include=census", "", 200, false},
		{"radius", "GET", "/v2/radius?code=10001&max=500", "", 200, false},
		{"radius by area", "GET", "/v2/radius?code=98101&max=60&mode=spatial", "", 200, false},
		{"radius, survey", "GET", "/v2/radius?code=98101&max=auto&include=acs_economic", "", 200, false},
		{"distance", "GET", "/v2/distance?from=90210&to=K1A", "", 200, false},
		{"suggest", "GET", "/v2/suggest?q=los+ang&limit=50", "", 200, false},
		{"suggest, typo", "GET", "/v2/suggest?q=seatle", "", 200, false},
		{"address", "GET", "/v2/address?address=100+e+oak+blvd+new+york+ny+10001&include=coordinates,census", "", 200, false},
		{"address without match", "GET", "/v2/address?address=1+nowhere+lane+90210", "", 200, false},
		{"100 quick", "POST", "/v2/quick-zip/batch", `{"codes":` + hundred + `}`, 200, false},
		{"100 full", "POST", "/v2/zip/batch", `{"include":["census","acs_social"],"codes":` + hundred + `}`, 200, false},
		{"20 searches", "POST", "/v2/radius/batch", `{"max":50,"searches":` + repeated(20, `{"code":"60601"}`) + `}`, 200, false},
		{"100 distances", "POST", "/v2/distance/batch", `{"pairs":` + repeated(100, `{"from":"90210","to":"10001"}`) + `}`, 200, false},
		{"250 addresses", "POST", "/v2/address/batch", `{"addresses":` + repeated(250, `"100 e oak blvd new york ny 10001"`) + `}`, 200, false},
		{"malformed code", "GET", "/v2/zip?code=9021", "", 400, false},
		{"malformed body", "POST", "/v2/zip/batch", `{"codes":[`, 400, false},
		{"no key", "GET", "/v2/quick-zip?code=90210", "", 401, true},
		{"no route", "GET", "/v2/nothing", "", 404, true},
		{"health", "GET", "/v2/health", "", 200, true},
		{"document", "GET", "/v2/openapi.json", "", 200, true},
		{"page", "GET", "/", "", 200, true},
	}
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
	if err != nil {
		t.Fatal(err)
	}
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
	err = <-r.done
	r.done <- err
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
	list := mixedLoad()
	encodings := []string{"", "gzip", "br", "gzip, br;q=0.5"}
	for round := 0; round < len(list) && !t.Failed(); round++ {
		l := list[(round+caller)%len(list)]
		req, err := http.NewRequestWithContext(t.Context(), l.method, "http://"+address+l.path, strings.NewReader(l.body))
		if err != nil {
			t.Error(err)
			return
		}
		if !l.free {
			req.Header.Set("X-Api-Key", key)
		}
		if l.body != "" {
			req.Header.Set("Content-Type", "application/json")
		}
		req.Header.Set("Accept-Encoding", encodings[rng.IntN(len(encodings))])
		resp, err := c.Do(req)
		if err != nil {
			t.Errorf("%s: %v", l.name, err)
			return
		}
		s.requests.Add(1)
		if resp.StatusCode != l.status {
			text, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
			t.Errorf("%s: status %d, want %d: %s", l.name, resp.StatusCode, l.status, text)
		}
		if rng.IntN(20) == 0 {
			s.cut.Add(1)
		} else if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Errorf("%s: %v", l.name, err)
		}
		resp.Body.Close()
	}
}
