package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing/internal/book"
	"github.com/postgeo/postgeo/billing/sqlite"
	"github.com/postgeo/postgeo/internal/storetest"
)

// Accounts of older formats are brought to the present one with all that is in
// them.
func TestMigrate(t *testing.T) {
	for format := 1; format <= 2; format++ {
		t.Run(fmt.Sprint("format ", format), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "accounts.db")
			clock := storetest.NewClock()
			now := clock.Now()
			if err := sqlite.WriteFormat(path, storetest.Pepper(), format, oldAccounts(now, format)); err != nil {
				t.Fatal(err)
			}
			checkMigrated(t, path, clock)
		})
	}
}

// oldAccounts are statements that fill the tables of old formats: 30 credits
// settled today, 40 yesterday, and 5 held.
func oldAccounts(now time.Time, format int) string {
	day := now.Unix() / 86400
	hold := func(id string, state book.State, held, used int, at time.Time) string {
		lines := fmt.Sprintf("x'01%02x%02x'", held, used)
		return fmt.Sprintf("INSERT INTO holds VALUES ('%s', 1, %d, %d, %d, %d, %d, %s);\n",
			id, state, held, used, at.UnixMilli(), now.Add(time.Hour).UnixMilli(), lines)
	}
	today := hold("today", book.Settled, 35, 30, now)
	if format > 1 {
		record := sqlite.Record(&book.Hold{ID: "today", Account: 1, State: book.Settled, Held: 35, Used: 30, Time: now, Lines: []book.Line{{Grant: 1, Held: 35, Used: 30}}})
		today = fmt.Sprintf("INSERT INTO finished VALUES ('today', %d, x'%x');\n", now.UnixMilli(), record)
	}
	return today +
		hold("yesterday", book.Settled, 40, 40, now.Add(-24*time.Hour)) +
		hold("open", book.Held, 5, 0, now) +
		fmt.Sprintf("INSERT INTO accounts VALUES (1, 'a', 'Old', 'business', 0, %d, %d, 0);\n", now.UnixMilli(), now.UnixMilli()) +
		fmt.Sprintf("INSERT INTO grants VALUES (1, 1, 3, 'invoice', 1000, 925, 5, 70, %d, NULL);\n", now.Add(-100*time.Hour).UnixMilli()) +
		fmt.Sprintf("INSERT INTO usage VALUES (1, %d, 3, 30, 1), (1, %d, 3, 40, 1);\n", day, day-1)
}

func checkMigrated(t *testing.T, path string, clock *storetest.Clock) {
	t.Helper()
	storetest.Migrated(t, open(t, path, clock.Now), clock)
	if n := count(t, path, "SELECT count(*) FROM usage WHERE hour % 24 > 0"); n != 0 {
		t.Errorf("%d hours of old days are left", n)
	}
	if n := count(t, path, "PRAGMA user_version"); n != 3 {
		t.Errorf("the file is in format %d", n)
	}
}

// database opens the file as another program does.
func database(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func count(t *testing.T, path, query string) (n int) {
	t.Helper()
	if err := database(t, path).QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Audit finds refunds that are not those of the holds.
func TestAuditRefunds(t *testing.T) {
	for name, change := range map[string]string{
		"no refunds":            "DELETE FROM usage WHERE kind = 3",
		"fewer credits kept":    "UPDATE usage SET credits = credits - 1 WHERE kind = 4",
		"fewer batches":         "UPDATE usage SET requests = requests - 1 WHERE kind = 5",
		"more of a hold":        "UPDATE holds SET cut = cut + 1 WHERE state = 3 AND cut > 0",
		"another kind":          "UPDATE holds SET batch = 1 - batch WHERE state = 1 AND cut > 0",
		"a settled hold":        "UPDATE holds SET cut = 1 WHERE state = 1 AND cut > 0",
		"a hold that is open":   "UPDATE holds SET cut = 1 WHERE state = 0",
		"kept and not spent":    "UPDATE usage SET credits = credits - 150 WHERE kind = 2",
		"another account's row": "UPDATE usage SET account = account + 1 WHERE kind = 3",
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "accounts.db")
			s := open(t, path, storetest.NewClock().Now)
			storetest.CutSome(t, s)
			if err := s.Audit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := database(t, path).ExecContext(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			if err := s.Audit(t.Context()); err == nil {
				t.Error("not found")
			}
		})
	}
}
