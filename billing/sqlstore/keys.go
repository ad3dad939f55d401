package sqlstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
)

const selectKeys = "SELECT k.public, a.public, k.kind, k.shown, k.name, k.scopes, k.created, k.expires, k.rotated, k.off, k.addrs, k.origins" +
	" FROM keys k JOIN accounts a ON a.id = k.account "

func queryKeys(ctx context.Context, c *session, where string, arg any) (keys []billing.Key, err error) {
	err = c.Query(ctx, func(r *Row) error {
		k, err := scanKey(r)
		keys = append(keys, k)
		return err
	}, selectKeys+where, arg)
	return keys, err
}

func scanKey(r *Row) (k billing.Key, err error) {
	k.ID, k.Account = r.Text(), r.Text()
	if k.Kind, err = billing.ParseKeyKind(r.Text()); err != nil {
		return k, err
	}
	k.Shown, k.Name = r.Text(), r.Text()
	if k.Scopes, err = billing.ParseScopes(split(r.Text())); err != nil {
		return k, err
	}
	k.Created, k.Expires, k.Rotated, k.Off = r.Time(), r.Time(), r.Bool(), r.Bool()
	if k.Addrs, err = billing.ParseAddrList(split(r.Text())); err != nil {
		return k, err
	}
	k.Origins, err = billing.ParseOrigins(split(r.Text()))
	return k, err
}

// split splits a list at commas. An empty text is an empty list.
func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

func joinOrigins(origins []billing.Origin) string {
	texts := make([]string, len(origins))
	for i, o := range origins {
		texts[i] = o.String()
	}
	return strings.Join(texts, ",")
}

