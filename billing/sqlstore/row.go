package sqlstore

import (
	"fmt"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
)

// A Row returns the values of one row from left to right.
type Row struct {
	to  []any // pointers to the values, of type *any
	err error // the first value of an unexpected type
	at  int
}

func (r *Row) resize(n int) {
	for len(r.to) < n {
		r.to = append(r.to, new(any))
	}
	r.to, r.err = r.to[:n], nil
}

// next returns the next value.
func next[T any](r *Row) (v T) {
	p, _ := r.to[r.at].(*any)
	r.at++
	v, ok := (*p).(T)
	if !ok && *p != nil && r.err == nil { // NULL is the zero value
		r.err = fmt.Errorf("column %d has the type %T; expected %T", r.at, *p, v)
	}
	return v
}

// Text returns a string.
func (r *Row) Text() string { return next[string](r) }

// Bytes returns a byte string.
func (r *Row) Bytes() []byte { return next[[]byte](r) }

// Int64 returns an integer.
func (r *Row) Int64() int64 { return next[int64](r) }

// Int returns an integer.
func (r *Row) Int() int { return int(r.Int64()) }

// Bool reports whether an integer is not 0.
func (r *Row) Bool() bool { return r.Int64() != 0 }

// Time returns a time in UTC. NULL and the end of grants that never expire are the
// zero time.
func (r *Row) Time() time.Time {
	p, _ := r.to[r.at].(*any)
	ms := r.Int64()
	if *p == nil || ms == never64 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// An optional is a time whose zero value is NULL.
type optional time.Time

// An expiry is the time when a grant expires. The zero value is never.
type expiry time.Time

// An hour is the start of an hour in the usage table.
type hour time.Time

// Columns of accounts and grants that [scanBook] and [scanGrant] read.
const (
	bookColumns  = accountColumns + ", last_day"
	grantColumns = "id, source, reference, amount, remaining, held, settled, granted, expires"

	accountColumns = "id, public, name, plan, suspended, created, anchor, monthly"
)

// scanBook reads [bookColumns] into a book without grants.
func scanBook(r *Row) (*book.Book, error) {
	row, a, err := scanAccount(r)
	return &book.Book{Row: row, Account: a, LastDay: r.Time()}, err
}

func scanAccount(r *Row) (row int64, a billing.Account, err error) {
	row = r.Int64()
	a.ID, a.Name = r.Text(), r.Text()
	a.Plan, err = billing.ParsePlan(r.Text())
	a.Suspended, a.Created, a.Anchor, a.MonthlyCredits = r.Bool(), r.Time(), r.Time(), r.Int()
	return row, a, err
}

// scanGrant reads [grantColumns] of a grant of b.
func scanGrant(r *Row, b *book.Book) *book.Grant {
	g := &book.Grant{Row: r.Int64()}
	g.Account, g.Source, g.Reference = b.ID, billing.Source(r.Int()), r.Text()
	g.Amount, g.Remaining, g.Held, g.Settled = r.Int(), r.Int(), r.Int(), r.Int()
	g.Granted, g.Expires = r.Time(), r.Time()
	return g
}
