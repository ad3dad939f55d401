package billing

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// A round is the accounts, grants and holds that a transaction has read, and the changes
// to be written. It has one time, so that all calls of a transaction agree on which grants
// are live.
type round struct {
	changes
	c       *conn
	now     time.Time
	books   map[string]*book
	kept    map[string]*book // of earlier transactions; see conn.takeBooks
	rows    map[int64]*book  // those of books, by row
	holds   map[string]*hold
	charged map[onceKey]*hold // nil hold: looked for, and not there
}

// A onceKey is the key of an account under which a request is charged once.
type onceKey struct {
	account int64
	key     [16]byte
}

// load locks accounts, in one order, until the transaction ends. It reads them with their
// grants, and then the holds, and enters grants that are due. Without wait it omits
// accounts that other transactions hold.
//
// Holds are read after their accounts are locked: a hold read before could be settled by
// another process meanwhile, and a refund of the old state would give its credits back
// twice. Only live grants are read; addPayers adds expired ones that still pay a hold.
func (c *conn) load(ctx context.Context, accounts, holds []string, wait bool) (*round, error) {
	s := c.s
	lock := s.d.lock
	if !wait {
		lock += s.d.skip
	}
	d := &round{
		c: c, now: s.now(), books: map[string]*book{}, rows: map[int64]*book{},
		holds: make(map[string]*hold, len(holds)), charged: map[onceKey]*hold{},
	}
	d.kept = c.takeBooks(d.now) // always empty in PostgreSQL
	var missing []string
	for _, id := range accounts {
		if b := d.kept[id]; b != nil {
			d.enter(b)
		} else {
			missing = append(missing, id)
		}
	}
	var rows []int64
	if len(missing) > 0 {
		if err := c.query(ctx, func(r *sql.Rows) error {
			b, err := scanBook(r)
			d.enter(b)
			rows = append(rows, b.row)
			return err
		}, "SELECT "+bookColumns+" FROM accounts WHERE public"+s.d.in+" ORDER BY id"+lock, s.d.list(missing)); err != nil {
			return nil, err
		}
	}
	if len(holds) > 0 {
		if err := c.query(ctx, func(r *sql.Rows) error {
			h, err := scanHold(r)
			d.holds[h.id] = h
			return err
		}, "SELECT "+holdColumns+" FROM holds WHERE id"+s.d.in, s.d.list(holds)); err != nil {
			return nil, err
		}
	}
	if len(rows) > 0 {
		if err := c.addGrants(ctx, d.rows, "account"+s.d.in+" AND expires > $2", s.d.list(rows), d.now.UnixMilli()); err != nil {
			return nil, err
		}
	}
	for _, b := range d.rows {
		if g, ok := b.due(d.now); ok {
			if _, _, err := c.enterGrant(ctx, b, g); err != nil {
				return nil, err
			}
		}
	}
	err := d.addPayers(ctx, slices.Collect(maps.Values(d.holds))...)
	return d, err
}

// enter adds a book.
func (d *round) enter(b *book) {
	b.changes = &d.changes
	d.books[b.ID], d.rows[b.row] = b, b
}

// addPayers adds the grants that pay holds and that their accounts lack: those that have
// expired since the hold was reserved. There are few, so each is read by itself.
func (d *round) addPayers(ctx context.Context, holds ...*hold) error {
	for _, h := range holds {
		a := d.rows[h.account]
		for _, l := range h.lines {
			if a == nil || a.grant(l.grant) != nil {
				continue
			}
			if err := d.c.addGrants(ctx, d.rows, "id = $1 AND account = $2", l.grant, a.row); err != nil {
				return err
			}
		}
	}
	return nil
}

// addGrants adds the grants that satisfy a condition to their accounts.
func (c *conn) addGrants(ctx context.Context, books map[int64]*book, where string, args ...any) error {
	found := map[int64][]*grant{}
	err := c.query(ctx, func(r *sql.Rows) error {
		g := new(grant)
		var account int64
		if err := r.Scan(&g.row, &account, &g.Source, &g.Reference, &g.Amount, &g.Remaining, &g.Held, &g.Settled, (*stamp)(&g.Granted), (*stamp)(&g.Expires)); err != nil {
			return err
		}
		if b := books[account]; b.grant(g.row) == nil {
			g.Account = b.ID
			found[account] = append(found[account], g)
		}
		return nil
	}, "SELECT id, account, source, reference, amount, remaining, held, settled, granted, expires FROM grants WHERE "+where, args...)
	for account, grants := range found {
		books[account].add(grants...)
	}
	return err
}

