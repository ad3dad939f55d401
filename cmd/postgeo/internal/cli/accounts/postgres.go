package accounts

import (
	"context"
	"errors"
	"io/fs"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/billing/postgres"
)

// openPostgres opens the accounts in a database. No message shows the
// address, because it may contain a password.
func (f Flags) openPostgres(ctx context.Context, env *command.Env, address string, create bool) (*Store, error) {
	const name = "PostgreSQL"
	if f.PepperFile == "" && env.Getenv("POSTGEO_PEPPER") == "" {
		return nil, command.Usage(message.PepperForDB)
	}
	pepper, err := f.pepper(env, name, false)
	if err != nil {
		return nil, err
	}
	store, err := postgres.Open(ctx, address, postgres.Options{Pepper: pepper, Create: create})
	if errors.Is(err, fs.ErrNotExist) && !create {
		return nil, command.Failure(message.NoAccountsInDB, err)
	}
	if err != nil {
		return nil, err
	}
	return &Store{Store: store, Pepper: pepper, Path: name}, nil
}
