package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// What the books remember at most before they begin anew.
const (
	maxAccounts = 10_000
	maxHolds    = 100_000
)

// The books are what the writer has in memory of the file: the accounts, live
// grants and open holds that it has met. They are true while the writer has
// the write lock; another process's change, which data_version tells, and a
// failed commit empty them.
type books struct {
	w        *writer
	version  int64
	accounts map[string]*account
	byRow    map[int64]*account
	holds    map[string]*hold
	lastID   string // largest id of a hold: a larger one is new
	fresh    int    // open holds that the group has made

	dirtyGrants []*grant
	dirtyHolds  []*hold
	usage       map[usageKey]usageSum
}

type account struct {
	row int64
	billing.Account
	grants []*grant // in the order in which they are spent
}

type grant struct {
	row   int64
	acct  *account
	dirty bool
	billing.Grant
}

// States of holds, as in the file.
const (
	stateHeld int64 = iota
	stateSettled
	stateReleased
	stateRefunded
)

type hold struct {
	id         string
	acct       *account
	state      int64
	held, used int
	time       time.Time // when it got to its state
	expires    time.Time
	lines      []line
	stored     bool // the file has a row of it
	dirty      bool
	fresh      bool // made by the open group and still open
}

type line struct {
	grant      int64 // row
	held, used int
}

type usageKey struct {
	account, day int64
	source       billing.Source
}

type usageSum struct{ credits, requests int64 }

func newBooks(w *writer) *books {
	b := &books{w: w}
	b.forget()
	return b
}

// forget empties the books. What is dirty is lost: call it after a rollback,
// or with nothing dirty.
func (b *books) forget() {
	b.version = math.MinInt64
	b.accounts, b.byRow, b.holds = map[string]*account{}, map[int64]*account{}, map[string]*hold{}
	b.dirtyGrants, b.dirtyHolds, b.usage = nil, nil, map[usageKey]usageSum{}
	b.fresh = 0
}

// refresh empties the books if another process has written. The writer has
// just taken the write lock.
func (b *books) refresh() error {
	var version int64
	if err := b.w.c.query(func(r *row) error { version = r.int(); return nil }, "PRAGMA data_version"); err != nil {
		return err
	}
	if version == b.version && len(b.accounts) < maxAccounts && len(b.holds) < maxHolds {
		return nil
	}
	b.forget()
	b.lastID = ""
	if err := b.w.c.query(func(r *row) error { b.lastID = r.text(); return nil }, "SELECT id FROM holds ORDER BY id DESC LIMIT 1"); err != nil {
		return err
	}
	b.version = version
	return nil
}

// committed ends a group that the file has.
func (b *books) committed() {
	for _, h := range b.dirtyHolds {
		h.fresh = false
		if h.state != stateHeld {
			delete(b.holds, h.id)
		}
	}
	clear(b.dirtyHolds)
	clear(b.dirtyGrants)
	b.dirtyHolds, b.dirtyGrants, b.fresh = b.dirtyHolds[:0], b.dirtyGrants[:0], 0
}

// flush writes what is dirty into the open transaction.
func (b *books) flush() error {
	c := b.w.c
	for _, g := range b.dirtyGrants {
		if !g.dirty {
			continue
		}
		if err := c.exec("UPDATE grants SET remaining = ?, held = ?, settled = ? WHERE id = ?",
			int64(g.Remaining), int64(g.Held), int64(g.Settled), g.row); err != nil {
			return err
		}
		g.dirty = false
	}
	for _, h := range b.dirtyHolds {
		if !h.dirty {
			continue
		}
		if err := b.write(h); err != nil {
			return err
		}
		h.dirty, h.stored = false, true
	}
	for k, u := range b.usage {
		if err := c.exec(`INSERT INTO usage (account, day, source, credits, requests) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET credits = credits + excluded.credits, requests = requests + excluded.requests`,
			k.account, k.day, int64(k.source), u.credits, u.requests); err != nil {
			return err
		}
	}
	clear(b.usage)
	return nil
}