// enterGrant writes a grant of an account that the transaction has locked and adds
// it to the book. If the account has a grant with this source and reference,
// enterGrant returns that grant and false.
func (c *conn) enterGrant(ctx context.Context, b *book, g Grant) (x *grant, isNew bool, err error) {
	g.Remaining, g.Held, g.Settled = g.Amount, 0, 0
	x = &grant{Grant: g}
	expires := int64(math.MaxInt64)
	if !g.Expires.IsZero() {
		expires = g.Expires.UnixMilli()
	}
	if err := c.queryOne(ctx, []any{&x.row}, `INSERT INTO grants (account, source, reference, amount, remaining, held, settled, granted, expires)
			VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $7) ON CONFLICT (account, source, reference) DO NOTHING RETURNING id`,
		b.row, string(g.Source), g.Reference, g.Amount, g.Amount, g.Granted.UnixMilli(), expires); err != nil {
		return nil, false, err
	}
	if x.row != 0 {
		b.add(x)
		return x, true, nil
	}
	if err := c.addGrants(ctx, map[int64]*book{b.row: b}, "account = $1 AND source = $2 AND reference = $3", b.row, string(g.Source), g.Reference); err != nil {
		return nil, false, err
	}
	// b.add has sorted the grants, and the book may have had this one before.
	i := slices.IndexFunc(b.grants, func(x *grant) bool { return x.Source == g.Source && x.Reference == g.Reference })
	if i < 0 {
		return nil, false, c.failed(errors.New("a grant is neither new nor there"))
	}
	return b.grants[i], false, nil
}

// charge returns the hold that was charged under a key of an account, or nil.
func (d *round) charge(ctx context.Context, a *book, once *Once) (*hold, error) {
	key := onceKey{a.row, once.Key}
	h, known := d.charged[key]
	if !known {
		err := d.c.query(ctx, func(r *sql.Rows) (err error) {
			h, err = scanHold(r)
			return err
		}, "SELECT "+holdColumns+" FROM holds WHERE account = $1 AND key = $2 AND state = 1 AND time > $3 ORDER BY time DESC LIMIT 1",
			a.row, once.Key[:], d.now.Add(-OnceFor).UnixMilli())
		if err != nil {
			return nil, err
		}
		if h != nil {
			// One record has one hold in a round, or two calls would change two copies of it.
			if read := d.holds[h.id]; read != nil {
				h = read
			}
			d.holds[h.id] = h
		}
		d.charged[key] = h
	}
	if h == nil || h.state != isSettled { // refunded in this round: the key is free again
		return nil, nil
	}
	return h, d.addPayers(ctx, h)
}

// past adds up the credits of the last hours of an account by kind, those to be written
// included. Writing them first would count them twice if the transaction's ops run again.
func (d *round) past(ctx context.Context, a *book) (map[string]int, error) {
	past := map[string]int{}
	first := hourOf(d.now.Add(-boundTime))
	from, to := spentHours(d.now)
	for h, n := range d.hours {
		if h.account == a.row && h.at >= first && (h.kind != Spent || from <= h.at && h.at <= to) {
			past[h.kind] += n.credits
		}
	}
	err := d.c.query(ctx, func(r *sql.Rows) error {
		var kind string
		var credits int
		err := r.Scan(&kind, &credits)
		past[kind] += credits
		return err
	}, `SELECT kind, CAST(sum(credits) AS bigint) FROM usage WHERE account = $1 AND hour >= $2 AND (kind <> 'spent' OR hour BETWEEN $3 AND $4)
		GROUP BY kind`, a.row, first, from, to)
	return past, err
}

const addUsage = `INSERT INTO usage (account, hour, kind, source, credits, requests) VALUES ($1, $2, $3, $4, $5, $6)
	ON CONFLICT (account, hour, kind, source) DO UPDATE SET credits = usage.credits + excluded.credits, requests = usage.requests + excluded.requests`

// write writes the changes. Usage is added to the sums of the table, which a book does not
// have. Grants are replaced: their books are complete, and their accounts are locked.
func (d *round) write(ctx context.Context) error {
	for _, g := range d.grants {
		if _, err := d.c.exec(ctx, "UPDATE grants SET remaining = $1, held = $2, settled = $3 WHERE id = $4", g.Remaining, g.Held, g.Settled, g.row); err != nil {
			return err
		}
		g.dirty = false
	}
	if err := d.writeHolds(ctx); err != nil {
		return err
	}
	for h, n := range d.hours { // their accounts are locked
		if _, err := d.c.exec(ctx, addUsage, h.account, h.at, h.kind, h.source, n.credits, n.requests); err != nil {
			return err
		}
	}
	for _, a := range d.last {
		if _, err := d.c.exec(ctx, "UPDATE accounts SET last_day = $1 WHERE id = $2", millis(a.lastDay), a.row); err != nil {
			return err
		}
	}
	d.keepBooks() // counts only if the commit succeeds; see sealBooks
	return nil
}

