package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

const selectKeys = "SELECT k.public, a.public, k.kind, k.shown, k.name, k.scopes, k.created, k.expires, k.rotated, k.off, k.addrs, k.origins" +
	" FROM keys k JOIN accounts a ON a.id = k.account "

func scanKey(row pgx.Row) (k billing.Key, err error) {
	var texts book.KeyTexts
	var expires *time.Time
	if err = row.Scan(&k.ID, &k.Account, &texts.Kind, &k.Shown, &k.Name, &texts.Scopes, &k.Created, &expires, &k.Rotated, &k.Off, &texts.Addrs, &texts.Origins); err != nil {
		return k, err
	}
	k.Created, k.Expires = k.Created.UTC(), utc(expires)
	err = texts.Read(&k)
	return k, err
}

func isNone(err error) bool { return errors.Is(err, pgx.ErrNoRows) }

// FindKey implements billing.Directory.
func (s *Store) FindKey(ctx context.Context, hash billing.KeyHash) (*billing.Holder, error) {
	var h billing.Holder
	err := s.read(ctx, func(ctx context.Context, db querier) (err error) {
		h.Key, err = scanKey(db.QueryRow(ctx, selectKeys+"WHERE k.hash = $1", hash[:]))
		if isNone(err) {
			return billing.ErrKeyNotFound
		}
		if err != nil {
			return failed(err)
		}
		h.Account, err = findAccount(ctx, db, h.Key.Account)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &h, nil
}

// Key implements billing.Store.
func (s *Store) Key(ctx context.Context, id string) (k billing.Key, err error) {
	err = s.read(ctx, func(ctx context.Context, db querier) error {
		k, err = findKey(ctx, db, id, "")
		return err
	})
	return k, err
}

func findKey(ctx context.Context, db querier, id, lock string) (billing.Key, error) {
	k, err := scanKey(db.QueryRow(ctx, selectKeys+"WHERE k.public = $1"+lock, id))
	if isNone(err) {
		return k, book.NoKey(id)
	}
	return k, failed(err)
}

// Keys implements billing.Store.
func (s *Store) Keys(ctx context.Context, account string) (keys []billing.Key, err error) {
	err = s.read(ctx, func(ctx context.Context, db querier) error {
		if _, err := findAccount(ctx, db, account); err != nil {
			return err
		}
		keys, err = findKeys(ctx, db, account)
		return err
	})
	return keys, err
}

func findKeys(ctx context.Context, db querier, account string) ([]billing.Key, error) {
	rows, err := db.Query(ctx, selectKeys+"WHERE a.public = $1 ORDER BY k.id", account)
	if err != nil {
		return nil, failed(err)
	}
	keys, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (billing.Key, error) { return scanKey(row) })
	return keys, failed(err)
}

// CreateKey implements billing.Store.
func (s *Store) CreateKey(ctx context.Context, k billing.Key, hash billing.KeyHash, now time.Time) error {
	return s.change(ctx, true, func(ctx context.Context, t *tx) error {
		row, a, err := t.account(ctx, k.Account) // its lock makes counting keys exact
		if err != nil {
			return err
		}
		keys, err := findKeys(ctx, t, k.Account)
		if err != nil {
			return err
		}
		if err := book.CheckKeyLimit(&a, keys, now); err != nil {
			return err
		}
		return t.addKey(ctx, row, &k, hash)
	})
}

// addKey enters a key of an account.
func (t *tx) addKey(ctx context.Context, row int64, k *billing.Key, hash billing.KeyHash) error {
	texts := book.TextsOf(k)
	_, err := t.Exec(ctx, "INSERT INTO keys (public, account, hash, kind, shown, name, scopes, created, expires, rotated, off, addrs, origins)"+
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, false, false, $10, $11)",
		k.ID, row, hash[:], texts.Kind, k.Shown, k.Name, texts.Scopes, k.Created, nullable(k.Expires), texts.Addrs, texts.Origins)
	return failed(err)
}

// ReplaceKey implements billing.Store.
func (s *Store) ReplaceKey(ctx context.Context, oldID string, until time.Time, k billing.Key, hash billing.KeyHash, now time.Time) error {
	return s.change(ctx, true, func(ctx context.Context, t *tx) error {
		row, a, err := t.account(ctx, k.Account)
		if err != nil {
			return err
		}
		keys, err := findKeys(ctx, t, k.Account)
		if err != nil {
			return err
		}
		old, err := book.Replace(&a, keys, oldID, until, now)
		if err != nil {
			return err
		}
		if err := t.addKey(ctx, row, &k, hash); err != nil {
			return err
		}
		_, err = t.Exec(ctx, "UPDATE keys SET rotated = true, expires = $2 WHERE public = $1", oldID, nullable(old.Expires))
		return failed(err)
	})
}

// UpdateKey implements billing.Store. The id, account, kind and secret of a
// key do not change. The change is made again when the transaction has to be
// tried again.
func (s *Store) UpdateKey(ctx context.Context, id string, change func(*billing.Key) error) (billing.Key, error) {
	var got billing.Key
	err := s.change(ctx, true, func(ctx context.Context, t *tx) error {
		old, err := findKey(ctx, t, id, " FOR NO KEY UPDATE OF k")
		if err != nil {
			return err
		}
		k, err := book.ChangeKey(old, change)
		if err != nil {
			return err
		}
		got = k
		texts := book.TextsOf(&k)
		_, err = t.Exec(ctx, "UPDATE keys SET name = $2, scopes = $3, expires = $4, rotated = $5, off = $6, addrs = $7, origins = $8 WHERE public = $1",
			id, k.Name, texts.Scopes, nullable(k.Expires), k.Rotated, k.Off, texts.Addrs, texts.Origins)
		return failed(err)
	})
	if err != nil {
		return billing.Key{}, err
	}
	return got, nil
}
