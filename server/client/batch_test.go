package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/client"
)

// many returns n inputs, good and bad.
func many(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = codes[i%len(codes)]
	}
	return list
}

// echoed is the input of an item, which the library does not have.
var echoed = regexp.MustCompile(`"input":\{[^{}]*\},`)

// checkBatch holds the items of a batch against what the library returns, and
// the replies against the number of requests.
func checkBatch[T any](t *testing.T, b *client.Batch[T], err error, n int, requests int64, library func(i int) (*T, error)) {
	t.Helper()
	check(t, err)
	if len(b.Items) != n || int64(len(b.Replies)) != requests {
		t.Fatalf("%d items in %d replies, want %d in %d", len(b.Items), len(b.Replies), n, requests)
	}
	succeeded, failed := 0, 0
	for i, item := range b.Items {
		got, err := item.Value, item.Err
		want, wantErr := library(i)
		switch {
		case wantErr != nil:
			failed++
			e := failure(t, err)
			f := envelope.FaultOf(wantErr)
			if got != nil || e.Status != 200 || e.Input == nil || f == nil || errors.Is(err, envelope.ErrNotFound) != errors.Is(wantErr, envelope.ErrNotFound) {
				t.Errorf("item %d: %v, want %v", i, err, wantErr)
			}
			if e.Code != f.Code && e.Code != envelope.ValidationMissingParam && e.Code != envelope.ValidationInputTooLong {
				t.Errorf("item %d: %v, want %v", i, err, wantErr)
			}
		case err != nil:
			t.Errorf("item %d: %v", i, err)
		default:
			succeeded++
			text := jsonOf(t, got)
			if diff := cmp.Diff(jsonOf(t, want), echoed.ReplaceAllString(text, "")); diff != "" || !echoed.MatchString(text) {
				t.Errorf("item %d without its input (-want +got):\n%s", i, diff)
			}
		}
	}
	var sum envelope.Batch
	for _, r := range b.Replies {
		sum.Requested += r.Meta.Batch.Requested
		sum.Succeeded += r.Meta.Batch.Succeeded
		sum.Failed += r.Meta.Batch.Failed
	}
	if diff := cmp.Diff(envelope.Batch{Requested: n, Succeeded: succeeded, Failed: failed}, sum); diff != "" || failed == 0 || succeeded == 0 {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

// TestBatches checks that batches of 250 are divided, with the results of the
// library in order.
func TestBatches(t *testing.T) {
	db := sampletest.Open(t)
	w := serve(t, db, server.Config{})
	c := newClient(t, w.URL, client.Options{})
	ctx := t.Context()
	list := many(250)
	asked := func() int64 { return w.requests.Swap(0) }

	quick := lookup.QuickOptions{Timezone: true}
	places, err := c.QuickLookupBatch(ctx, list, quick)
	checkBatch(t, places, err, len(list), 3, func(i int) (*lookup.QuickRecord, error) {
		return db.QuickLookup(ctx, list[i], quick)
	})
	credits := 0
	for _, r := range places.Replies {
		credits += r.Meta.Credits.Used
	}
	if n := asked(); n != 3 || places.Credits() != credits || credits == 0 {
		t.Errorf("%d requests, %d credits, want %d", n, places.Credits(), credits)
	}

	full := lookup.Options{Include: lookup.Include{Timezone: true}, At: day2025}
	records, err := c.LookupBatch(ctx, list, full)
	checkBatch(t, records, err, len(list), 3, func(i int) (*lookup.Record, error) {
		return db.Lookup(ctx, list[i], full)
	})

	pairs := make([]client.Pair, len(list))
	for i := range pairs {
		pairs[i] = client.Pair{From: list[i], To: list[len(list)-1-i]}
	}
	distances, err := c.DistanceBatch(ctx, pairs, radius.DistanceOptions{At: day2025})
	checkBatch(t, distances, err, len(list), 3, func(i int) (*radius.DistanceResult, error) {
		return db.Distance(ctx, pairs[i].From, pairs[i].To, radius.DistanceOptions{At: day2025})
	})

	asked()
	small := newClient(t, w.URL, client.Options{BatchSize: 7})
	searches := make([]radius.Query, 2*len(codes))
	for i := range searches {
		o := radius.Options{Max: 10 + geo.Miles(i)/2, Limit: 1 + i, Include: radius.Include{Timezone: i%2 == 0}}
		if i%3 == 0 {
			o.At = day2025
		}
		if i%5 == 4 {
			o = radius.Options{Auto: radius.Density, Min: 1.5}
		}
		searches[i] = radius.Query{Center: codes[i%len(codes)], Options: o}
	}
	found, err := small.RadiusBatch(ctx, searches)
	checkBatch(t, found, err, len(searches), 6, func(i int) (*radius.Result, error) {
		return db.Radius(ctx, searches[i].Center, searches[i].Options)
	})
	if n := asked(); n != 6 {
		t.Errorf("%d requests", n)
	}
}

// TestBatchEnds checks the contents of a batch whose second request fails.
func TestBatchEnds(t *testing.T) {
	s, err := server.New(sampletest.Open(t), server.Config{})
	check(t, err)
	for _, status := range []int{http.StatusBadGateway, 0} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			asked := 0
			w := newWorld(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				asked++
				switch {
				case asked != 2:
					s.ServeHTTP(rw, r)
				case status == 0:
					io.Copy(io.Discard, r.Body) // until then a server does not see its caller leave
					cancel()
					<-r.Context().Done()
				default:
					rw.WriteHeader(status)
				}
			}))
			b, err := newClient(t, w.URL, client.Options{}).QuickLookupBatch(ctx, many(250), lookup.QuickOptions{})
			if err == nil || len(b.Items) != 250 || asked != 2 {
				t.Fatalf("%d items after %d requests, %v", len(b.Items), asked, err)
			}
			replies := 2
			if status == 0 {
				replies = 1
				if !errors.Is(err, context.Canceled) {
					t.Errorf("error %v, want the context's", err)
				}
			} else if failure(t, err).Status != status {
				t.Errorf("error %v", err)
			}
			if len(b.Replies) != replies || b.Items[0].Value == nil || b.Items[0].Err != nil {
				t.Errorf("%d replies, first item %+v", len(b.Replies), b.Items[0])
			}
			for i, item := range b.Items[100:] {
				if item.Value != nil || !errors.Is(item.Err, err) {
					t.Fatalf("item %d: %+v", 100+i, item)
				}
			}
		})
	}
}