func (b *books) write(h *hold) error {
	lines := encodeLines(h.lines)
	if h.stored {
		return b.w.c.exec("UPDATE holds SET state = ?, used = ?, time = ?, lines = ? WHERE id = ?",
			h.state, int64(h.used), h.time.UnixMilli(), lines, h.id)
	}
	return b.w.c.exec("INSERT INTO holds (id, account, state, held, used, time, expires, lines) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		h.id, h.acct.row, h.state, int64(h.held), int64(h.used), h.time.UnixMilli(), h.expires.UnixMilli(), lines)
}

func (b *books) changed(g *grant) {
	if !g.dirty {
		g.dirty = true
		b.dirtyGrants = append(b.dirtyGrants, g)
	}
}

func (b *books) touched(h *hold) {
	if !h.dirty {
		h.dirty = true
		b.dirtyHolds = append(b.dirtyHolds, h)
	}
}

// spend counts a line's settlement (sign 1) or its refund (sign -1) at the
// day of the settlement.
func (b *books) spend(g *grant, credits int, at time.Time, sign int64) {
	if credits == 0 {
		return
	}
	k := usageKey{g.acct.row, billing.Day(at).Start.Unix() / 86400, g.Source}
	u := b.usage[k]
	u.credits += sign * int64(credits)
	u.requests += sign
	b.usage[k] = u
}

const accountColumns = "id, public, name, plan, suspended, created, anchor, monthly"

func scanAccount(r *row) (int64, billing.Account, error) {
	id := r.int()
	a := billing.Account{ID: r.text(), Name: r.text()}
	plan, err := billing.ParsePlan(r.text())
	a.Plan, a.Suspended, a.Created, a.Anchor, a.MonthlyCredits = plan, r.bool(), r.time(), r.time(), int(r.int())
	return id, a, err
}

// account returns an account of the books or the file.
func (b *books) account(id string) (*account, error) {
	if a, ok := b.accounts[id]; ok {
		return a, nil
	}
	a, err := b.load("SELECT "+accountColumns+" FROM accounts WHERE public = ?", id)
	if errors.Is(err, billing.ErrAccountNotFound) {
		err = fmt.Errorf("%w: %q", err, id)
	}
	return a, err
}

func (b *books) accountByRow(id int64) (*account, error) {
	if a, ok := b.byRow[id]; ok {
		return a, nil
	}
	return b.load("SELECT "+accountColumns+" FROM accounts WHERE id = ?", id)
}

const grantColumns = "id, source, reference, amount, remaining, held, settled, granted, expires"

func (a *account) scanGrant(r *row) *grant {
	g := &grant{row: r.int(), acct: a}
	g.Grant = billing.Grant{
		Account: a.ID, Source: billing.Source(r.int()), Reference: r.text(),
		Amount: int(r.int()), Remaining: int(r.int()), Held: int(r.int()), Settled: int(r.int()),
		Granted: r.time(), Expires: r.time(),
	}
	return g
}

func (b *books) load(query string, key any) (*account, error) {
	c := b.w.c
	var a *account
	err := c.query(func(r *row) error {
		id, acct, err := scanAccount(r)
		a = &account{row: id, Account: acct}
		return err
	}, query, key)
	if b.w.sql(err) != nil {
		return nil, err
	}
	if a == nil {
		return nil, billing.ErrAccountNotFound
	}
	err = c.query(func(r *row) error {
		a.grants = append(a.grants, a.scanGrant(r))
		return nil
	}, "SELECT "+grantColumns+" FROM grants WHERE account = ? AND (remaining > 0 OR held > 0) AND (held > 0 OR expires IS NULL OR expires > ?)",
		a.row, b.w.o.Now().UnixMilli())
	if b.w.sql(err) != nil {
		return nil, err
	}
	a.sort()
	b.accounts[a.ID], b.byRow[a.row] = a, a
	return a, nil
}

func (a *account) sort() {
	slices.SortFunc(a.grants, func(x, y *grant) int { return billing.CompareGrants(&x.Grant, &y.Grant) })
}

// grant returns a grant of an account by its id in the file.
func (b *books) grant(a *account, id int64) (*grant, error) {
	for _, g := range a.grants {
		if g.row == id {
			return g, nil
		}
	}
	var found *grant
	err := b.w.c.query(func(r *row) error {
		found = a.scanGrant(r)
		return nil
	}, "SELECT "+grantColumns+" FROM grants WHERE id = ? AND account = ?", id, a.row)
	if err == nil && found == nil {
		err = b.w.c.failed(errors.New("a hold names a grant that is not there"))
	}
	if b.w.sql(err) != nil {
		return nil, err
	}
	a.grants = append(a.grants, found)
	a.sort()
	return found, nil
}

// hold returns a hold of the books or the file; nil: there is none.
func (b *books) hold(id string) (*hold, error) {
	if h, ok := b.holds[id]; ok {
		return h, nil
	}
	if id > b.lastID {
		return nil, nil
	}
	var h *hold
	var acct int64
	err := b.w.c.query(func(r *row) error {
		h = &hold{id: id, stored: true}
		acct = r.int()
		h.state, h.held, h.used, h.time, h.expires = r.int(), int(r.int()), int(r.int()), r.time(), r.time()
		var err error
		h.lines, err = decodeLines(r.blob())
		return err
	}, "SELECT account, state, held, used, time, expires, lines FROM holds WHERE id = ?", id)
	if b.w.sql(err) != nil || h == nil {
		return nil, err
	}
	if h.acct, err = b.accountByRow(acct); err != nil {
		return nil, err
	}
	b.holds[id] = h
	return h, nil
}

func encodeLines(lines []line) []byte {
	b := make([]byte, 0, 8*len(lines)+1)
	for _, l := range lines {
		b = binary.AppendUvarint(b, uint64(l.grant))
		b = binary.AppendUvarint(b, uint64(l.held))
		b = binary.AppendUvarint(b, uint64(l.used))
	}
	return b
}

var errLines = errors.New("sqlite: the lines of a hold are damaged")

func decodeLines(b []byte) ([]line, error) {
	var lines []line
	for len(b) > 0 {
		var v [3]int64
		for i := range v {
			u, n := binary.Uvarint(b)
			if n <= 0 || u > math.MaxInt64 {
				return nil, errLines
			}
			v[i], b = int64(u), b[n:]
		}
		l := line{v[0], int(v[1]), int(v[2])}
		if l.used > l.held {
			return nil, errLines
		}
		lines = append(lines, l)
	}
	return lines, nil
}
