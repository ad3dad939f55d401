package sqlite

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

const keyColumns = "k.public, a.public, k.kind, k.shown, k.name, k.scopes, k.created, k.expires, k.rotated, k.off, k.addrs, k.origins"

const fromKeys = " FROM keys k JOIN accounts a ON a.id = k.account "

func scanKey(r *row) (k billing.Key, err error) {
	var texts book.KeyTexts
	k.ID, k.Account, texts.Kind = r.text(), r.text(), r.text()
	k.Shown, k.Name, texts.Scopes = r.text(), r.text(), r.text()
	k.Created, k.Expires, k.Rotated, k.Off = r.time(), r.time(), r.bool(), r.bool()
	texts.Addrs, texts.Origins = r.text(), r.text()
	err = texts.Read(&k)
	return k, err
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
		err = book.NoKey(id)
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
		if err := book.CheckKeyLimit(&a.Account, keys, now); err != nil {
			return err
		}
		return w.addKey(a, &k, hash)
	})
}

// addKey enters a key of an account.
func (w *writer) addKey(a *book.Book, k *billing.Key, hash billing.KeyHash) error {
	texts := book.TextsOf(k)
	return w.sql(w.c.exec("INSERT INTO keys (public, account, hash, kind, shown, name, scopes, created, expires, rotated, off, addrs, origins) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
		k.ID, a.Row, hash[:], texts.Kind, k.Shown, k.Name, texts.Scopes, k.Created.UnixMilli(), millis(k.Expires), texts.Addrs, texts.Origins))
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
		old, err := book.Replace(&a.Account, keys, oldID, until, now)
		if err != nil {
			return err
		}
		if err := w.addKey(a, &k, hash); err != nil {
			return err
		}
		return w.sql(w.c.exec("UPDATE keys SET rotated = 1, expires = ? WHERE public = ?", millis(old.Expires), oldID))
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
		if k, err = book.ChangeKey(old, change); err != nil {
			return err
		}
		texts := book.TextsOf(&k)
		return w.sql(w.c.exec("UPDATE keys SET name = ?, scopes = ?, expires = ?, rotated = ?, off = ?, addrs = ?, origins = ? WHERE public = ?",
			k.Name, texts.Scopes, millis(k.Expires), bit(k.Rotated), bit(k.Off), texts.Addrs, texts.Origins, id))
	})
	return k, err
}
