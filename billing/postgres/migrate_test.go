//go:build unix

package postgres_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/postgres"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
)

// Tables of the first format are brought to the present one with all that is
// in them: 30 credits settled today, 40 yesterday, and 5 held.
func TestMigrate(t *testing.T) {
	server := pgserver.Start(t, "fsync=off")
	clock := storetest.NewClock()
	now, today := clock.Now(), billing.Day(clock.Now()).Start
	first, err := os.ReadFile("migrations/0001_accounts.sql")
	if err != nil {
		t.Fatal(err)
	}
	pepper := storetest.Pepper().Fingerprint()
	stamp := func(d time.Duration) string { return "'" + now.Add(d).Format(time.RFC3339Nano) + "'" }
	execute(t, server, "CREATE SCHEMA old; SET search_path TO old; "+
		"CREATE TABLE migrations (version integer PRIMARY KEY, name text NOT NULL, applied timestamptz NOT NULL DEFAULT now());"+
		"INSERT INTO migrations (version, name) VALUES (1, '0001_accounts.sql');"+
		string(first)+
		"INSERT INTO settings (revision, pepper) VALUES (1, '\\x"+hex.EncodeToString(pepper[:])+"');"+
		"INSERT INTO accounts (public, name, plan, suspended, created, anchor, monthly) VALUES ('a', 'Old', 'business', false, now(), now(), 0);"+
		"INSERT INTO grants (account, source, reference, amount, remaining, held, settled, granted, expires)"+
		" VALUES (1, 3, 'invoice', 1000, 925, 5, 70, "+stamp(-100*time.Hour)+", 'infinity');"+
		"INSERT INTO holds VALUES"+
		" ('today', 1, 1, 35, 30, "+stamp(0)+", "+stamp(time.Hour)+", '{1}', '{35}', '{30}'),"+
		" ('yesterday', 1, 1, 40, 40, "+stamp(-24*time.Hour)+", "+stamp(0)+", '{1}', '{40}', '{40}'),"+
		" ('open', 1, 0, 5, 0, "+stamp(0)+", "+stamp(time.Hour)+", '{1}', '{5}', '{0}');"+
		fmt.Sprintf("INSERT INTO usage VALUES (1, '%s', 3, 30, 1), (1, '%s', 3, 40, 1)", today.Format(time.DateOnly), today.AddDate(0, 0, -1).Format(time.DateOnly)))

	ctx := t.Context()
	s := open(t, server.Address(), postgres.Options{Now: clock.Now, Schema: "old"})
	storetest.Migrated(t, s, clock)
	conn, err := pgx.Connect(ctx, server.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var left int
	if err := conn.QueryRow(ctx, "SELECT count(*) FROM old.usage WHERE extract(hour FROM hour AT TIME ZONE 'UTC') > 0").Scan(&left); err != nil || left > 0 {
		t.Errorf("%d hours of old days are left, %v", left, err)
	}
}

// Audit finds refunds that are not those of the holds.
func TestAuditRefunds(t *testing.T) {
	server := pgserver.Start(t, "fsync=off")
	for i, change := range []string{
		"DELETE FROM usage WHERE kind = 3",
		"UPDATE usage SET credits = credits - 1 WHERE kind = 4",
		"UPDATE usage SET requests = requests - 1 WHERE kind = 5",
		"UPDATE holds SET cut = cut + 1 WHERE state = 3 AND cut > 0",
		"UPDATE holds SET batch = NOT batch WHERE state = 1 AND cut > 0",
		"UPDATE holds SET cut = 1 WHERE state = 1 AND cut > 0",
		"UPDATE holds SET cut = 1 WHERE state = 0",
		"UPDATE usage SET credits = credits - 150 WHERE kind = 2",
		"UPDATE usage SET account = account + 1 WHERE kind = 3",
	} {
		schema := fmt.Sprint("audit", i)
		s := open(t, server.Address(), postgres.Options{Schema: schema})
		storetest.CutSome(t, s)
		if err := s.Audit(t.Context()); err != nil {
			t.Fatal(err)
		}
		execute(t, server, "SET search_path TO "+schema+"; "+change)
		if err := s.Audit(t.Context()); err == nil {
			t.Errorf("%s: not found", change)
		}
	}
}
