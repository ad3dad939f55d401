package sqlite

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
)

const keyColumns = "k.public, a.public, k.kind, k.shown, k.name, k.scopes, k.created, k.expires, k.rotated, k.off, k.addrs, k.origins"

const fromKeys = " FROM keys k JOIN accounts a ON a.id = k.account "

func scanKey(r *row) (k billing.Key, err error) {
	k.ID, k.Account = r.text(), r.text()
	if k.Kind, err = billing.ParseKeyKind(r.text()); err != nil {
		return k, err
	}
	k.Shown, k.Name = r.text(), r.text()
	if k.Scopes, err = billing.ParseScopes(list(r.text())); err != nil {
		return k, err
	}
	k.Created, k.Expires, k.Rotated, k.Off = r.time(), r.time(), r.bool(), r.bool()
	if k.Addrs, err = billing.ParseAddrList(list(r.text())); err != nil {
		return k, err
	}
	k.Origins, err = billing.ParseOrigins(list(r.text()))
	return k, err
}

// list splits a list divided by commas.
func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

func originList(origins []billing.Origin) string {
	texts := make([]string, len(origins))
	for i, o := range origins {
		texts[i] = o.String()
	}
	return strings.Join(texts, ",")
}

// FindKey implements billing.Directory.
func (s *Store) FindKey(ctx context.Context, hash billing.KeyHash) (*billing.Holder, error) {
	var h *billing.Holder
	err := s.read(ctx, func(c *conn) error {
		var k billing.Key
		found := false
		err := c.query(func(r *row) (err error) {
			found = true
			k, err = scanKey(r)
			return err
		}, "SELECT "+keyColumns+fromKeys+"WHERE k.hash = ?", hash[:])
		if err != nil {
			return err
		}
		if !found {
			return billing.ErrKeyNotFound
		}
		a, err := findAccount(c, k.Account)
		h = &billing.Holder{Key: k, Account: a}
		return err
	})
	if err != nil {
		return nil, err
	}
	return h, nil
}

// Key implements billing.Store.
func (s *Store) Key(ctx context.Context, id string) (k billing.Key, err error) {
	err = s.read(ctx, func(c *conn) error {
		k, err = findKey(c, id)
		return err
	})
	return k, err
}

func findKey(c *conn, id string) (k billing.Key, err error) {
	found := false
	err = c.query(func(r *row) (err error) {
		found = true
		k, err = scanKey(r)
		return err
	}, "SELECT "+keyColumns+fromKeys+"WHERE k.public = ?", id)
	if err == nil && !found {
		err = fmt.Errorf("%w: %q", billing.ErrKeyNotFound, id)
	}
	return k, err
}

// Keys implements billing.Store.
func (s *Store) Keys(ctx context.Context, account string) (keys []billing.Key, err error) {
	err = s.read(ctx, func(c *conn) error {
		if _, err := findAccount(c, account); err != nil {
			return err
		}
		keys, err = findKeys(c, account)
		return err
	})
	return keys, err
}

func findKeys(c *conn, account string) (keys []billing.Key, err error) {
	err = c.query(func(r *row) error {
		k, err := scanKey(r)
		keys = append(keys, k)
		return err
	}, "SELECT "+keyColumns+fromKeys+"WHERE a.public = ? ORDER BY k.id", account)
	return keys, err
}

// CreateKey implements billing.Store.
func (s *Store) CreateKey(ctx context.Context, k billing.Key, hash billing.KeyHash, now time.Time) error {
	return s.change(ctx, func(w *writer) error {
		a, err := w.b.account(k.Account)
		if err != nil {
			return err
		}
		keys, err := findKeys(w.c, k.Account)
		if w.sql(err) != nil {
			return err
		}
		return w.addKey(a, keys, &k, hash, now)
	})
}

// addKey enters a key beside others of its account.
func (w *writer) addKey(a *account, others []billing.Key, k *billing.Key, hash billing.KeyHash, now time.Time) error {
	active := 0
	for _, o := range others {
		if o.State(now) == billing.Active {
			active++
		}
	}
	if limit := a.Plan.Limits().Keys; active >= limit {
		return fmt.Errorf("%w: %d on %s; deactivate one or change the plan", billing.ErrKeyLimit, limit, a.Plan)
	}
	return w.sql(w.c.exec("INSERT INTO keys (public, account, hash, kind, shown, name, scopes, created, expires, rotated, off, addrs, origins) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
		k.ID, a.row, hash[:], k.Kind.String(), k.Shown, k.Name, k.Scopes.String(), k.Created.UnixMilli(), millis(k.Expires),
		strings.Join(k.Addrs.Strings(), ","), originList(k.Origins)))
}

// ReplaceKey implements billing.Store.
func (s *Store) ReplaceKey(ctx context.Context, oldID string, until time.Time, k billing.Key, hash billing.KeyHash, now time.Time) error {
	return s.change(ctx, func(w *writer) error {
		a, err := w.b.account(k.Account)
		if err != nil {
			return err
		}
		keys, err := findKeys(w.c, k.Account)
		if w.sql(err) != nil {
			return err
		}
		for i := range keys {
			old := &keys[i]
			if old.ID != oldID {
				continue
			}
			if state := old.State(now); state != billing.Active {
				return fmt.Errorf("%w: %s is %s", billing.ErrKeyUnusable, oldID, state)
			}
			if old.Expires.IsZero() || until.Before(old.Expires) {
				old.Expires = until
			}
			old.Rotated = true
			if err := w.addKey(a, keys, &k, hash, now); err != nil {
				return err
			}
			return w.sql(w.c.exec("UPDATE keys SET rotated = 1, expires = ? WHERE public = ?", millis(old.Expires), oldID))
		}
		return fmt.Errorf("%w: %q of account %s", billing.ErrKeyNotFound, oldID, k.Account)
	})
}

// UpdateKey implements billing.Store. The id, account, kind and secret of a
// key do not change.
func (s *Store) UpdateKey(ctx context.Context, id string, change func(*billing.Key) error) (k billing.Key, err error) {
	err = s.change(ctx, func(w *writer) error {
		old, err := findKey(w.c, id)
		if err != nil {
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
		return w.sql(w.c.exec("UPDATE keys SET name = ?, scopes = ?, expires = ?, rotated = ?, off = ?, addrs = ?, origins = ? WHERE public = ?",
			k.Name, k.Scopes.String(), millis(k.Expires), bit(k.Rotated), bit(k.Off), strings.Join(k.Addrs.Strings(), ","), originList(k.Origins), id))
	})
	return k, err
}
