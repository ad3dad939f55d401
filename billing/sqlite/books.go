package sqlite

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// Bounds of the memory: accounts and open holds before the books are emptied, and
// finished holds.
const (
	maxAccounts = 10_000
	maxHolds    = 100_000
	maxFinished = 20_000
)

// books has the accounts, live grants and holds that the writer has read. They are
// valid while the writer has the write lock. A change by another process, which
// data_version reveals, and an aborted round empty them.
type books struct {
	w        *writer
	version  int64
	accounts map[string]*book.Book
	byRow    map[int64]*book.Book
	holds    map[string]*book.Hold
	changes  book.Changes

	// finished are the ids of finished holds in memory, oldest first. A hold
	// with an id above floor that is not in memory is not in the file.
	finished []string
	floor    string
}

func newBooks(w *writer) *books {
	b := &books{w: w}
	b.forget()
	return b
}

func (b *books) forget() {
	b.version = math.MinInt64
	b.accounts, b.byRow, b.holds = map[string]*book.Book{}, map[int64]*book.Book{}, map[string]*book.Hold{}
	b.changes, b.finished = book.Changes{}, nil
}

// refresh empties the books if another process has written or they are too large,
// and reports whether it did. The writer has just taken the write lock.
func (b *books) refresh() (emptied bool, err error) {
	var version int64
	if err := b.w.c.query(func(r *store.Row) error { version = r.Int64(); return nil }, "PRAGMA data_version"); err != nil {
		return false, err
	}
	if version == b.version && len(b.accounts) < maxAccounts && len(b.holds) < maxHolds {
		return false, nil
	}
	b.forget()
	b.floor = ""
	rise := func(r *store.Row) error { b.floor = max(b.floor, r.Text()); return nil }
	if err := b.w.c.query(rise, "SELECT id FROM holds ORDER BY id DESC LIMIT 1"); err != nil {
		return false, err
	}
	if err := b.w.c.query(func(r *store.Row) error {
		b.floor = max(b.floor, prefix(r.Text())+strings.Repeat("\xff", book.MaxHoldID))
		return nil
	}, "SELECT first FROM finished ORDER BY first DESC LIMIT 1"); err != nil {
		return false, err
	}
	b.version = version
	return true, nil
}

// flush writes the changes into the open transaction.
func (b *books) flush() error {
	c := b.w.c
	for _, g := range b.changes.Grants() {
		if err := c.exec("UPDATE grants SET remaining = ?, held = ?, settled = ? WHERE id = ?",
			g.Remaining, g.Held, g.Settled, g.Row); err != nil {
			return err
		}
	}
	var finished []*book.Hold
	for _, h := range b.changes.Holds() {
		if h.State != book.Held {
			b.finished = append(b.finished, h.ID)
		}
		if !h.Stored && h.Cut == 0 && (h.State == book.Settled || h.State == book.Released) {
			finished = append(finished, h)
			continue
		}
		if err := b.write(h); err != nil {
			return err
		}
		h.Stored = true
	}
	for _, p := range packs(finished) {
		if err := c.exec("INSERT INTO finished (first, time, data) VALUES (?, ?, ?)", p.first, p.time, p.data); err != nil {
			return err
		}
	}
	for _, h := range b.changes.Hours() {
		sum := b.changes.Sum(h)
		if err := c.exec(addUsage, h.Account, store.Hour(h.Start), int(h.Kind), int(h.Source), sum.Credits, sum.Requests); err != nil {
			return err
		}
	}
	for _, a := range b.changes.Books() {
		if err := c.exec("UPDATE accounts SET last_day = ? WHERE id = ?", store.Optional(a.LastDay), a.Row); err != nil {
			return err
		}
	}
	b.changes.Clear()
	return nil
}

const addUsage = `INSERT INTO usage (account, hour, kind, source, credits, requests) VALUES (?, ?, ?, ?, ?, ?)
	ON CONFLICT DO UPDATE SET credits = credits + excluded.credits, requests = requests + excluded.requests`

// committed removes old finished holds from memory.
func (b *books) committed() {
	for len(b.finished) > maxFinished {
		id := b.finished[0]
		b.finished = b.finished[1:]
		if h := b.holds[id]; h != nil && h.State != book.Held {
			delete(b.holds, id)
			b.floor = max(b.floor, id)
		}
	}
}

