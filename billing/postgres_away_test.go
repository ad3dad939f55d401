//go:build unix

package billing_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
)

// calls are all calls of a store.
func calls(s *billing.Store) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"Reserve": func(ctx context.Context) error {
			_, err := s.Reserve(ctx, billing.Hold{ID: "1", Account: "a", Credits: 1})
			return err
		},
		"Settle":  func(ctx context.Context) error { _, err := s.Settle(ctx, of("1"), 1); return err },
		"Refund":  func(ctx context.Context) error { _, err := s.Refund(ctx, of("1")); return err },
		"Cut":     func(ctx context.Context) error { _, err := s.Cut(ctx, of("1")); return err },
		"Refunds": func(ctx context.Context) error { _, err := s.Refunds(ctx, "", time.Now()); return err },
		"Balance": func(ctx context.Context) error { _, err := s.Balance(ctx, "a"); return err },
		"Grant": func(ctx context.Context) error {
			_, _, err := s.Grant(ctx, billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "1", Amount: 1, Granted: time.Now()})
			return err
		},
		"Sweep":    func(ctx context.Context) error { _, err := s.Sweep(ctx); return err },
		"Account":  func(ctx context.Context) error { _, err := s.Account(ctx, "a"); return err },
		"Accounts": func(ctx context.Context) error { _, err := s.Accounts(ctx); return err },
		"UpdateAccount": func(ctx context.Context) error {
			_, err := s.UpdateAccount(ctx, "a", func(*billing.Account) error { return nil })
			return err
		},
		"CreateAccount": func(ctx context.Context) error {
			_, err := s.CreateAccount(ctx, billing.Account{ID: "b", Plan: billing.Free})
			return err
		},
		"FindKey":  func(ctx context.Context) error { _, _, err := s.FindKey(ctx, "x"); return err },
		"Key":      func(ctx context.Context) error { _, err := s.Key(ctx, "k"); return err },
		"Keys":     func(ctx context.Context) error { _, err := s.Keys(ctx, "a"); return err },
		"Revision": func(ctx context.Context) error { _, err := s.Revision(ctx); return err },
		"Ping":     s.Ping,
		"Probe":    s.Probe,
		"Audit":    s.Audit,
	}
}

// Every call without a server fails as something that may be tried again, and
// works when the server is back.
func TestAway(t *testing.T) {
	server := pgserver.Shared(t)
	s := open(t, server.Address(), billing.Options{})
	enterAccount(t, s, "a", billing.Free)
	server.Kill()
	for name, call := range calls(s) {
		err := call(t.Context())
		failure := envelope.FaultOf(err)
		if !errors.Is(err, billing.ErrUnavailable) || failure == nil || failure.Code != envelope.ServiceUnavailable {
			t.Errorf("%s without a server: %v", name, err)
		}
	}
	server.Run()
	if b, err := s.Balance(t.Context(), "a"); err != nil || b.Available != 2500 {
		t.Errorf("with the server back: %+v, %v", b, err)
	}
}

// A caller who has left is told so; one who waits for a server that does not
// answer in the store's time can try again, and it does not look as if his own
// time were over.
func TestTimeout(t *testing.T) {
	server := pgserver.Shared(t)
	s := open(t, server.Address(), billing.Options{Timeout: 300 * time.Millisecond})
	enterAccount(t, s, "a", billing.Free)
	left, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range calls(s) {
		if err := call(left); !errors.Is(err, context.Canceled) {
			t.Errorf("%s of a caller who left: %v", name, err)
		}
	}
	lock := lockedBy(t, server, "LOCK TABLE postgeo.accounts")
	for _, name := range []string{"Reserve", "Account", "UpdateAccount", "FindKey"} {
		if name == "FindKey" {
			_, err := lock.Exec(t.Context(), "LOCK TABLE postgeo.keys")
			check(t, err)
		}
		err := calls(s)[name](t.Context())
		if !errors.Is(err, billing.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s without an answer: %v", name, err)
		}
	}
	check(t, lock.Rollback(t.Context()))
	if _, err := s.Reserve(t.Context(), billing.Hold{ID: "2", Account: "a", Credits: 2500}); err != nil {
		t.Errorf("after that: %v", err)
	}
}

// lockedBy returns a transaction of another program that holds what a statement locks.
func lockedBy(t *testing.T, server *pgserver.Server, sql string) pgx.Tx {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), server.Address())
	check(t, err)
	t.Cleanup(func() { conn.Close(context.Background()) })
	lock, err := conn.Begin(t.Context())
	check(t, err)
	_, err = lock.Exec(t.Context(), sql)
	check(t, err)
	return lock
}

// A transaction that holds an account delays the calls on this account only, and they
// are done when it ends. A call whose caller leaves before is not.
func TestHeldAccount(t *testing.T) {
	server := pgserver.Shared(t)
	s := open(t, server.Address(), billing.Options{Timeout: time.Minute})
	for _, id := range []string{"a", "b"} {
		enterAccount(t, s, id, billing.Free)
	}
	_, err := s.Reserve(t.Context(), billing.Hold{ID: "0", Account: "a", Credits: 1})
	check(t, err)
	lock := lockedBy(t, server, "SELECT id FROM postgeo.accounts WHERE public = 'a' FOR UPDATE")
	held := make(chan error, 1)
	go func() {
		_, err := s.Settle(t.Context(), of("0"), 1)
		held <- err
	}()
	left, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	for left.Err() == nil {
		for _, id := range []string{"1", "2"} {
			_, err := s.Reserve(t.Context(), billing.Hold{ID: "b" + id, Account: "b", Credits: 1})
			if err == nil {
				_, err = s.Refund(t.Context(), billing.Hold{ID: "b" + id, Account: "b"})
			}
			if err != nil && !errors.Is(err, billing.ErrHoldClosed) {
				t.Fatal(err)
			}
		}
		if _, err := s.Reserve(left, billing.Hold{ID: "left", Account: "a", Credits: 5}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a caller who left: %v", err)
		}
	}
	select {
	case err := <-held:
		t.Fatalf("settled in an account that is held: %v", err)
	default:
	}
	check(t, lock.Rollback(t.Context()))
	check(t, <-held)
	if b, err := s.Balance(t.Context(), "a"); err != nil || b.Available != 2499 || b.Held != 0 {
		t.Errorf("%d available, %d held, %v; want 2499 and 0", b.Available, b.Held, err)
	}
}