// TestAccounts uses a server with keys and credits in a file: refused keys,
// plans, rate limits, and credits that end in the middle of a batch.
func TestAccounts(t *testing.T) {
	ctx := t.Context()
	var offset atomic.Int64 // of the server's clock
	began := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { return began.Add(time.Duration(offset.Load())) }
	store, err := billing.Open(ctx, filepath.Join(t.TempDir(), "accounts.db"), billing.Options{Pepper: bytes.Repeat([]byte{7}, 32), Create: true, Now: now})
	check(t, err)
	defer store.Close()
	newKey := func(id string, plan billing.Plan) string {
		if _, err := store.CreateAccount(ctx, billing.Account{ID: id, Plan: plan}); err != nil {
			t.Fatal(err)
		}
		_, secret, err := store.CreateKey(ctx, billing.Key{Account: id, Kind: billing.Live})
		check(t, err)
		return secret
	}
	free, paid := newKey("acct_free", billing.Free), newKey("acct_paid", billing.Developer)
	_, _, err = store.Grant(ctx, billing.Grant{Account: "acct_paid", Source: billing.SubscriptionCredits, Reference: "June", Amount: 150, Granted: now()})
	check(t, err)
	w := serve(t, sampletest.Open(t), server.Config{Accounts: store, Now: now})
	good := make([]string, 250)
	for i := range good {
		good[i] = "90210"
	}

	for key, want := range map[string]envelope.Code{"": envelope.AuthMissingKey, "short": envelope.AuthInvalidKey, testKey: envelope.AuthInvalidKey} {
		_, _, err := newClient(t, w.URL, client.Options{Key: key}).QuickLookup(ctx, "90210", lookup.QuickOptions{})
		if e := failure(t, err); e.Code != want || e.Status != 401 || !errors.Is(err, client.ErrKey) {
			t.Errorf("key %q: %v", key, err)
		}
	}

	c := newClient(t, w.URL, client.Options{Key: free, MaxRetries: -1})
	_, err = c.QuickLookupBatch(ctx, good, lookup.QuickOptions{})
	if e := failure(t, err); e.Code != envelope.AuthBatchRequiresSubscription || e.Status != 403 || !errors.Is(err, client.ErrKey) {
		t.Errorf("batch of a free key: %v", err)
	}
	for i := range 59 {
		_, reply, err := c.QuickLookup(ctx, "90210", lookup.QuickOptions{})
		check(t, err)
		if reply.Rate.Limit != 60 || reply.Rate.Remaining != 58-i || !reply.Rate.Reset.Equal(began.Add(time.Minute)) || *reply.Meta.Credits.Remaining != 2499-i {
			t.Fatalf("request %d: %+v", i, reply)
		}
	}
	_, reply, err := c.QuickLookup(ctx, "90210", lookup.QuickOptions{})
	if !errors.Is(err, client.ErrRateLimited) || reply.Status != 429 || reply.Meta.RateLimit == nil || reply.Meta.RateLimit.RetryAfter != 60 {
		t.Errorf("%v with %+v", err, reply)
	}
	patient := newClient(t, w.URL, client.Options{Key: free, Sleep: func(_ context.Context, d time.Duration) error {
		offset.Add(int64(d))
		return nil
	}})
	if _, reply, err := patient.QuickLookup(ctx, "90210", lookup.QuickOptions{}); err != nil || reply.Attempts != 2 || now() != began.Add(time.Minute) {
		t.Errorf("after a minute: %+v, %v", reply, err)
	}

	c = newClient(t, w.URL, client.Options{Key: paid})
	b, err := c.QuickLookupBatch(ctx, good, lookup.QuickOptions{})
	if e := failure(t, err); e.Code != envelope.CreditInsufficient || e.Status != 402 || !errors.Is(err, client.ErrCredits) {
		t.Errorf("batch that costs too much: %v", err)
	}
	if b.Credits() != 100 || len(b.Replies) != 2 || b.Items[99].Err != nil || !errors.Is(b.Items[100].Err, client.ErrCredits) {
		t.Errorf("%d credits in %d replies, item 100 %+v", b.Credits(), len(b.Replies), b.Items[100])
	}
	if _, reply, err := c.QuickLookup(ctx, "90210", lookup.QuickOptions{}); err != nil || *reply.Meta.Credits.Remaining != 49 {
		t.Errorf("afterwards: %+v, %v", reply, err)
	}
}

var check = checktest.Check
