//go:build unix

package billing_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
)

// A pgLine is the network between a store and its server.
type pgLine struct {
	address string
	lose    atomic.Bool // the reply to the next COMMIT is lost, and then the pgLine breaks
	broken  atomic.Bool // no connection is possible
}

const socketName = ".s.PGSQL.5432"

func newLine(t *testing.T, server *pgserver.Server) *pgLine {
	t.Helper()
	folder, err := os.MkdirTemp("", "pg") // a path of a socket has about 100 characters
	check(t, err)
	listener, err := net.Listen("unix", filepath.Join(folder, socketName))
	check(t, err)
	t.Cleanup(func() {
		listener.Close()
		os.RemoveAll(folder)
	})
	l := &pgLine{address: server.AddressAt(folder)}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			upstream, err := net.Dial("unix", filepath.Join(server.Folder(), socketName))
			if err != nil || l.broken.Load() {
				client.Close()
				continue
			}
			go func() {
				_, _ = io.Copy(upstream, client)
				upstream.Close()
			}()
			go l.reply(client, upstream)
		}
	}()
	return l
}

// reply passes replies on until the pgLine breaks.
func (l *pgLine) reply(client, upstream net.Conn) {
	defer client.Close()
	defer upstream.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := upstream.Read(b)
		if bytes.Contains(b[:n], []byte("COMMIT\x00")) && l.lose.CompareAndSwap(true, false) {
			l.broken.Store(true)
		}
		if l.broken.Load() {
			return
		}
		if _, failed := client.Write(b[:n]); failed != nil || err != nil {
			return
		}
	}
}

// TestLostCommit loses the reply to the COMMIT of a settlement and breaks the pgLine.
// Afterwards a repeated settlement reports that it was made. A refund that could not
// reach the server is made up for by the sweep, or at the end of the process.
func TestLostCommit(t *testing.T) {
	const credits, cost = 100, 10
	server := pgserver.Shared(t)
	l := newLine(t, server)
	admin := open(t, server.Address(), billing.Options{})
	enterAccount(t, admin, "a", billing.Developer)
	grantPack(t, admin, "a", "1", credits)
	for i, tt := range []struct {
		name  string
		after func(t *testing.T, s *billing.Store, id string)
		spent int
	}{
		{"settled again", func(t *testing.T, s *billing.Store, id string) {
			l.broken.Store(false)
			if r, err := s.Settle(t.Context(), of(id), cost); err != nil || r.Credits != cost {
				t.Errorf("%+v, %v; want the settlement of before", r, err)
			}
		}, cost},
		{"swept", func(t *testing.T, s *billing.Store, id string) {
			if _, err := s.Refund(t.Context(), of(id)); !errors.Is(err, billing.ErrUnavailable) {
				t.Fatalf("refund over a broken pgLine: %v", err)
			}
			l.broken.Store(false)
			if n, err := s.Sweep(t.Context()); err != nil || n != 1 {
				t.Errorf("the sweep made up for %d refunds, %v; want 1", n, err)
			}
		}, 0},
		{"process ends", func(t *testing.T, s *billing.Store, id string) {
			if _, err := s.Refund(t.Context(), of(id)); !errors.Is(err, billing.ErrUnavailable) {
				t.Fatalf("refund over a broken pgLine: %v", err)
			}
			l.broken.Store(false)
			check(t, s.Close())
		}, 0},
	} {
		for _, brief := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, brief %v", tt.name, brief), func(t *testing.T) {
				s, err := billing.Open(t.Context(), l.address, billing.Options{Pepper: storetest.Pepper(), Timeout: time.Minute})
				check(t, err)
				defer s.Close()
				before, err := admin.Balance(t.Context(), "a")
				check(t, err)
				id := fmt.Sprint(i, brief)
				hold := billing.Hold{ID: id, Account: "a", Credits: 2 * cost, Brief: brief}
				if !brief {
					_, err := s.Reserve(t.Context(), hold)
					check(t, err)
				}
				l.lose.Store(true)
				s.SetTimeout(300 * time.Millisecond) // it tries to resolve the doubt until then
				for doubt := false; !doubt; {        // a slow machine needs more time to come to the COMMIT
					r, err := s.Settle(t.Context(), hold, cost)
					if doubt = errors.Is(err, billing.ErrInDoubt); !errors.Is(err, billing.ErrUnavailable) || !doubt && l.broken.Load() {
						t.Fatalf("settlement with a lost reply: %+v, %v; want doubt", r, err)
					}
				}
				s.SetTimeout(time.Minute)
				tt.after(t, s, id)
				b, err := admin.Balance(t.Context(), "a")
				if err != nil || before.Available-b.Available != tt.spent || b.Held != 0 {
					t.Errorf("%d credits are spent and %d held, %v; want %d", before.Available-b.Available, b.Held, err, tt.spent)
				}
				check(t, admin.Audit(t.Context()))
			})
		}
	}
}

// loseReply loses the reply to the COMMIT of a call. The network returns while the store
// tries again, so the call must succeed as if none was lost.
func (l *pgLine) loseReply(t *testing.T, call func() error) {
	t.Helper()
	l.lose.Store(true)
	var mending sync.WaitGroup
	mending.Go(func() {
		for !l.broken.Load() && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		l.broken.Store(false)
	})
	err := call()
	if l.lose.Load() {
		t.Fatalf("no reply was lost: %v", err)
	}
	mending.Wait()
	check(t, err)
}

// TestLostCommitOfAccount loses the replies to the COMMITs that create an account, and that
// create and rotate a key.
func TestLostCommitOfAccount(t *testing.T) {
	server := pgserver.Shared(t)
	l := newLine(t, server)
	admin := open(t, server.Address(), billing.Options{})
	s, err := billing.Open(t.Context(), l.address, billing.Options{Pepper: storetest.Pepper(), Timeout: time.Minute})
	check(t, err)
	defer s.Close()
	var a billing.Account
	l.loseReply(t, func() (err error) {
		a, err = s.CreateAccount(t.Context(), billing.Account{Plan: billing.Developer})
		return err
	})
	var first, second billing.Key
	l.loseReply(t, func() (err error) {
		first, _, err = s.CreateKey(t.Context(), billing.Key{Account: a.ID, Kind: billing.Live, Name: "shop"})
		return err
	})
	var secret string
	l.loseReply(t, func() (err error) {
		second, secret, err = s.RotateKey(t.Context(), first.ID, time.Hour)
		return err
	})
	if found, _, err := admin.FindKey(t.Context(), secret); err != nil || found.ID != second.ID {
		t.Errorf("the secret belongs to %+v, %v; want %s", found, err, second.ID)
	}
	keys, err := admin.Keys(t.Context(), a.ID)
	if err != nil || len(keys) != 2 || keys[0].ID != first.ID || !keys[0].Rotated || keys[1].ID != second.ID {
		t.Errorf("the account has the keys %+v, %v", keys, err)
	}
}
