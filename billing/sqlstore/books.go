package sqlstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
)

// books has the accounts, grants and holds that a transaction has read.
type books struct {
	c        *session
	now      time.Time
	changes  book.Changes
	accounts map[string]*book.Book
	rows     map[int64]*book.Book
	holds    map[string]*book.Hold // nil: there is none
	charged  map[onceKey]*book.Hold
}

func newBooks(c *session) *books {
	return &books{
		c: c, now: c.s.now(),
		accounts: map[string]*book.Book{}, rows: map[int64]*book.Book{}, holds: map[string]*book.Hold{}, charged: map[onceKey]*book.Hold{},
	}
}

// Numbers of rows of one statement. A few sizes keep the number of different
// statements small.
var sizes = [...]int{64, 16, 4, 1}

// inParts calls f with parts of n rows.
func inParts(n int, f func(from, size int) error) error {
	from := 0
	for _, size := range sizes {
		for ; n-from >= size; from += size {
			if err := f(from, size); err != nil {
				return err
			}
		}
	}
	return nil
}

// placeholders returns rows of columns: ($1, $2), ($3, $4).
func placeholders(rows, columns int) string {
	var b strings.Builder
	for i := range rows * columns {
		switch {
		case i == 0:
			b.WriteByte('(')
		case i%columns == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", i+1)
	}
	return b.String() + ")"
}

// The columns of a hold. The last two are NULL without a [billing.Once].
const (
	plainColumns = "id, account, batch, state, held, used, cut, time, expires, lines"
	keyColumns   = ", key, once"
	holdColumns  = plainColumns + keyColumns
)

// Statements for the sizes. Those of holds with a key write two more columns.
var (
	selectHolds                          = map[int]string{}
	insertHolds, updateHolds             = writing(10, "", "")
	insertHoldsWithKey, updateHoldsOfKey = writing(12, keyColumns, ", once = excluded.once")
)

func writing(columns int, more, set string) (insert, update map[int]string) {
	insert, update = map[int]string{}, map[int]string{}
	for _, n := range sizes {
		selectHolds[n] = "SELECT " + holdColumns + " FROM holds WHERE id IN " + placeholders(1, n)
		insert[n] = "INSERT INTO holds (" + plainColumns + more + ") VALUES " + placeholders(n, columns)
		update[n] = insert[n] + " ON CONFLICT (id) DO UPDATE SET state = excluded.state, used = excluded.used, cut = excluded.cut, time = excluded.time, lines = excluded.lines" + set
	}
	return insert, update
}

// readHolds reads the holds of a transaction.
func (b *books) readHolds(ctx context.Context, ids []string) error {
	return inParts(len(ids), func(from, size int) error {
		args := make([]any, size)
		for i, id := range ids[from : from+size] {
			args[i] = id
		}
		return b.c.Query(ctx, func(r *Row) error {
			h, err := scanHold(r)
			b.holds[h.ID] = h
			return err
		}, selectHolds[size], args...)
	})
}

func scanHold(r *Row) (h *book.Hold, err error) {
	h = &book.Hold{ID: r.Text(), Account: r.Int64(), Batch: r.Bool(), State: book.State(r.Int()), Stored: true}
	h.Held, h.Used, h.Cut, h.Time, h.Expires = r.Int(), r.Int(), r.Int(), r.Time(), r.Time()
	if h.Lines, err = readLines(r.Bytes()); err == nil {
		err = readOnce(h, r.Bytes(), r.Bytes())
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, h.ID)
	}
	return h, err
}

// account returns the book of an account, which the transaction has locked, with
// all due grants.
func (b *books) account(ctx context.Context, id string) (*book.Book, error) {
	if a, ok := b.accounts[id]; ok {
		return a, nil
	}
	a, err := b.load(ctx, "public", id)
	if err == nil && a == nil {
		err = noAccount(id)
	}
	return a, err
}

