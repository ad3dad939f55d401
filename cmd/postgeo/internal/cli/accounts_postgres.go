package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/postgeo/postgeo/billing/postgres"
)

// isPostgres reports whether accounts are named by a database's address.
func isPostgres(accounts string) bool {
	return strings.HasPrefix(accounts, "postgres://") || strings.HasPrefix(accounts, "postgresql://")
}

// openPostgres opens the accounts in a database. No message shows its address,
// which may have a password in it.
func (f accountsFlag) openPostgres(ctx context.Context, env *Env, address string, create bool) (*accounts, error) {
	const name = "PostgreSQL"
	if f.PepperFile == "" && env.Getenv("POSTGEO_PEPPER") == "" {
		return nil, wrongUse("accounts in PostgreSQL have no file beside which their pepper could be; give the same one to every process with --pepper-file or POSTGEO_PEPPER, 32 random bytes")
	}
	pepper, err := f.pepper(env, name, false)
	if err != nil {
		return nil, err
	}
	store, err := postgres.Open(ctx, address, postgres.Options{Pepper: pepper, Create: create})
	if errors.Is(err, fs.ErrNotExist) && !create {
		return nil, fmt.Errorf("there are no accounts in this database: %w; make the first with 'postgeo account create'", err)
	}
	if err != nil {
		return nil, err
	}
	return &accounts{Store: store, pepper: pepper, path: name}, nil
}
