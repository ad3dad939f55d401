package store

import (
	"fmt"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
)

// A Row returns the values of one row from left to right.
type Row struct {
	Values []any
	Err    error // the first value of an unexpected type
	at     int
}

// next returns the next value and its position, which starts at 1.
func (r *Row) next() any {
	v := r.Values[r.at]
	r.at++
	return v
}

// fail records a value of an unexpected type. NULL is the zero value.
func (r *Row) fail(v any, want string) {
	if v != nil && r.Err == nil {
		r.Err = fmt.Errorf("column %d has the type %T; expected %s", r.at, v, want)
	}
}

// Reset returns to the first value.
func (r *Row) Reset() { r.at = 0 }

// Text returns a string.
func (r *Row) Text() string {
	v := r.next()
	s, ok := v.(string)
	if !ok {
		r.fail(v, "a string")
	}
	return s
}

// Bytes returns a byte string.
func (r *Row) Bytes() []byte {
	v := r.next()
	b, ok := v.([]byte)
	if !ok {
		r.fail(v, "bytes")
	}
	return b
}

// Int64 returns an integer of any size.
func (r *Row) Int64() int64 {
	switch v := r.next().(type) {
	case int64:
		return v
	case int32:
		return int64(v)
	case int16:
		return int64(v)
	default:
		r.fail(v, "an integer")
		return 0
	}
}

// Int returns an integer of any size.
func (r *Row) Int() int { return int(r.Int64()) }

// Bool returns a boolean or an integer other than 0.
func (r *Row) Bool() bool {
	switch v := r.next().(type) {
	case bool:
		return v
	case int64:
		return v != 0
	default:
		r.fail(v, "a boolean")
		return false
	}
}

// Time returns a time in UTC: a timestamp, or milliseconds of the Unix clock.
// NULL and infinity are the zero time.
func (r *Row) Time() time.Time {
	switch v := r.next().(type) {
	case time.Time:
		return v.UTC()
	case int64:
		return time.UnixMilli(v).UTC()
	case fmt.Stringer: // PostgreSQL's infinity
		return time.Time{}
	default:
		r.fail(v, "a time")
		return time.Time{}
	}
}

// An Optional is a time whose zero value is NULL.
type Optional time.Time

// An Expiry is the time when a grant expires. The zero value is never.
type Expiry time.Time

// An Hour is the start of an hour in the usage table.
type Hour time.Time

// Columns of accounts and grants that [ScanBook] and [ScanGrant] read.
const (
	BookColumns  = accountColumns + ", last_day"
	GrantColumns = "id, source, reference, amount, remaining, held, settled, granted, expires"

	accountColumns = "id, public, name, plan, suspended, created, anchor, monthly"
)

// ScanBook reads [BookColumns] into a book without grants.
func ScanBook(r *Row) (*book.Book, error) {
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

// ScanGrant reads [GrantColumns] of a grant of b.
func ScanGrant(r *Row, b *book.Book) *book.Grant {
	g := &book.Grant{Row: r.Int64()}
	g.Account, g.Source, g.Reference = b.ID, billing.Source(r.Int()), r.Text()
	g.Amount, g.Remaining, g.Held, g.Settled = r.Int(), r.Int(), r.Int(), r.Int()
	g.Granted, g.Expires = r.Time(), r.Time()
	return g
}