// load reads an account and the grants that it may spend.
func (b *books) load(ctx context.Context, column string, key any) (*book.Book, error) {
	a, err := lockAccount(ctx, b.c, column, key)
	if err != nil || a == nil {
		return nil, err
	}
	a.Changes = &b.changes
	b.accounts[a.ID], b.rows[a.Row] = a, a
	if err := b.addGrants(ctx, a, "account = $1 AND expires > $2", a.Row, b.now); err != nil {
		return nil, err
	}
	for _, g := range a.Due(b.now) {
		if _, _, err := enterGrant(ctx, b.c, a, g); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// lockAccount locks an account until the transaction ends. It returns nil if there
// is none.
func lockAccount(ctx context.Context, c *session, column string, key any) (a *book.Book, err error) {
	err = c.Query(ctx, func(r *Row) (err error) {
		a, err = scanBook(r)
		return err
	}, "SELECT "+bookColumns+" FROM accounts WHERE "+column+" = $1"+c.s.d.lock, key)
	return a, err
}

// addGrants adds the missing grants of an account that satisfy a condition.
func (b *books) addGrants(ctx context.Context, a *book.Book, where string, args ...any) error {
	var grants []*book.Grant
	err := b.c.Query(ctx, func(r *Row) error {
		if g := scanGrant(r, a); a.Grant(g.Row) == nil {
			grants = append(grants, g)
		}
		return nil
	}, "SELECT "+grantColumns+" FROM grants WHERE "+where, args...)
	a.Add(grants...)
	return err
}

// addHeld adds all grants with held credits.
func (b *books) addHeld(ctx context.Context, a *book.Book) error {
	return b.addGrants(ctx, a, "account = $1 AND held > 0", a.Row)
}

// hold returns a hold and the book of its account, with the grants of the hold. The
// hold is nil if none has the id.
func (b *books) hold(ctx context.Context, id string) (*book.Book, *book.Hold, error) {
	h := b.holds[id]
	if h == nil {
		return nil, nil, nil
	}
	a, ok := b.rows[h.Account]
	if !ok {
		var err error
		if a, err = b.load(ctx, "id", h.Account); err != nil {
			return nil, nil, err
		}
		if a == nil {
			return nil, nil, nil // of a probe
		}
	}
	for _, row := range a.Missing(h) {
		if err := b.addGrants(ctx, a, "id = $1 AND account = $2", row, a.Row); err != nil {
			return nil, nil, err
		}
	}
	return a, h, nil
}

// A onceKey is the key of an account under which a request is charged once.
type onceKey struct {
	account int64
	key     [16]byte
}

// charge returns the hold that was charged under a key of an account, or nil.
func (b *books) charge(ctx context.Context, a *book.Book, once *billing.Once) (*book.Hold, error) {
	key := onceKey{a.Row, once.Key}
	h, known := b.charged[key]
	if !known {
		err := b.c.Query(ctx, func(r *Row) (err error) {
			h, err = scanHold(r)
			return err
		}, "SELECT "+holdColumns+" FROM holds WHERE account = $1 AND key = $2 AND state = 1 AND time > $3 ORDER BY time DESC LIMIT 1",
			a.Row, once.Key[:], b.now.Add(-billing.OnceFor))
		if err != nil {
			return nil, err
		}
		if h != nil {
			if read := b.holds[h.ID]; read != nil { // and possibly changed
				h = read
			}
			b.holds[h.ID] = h
		}
		b.charged[key] = h
	}
	if h == nil || h.State != book.Settled {
		return nil, nil
	}
	_, _, err := b.hold(ctx, h.ID) // with its grants
	return h, err
}

// past returns the last hours of an account that are written.
func (b *books) past(ctx context.Context, a *book.Book) (*book.Past, error) {
	past := book.NewPast(b.now)
	err := b.c.Query(ctx, func(r *Row) error {
		past.Add(time.Unix(r.Int64()*3600, 0), billing.EntryKind(r.Int()), r.Int64())
		return nil
	}, "SELECT hour, kind, credits FROM usage WHERE account = $1 AND hour >= $2", a.Row, hour(past.Since()))
	return past, err
}

const addUsage = `INSERT INTO usage (account, hour, kind, source, credits, requests) VALUES ($1, $2, $3, $4, $5, $6)
	ON CONFLICT (account, hour, kind, source) DO UPDATE SET credits = usage.credits + excluded.credits, requests = usage.requests + excluded.requests`

// write writes the changes.
func (b *books) write(ctx context.Context) error {
	for _, g := range b.changes.Grants() {
		if _, err := b.c.Exec(ctx, "UPDATE grants SET remaining = $1, held = $2, settled = $3 WHERE id = $4", g.Remaining, g.Held, g.Settled, g.Row); err != nil {
			return err
		}
	}
	var added, changed, addedKeys, changedKeys []*book.Hold
	for _, h := range b.changes.Holds() {
		switch {
		case h.Stored && h.Once == nil:
			changed = append(changed, h)
		case h.Stored:
			changedKeys = append(changedKeys, h)
		case h.Once == nil:
			added = append(added, h) // not in place of a hold of another account with this id
		default:
			addedKeys = append(addedKeys, h)
		}
	}
	if err := errors.Join(
		b.writeHolds(ctx, insertHolds, added), b.writeHolds(ctx, updateHolds, changed),
		b.writeHolds(ctx, insertHoldsWithKey, addedKeys), b.writeHolds(ctx, updateHoldsOfKey, changedKeys),
	); err != nil {
		return err
	}
	for _, h := range b.changes.Hours() {
		sum := b.changes.Sum(h)
		if _, err := b.c.Exec(ctx, addUsage, h.Account, hour(h.Start), int(h.Kind), int(h.Source), sum.Credits, sum.Requests); err != nil {
			return err
		}
	}
	for _, a := range b.changes.Books() {
		if _, err := b.c.Exec(ctx, "UPDATE accounts SET last_day = $1 WHERE id = $2", optional(a.LastDay), a.Row); err != nil {
			return err
		}
	}
	return nil
}

func (b *books) writeHolds(ctx context.Context, statements map[int]string, holds []*book.Hold) error {
	return inParts(len(holds), func(from, size int) error {
		args := make([]any, 0, 12*size)
		for _, h := range holds[from : from+size] {
			args = append(args, h.ID, h.Account, h.Batch, int(h.State), h.Held, h.Used, h.Cut, h.Time, h.Expires, appendLines([]byte{}, h.Lines))
			if h.Once != nil {
				args = append(args, h.Once.Key[:], onceColumn(h))
			}
		}
		_, err := b.c.Exec(ctx, statements[size], args...)
		return err
	})
}

// onceColumn returns the request of a hold's Once, whether its charge was repeated, and
// the credits of the account after it.
func onceColumn(h *book.Hold) []byte {
	b := append(h.Once.Request[:], 0)
	if h.Repeated {
		b[len(b)-1] = 1
	}
	return binary.AppendUvarint(b, uint64(h.Remaining))
}

func readOnce(h *book.Hold, key, once []byte) error {
	if once == nil {
		return nil
	}
	h.Once = new(billing.Once)
	n := len(h.Once.Request)
	if len(key) != len(h.Once.Key) || len(once) < n+2 {
		return errOnce
	}
	copy(h.Once.Key[:], key)
	copy(h.Once.Request[:], once)
	remaining, size := binary.Uvarint(once[n+1:])
	if size <= 0 || remaining > math.MaxInt64 {
		return errOnce
	}
	h.Repeated, h.Remaining = once[n] == 1, int(remaining)
	return nil
}

func appendLines(b []byte, lines []book.Line) []byte {
	for _, l := range lines {
		b = binary.AppendUvarint(b, uint64(l.Grant))
		b = binary.AppendUvarint(b, uint64(l.Held))
		b = binary.AppendUvarint(b, uint64(l.Used))
	}
	return b
}

var (
	errLines = errors.New("the lines of a hold are damaged")
	errOnce  = errors.New("the key of a hold is damaged")
)

func readLines(b []byte) (lines []book.Line, err error) {
	for len(b) > 0 {
		var v [3]int64
		for i := range v {
			u, n := binary.Uvarint(b)
			if n <= 0 || u > math.MaxInt64 {
				return nil, errLines
			}
			v[i], b = int64(u), b[n:]
		}
		l := book.Line{Grant: v[0], Held: int(v[1]), Used: int(v[2])}
		if l.Used > l.Held {
			return nil, errLines
		}
		lines = append(lines, l)
	}
	return lines, nil
}
