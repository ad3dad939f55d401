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
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// TestCreditsComeBack checks that a request that fails, times out or loses its
// caller is free, and the calls of the ledger.
func TestCreditsComeBack(t *testing.T) {
	db := openDB(t)
	failing := func(err error) func(context.Context) (*lookup.QuickRecord, error) {
		return func(context.Context) (*lookup.QuickRecord, error) { return nil, err }
	}
	slow := func(ctx context.Context) (*lookup.QuickRecord, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	batchOf := func() *http.Request { return post("/v2/quick-zip/batch", `{"codes":["90210","90210"]}`) }
	one := func() *http.Request { return get("/v2/quick-zip?code=90210") }
	tests := map[string]struct {
		quick  func(context.Context) (*lookup.QuickRecord, error)
		r      func() *http.Request
		defers bool   // the request is charged after its work
		err    string // call of the ledger that fails
		doubt  bool   // or may have been done
		gone   bool   // the caller leaves before the answer
		cut    int    // of the answer so many bytes less 1 can be written
		status int
		calls  string
		spent  int
	}{
		"success":               {r: one, status: 200, calls: "reserve settle", spent: 1},
		"batch":                 {r: batchOf, status: 200, calls: "reserve settle", spent: 2},
		"item of a batch fails": {r: batchOf, quick: failing(errors.New("x")), status: 200, calls: "reserve settle"},
		"validation":            {r: func() *http.Request { return get("/v2/quick-zip") }, status: 400},
		"failure":               {r: one, quick: failing(errors.New("x")), status: 500, calls: "reserve refund"},
		"panic":                 {r: one, quick: func(context.Context) (*lookup.QuickRecord, error) { panic("x") }, status: 500, calls: "reserve refund"},
		"timeout":               {r: one, quick: slow, status: 504, calls: "reserve refund"},
		"timeout of a batch":    {r: batchOf, quick: slow, status: 504, calls: "reserve refund"},
		"caller gone":           {r: one, gone: true, status: 200, calls: "reserve settle", spent: 1},
		"caller of a batch":     {r: batchOf, gone: true, status: 200, calls: "reserve settle", spent: 2},
		"caller gone for long":  {r: one, gone: true, quick: slow, calls: "reserve refund"},
		"batch left for long":   {r: batchOf, gone: true, quick: slow, calls: "reserve cut"},
		"no byte written":       {r: one, cut: 1, status: 200, calls: "reserve settle refund"},
		"some bytes written":    {r: one, cut: 10, status: 200, calls: "reserve settle cut"},
		"batch cut off":         {r: batchOf, cut: 1, status: 200, calls: "reserve settle cut"},
		"settling fails":        {r: one, err: "settle", status: 503, calls: "reserve settle refund"},
		"reserving fails":       {r: one, err: "reserve", status: 503, calls: "reserve"},
		"reserving in doubt":    {r: one, err: "reserve", doubt: true, status: 503, calls: "reserve refund"},
		"deferred":              {r: one, defers: true, status: 200, calls: "reserve settle", spent: 1},
		"deferred failure":      {r: one, defers: true, quick: failing(errors.New("x")), status: 500, calls: "reserve"},
		"deferred, cut":         {r: one, defers: true, cut: 10, status: 200, calls: "reserve settle cut"},
		"deferred charge fails": {r: one, defers: true, err: "settle", status: 503, calls: "reserve settle"},
		"deferred short":        {r: one, defers: true, err: "short", status: 402, calls: "reserve settle"},
		"deferred, key reused":  {r: one, defers: true, err: "once", status: 422, calls: "reserve settle"},
		"a batch is reserved":   {r: batchOf, defers: true, quick: failing(errors.New("x")), status: 200, calls: "reserve settle"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := rich()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			quick := tt.quick
			if tt.gone {
				quick = func(ctx context.Context) (*lookup.QuickRecord, error) {
					cancel()
					if tt.quick != nil {
						return tt.quick(ctx)
					}
					return db.QuickLookup(context.Background(), "90210", lookup.QuickOptions{})
				}
			}
			broken := &brokenDB{DB: db}
			s := newServer(t, broken, withAccounts(t, b), func(c *server.Config) {
				c.RequestTimeout = 10 * time.Second
				if strings.HasPrefix(name, "timeout") { // long enough to reserve
					c.RequestTimeout = 250 * time.Millisecond
				}
			})
			for n := 0; tt.defers && !b.brief && n < 100; n++ { // until quick lookups are known to be cheap
				if resp := do(s, as("paid", one())); resp.StatusCode != http.StatusOK {
					t.Fatalf("status %d", resp.StatusCode)
				}
				b.log, b.grants = nil, rich().grants
			}
			broken.quick = quick
			b.defers = tt.defers
			switch tt.err {
			case "":
			case "once":
				b.err["settle"] = billing.ErrOnceUsed
			case "short":
				b.err["settle"] = &billing.InsufficientError{Fault: envelope.Fault{Code: envelope.CreditInsufficient}}
			default:
				b.err[tt.err] = away(tt.doubt)
			}
			recorder := httptest.NewRecorder()
			var w http.ResponseWriter = recorder
			if tt.cut > 0 {
				w = cutOff{recorder, tt.cut - 1}
			}
			recorder.Code = 0
			reset := serve(s, w, as("paid", tt.r()).WithContext(ctx))
			if want := tt.cut > 0 || tt.status == 0; reset != want {
				t.Errorf("reset %t, want %t", reset, want)
			}
			if recorder.Code != tt.status {
				t.Errorf("status %d, want %d", recorder.Code, tt.status)
			}
			if got := b.calls(); got != tt.calls {
				t.Errorf("the ledger is asked: %s; want: %s", got, tt.calls)
			}
			if spent := 1000 - b.available(); spent != tt.spent || len(b.holds) != 0 {
				t.Errorf("%d credits spent, want %d; held: %v", spent, tt.spent, b.holds)
			}
		})
	}
}