// FindKey implements billing.Directory.
func (s *Store) FindKey(ctx context.Context, hash billing.KeyHash) (*billing.Holder, error) {
	var h billing.Holder
	err := s.read(ctx, func(ctx context.Context, c *session) error {
		keys, err := queryKeys(ctx, c, "WHERE k.hash = $1", hash[:])
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			return billing.ErrKeyNotFound
		}
		h.Key = keys[0]
		h.Account, err = findAccount(ctx, c, h.Key.Account)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &h, nil
}

// Key implements billing.Store.
func (s *Store) Key(ctx context.Context, id string) (k billing.Key, err error) {
	err = s.read(ctx, func(ctx context.Context, c *session) error {
		k, err = findKey(ctx, c, id)
		return err
	})
	return k, err
}

func findKey(ctx context.Context, c *session, id string) (billing.Key, error) {
	keys, err := queryKeys(ctx, c, "WHERE k.public = $1", id)
	switch {
	case err != nil:
		return billing.Key{}, err
	case len(keys) == 0:
		return billing.Key{}, fmt.Errorf("%w: %q", billing.ErrKeyNotFound, id)
	}
	return keys[0], nil
}

// Keys implements billing.Store.
func (s *Store) Keys(ctx context.Context, account string) (keys []billing.Key, err error) {
	err = s.read(ctx, func(ctx context.Context, c *session) error {
		if _, err := findAccount(ctx, c, account); err != nil {
			return err
		}
		keys, err = keysOf(ctx, c, account)
		return err
	})
	return keys, err
}

func keysOf(ctx context.Context, c *session, account string) ([]billing.Key, error) {
	return queryKeys(ctx, c, "WHERE a.public = $1 ORDER BY k.id", account)
}

// CreateKey implements billing.Store.
func (s *Store) CreateKey(ctx context.Context, k billing.Key, hash billing.KeyHash, now time.Time) error {
	return s.announced(ctx, func(ctx context.Context, c *session) error {
		b, err := lock(ctx, c, k.Account) // the lock keeps the number of keys exact
		if err != nil {
			return err
		}
		keys, err := keysOf(ctx, c, k.Account)
		if err != nil {
			return err
		}
		if err := checkKeyLimit(&b.Account, keys, now); err != nil {
			return err
		}
		return addKey(ctx, c, b.Row, &k, hash)
	})
}

// checkKeyLimit rejects another key if an account has as many active keys as
// its plan allows.
func checkKeyLimit(a *billing.Account, keys []billing.Key, now time.Time) error {
	active := 0
	for i := range keys {
		if keys[i].State(now) == billing.Active {
			active++
		}
	}
	if limit := a.Plan.Limits().Keys; active >= limit {
		return fmt.Errorf("%w: %d on %s; deactivate one or change the plan", billing.ErrKeyLimit, limit, a.Plan)
	}
	return nil
}

func addKey(ctx context.Context, c *session, account int64, k *billing.Key, hash billing.KeyHash) error {
	_, err := c.Exec(ctx, "INSERT INTO keys (public, account, hash, kind, shown, name, scopes, created, expires, rotated, off, addrs, origins)"+
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
		k.ID, account, hash[:], k.Kind.String(), k.Shown, k.Name, k.Scopes.String(), k.Created, optional(k.Expires), false, false,
		strings.Join(k.Addrs.Strings(), ","), joinOrigins(k.Origins))
	return err
}

// ReplaceKey implements billing.Store.
func (s *Store) ReplaceKey(ctx context.Context, oldID string, until time.Time, k billing.Key, hash billing.KeyHash, now time.Time) error {
	return s.announced(ctx, func(ctx context.Context, c *session) error {
		b, err := lock(ctx, c, k.Account)
		if err != nil {
			return err
		}
		keys, err := keysOf(ctx, c, k.Account)
		if err != nil {
			return err
		}
		expires, err := retire(&b.Account, keys, oldID, until, now)
		if err != nil {
			return err
		}
		if err := addKey(ctx, c, b.Row, &k, hash); err != nil {
			return err
		}
		_, err = c.Exec(ctx, "UPDATE keys SET rotated = $2, expires = $3 WHERE public = $1", oldID, true, optional(expires))
		return err
	})
}

// retire returns the time when an active key of an account expires that another
// key replaces: until, or before if it expires earlier.
func retire(a *billing.Account, keys []billing.Key, id string, until, now time.Time) (time.Time, error) {
	for i := range keys {
		old := &keys[i]
		if old.ID != id {
			continue
		}
		if state := old.State(now); state != billing.Active {
			return time.Time{}, fmt.Errorf("%w: %s is %s", billing.ErrKeyUnusable, id, state)
		}
		if old.Expires.IsZero() || until.Before(old.Expires) {
			old.Expires = until
		}
		old.Rotated = true
		return old.Expires, checkKeyLimit(a, keys, now)
	}
	return time.Time{}, fmt.Errorf("%w: %q of account %s", billing.ErrKeyNotFound, id, a.ID)
}

// UpdateKey implements billing.Store. A key keeps its id, account, kind, secret
// and time of creation.
func (s *Store) UpdateKey(ctx context.Context, id string, change func(*billing.Key) error) (k billing.Key, err error) {
	err = s.announced(ctx, func(ctx context.Context, c *session) error {
		old, err := findKey(ctx, c, id)
		if err != nil {
			return err
		}
		if _, err := lock(ctx, c, old.Account); err != nil {
			return err
		}
		if old, err = findKey(ctx, c, id); err != nil { // as others left it before the lock
			return err
		}
		k = old
		if err := change(&k); err != nil {
			return err
		}
		k.ID, k.Account, k.Kind, k.Shown, k.Created = old.ID, old.Account, old.Kind, old.Shown, old.Created
		if err := billing.CheckName(k.Name); err != nil {
			return err
		}
		_, err = c.Exec(ctx, "UPDATE keys SET name = $2, scopes = $3, expires = $4, rotated = $5, off = $6, addrs = $7, origins = $8 WHERE public = $1",
			id, k.Name, k.Scopes.String(), optional(k.Expires), k.Rotated, k.Off, strings.Join(k.Addrs.Strings(), ","), joinOrigins(k.Origins))
		return err
	})
	if err != nil {
		return billing.Key{}, err
	}
	return k, nil
}
