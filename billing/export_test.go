package billing

import (
	"context"
	"flag"
	"time"
)

// Revision returns the number of changes of accounts and keys.
func (s *Store) Revision(ctx context.Context) (int64, error) { return s.revision(ctx) }

// FindKey returns a key with its account.
func (s *Store) FindKey(ctx context.Context, secret string) (Key, Account, error) {
	h, err := s.findKey(ctx, s.pepper.hash(secret))
	if err != nil {
		return Key{}, Account{}, err
	}
	return h.key, h.account, nil
}

// SetTimeout changes the time that calls wait for the database.
func (s *Store) SetTimeout(d time.Duration) { s.o.Timeout = d }

// Update writes the outcomes of testdata again.
var Update = flag.Bool("update", false, "write the outcomes of testdata again")
