package billing

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Accounts and keys change rarely, so each change is one transaction. It locks the account
// (conn.lock), so that two changes of an account or its keys never overlap. It increments the
// revision (Store.announced), at which gates drop the keys in their memory. Rows have a
// number for joins and a public id for people; only the public id leaves the package.

// The columns of an account.
const bookColumns = "id, public, name, plan, suspended, created, anchor, monthly, last_day"

func scanBook(r *sql.Rows) (*book, error) {
	b := new(book)
	return b, r.Scan(&b.row, &b.ID, &b.Name, &b.Plan, &b.Suspended, (*stamp)(&b.Created), (*stamp)(&b.Anchor), &b.MonthlyCredits, (*stamp)(&b.lastDay))
}

// noAccount returns an error that matches ErrAccountNotFound.
func noAccount(id string) error { return fmt.Errorf("%w: %q", ErrAccountNotFound, id) }

// findAccount reads an account.
func (c *conn) findAccount(ctx context.Context, id string) (b *book, err error) {
	err = c.query(ctx, func(r *sql.Rows) (err error) {
		b, err = scanBook(r)
		return err
	}, "SELECT "+bookColumns+" FROM accounts WHERE public = $1", id)
	if err == nil && b == nil {
		err = noAccount(id)
	}
	return b, err
}

// lock locks an account until the transaction ends.
func (c *conn) lock(ctx context.Context, id string) (*book, error) {
	d, err := c.load(ctx, []string{id}, nil, true)
	if err != nil {
		return nil, err
	}
	if d.books[id] == nil {
		return nil, noAccount(id)
	}
	return d.books[id], nil
}

// CreateAccount enters an account and returns it. Its id is drawn and it is created now,
// unless they are set.
func (s *Store) CreateAccount(ctx context.Context, a Account) (Account, error) {
	drawn := a.ID == ""
	if drawn {
		var err error
		if a.ID, err = randomText("acct_", 16, s.o.Entropy); err != nil {
			return Account{}, err
		}
	}
	if a.Created.IsZero() {
		a.Created = s.now()
	}
	if a.Plan.Paid() && a.Anchor.IsZero() {
		a.Anchor = a.Created
	}
	if err := a.check(); err != nil {
		return Account{}, err
	}
	return a, s.announced(ctx, func(ctx context.Context, c *conn) error {
		// DO NOTHING, since a violation would be tried again as a conflict.
		n, err := c.exec(ctx, "INSERT INTO accounts (public, name, plan, suspended, created, anchor, monthly) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
			a.ID, a.Name, string(a.Plan), bit(a.Suspended), a.Created.UnixMilli(), millis(a.Anchor), a.MonthlyCredits)
		// A drawn id is there only if the reply to the COMMIT of an earlier attempt was lost.
		if err == nil && n == 0 && !drawn {
			err = fmt.Errorf("billing: account %s already exists", a.ID)
		}
		return err
	})
}

// Account returns an account, or [ErrAccountNotFound].
func (s *Store) Account(ctx context.Context, id string) (a Account, err error) {
	err = s.read(ctx, func(ctx context.Context, c *conn) error {
		b, err := c.findAccount(ctx, id)
		if err == nil {
			a = b.Account
		}
		return err
	})
	return a, err
}

// Accounts returns all accounts, oldest first.
func (s *Store) Accounts(ctx context.Context) (list []Account, err error) {
	err = s.read(ctx, func(ctx context.Context, c *conn) error {
		list = nil
		return c.query(ctx, func(r *sql.Rows) error {
			b, err := scanBook(r)
			list = append(list, b.Account)
			return err
		}, "SELECT "+bookColumns+" FROM accounts ORDER BY id")
	})
	return list, err
}

// UpdateAccount calls change in a transaction and returns the changed account. An error
// of change cancels it. change may be called again. An account keeps its id and time of
// creation.
func (s *Store) UpdateAccount(ctx context.Context, id string, change func(*Account) error) (a Account, err error) {
	err = s.announced(ctx, func(ctx context.Context, c *conn) error {
		b, err := c.lock(ctx, id)
		if err != nil {
			return err
		}
		a = b.Account
		if err := change(&a); err != nil {
			return err
		}
		a.ID, a.Created = b.ID, b.Created
		if err := a.check(); err != nil {
			return err
		}
		_, err = c.exec(ctx, "UPDATE accounts SET name = $1, plan = $2, suspended = $3, anchor = $4, monthly = $5 WHERE id = $6",
			a.Name, string(a.Plan), bit(a.Suspended), millis(a.Anchor), a.MonthlyCredits, b.row)
		return err
	})
	if err != nil {
		return Account{}, err
	}
	return a, nil
}

