package accounts

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

// fileName is the name of the accounts' file in the user's data folder.
const fileName = "accounts.db"

// pepperSuffix extends the name of the accounts' file to that of the pepper.
const pepperSuffix = ".pepper"

// Flags are the flags that name the accounts of a command.
type Flags struct {
	Accounts   string `help:"Accounts: a file, or a PostgreSQL database (postgres://…), which requires a pepper. Default: $POSTGEO_ACCOUNTS, else accounts.db in the user's data folder." placeholder:"FILE|URL"`
	PepperFile string `help:"File with the secret for hashing API keys. Default: the text of $POSTGEO_PEPPER, else the accounts' file with .pepper after it, which is created with the accounts." placeholder:"FILE"`

	Serve billing.Options // of a server
}

func (f Flags) flags() Flags { return f }

// Open opens the accounts. With create it creates missing ones with their pepper. No
// message shows the address of a database, because it may contain a password.
func (f Flags) Open(ctx context.Context, env *command.Env, create bool) (*Store, error) {
	path := cmp.Or(f.Accounts, env.Getenv("POSTGEO_ACCOUNTS"))
	if path == "" && env.DataDir != "" {
		path = filepath.Join(env.DataDir, fileName)
	}
	shown, absent := path, false
	scheme, _, isURL := strings.Cut(path, "://")
	switch {
	case path == "":
		return nil, command.Usage(`missing accounts; use --accounts FILE or POSTGEO_ACCOUNTS`)
	case billing.IsURL(path):
		if shown = "PostgreSQL"; f.PepperFile == "" && env.Getenv("POSTGEO_PEPPER") == "" {
			return nil, command.Usage(`accounts in PostgreSQL require a pepper that all processes share; use --pepper-file or POSTGEO_PEPPER, 32 random bytes`)
		}
	case isURL:
		return nil, command.Usage(`invalid --accounts %s://…: must be a file or postgres://…`, scheme)
	default:
		info, err := os.Stat(path)
		if absent = errors.Is(err, fs.ErrNotExist); err == nil && info.IsDir() {
			return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EISDIR}
		}
		if absent && create {
			err = os.MkdirAll(filepath.Dir(path), 0o700)
		} else if absent {
			err = command.Failure(`no accounts in %s; create the first with 'postgeo account create', or use others with --accounts`, path)
		}
		if err != nil {
			return nil, err
		}
	}
	o := f.Serve
	o.Create = create
	var err error
	if o.Pepper, err = f.pepper(env, shown, absent); err != nil {
		return nil, err
	}
	store, err := billing.Open(ctx, path, o)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !create:
		return nil, command.Failure(`no accounts in this database: %w; create the first with 'postgeo account create'`, err)
	case err != nil:
		return nil, err
	}
	return &Store{store, shown}, nil
}

// A Store is open accounts.
type Store struct {
	*billing.Store
	Path string // file, or "PostgreSQL"
}

func (f Flags) pepper(env *command.Env, accounts string, create bool) ([]byte, error) {
	path := f.PepperFile
	if path == "" {
		if text := env.Getenv("POSTGEO_PEPPER"); text != "" {
			return []byte(text), nil
		}
		path = accounts + pepperSuffix
		if create {
			if err := createPepper(env, path); err != nil {
				return nil, err
			}
		}
	}
	secret, err := os.ReadFile(path)
	if err != nil {
		return nil, command.Failure(`pepper of the accounts in %s: %w; use the original one with --pepper-file or POSTGEO_PEPPER, API keys cannot be checked without it`, accounts, err)
	}
	return bytes.TrimSpace(secret), nil
}

// createPepper writes a random pepper unless the file exists. It is on the disk before the
// accounts are: keys that were hashed with a pepper that a power failure took are lost.
func createPepper(env *command.Env, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return command.Failure(`pepper: %w`, err)
	}
	random := make([]byte, 32)
	rand.Read(random)
	_, err = f.WriteString(hex.EncodeToString(random) + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(command.Failure(`pepper: %w`, err), os.Remove(path))
	}
	env.Report(`created %s, the pepper for hashing API keys; protect it like the accounts, and store it separately from their backups`, path)
	return nil
}
