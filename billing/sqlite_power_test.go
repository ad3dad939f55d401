package billing_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// A machine that loses its power keeps a part of what was written last. However
// much of SQLite's log that is, the books balance, and no
// account has less than it should: the credits of the last moments come back.
func TestPowerFailure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "accounts.db")
	s := open(t, path, billing.Options{})
	enterAccount(t, s, "a", billing.Business)
	const credits = 1_000_000
	grantPack(t, s, "a", "1", credits)
	start := size(t, path+"-wal") // what is answered as done, and so on the disk
	rnd := rand.New(rand.NewPCG(4, 2))
	spent := 0
	log := start
	// Until there is something to cut, however fast the machine writes.
	for i := 0; i < 400 || i < 100_000 && log-start < 20*4096; i++ {
		id := fmt.Sprintf("%026d", i)
		_, err := s.Reserve(t.Context(), billing.Hold{ID: id, Account: "a", Credits: 9})
		check(t, err)
		if i%7 == 0 {
			continue // stays open
		}
		used := rnd.IntN(10)
		_, err = s.Settle(t.Context(), of(id), used)
		check(t, err)
		spent += used
		log = size(t, path+"-wal")
	}
	for cut := range 20 {
		part := filepath.Join(dir, fmt.Sprint("part", cut))
		copyPart(t, path, part, size(t, path))
		copyPart(t, path+"-wal", part+"-wal", start+rnd.Int64N(log-start+1))
		p, err := billing.Open(t.Context(), part, billing.Options{
			Pepper: storetest.Pepper(), Now: func() time.Time { return time.Now().Add(time.Hour) },
		})
		check(t, err)
		if _, err := p.Sweep(t.Context()); err != nil {
			t.Error(err)
		}
		b, err := p.Balance(t.Context(), "a")
		if err != nil || b.Held != 0 || b.Available < credits-spent || b.Available > credits {
			t.Errorf("cut %d: %d available, %d held, %v; want at least %d", cut, b.Available, b.Held, err, credits-spent)
		}
		if err := p.Audit(t.Context()); err != nil {
			t.Errorf("cut %d: %v", cut, err)
		}
		check(t, p.Close())
	}
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	check(t, err)
	return info.Size()
}

// copyPart copies the first n bytes of a file.
func copyPart(t *testing.T, from, to string, n int64) {
	t.Helper()
	f, err := os.Open(from)
	check(t, err)
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, n))
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	check(t, err)
}

// A strict store answers a settlement when SQLite's log has it.
func TestStrict(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "accounts.db")
	story := newStory(t, open(t, path, billing.Options{Strict: true}), nil)
	story.must("account a free")
	for i := range 5 {
		id := fmt.Sprintf("%026d", i)
		story.must("reserve "+id+" a 9", "settle "+id+" 7")
		part := filepath.Join(dir, fmt.Sprint("part", i))
		copyPart(t, path, part, size(t, path))
		copyPart(t, path+"-wal", part+"-wal", size(t, path+"-wal"))
		p := open(t, part, billing.Options{})
		if r, err := p.Settle(t.Context(), of(id), 7); err != nil || r.Credits != 7 {
			t.Errorf("settlement %d is not in the log: %+v, %v", i, r, err)
		}
	}
}
