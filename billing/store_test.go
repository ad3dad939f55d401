package billing_test

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// A database opens stores that share their accounts, as several processes do.
type database func(t testing.TB, now func() time.Time) *billing.Store

// databases has a function for each kind of database that returns empty ones. Settings of
// PostgreSQL replace those of tests.
var databases = map[string]func(t testing.TB, postgres ...string) func() database{
	"postgres": postgresDatabase,
	"sqlite": func(t testing.TB, _ ...string) func() database {
		return func() database {
			path := filepath.Join(t.TempDir(), "accounts.db")
			return func(t testing.TB, now func() time.Time) *billing.Store {
				return open(t, path, billing.Options{Now: now})
			}
		}
	},
}

// of identifies a hold of the account "a".
func of(id string) billing.Hold { return billing.Hold{ID: id, Account: "a"} }

// open opens accounts, which it makes if they are absent, and closes them at the end of the
// test.
func open(t testing.TB, address string, o billing.Options) *billing.Store {
	t.Helper()
	o.Pepper, o.Create = storetest.Pepper(), true
	s, err := billing.Open(t.Context(), address, o)
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	return s
}

// A refusal is the error of opening accounts.
type refusal struct {
	name, address string
	o             billing.Options
	is            error // nil for any
}

func refuses(t *testing.T, tests []refusal) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := billing.Open(t.Context(), tt.address, tt.o)
			if err == nil {
				s.Close()
				t.Fatal("opened")
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v; want %v", err, tt.is)
			}
		})
	}
}

// eachDatabase runs a test with every kind of database.
func eachDatabase(t *testing.T, test func(t *testing.T, empty func() database)) {
	for _, kind := range slices.Sorted(maps.Keys(databases)) {
		t.Run(kind, func(t *testing.T) { test(t, databases[kind](t)) })
	}
}

// Stores implement the contract of *billing.Store.
func TestStore(t *testing.T) {
	type test struct {
		name string
		run  func(t *testing.T, s *billing.Store, clock *storetest.Clock)
	}
	tests := []test{
		{"Concurrent", testConcurrent},
		{"Together", testTogether},
		{"Schedule", testSchedule},
		{"Accounts", testAccounts},
		{"Keys", testKeys},
		{"CutConcurrent", testCutConcurrent},
		{"CutTogether", testCutTogether},
		{"Canceled", testCanceled},
		{"Probe", testProbe},
		{"Prune", testPrune},
	}
	for _, name := range stories {
		tests = append(tests, test{name, runStory(name)})
	}
	eachDatabase(t, func(t *testing.T, empty func() database) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				clock := storetest.NewClock()
				s := empty()(t, clock.Now)
				tt.run(t, s, clock)
				check(t, s.Audit(t.Context()))
			})
		}
	})
}

// A few sweeps remove old records whose ids are greater than those of many new ones.
func testPrune(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	const requests = 700 // more than a step
	enterAccount(t, s, "a", billing.Developer)
	each := func(mark string, f func(h billing.Hold) error) {
		t.Helper()
		var wg sync.WaitGroup
		for i := range requests {
			wg.Go(func() {
				if err := f(billing.Hold{ID: fmt.Sprint(mark, i), Account: "a", Brief: true}); err != nil {
					t.Errorf("%s%d: %v", mark, i, err)
				}
			})
		}
		wg.Wait()
	}
	settle := func(h billing.Hold) error {
		_, err := s.Settle(t.Context(), h, 0)
		return err
	}
	each("old", settle)
	clock.Advance(36 * 24 * time.Hour)
	each("new", settle)
	for range 3 {
		_, err := s.Sweep(t.Context())
		check(t, err)
	}
	each("old", func(h billing.Hold) error {
		if _, err := s.Refund(t.Context(), of(h.ID)); !errors.Is(err, billing.ErrHoldNotFound) {
			return fmt.Errorf("refund of an old record: %w", err)
		}
		return nil
	})
	each("new", func(h billing.Hold) error {
		_, err := s.Refund(t.Context(), of(h.ID))
		return err
	})
}

// Two stores with the same accounts, as two processes have, act as one.
func TestTwoStores(t *testing.T) {
	eachDatabase(t, func(t *testing.T, empty func() database) {
		open, clock := empty(), storetest.NewClock()
		stores := []*billing.Store{open(t, clock.Now), open(t, clock.Now)}
		model := NewModel(clock.Now)
		model.AddAccount(enterAccount(t, stores[0], "a", billing.Free))
		model.AddAccount(enterAccount(t, stores[0], "b", billing.Developer))
		steps := storetest.Times("POSTGEO_TEST_STEPS", 400)
		for seed := range uint64(2) {
			check(t, Steps(t.Context(), stores, model, []string{"a", "b"}, clock, seed, steps))
			check(t, stores[seed].Audit(t.Context()))
		}
	})
}

// Two stores that are both under load let each other in and give no credit twice.
func TestTwoStoresUnderLoad(t *testing.T) {
	eachDatabase(t, func(t *testing.T, empty func() database) { underLoad(t, empty()) })
}

func underLoad(t *testing.T, open database) {
	const calls, credits = 1000, 1500
	stores := []*billing.Store{open(t, time.Now), open(t, time.Now)}
	enterAccount(t, stores[0], "a", billing.Business)
	grantPack(t, stores[1], "a", "1", credits)
	var spent [2]atomic.Int64
	var wg sync.WaitGroup
	for i, s := range stores {
		for w := range 10 {
			wg.Go(func() {
				for n := range calls / 10 {
					id := fmt.Sprintf("%d-%d-%d", i, w, n)
					_, err := s.Reserve(t.Context(), billing.Hold{ID: id, Account: "a", Credits: 2})
					var need *billing.InsufficientError
					switch {
					case errors.As(err, &need):
						return
					case err == nil:
						_, err = s.Settle(t.Context(), of(id), 1)
						spent[i].Add(1)
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
	sum := spent[0].Load() + spent[1].Load()
	b, err := stores[0].Balance(t.Context(), "a")
	if err != nil || b.Held != 0 || b.Available != credits-int(sum) || sum < credits-2*20 {
		t.Errorf("spent %d and %d, balance %+v, %v", spent[0].Load(), spent[1].Load(), b, err)
	}
	check(t, stores[1].Audit(t.Context()))
}

// A store has all accounts and credits of the one that was closed before.
func TestReopen(t *testing.T) {
	eachDatabase(t, func(t *testing.T, empty func() database) {
		open, clock := empty(), storetest.NewClock()
		model := NewModel(clock.Now)
		for round := range uint64(5) {
			s := open(t, clock.Now)
			if round == 0 {
				model.AddAccount(enterAccount(t, s, "a", billing.Free))
				model.AddAccount(enterAccount(t, s, "b", billing.Professional))
			}
			check(t, Steps(t.Context(), []*billing.Store{s}, model, []string{"a", "b"}, clock, round, 200))
			check(t, s.Audit(t.Context()))
			check(t, errors.Join(s.Close(), s.Close()))
		}
	})
}

// enterAccount enters an account and returns it.
func enterAccount(t testing.TB, s *billing.Store, id string, p billing.Plan) billing.Account {
	t.Helper()
	a, err := s.CreateAccount(t.Context(), billing.Account{ID: id, Plan: p})
	check(t, err)
	return a
}

// day returns the 00:00 UTC before t.
func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
