package sqlite

import (
	"errors"
	"math"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

// What the books remember at most: accounts and open holds before they begin
// anew, and finished holds.
const (
	maxAccounts = 10_000
	maxHolds    = 100_000
	maxFinished = 20_000
)

// The books are what the writer has in memory of the file: the accounts, live
// grants and holds that it has met. They are true while the writer has the
// write lock; another process's change, which data_version tells, and an
// aborted round empty them.
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

// forget empties the books.
func (b *books) forget() {
	b.version = math.MinInt64
	b.accounts, b.byRow, b.holds = map[string]*book.Book{}, map[int64]*book.Book{}, map[string]*book.Hold{}
	b.changes, b.finished = book.Changes{}, nil
}

// refresh empties the books if another process has written, or they have
// grown too large, and reports whether it did. The writer has just taken the
// write lock.
func (b *books) refresh() (emptied bool, err error) {
	var version int64
	if err := b.w.c.query(func(r *row) error { version = r.int(); return nil }, "PRAGMA data_version"); err != nil {
		return false, err
	}
	if version == b.version && len(b.accounts) < maxAccounts && len(b.holds) < maxHolds {
		return false, nil
	}
	b.forget()
	b.floor = ""
	rise := func(r *row) error { b.floor = max(b.floor, r.text()); return nil }
	if err := b.w.c.query(rise, "SELECT id FROM holds ORDER BY id DESC LIMIT 1"); err != nil {
		return false, err
	}
	if err := b.w.c.query(func(r *row) error {
		b.floor = max(b.floor, prefix(r.text())+strings.Repeat("\xff", book.MaxHoldID))
		return nil
	}, "SELECT first FROM finished ORDER BY first DESC LIMIT 1"); err != nil {
		return false, err
	}
	b.version = version
	return true, nil
}

// flush writes what has changed into the open transaction.
func (b *books) flush() error {
	c := b.w.c
	for _, g := range b.changes.Grants() {
		if err := c.exec("UPDATE grants SET remaining = ?, held = ?, settled = ? WHERE id = ?",
			int64(g.Remaining), int64(g.Held), int64(g.Settled), g.Row); err != nil {
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
		if err := c.exec("INSERT INTO finished (first, time, data) VALUES (?, ?, ?)", p.first, p.time.UnixMilli(), p.data); err != nil {
			return err
		}
	}
	for _, h := range b.changes.Hours() {
		sum := b.changes.Sum(h)
		if err := c.exec(addUsage, h.Account, h.Start.Unix()/3600, int64(h.Kind), int64(h.Source), sum.Credits, sum.Requests); err != nil {
			return err
		}
	}
	for _, a := range b.changes.Books() {
		if err := c.exec("UPDATE accounts SET last_day = ? WHERE id = ?", millis(a.LastDay), a.Row); err != nil {
			return err
		}
	}
	b.changes.Clear()
	return nil
}

const addUsage = `INSERT INTO usage (account, hour, kind, source, credits, requests) VALUES (?, ?, ?, ?, ?, ?)
	ON CONFLICT DO UPDATE SET credits = credits + excluded.credits, requests = requests + excluded.requests`

// committed forgets finished holds that nobody is likely to ask for again.
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
			int64(h.State), int64(h.Used), int64(h.Cut), h.Time.UnixMilli(), lines, h.ID)
	}
	return b.w.c.exec("INSERT INTO holds (id, account, batch, state, held, used, cut, time, expires, lines) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		h.ID, h.Account, bit(h.Batch), int64(h.State), int64(h.Held), int64(h.Used), int64(h.Cut), h.Time.UnixMilli(), h.Expires.UnixMilli(), lines)
}

const accountColumns = "id, public, name, plan, suspended, created, anchor, monthly"

func scanAccount(r *row) (int64, billing.Account, error) {
	id := r.int()
	a := billing.Account{ID: r.text(), Name: r.text()}
	plan, err := billing.ParsePlan(r.text())
	a.Plan, a.Suspended, a.Created, a.Anchor, a.MonthlyCredits = plan, r.bool(), r.time(), r.time(), int(r.int())
	return id, a, err
}

// account returns the book of an account.
func (b *books) account(id string) (*book.Book, error) {
	if a, ok := b.accounts[id]; ok {
		return a, b.revive(a)
	}
	a, err := b.load("SELECT "+accountColumns+", last_day FROM accounts WHERE public = ?", id)
	if errors.Is(err, billing.ErrAccountNotFound) {
		err = book.NoAccount(id)
	}
	return a, err
}

// ready returns the book of an account that has what is due. What had to be
// entered for that fails with errAgain.
func (b *books) ready(a *book.Book, now time.Time) error {
	due := a.Due(now)
	if len(due) == 0 {
		return nil
	}
	for _, g := range due {
		if _, _, err := b.enter(a, g); err != nil {
			return err
		}
	}
	a.Forget(now)
	return errAgain
}