// keys reads the keys that satisfy a condition, oldest first. where is constant text of this
// file, never a caller's.
func (c *conn) keys(ctx context.Context, where string, arg any) (keys []Key, err error) {
	err = c.query(ctx, func(r *sql.Rows) error {
		var k Key
		var addrs, origins string
		err := r.Scan(&k.ID, &k.Account, &k.Kind, &k.Shown, &k.Name, &k.Debug, (*stamp)(&k.Created), (*stamp)(&k.Expires), &k.Rotated, &k.Off, &addrs, &origins)
		if err == nil {
			k.Addrs, err = ParseAddrList(split(addrs))
		}
		if err == nil {
			k.Origins, err = ParseOrigins(split(origins))
		}
		keys = append(keys, k)
		return err
	}, "SELECT k.public, a.public, k.kind, k.shown, k.name, k.debug, k.created, k.expires, k.rotated, k.off, k.addrs, k.origins"+
		" FROM keys k JOIN accounts a ON a.id = k.account WHERE "+where+" ORDER BY k.id", arg)
	return keys, err
}

// split splits a list at commas. An empty text is an empty list.
func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

func joinOrigins(origins []Origin) string {
	texts := make([]string, len(origins))
	for i, o := range origins {
		texts[i] = o.String()
	}
	return strings.Join(texts, ",")
}

