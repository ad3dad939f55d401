package client_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/client"
)

// TestAccounts uses a server with keys and credits in a file: refused keys,
// plans, rate limits, and credits that end in the middle of a batch.
func TestAccounts(t *testing.T) {
	ctx := t.Context()
	var offset atomic.Int64 // of the server's clock
	began := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { return began.Add(time.Duration(offset.Load())) }
	store, err := billing.Open(ctx, filepath.Join(t.TempDir(), "accounts.db"), billing.Options{Pepper: bytes.Repeat([]byte{7}, 32), Create: true, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	newKey := func(id string, plan billing.Plan) string {
		if _, err := store.CreateAccount(ctx, billing.Account{ID: id, Plan: plan}); err != nil {
			t.Fatal(err)
		}
		_, secret, err := store.CreateKey(ctx, billing.Key{Account: id, Kind: billing.Live})
		if err != nil {
			t.Fatal(err)
		}
		return secret
	}
	free, paid := newKey("acct_free", billing.Free), newKey("acct_paid", billing.Developer)
	if _, _, err := store.Grant(ctx, billing.Grant{Account: "acct_paid", Source: billing.SubscriptionCredits, Reference: "June", Amount: 150, Granted: now()}); err != nil {
		t.Fatal(err)
	}
	w := serve(t, sampletest.Open(t), server.Config{Accounts: server.AccountsOf(store, nil), Now: now})
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
		if err != nil {
			t.Fatal(err)
		}
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