// TestLostSettlement checks that a request whose settlement has no reply finds out what
// became of it. If it does not within its time, it is refunded. The log has the outcome.
func TestLostSettlement(t *testing.T) {
	for name, tt := range map[string]struct {
		lost   int // replies
		defers bool
		away   bool
		status int
		spent  int
		log    []string
	}{
		"once":     {lost: 1, status: 200, spent: 1, log: []string{`"the reply to a settlement was lost"`, `"settled":true`}},
		"thrice":   {lost: 3, status: 200, spent: 1, log: []string{`"settled":true`}},
		"deferred": {lost: 3, defers: true, status: 200, spent: 1, log: []string{`"settled":true`}},
		"in vain":  {lost: 1 << 30, defers: true, status: 503, log: []string{`"settled":false`}},
		"for long": {lost: 1 << 30, status: 503, log: []string{`"settled":false`}},
		"for good": {lost: 1 << 30, away: true, status: 503, spent: 1, log: []string{`"settled":false`, `"credits not returned; the ledger's next sweep returns them"`}},
	} {
		t.Run(name, func(t *testing.T) {
			b := rich()
			var log bytes.Buffer
			s := newServer(t, openDB(t), withAccounts(t, b), func(c *server.Config) {
				c.Logger = slog.New(slog.NewJSONHandler(&log, nil))
				c.RequestTimeout = 2 * time.Second
			})
			for n := 0; tt.defers && !b.brief && n < 100; n++ { // until quick lookups are known to be cheap
				do(s, as("paid", get("/v2/quick-zip?code=90210")))
				b.grants = rich().grants
			}
			b.lost, b.defers = tt.lost, tt.defers
			if tt.away {
				b.err["refund"] = away(false)
			}
			began := time.Now()
			resp := do(s, as("paid", get("/v2/quick-zip?code=90210")))
			if took := time.Since(began); tt.defers && took > 1500*time.Millisecond {
				t.Errorf("a request that reserved nothing took %v", took)
			}
			if spent := 1000 - b.available(); resp.StatusCode != tt.status || spent != tt.spent || len(b.holds) != 0 {
				t.Errorf("status %d, %d credits spent, held: %v; want status %d, %d credits", resp.StatusCode, spent, b.holds, tt.status, tt.spent)
			}
			for _, want := range tt.log {
				if !strings.Contains(log.String(), want) {
					t.Errorf("the log has no %s:\n%s", want, log.String())
				}
			}
		})
	}
}

// A cutOff connection takes a header and some bytes of the body.
type cutOff struct {
	*httptest.ResponseRecorder
	takes int
}

func (c cutOff) Write(p []byte) (int, error) {
	return min(c.takes, len(p)), errors.New("connection reset by peer")
}

func once(key string, r *http.Request) *http.Request { return with(r, "Idempotency-Key", key) }

// available returns the credits of the only account.
func available(t testing.TB, store *billing.Store) int {
	t.Helper()
	b, err := store.Balance(t.Context(), "acct_1")
	check(t, err)
	return b.Available
}

