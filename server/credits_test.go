package server_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

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

// TestNotCharged checks that test and demo keys never reach the ledger.
func TestNotCharged(t *testing.T) {
	b := newBook()
	h := newServer(t, openDB(t), withAccounts(t, b))
	for _, name := range []string{"test", "free-test", "demo"} {
		if resp := do(h, as(name, get("/v2/zip?code=90210"))); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", name, resp.StatusCode)
		}
	}
	if b.calls() != "" {
		t.Errorf("the ledger is asked: %s", b.calls())
	}
}
