package store

import (
	"context"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/billing"
)

// sumsByDay replaces {day} in a statement by the engine's expression.
func (s *Store) sumsByDay(sql string) string { return strings.ReplaceAll(sql, "{day}", s.day) }

// read runs f with queries that see all settlements, of an account that must
// exist unless it is "".
func (s *Store) read(ctx context.Context, account string, f func(context.Context, Queries) error) error {
	if err := s.engine.Flush(ctx); err != nil {
		return err
	}
	return s.engine.Read(ctx, func(ctx context.Context, q Queries) error {
		if account != "" {
			if _, err := findAccount(ctx, q, account); err != nil {
				return err
			}
		}
		return f(ctx, q)
	})
}

// History implements billing.Store.
func (s *Store) History(ctx context.Context, account string, since time.Time) (list []billing.Entry, err error) {
	err = s.read(ctx, account, func(ctx context.Context, q Queries) error {
		list = nil
		return q.Query(ctx, func(r *Row) error {
			list = append(list, billing.Entry{
				Kind: billing.EntryKind(r.Int()), Time: r.Time(), Source: billing.Source(r.Int()),
				Credits: r.Int(), Requests: r.Int(), Reference: r.Text(), Expires: r.Time(),
			})
			return nil
		}, s.sumsByDay(`SELECT 1, granted, source, amount, 0, reference, expires FROM grants
				WHERE account = (SELECT id FROM accounts WHERE public = $1) AND granted >= $2
			UNION ALL
			SELECT kind, {day}, source, CAST(sum(credits) AS bigint), CAST(sum(requests) AS bigint), '', NULL FROM usage
				WHERE account = (SELECT id FROM accounts WHERE public = $1) AND hour >= $3
				GROUP BY {day}, kind, source HAVING sum(requests) > 0
			ORDER BY 2 DESC, 1 DESC, 3, 6`), account, since, Hour(billing.Day(since).Start))
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Refunds implements billing.Store.
func (s *Store) Refunds(ctx context.Context, account string, since time.Time) (days []billing.RefundDay, err error) {
	today := billing.Day(s.now()).Start
	err = s.read(ctx, account, func(ctx context.Context, q Queries) error {
		days = nil
		return q.Query(ctx, func(r *Row) error {
			id, last, day, kind := r.Text(), r.Time(), r.Time(), billing.EntryKind(r.Int())
			n := len(days)
			if n == 0 || days[n-1].Account != id || !days[n-1].Day.Equal(day) {
				days = append(days, billing.RefundDay{Account: id, Day: day, LastInTurn: last.Equal(today)})
				n++
			}
			tally := billing.Tally{Credits: r.Int(), Requests: r.Int()}
			switch d := &days[n-1]; kind {
			case billing.CutRefunded:
				d.Cut = tally
			case billing.CutKept:
				d.Kept = tally
			case billing.BatchRefunded:
				d.Batch = tally
			case billing.Granted, billing.Spent:
			}
			return nil
		}, s.sumsByDay(`SELECT public, last_day, {day}, kind, CAST(sum(credits) AS bigint), CAST(sum(requests) AS bigint)
			FROM usage JOIN accounts a ON a.id = account
			WHERE kind > 2 AND ($1 = '' OR public = $1) AND hour >= $2
			GROUP BY a.id, {day}, kind ORDER BY 3 DESC, a.id, kind`), account, Hour(billing.Day(since).Start))
	})
	if err != nil {
		return nil, err
	}
	return days, nil
}
