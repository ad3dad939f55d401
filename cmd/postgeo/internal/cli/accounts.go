package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/sqlite"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

// accountsFileName is the accounts' name in the user's data folder.
const accountsFileName = "accounts.db"

// pepperSuffix makes the pepper's file out of the accounts'.
const pepperSuffix = ".pepper"

// accountsFlag names the accounts of a command.
type accountsFlag struct {
	Accounts   string `help:"Accounts: a file, or a PostgreSQL database (postgres://…), which needs the pepper to be given. Default: $$POSTGEO_ACCOUNTS, else accounts.db in the user's data folder." placeholder:"FILE|URL"`
	PepperFile string `help:"File with the secret that keys are hashed under. Default: the text of $$POSTGEO_PEPPER, else the accounts' file with .pepper after it, which is made with the accounts." placeholder:"FILE" type:"path"`

	strict bool // wait for the disk with every settlement
}

// path returns the accounts' file or the database's address.
func (f accountsFlag) path(env *Env) (string, error) {
	path := f.Accounts
	if path == "" {
		path = env.Getenv("POSTGEO_ACCOUNTS")
	}
	if path == "" && env.DataDir != "" {
		path = filepath.Join(env.DataDir, accountsFileName)
	}
	switch {
	case path == "":
		return "", wrongUse("name the accounts with --accounts FILE or POSTGEO_ACCOUNTS")
	case strings.Contains(path, "://") && !isPostgres(path):
		scheme, _, _ := strings.Cut(path, "://")
		return "", wrongUse("--accounts %s://…: accounts are kept in a file or in PostgreSQL; give --accounts FILE or --accounts postgres://…", scheme)
	}
	return path, nil
}

// open opens the accounts. With create it makes them, and their pepper, where
// there are none.
func (f accountsFlag) open(ctx context.Context, env *Env, create bool) (*accounts, error) {
	path, err := f.path(env)
	if err != nil {
		return nil, err
	}
	if isPostgres(path) {
		return f.openPostgres(ctx, env, path, create)
	}
	_, err = os.Stat(path)
	absent := errors.Is(err, fs.ErrNotExist)
	if absent && !create {
		return nil, fmt.Errorf("there are no accounts in %s; make the first with 'postgeo account create', or name others with --accounts", path)
	}
	if absent {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("accounts: %w", err)
		}
	}
	pepper, err := f.pepper(env, path, absent)
	if err != nil {
		return nil, err
	}
	store, err := sqlite.Open(ctx, path, sqlite.Options{Pepper: pepper, Create: create, Strict: f.strict})
	if err != nil {
		return nil, err
	}
	return &accounts{Store: store, pepper: pepper, path: path}, nil
}

// accounts are open accounts and the pepper of their keys.
type accounts struct {
	billing.Store
	pepper *billing.Pepper
	path   string
}

func (a *accounts) keyring() *billing.Keyring {
	return &billing.Keyring{Store: a.Store, Pepper: a.pepper}
}

// pepper returns the pepper of the accounts in a file.
func (f accountsFlag) pepper(env *Env, accounts string, create bool) (*billing.Pepper, error) {
	path := f.PepperFile
	if path == "" {
		if text := env.Getenv("POSTGEO_PEPPER"); text != "" {
			p, err := billing.NewPepper([]byte(text))
			if err != nil {
				return nil, fmt.Errorf("POSTGEO_PEPPER: %w", err)
			}
			return p, nil
		}
		path = accounts + pepperSuffix
		if create {
			if err := makePepper(env, path); err != nil {
				return nil, err
			}
		}
	}
	secret, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("pepper of the accounts in %s: %w; give the original one with --pepper-file or POSTGEO_PEPPER, without it no key can be checked", accounts, err)
	}
	p, err := billing.NewPepper(bytes.TrimSpace(secret))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// makePepper writes a random pepper, unless there is a file.
func makePepper(env *Env, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("pepper: %w", err)
	}
	random := make([]byte, 32)
	rand.Read(random)
	_, err = f.WriteString(hex.EncodeToString(random) + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(fmt.Errorf("pepper: %w", err), os.Remove(path))
	}
	env.say("made the pepper that keys are hashed under: %s; keep it as safe as the accounts, and not beside their copies", path)
	return nil
}

// accountRef names an account, as an argument or as a flag.
type accountRef struct {
	ID      string `arg:"" optional:"" name:"account" help:"The account's id; or --account."`
	Account string `help:"The account's id." placeholder:"ID" name:"account"`
}

func (r accountRef) id() (string, error) {
	switch {
	case r.ID != "" && r.Account != "" && r.ID != r.Account:
		return "", wrongUse("two accounts are named, %s and %s; name one", r.ID, r.Account)
	case r.ID != "":
		return r.ID, nil
	case r.Account != "":
		return r.Account, nil
	}
	return "", wrongUse("name the account with --account ID; 'postgeo account list' lists them")
}

// stamp writes a time as RFC 3339; the zero time is "".
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// parseMoment reads a time in the future or the past: a span before or after
// now ("36h", "90d"), a day ("2027-01-31", its 00:00 UTC) or RFC 3339.
func parseMoment(flag, s string, now time.Time, sign int) (time.Time, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n <= 36_500 {
			return now.AddDate(0, 0, sign*n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(time.Duration(sign) * d), nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, wrongUse("%s %q is no time; give a span (36h, 90d), a day (2027-01-31) or a time (2027-01-31T12:00:00Z)", flag, s)
}

// A showing configures the output of a command about accounts.
type showing struct {
	format  formatFlag
	array   bool            // several items
	summary []output.Column // of a table of several items; nil: all
	create  bool            // missing accounts are created
}

// showItems opens the accounts, calls run, and writes the items that it returns.
// The flags of the format are read before, so that a wrong one changes nothing.
func showItems[T any](ctx context.Context, env *Env, f accountsFlag, o showing, run func(*accounts) ([]T, error)) error {
	show, err := newShower[T](env, o)
	if err != nil {
		return err
	}
	return f.withAccounts(ctx, env, o.create, func(s *accounts) error {
		items, err := run(s)
		if err != nil {
			return err
		}
		return show(items)
	})
}

// newShower returns a function that writes items of one type.
func newShower[T any](env *Env, o showing) (func(items []T) error, error) {
	v := view{all: output.Columns[T](), array: o.array}
	if o.array {
		v.summary = o.summary
		if v.summary == nil {
			v.summary = v.all
		}
	}
	opts, err := o.format.options(env, v)
	if err != nil {
		return nil, err
	}
	return func(items []T) error { return writeAll(env.Stdout, opts, items) }, nil
}

// withAccounts opens the accounts, runs f and closes them.
func (f accountsFlag) withAccounts(ctx context.Context, env *Env, create bool, run func(*accounts) error) error {
	a, err := f.open(ctx, env, create)
	if err != nil {
		return err
	}
	return errors.Join(run(a), a.Close())
}
