package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/server"
)

// twinRequests are requests of every kind that two datasets answer
// differently.
func twinRequests() []func() *http.Request {
	var codes, addresses, pairs, searches []string
	for i := range lookuptest.TwinZIPs {
		code := lookuptest.TwinFirst + postcode.ZIP(i)
		codes = append(codes, fmt.Sprintf("%q", code))
		searches = append(searches, fmt.Sprintf(`{"code":%q}`, code))
		addresses = append(addresses, fmt.Sprintf(`"120 Sample St, %s"`, code))
		pairs = append(pairs, fmt.Sprintf(`{"from":%q,"to":%q}`, code, lookuptest.TwinFirst+postcode.ZIP((i+7)%lookuptest.TwinZIPs)))
	}
	list := func(items []string) string { return "[" + strings.Join(items, ",") + "]" }
	body := func(path, text string) func() *http.Request {
		return func() *http.Request { return post(path, text) }
	}
	query := func(target string) func() *http.Request {
		return func() *http.Request { return get(target) }
	}
	return []func() *http.Request{
		query("/v2/quick-zip?code=44002&include=timezone"),
		query("/v2/quick-zip?code=N2L3G1"),
		query("/v2/zip?code=44007&include=timezone,census"),
		query("/v2/zip?code=40.001,-83.001"),
		query("/v2/radius?code=44015&max=12"),
		query("/v2/radius?code=44015&max=9&mode=spatial"),
		query("/v2/radius?code=44015&max=auto"),
		query("/v2/distance?from=44001&to=44030"),
		query("/v2/suggest?q=sample"),
		query("/v2/address?address=120+Sample+St,+44003&include=coordinates"),
		query("/v2/geocode?address=120+Sample+St,+44003"),
		body("/v2/quick-zip/batch", `{"codes":`+list(codes)+`}`),
		body("/v2/zip/batch", `{"include":["timezone"],"codes":`+list(codes)+`}`),
		body("/v2/radius/batch", `{"max":12,"searches":`+list(searches)+`}`),
		body("/v2/distance/batch", `{"pairs":`+list(pairs)+`}`),
		body("/v2/address/batch", `{"addresses":`+list(addresses)+`}`),
		body("/v2/geocode/batch", `{"addresses":`+list(addresses)+`}`),
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
		if err := lookuptest.WriteTwin(paths[i], i); err != nil {
			t.Fatal(err)
		}
		db := sampletest.File(t, paths[i])
		h := newServer(t, db, realClock)
		for _, r := range requests {
			text, err := twinAnswer(h, r())
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
			t.Errorf("%s: both answer %s", r().URL, want[0][n])
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
				switch text, err := twinAnswer(s, requests[n]()); {
				case err != nil:
					t.Error(err)
					return
				case text == want[0][n]:
					answers[0].Add(1)
				case text == want[1][n]:
					answers[1].Add(1)
				default:
					t.Errorf("%s is answered by neither: %s", requests[n]().URL, text)
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