// of returns the book of a hold's account, with the grants that the hold names.
func (b *books) of(h *book.Hold) (*book.Book, error) {
	a, ok := b.byRow[h.Account]
	if !ok {
		var err error
		if a, err = b.load("SELECT "+accountColumns+", last_day FROM accounts WHERE id = ?", h.Account); err != nil {
			return nil, err
		}
	}
	if err := b.revive(a); err != nil {
		return nil, err
	}
	for _, id := range a.Missing(h) {
		err := b.w.c.query(func(r *row) error {
			a.Add(scanGrant(a, r))
			return nil
		}, "SELECT "+grantColumns+" FROM grants WHERE id = ? AND account = ?", id, a.Row)
		if b.w.sql(err) != nil {
			return nil, err
		}
	}
	return a, nil
}

const grantColumns = "id, source, reference, amount, remaining, held, settled, granted, expires"

func scanGrant(a *book.Book, r *row) *book.Grant {
	g := &book.Grant{Row: r.int()}
	g.Grant = billing.Grant{
		Account: a.ID, Source: billing.Source(r.int()), Reference: r.text(),
		Amount: int(r.int()), Remaining: int(r.int()), Held: int(r.int()), Settled: int(r.int()),
		Granted: r.time(), Expires: r.time(),
	}
	return g
}

func (b *books) load(query string, key any) (*book.Book, error) {
	c := b.w.c
	var a *book.Book
	err := c.query(func(r *row) error {
		id, acct, err := scanAccount(r)
		a = &book.Book{Row: id, Account: acct, Changes: &b.changes, LastDay: r.time()}
		return err
	}, query, key)
	if b.w.sql(err) != nil {
		return nil, err
	}
	if a == nil {
		return nil, billing.ErrAccountNotFound
	}
	if err := b.addLive(a); err != nil {
		return nil, err
	}
	b.accounts[a.ID], b.byRow[a.Row] = a, a
	return a, nil
}

// addLive adds the grants of an account that are alive, or have credits held,
// and that its book does not have.
func (b *books) addLive(a *book.Book) error {
	a.Ended = b.w.o.Now()
	var grants []*book.Grant
	err := b.w.c.query(func(r *row) error {
		if g := scanGrant(a, r); a.Grant(g.Row) == nil {
			grants = append(grants, g)
		}
		return nil
	}, "SELECT "+grantColumns+" FROM grants WHERE account = ? AND (remaining > 0 OR held > 0) AND (held > 0 OR expires IS NULL OR expires > ?)",
		a.Row, a.Ended.UnixMilli())
	if b.w.sql(err) != nil {
		return err
	}
	a.Add(grants...)
	return nil
}

// revive completes the book of an account after the clock was set back: grants
// that had ended have not ended any more.
func (b *books) revive(a *book.Book) error {
	if !b.w.o.Now().Before(a.Ended) {
		return nil
	}
	return b.addLive(a)
}

// enter writes a grant, or returns the one with the same source and reference.
func (b *books) enter(a *book.Book, g billing.Grant) (*book.Grant, bool, error) {
	var found *book.Grant
	err := b.w.c.query(func(r *row) error {
		found = scanGrant(a, r)
		return nil
	}, "SELECT "+grantColumns+" FROM grants WHERE account = ? AND source = ? AND reference = ?", a.Row, int64(g.Source), g.Reference)
	if b.w.sql(err) != nil {
		return nil, false, err
	}
	if found != nil {
		if x := a.Grant(found.Row); x != nil {
			return x, false, nil
		}
		a.Add(found)
		return found, false, nil
	}
	g.Remaining, g.Held, g.Settled = g.Amount, 0, 0
	row, err := b.w.c.insert("INSERT INTO grants (account, source, reference, amount, remaining, held, settled, granted, expires) VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?)",
		a.Row, int64(g.Source), g.Reference, int64(g.Amount), int64(g.Amount), g.Granted.UnixMilli(), millis(g.Expires))
	if b.w.sql(err) != nil {
		return nil, false, err
	}
	n := &book.Grant{Row: row, Grant: g}
	a.Add(n)
	return n, true, nil
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

// find looks for a hold in the file.
func (b *books) find(id string) (h *book.Hold, err error) {
	err = b.w.c.query(func(r *row) (err error) {
		h = &book.Hold{ID: id, Stored: true, Account: r.int(), Batch: r.bool(), State: book.State(r.int())}
		h.Held, h.Used, h.Cut, h.Time, h.Expires = int(r.int()), int(r.int()), int(r.int()), r.time(), r.time()
		h.Lines, _, err = nextLines(r.blob(), -1)
		return err
	}, "SELECT account, batch, state, held, used, cut, time, expires, lines FROM holds WHERE id = ?", id)
	if err != nil || h != nil {
		return h, err
	}
	err = b.w.c.query(func(r *row) error {
		return unpack(r.blob(), func(x *book.Hold) error {
			if x.ID == id {
				h = x
			}
			return nil
		})
	}, "SELECT data FROM finished WHERE first BETWEEN ? AND ? ORDER BY first DESC", prefix(id), id)
	return h, err
}

// redo settles what the journal says was settled.
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