func (b *books) write(h *book.Hold) error {
	lines := appendLines([]byte{}, h.Lines) // never NULL
	if h.Stored {
		return b.w.c.exec("UPDATE holds SET state = ?, used = ?, cut = ?, time = ?, lines = ? WHERE id = ?",
			int(h.State), h.Used, h.Cut, h.Time, lines, h.ID)
	}
	return b.w.c.exec("INSERT INTO holds (id, account, batch, state, held, used, cut, time, expires, lines) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		h.ID, h.Account, h.Batch, int(h.State), h.Held, h.Used, h.Cut, h.Time, h.Expires, lines)
}

func (b *books) account(id string) (*book.Book, error) {
	if a, ok := b.accounts[id]; ok {
		return a, b.revive(a)
	}
	a, err := b.load("SELECT "+store.BookColumns+" FROM accounts WHERE public = ?", id)
	if errors.Is(err, billing.ErrAccountNotFound) {
		err = store.NoAccount(id)
	}
	return a, err
}

// ready enters the grants that are due. If it writes any it returns errAgain.
func (b *books) ready(a *book.Book) error {
	now := b.w.o.Now()
	due := a.Due(now)
	if len(due) == 0 {
		return nil
	}
	for _, g := range due {
		if _, _, err := store.Enter(context.Background(), b.w, a, g); err != nil {
			return err
		}
	}
	a.Forget(now)
	return errAgain
}

// of returns the book of a hold's account, with the grants of the hold.
func (b *books) of(h *book.Hold) (*book.Book, error) {
	a, ok := b.byRow[h.Account]
	if !ok {
		var err error
		if a, err = b.load("SELECT "+store.BookColumns+" FROM accounts WHERE id = ?", h.Account); err != nil {
			return nil, err
		}
	}
	if err := b.revive(a); err != nil {
		return nil, err
	}
	for _, id := range a.Missing(h) {
		err := b.w.c.query(func(r *store.Row) error {
			a.Add(store.ScanGrant(r, a))
			return nil
		}, "SELECT "+store.GrantColumns+" FROM grants WHERE id = ? AND account = ?", id, a.Row)
		if b.w.sql(err) != nil {
			return nil, err
		}
	}
	return a, nil
}

// load reads an account and the grants that it may spend.
func (b *books) load(query string, key any) (a *book.Book, err error) {
	err = b.w.c.query(func(r *store.Row) (err error) {
		a, err = store.ScanBook(r)
		return err
	}, query, key)
	if b.w.sql(err) != nil {
		return nil, err
	}
	if a == nil {
		return nil, billing.ErrAccountNotFound
	}
	a.Changes = &b.changes
	if err := b.addLive(a); err != nil {
		return nil, err
	}
	b.accounts[a.ID], b.byRow[a.Row] = a, a
	return a, nil
}

// addLive adds the missing grants of an account that may be spent or have held
// credits.
func (b *books) addLive(a *book.Book) error {
	a.Ended = b.w.o.Now()
	var grants []*book.Grant
	err := b.w.c.query(func(r *store.Row) error {
		if g := store.ScanGrant(r, a); a.Grant(g.Row) == nil {
			grants = append(grants, g)
		}
		return nil
	}, "SELECT "+store.GrantColumns+" FROM grants WHERE account = ? AND (remaining > 0 OR held > 0) AND (held > 0 OR expires IS NULL OR expires > ?)",
		a.Row, a.Ended)
	if b.w.sql(err) != nil {
		return err
	}
	a.Add(grants...)
	return nil
}

// revive completes the book of an account after the clock was set back: expired
// grants are valid again.
func (b *books) revive(a *book.Book) error {
	if !b.w.o.Now().Before(a.Ended) {
		return nil
	}
	return b.addLive(a)
}

// hold returns a hold of the books or the file; nil: there is none.
func (b *books) hold(id string) (*book.Hold, error) {
	if h, ok := b.holds[id]; ok {
		return h, nil
	}
	if id > b.floor {
		return nil, nil
	}
	h, err := b.find(id)
	if b.w.sql(err) != nil || h == nil {
		return nil, err
	}
	b.holds[id] = h
	return h, nil
}

func (b *books) find(id string) (h *book.Hold, err error) {
	err = b.w.c.query(func(r *store.Row) (err error) {
		h = &book.Hold{ID: id, Stored: true, Account: r.Int64(), Batch: r.Bool(), State: book.State(r.Int())}
		h.Held, h.Used, h.Cut, h.Time, h.Expires = r.Int(), r.Int(), r.Int(), r.Time(), r.Time()
		h.Lines, _, err = nextLines(r.Bytes(), -1)
		return err
	}, "SELECT account, batch, state, held, used, cut, time, expires, lines FROM holds WHERE id = ?", id)
	if err != nil || h != nil {
		return h, err
	}
	err = b.w.c.query(func(r *store.Row) error {
		return unpack(r.Bytes(), func(x *book.Hold) error {
			if x.ID == id {
				h = x
			}
			return nil
		})
	}, "SELECT data FROM finished WHERE first BETWEEN ? AND ? ORDER BY first DESC", prefix(id), id)
	return h, err
}

// redo repeats a settlement of the journal.
func (b *books) redo(done *book.Hold) error {
	h, err := b.hold(done.ID)
	if err != nil {
		return err
	}
	if h == nil {
		h = &book.Hold{ID: done.ID, Account: done.Account, Batch: done.Batch, Held: done.Held, Expires: done.Time}
		for _, l := range done.Lines {
			h.Lines = append(h.Lines, book.Line{Grant: l.Grant, Held: l.Held})
		}
		a, err := b.of(h)
		if err != nil {
			return err
		}
		if err := a.Restore(h); err != nil {
			return err
		}
		b.holds[h.ID] = h
	}
	a, err := b.of(h)
	if err != nil {
		return err
	}
	_, err = a.Settle(h, done.Used, done.Time)
	return err
}
