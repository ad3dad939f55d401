package server_test

import (
	"context"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// TestClockJumps sets the clock of a whole server, its ledger, gate and limits,
// forth and back, between requests and under a batch that is being worked: no
// credit is lost or given twice, keys expire when their time has come, and
// everything is as before once the clock is right again.
func TestClockJumps(t *testing.T) {
	clock := storetest.NewClock()
	store, err := billing.Open(t.Context(), filepath.Join(t.TempDir(), "accounts.db"), billing.Options{Pepper: pepper, Create: true, Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	now := clock.Now()
	for id, plan := range map[string]billing.Plan{"free": billing.Free, "paid": billing.Enterprise} {
		if _, err := store.CreateAccount(t.Context(), billing.Account{ID: id, Plan: plan}); err != nil {
			t.Fatal(err)
		}
	}
	const pack = 10_000
	if _, _, err := store.Grant(t.Context(), billing.Grant{Account: "paid", Source: billing.PackCredits, Reference: "1", Amount: pack, Granted: now}); err != nil {
		t.Fatal(err)
	}
	create := func(account string, life time.Duration) string {
		k := billing.Key{Account: account, Kind: billing.Live}
		if life > 0 {
			k.Expires = clock.Now().Add(life)
		}
		_, secret, err := store.CreateKey(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		return secret
	}
	free, paid, short := create("free", 0), create("paid", 0), create("paid", time.Hour)
	db := openDB(t)
	during := func() {} // a batch
	quick := func(ctx context.Context) (*lookup.QuickRecord, error) {
		during()
		return db.QuickLookup(ctx, "90210", lookup.QuickOptions{})
	}
	s := newServer(t, brokenDB{DB: db, quick: quick}, realEntropy, func(c *server.Config) {
		c.Now = clock.Now
		c.Accounts = &server.Accounts{Gate: store, Ledger: store}
	})
	status := func(r *http.Request, key string) int { return do(s, with(r, "X-Api-Key", key)).StatusCode }
	one := func(key string) int { return status(get("/v2/quick-zip?code=90210"), key) }
	available := func(account string) int {
		b, err := store.Balance(t.Context(), account)
		if err != nil || b.Held != 0 {
			t.Errorf("%s: %d credits are held, %v", account, b.Held, err)
		}
		return b.Available
	}
	expect := func(what string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}

	expect("a call", one(free), 200)
	day := available("free")
	expect("the day's credits", day, billing.Free.Limits().DailyCredits-1)
	for _, jump := range []time.Duration{24 * time.Hour, 72 * time.Hour, 400 * 24 * time.Hour, 10 * time.Second, -10 * time.Second, -30 * time.Hour, -400 * 24 * time.Hour} {
		clock.Advance(jump)
		there := 200
		if jump >= time.Hour {
			there = 403
		}
		expect("a key of an hour after "+jump.String(), one(short), there)
		expect("a key without end after "+jump.String(), one(paid), 200)
		clock.Advance(-jump)
		expect("the day's credits after "+jump.String()+" and back", available("free"), day)
		expect("a key of an hour after "+jump.String()+" and back", one(short), 200)
		clock.Advance(time.Minute) // the window of the limits
	}
	expect("a call after all jumps", one(free), 200)
	expect("the day's credits", available("free"), day-1)

	spent := pack - available("paid")
	for _, jump := range []time.Duration{time.Hour, 48 * time.Hour, -time.Hour, -48 * time.Hour} {
		done := false
		during = func() {
			if !done {
				done = true
				clock.Advance(jump)
				if _, err := store.Sweep(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
		before := available("paid")
		answered := status(post("/v2/quick-zip/batch", `{"codes":["90210"]}`), paid)
		charged := before - available("paid")
		// A hold that the jump ended cannot be settled: the call is free, and may be tried again.
		free := answered == 503 && charged == 0 && jump > 0
		if paid := answered == 200 && charged == 1; !paid && !free {
			t.Errorf("a batch with a jump of %v: status %d, %d credits", jump, answered, charged)
		}
		spent += charged
		clock.Advance(-jump + time.Minute)
	}
	during = func() {}
	expect("the pack", available("paid"), pack-spent)
	if err := store.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}