// findKey implements directory. Key and account are read by two statements without a
// transaction: if one of them changes in between, the revision has changed, too, and the
// gate forgets the holder within a second.
func (s *Store) findKey(ctx context.Context, hash keyHash) (*holder, error) {
	var h holder
	err := s.read(ctx, func(ctx context.Context, c *conn) error {
		k, err := c.oneKey(ctx, "k.hash = $1", hash[:])
		if err != nil {
			return err
		}
		b, err := c.findAccount(ctx, k.Account)
		if err == nil {
			h = holder{k, b.Account}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &h, nil
}

// oneKey reads the key that satisfies a condition.
func (c *conn) oneKey(ctx context.Context, where string, arg any) (Key, error) {
	keys, err := c.keys(ctx, where, arg)
	switch {
	case err != nil:
		return Key{}, err
	case len(keys) == 0:
		if id, ok := arg.(string); ok { // not the hash of a key
			return Key{}, fmt.Errorf("%w: %q", ErrKeyNotFound, id)
		}
		return Key{}, ErrKeyNotFound
	}
	return keys[0], nil
}

// Key returns a key, or [ErrKeyNotFound].
func (s *Store) Key(ctx context.Context, id string) (k Key, err error) {
	err = s.read(ctx, func(ctx context.Context, c *conn) error {
		k, err = c.oneKey(ctx, "k.public = $1", id)
		return err
	})
	return k, err
}

// Keys returns all keys of an account, oldest first.
func (s *Store) Keys(ctx context.Context, account string) (keys []Key, err error) {
	err = s.read(ctx, func(ctx context.Context, c *conn) error {
		if _, err := c.findAccount(ctx, account); err != nil {
			return err
		}
		keys, err = c.keys(ctx, "a.public = $1", account)
		return err
	})
	return keys, err
}

// CreateKey creates a key with the account, kind, name, right, expiry and lists of k and
// returns it with its secret, which cannot be retrieved later. It fails with
// [ErrKeyLimit] if the plan allows no more active keys.
func (s *Store) CreateKey(ctx context.Context, k Key) (created Key, secret string, err error) {
	if err := CheckName(k.Name); err != nil {
		return Key{}, "", err
	}
	now := s.now()
	if !k.Expires.IsZero() && !k.Expires.After(now) {
		return Key{}, "", fmt.Errorf("billing: the key would expire at %s, which is over; expected a time to come", k.Expires.UTC().Format(time.RFC3339))
	}
	return s.addKey(ctx, k, now, func(context.Context, *conn, *Key) error { return nil })
}

// maxGrace is the longest grace time of a rotation.
const maxGrace = 90 * 24 * time.Hour

// RotateKey creates a key with the rights of an active key and replaces it. The old
// key stays valid for the grace time, at most 90 days. It fails with [ErrKeyUnusable] if
// the old key is not active.
func (s *Store) RotateKey(ctx context.Context, id string, grace time.Duration) (created Key, secret string, err error) {
	if grace < 0 || grace > maxGrace {
		return Key{}, "", fmt.Errorf("billing: grace time of %s; expected 0 to %s", grace, maxGrace)
	}
	k, err := s.Key(ctx, id)
	if err != nil {
		return Key{}, "", err
	}
	now := s.now()
	return s.addKey(ctx, k, now, func(ctx context.Context, c *conn, k *Key) error {
		old, err := c.oneKey(ctx, "k.public = $1", id) // again, now that its account is locked
		if err != nil {
			return err
		}
		if state := old.State(now); state != Active {
			return fmt.Errorf("%w: %s is %s", ErrKeyUnusable, id, state)
		}
		// The new key expires when the old one would have; the grace time never extends a key.
		k.Expires = old.Expires
		if until := now.Add(grace); old.Expires.IsZero() || until.Before(old.Expires) {
			old.Expires = until
		}
		_, err = c.exec(ctx, "UPDATE keys SET rotated = 1, expires = $1 WHERE public = $2", millis(old.Expires), id)
		return err
	})
}

// addKey draws a key like k and writes it after a change of its account's keys.
func (s *Store) addKey(ctx context.Context, k Key, now time.Time, first func(context.Context, *conn, *Key) error) (Key, string, error) {
	secret, err := newSecret(k.Kind, s.o.Entropy)
	if err == nil {
		k.ID, err = randomText("key_", 12, s.o.Entropy)
	}
	if err != nil {
		return Key{}, "", err
	}
	// The secret is drawn before the transaction, which may run several times and then
	// inserts the same key.
	k.Shown, k.Created, k.Rotated, k.Off = secret[:shownLength], now, false, false
	hash := s.pepper.hash(secret)
	err = s.announced(ctx, func(ctx context.Context, c *conn) error {
		b, err := c.lock(ctx, k.Account) // the lock keeps the number of keys exact
		if err != nil {
			return err
		}
		// The reply to the COMMIT of an earlier attempt may have been lost.
		if mine, err := c.keys(ctx, "k.hash = $1", hash[:]); err != nil || len(mine) > 0 {
			return err
		}
		if err := first(ctx, c, &k); err != nil {
			return err
		}
		keys, err := c.keys(ctx, "a.public = $1", k.Account)
		if err != nil {
			return err
		}
		active, limit := 0, b.Plan.Limits().Keys
		for i := range keys {
			if keys[i].State(now) == Active {
				active++
			}
		}
		if active >= limit {
			return fmt.Errorf("%w: %d on %s; deactivate one or change the plan", ErrKeyLimit, limit, b.Plan)
		}
		_, err = c.exec(ctx, "INSERT INTO keys (public, account, hash, kind, shown, name, debug, created, expires, rotated, off, addrs, origins)"+
			" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, $10, $11)",
			k.ID, b.row, hash[:], string(k.Kind), k.Shown, k.Name, bit(k.Debug), k.Created.UnixMilli(), millis(k.Expires),
			strings.Join(k.Addrs.Strings(), ","), joinOrigins(k.Origins))
		return err
	})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

// UpdateKey calls change in a transaction and returns the changed key. A key keeps its
// id, account, kind, secret and time of creation.
func (s *Store) UpdateKey(ctx context.Context, id string, change func(*Key) error) (k Key, err error) {
	err = s.announced(ctx, func(ctx context.Context, c *conn) error {
		old, err := c.oneKey(ctx, "k.public = $1", id)
		if err != nil {
			return err
		}
		if _, err := c.lock(ctx, old.Account); err != nil {
			return err
		}
		if old, err = c.oneKey(ctx, "k.public = $1", id); err != nil { // as others left it before the lock
			return err
		}
		k = old
		if err := change(&k); err != nil {
			return err
		}
		k.ID, k.Account, k.Kind, k.Shown, k.Created = old.ID, old.Account, old.Kind, old.Shown, old.Created
		if err := CheckName(k.Name); err != nil {
			return err
		}
		_, err = c.exec(ctx, "UPDATE keys SET name = $1, debug = $2, expires = $3, rotated = $4, off = $5, addrs = $6, origins = $7 WHERE public = $8",
			k.Name, bit(k.Debug), millis(k.Expires), bit(k.Rotated), bit(k.Off), strings.Join(k.Addrs.Strings(), ","), joinOrigins(k.Origins), id)
		return err
	})
	if err != nil {
		return Key{}, err
	}
	return k, nil
}