// TestIdempotencyKey sends requests twice with a key: they are charged once, and the
// second response repeats the credits of the first (decision D76).
func TestIdempotencyKey(t *testing.T) {
	s, store, key := keyed(t, openDB(t))
	send := func(r *http.Request) (out struct {
		Results []json.RawMessage
		Error   *envelope.Error
		Meta    envelope.Meta
	}, status int,
	) {
		r.Header.Set("X-Api-Key", key)
		resp := do(s, r)
		check(t, json.Unmarshal([]byte(readAll(t, resp)), &out))
		return out, resp.StatusCode
	}
	for name, line := range map[string]string{
		"get": "/v2/zip?code=90210&include=timezone", "post": `POST /v2/zip {"code":"90210","include":"timezone"}`,
		"batch": `POST /v2/quick-zip/batch {"codes":["90210","34.09,-118.4"]}`, "unknown": "/v2/zip?code=00000",
		"free": "/v2/address?address=999+N+Sample+Dr,+90210", "plain": "/v2/outlines?box=-118.45,34.05,-118.35,34.15&tolerance=0.005",
	} {
		before := available(t, store)
		first, status := send(once("key of "+name, request(line)))
		if status != http.StatusOK {
			t.Fatalf("%s: status %d", name, status)
		}
		for range 2 {
			again, status := send(once("key of "+name, request(line)))
			if diff := cmp.Diff(first.Meta.Credits, again.Meta.Credits); diff != "" || status != http.StatusOK {
				t.Errorf("%s: status %d; credits (-first +again):\n%s", name, status, diff)
			}
			if diff := cmp.Diff(first.Results, again.Results); diff != "" {
				t.Errorf("%s: results (-first +again):\n%s", name, diff)
			}
			if n := len(again.Meta.Notices); n == 0 || again.Meta.Notices[n-1].Code != envelope.IdempotentReplay {
				t.Errorf("%s: notices %v", name, again.Meta.Notices)
			}
		}
		if spent := before - available(t, store); spent != first.Meta.Credits.Used {
			t.Errorf("%s: %d credits spent; want %d", name, spent, first.Meta.Credits.Used)
		}
		for what, other := range map[string]*http.Request{
			"query":  get("/v2/zip?code=10118"),
			"method": post("/v2/zip?code=90210&include=timezone", ""),
			"path":   get("/v2/quick-zip?code=90210&include=timezone"),
			"body":   post("/v2/zip", `{"code":"90210","include":"timezone" }`),
		} {
			out, status := send(once("key of "+name, other))
			if status != http.StatusUnprocessableEntity || out.Error == nil || out.Error.Code != envelope.BadRequest {
				t.Errorf("%s: another %s under the key: status %d, %v", name, what, status, out.Error)
			}
		}
	}
	if err := store.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestIdempotencyKeyAfterTimeout gives up forty requests before their response and
// sends each again. Each is charged once.
func TestIdempotencyKeyAfterTimeout(t *testing.T) {
	db := openDB(t)
	var slow atomic.Bool
	quick := func(ctx context.Context) (*lookup.QuickRecord, error) {
		if slow.Load() {
			time.Sleep(60 * time.Millisecond)
		}
		return db.QuickLookup(ctx, "90210", lookup.QuickOptions{})
	}
	s, store, key := keyed(t, brokenDB{DB: db, quick: quick}, func(c *server.Config) { c.RequestTimeout = time.Minute })
	r := run(t, s)
	before := available(t, store)
	send := func(i int, timeout time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.public+"/v2/quick-zip?code=90210", nil)
		if err != nil {
			return err
		}
		req.Header.Set("X-Api-Key", key)
		resp, err := http.DefaultClient.Do(once(fmt.Sprint("request ", i), req))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	const requests = 40
	answered := 0
	for i := range requests {
		slow.Store(true)
		switch err := send(i, 20*time.Millisecond); {
		case err == nil: // the machine was busy
			answered++
		case !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("request %d was not given up: %v", i, err)
		}
		slow.Store(i%2 == 0) // the second ends before the first, or after it
		if err := send(i, time.Minute); err != nil {
			t.Error(err)
		}
	}
	if answered > requests/2 {
		t.Errorf("%d of %d requests were not given up", answered, requests)
	}
	r.stop()
	err := r.wait()
	if spent := before - available(t, store); err != nil || spent != requests {
		t.Errorf("%d credits spent for %d requests that were sent twice; %v", spent, requests, err)
	}
	if err := store.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}
