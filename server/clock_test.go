package server_test

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/sampletest"
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
	check(t, err)
	defer store.Close()
	now := clock.Now()
	for id, plan := range map[string]billing.Plan{"free": billing.Free, "paid": billing.Enterprise} {
		_, err := store.CreateAccount(t.Context(), billing.Account{ID: id, Plan: plan})
		check(t, err)
	}
	const pack = 10_000
	_, _, err = store.Grant(t.Context(), billing.Grant{Account: "paid", Source: billing.PackCredits, Reference: "1", Amount: pack, Granted: now})
	check(t, err)
	create := func(account string, life time.Duration) string {
		k := billing.Key{Account: account, Kind: billing.Live}
		if life > 0 {
			k.Expires = clock.Now().Add(life)
		}
		_, secret, err := store.CreateKey(t.Context(), k)
		check(t, err)
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
		c.Accounts = store
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

// TestAt checks that the parameter at sets the time of time zones on every route
// that returns them. British Columbia drops winter time on 2026-11-01.
func TestAt(t *testing.T) {
	s := newServer(t, sampletest.Open(t))
	for _, line := range []string{
		"/v2/quick-zip?code=V6B&include=timezone&at=AT", "/v2/zip?code=V6B&include=timezone&at=AT", "/v2/distance?from=V6B&to=V6B&at=AT",
		"/v2/radius?code=V6B&max=1&mode=spatial&include=timezone&at=AT",
		`POST /v2/inside {"polygon":{"type":"Polygon","coordinates":[[[-123.12,49.27],[-123.10,49.27],[-123.10,49.29],[-123.12,49.29],[-123.12,49.27]]]},"include":"timezone","at":"AT"}`,
		`POST /v2/zip {"code":"V6B","include":"timezone","at":"AT"}`, `POST /v2/quick-zip/batch {"codes":["V6B"],"include":"timezone","at":"AT"}`,
		`POST /v2/zip/batch {"codes":["V6B"],"include":"timezone","at":"AT"}`, `POST /v2/distance/batch {"pairs":[{"from":"V6B","to":"V6B"}],"at":"AT"}`,
		`POST /v2/radius/batch {"searches":[{"code":"96813"}],"max":1,"include":"timezone","at":"AT"}`,
		`POST /v2/radius/batch {"searches":[{"code":"96813","at":"AT"}],"max":1,"include":"timezone","at":"2027-01-15T00:00:00Z"}`,
	} {
		wants := map[string]string{"2025-01-15T00:00:00Z": `"PDT"`, "2025-01-15": `"PDT"`, "2026-12-01T01:30:00-08:00": `"MST"`}
		if strings.Contains(line, "96813") { // without full codes of British Columbia: Hawaii, whose clocks changed in 1947
			wants = map[string]string{"1946-01-15T00:00:00Z": `"utc_offset":-10.5`, "1946-01-15": `"utc_offset":-10.5`, "2026-12-01T01:30:00-08:00": `"utc_offset":-10,`}
		}
		for at, want := range wants {
			resp := do(s, request(strings.ReplaceAll(line, "AT", at)))
			if text := readAll(t, resp); resp.StatusCode != http.StatusOK || !strings.Contains(text, want) {
				t.Errorf("%s at %s: status %d, no %s in %s", line, at, resp.StatusCode, want, text)
			}
		}
	}
}