// holdColumns are the columns of a hold. The key is NULL without a [Once].
const holdColumns = "id, account, batch, state, held, used, cut, time, expires, detail, key"

// writeHolds writes holds with equal columns by one statement. Most requests of a
// transaction differ only in their ids. A statement with parameters for every row was
// slower: SQLite looks each named parameter up in a list, which is quadratic.
func (d *round) writeHolds(ctx context.Context) error {
	var groups [][]*hold
	for _, h := range d.changes.holds { // at most maxGroup of them
		i := slices.IndexFunc(groups, func(g []*hold) bool { return g[0].alike(h) })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], h)
	}
	s := d.c.s
	for _, group := range groups {
		h, ids := group[0], make([]string, len(group))
		for i, x := range group {
			ids[i] = x.id
		}
		detail, err := json.Marshal(detailOf(h))
		if err != nil {
			return err
		}
		if h.stored {
			_, err = d.c.exec(ctx, "UPDATE holds SET state = $2, used = $3, cut = $4, time = $5, detail = $6 WHERE id"+s.d.in,
				s.d.list(ids), int64(h.state), h.used, h.cut, h.time.UnixMilli(), string(detail))
		} else { // not in place of a hold of another account with this id
			_, err = d.c.exec(ctx, "INSERT INTO holds ("+holdColumns+") SELECT value, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM "+s.d.each,
				s.d.list(ids), h.account, bit(h.batch), int64(h.state), h.held, h.used, h.cut, h.time.UnixMilli(), h.expires.UnixMilli(), string(detail), h.key())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// alike reports whether the columns to be written of two holds are equal but their ids.
func (h *hold) alike(x *hold) bool {
	return h.once == nil && x.once == nil && h.stored == x.stored && h.account == x.account && h.batch == x.batch &&
		h.state == x.state && h.held == x.held && h.used == x.used && h.cut == x.cut && h.time.Equal(x.time) &&
		(h.stored || h.expires.Equal(x.expires)) && slices.Equal(h.lines, x.lines)
}

// A detail is the part of a hold that is stored as JSON: no statement needs its columns,
// and a table of lines would double the rows written for a request.
type detail struct {
	Lines     [][3]int `json:"lines"` // grant, held, used
	Request   []byte   `json:"request,omitempty"`
	Repeated  bool     `json:"repeated,omitempty"`
	Remaining int      `json:"remaining,omitempty"`
}

func detailOf(h *hold) (d detail) {
	for _, l := range h.lines {
		d.Lines = append(d.Lines, [3]int{int(l.grant), l.held, l.used})
	}
	if h.once != nil {
		d.Request, d.Repeated, d.Remaining = h.once.Request[:], h.repeated, h.remaining
	}
	return d
}

// key returns the column of the key of a hold.
func (h *hold) key() any {
	if h.once == nil {
		return nil
	}
	return h.once.Key[:]
}

func scanHold(r *sql.Rows) (*hold, error) {
	h := &hold{stored: true}
	var text, key []byte
	var d detail
	err := r.Scan(&h.id, &h.account, &h.batch, &h.state, &h.held, &h.used, &h.cut, (*stamp)(&h.time), (*stamp)(&h.expires), &text, &key)
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	// JSON accepts values that no hold has: negative numbers, and digests of another length.
	for _, l := range d.Lines {
		h.lines = append(h.lines, line{int64(l[0]), l[1], l[2]})
		if l[2] < 0 || l[2] > l[1] {
			err = errDetail
		}
	}
	if err == nil && key != nil {
		h.once, h.repeated, h.remaining = new(Once), d.Repeated, d.Remaining
		if len(key) != len(h.once.Key) || len(d.Request) != len(h.once.Request) || d.Remaining < 0 {
			err = errDetail
		}
		copy(h.once.Key[:], key)
		copy(h.once.Request[:], d.Request)
	}
	if err != nil {
		err = fmt.Errorf("%w: hold %s", err, h.id)
	}
	return h, err
}

var errDetail = errors.New("the detail of a hold is damaged")
