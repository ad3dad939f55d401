package accounts

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/service"
	"github.com/postgeo/postgeo/billing/sqlstore"
	"github.com/postgeo/postgeo/server"
)

// Options configures a [Store].
type Options struct {
	// Pepper is the secret that hashes keys, at least 16 bytes. Required. A store
	// with another pepper is refused.
	Pepper []byte

	// Create creates a missing file or missing tables.
	Create bool

	// Strict delays the result of a settlement until it is on the disk. It has no
	// effect on PostgreSQL.
	Strict bool

	// DemoKey is a key that everyone may use for a few places. Empty disables it.
	DemoKey string

	// Limits is the address of a Redis server that counts requests for several
	// processes, such as "redis://10.0.0.5". Empty means that this process counts.
	Limits string

	// LimitProcesses is the number of processes that share Limits. Each allows its
	// part while the server is unreachable. Zero means 1.
	LimitProcesses int

	// TrustedProxies are addresses and networks that may set X-Forwarded-For. If
	// empty, the header is ignored.
	TrustedProxies []string

	// Logger logs failures of Limits and released credits. Nil disables logging.
	Logger *slog.Logger
}

// A Store holds accounts with their keys and credits.
type Store struct {
	store  *sqlstore.Store
	pepper *billing.Pepper
	access *server.Accounts
	limits io.Closer
	stop   context.CancelFunc
	swept  chan struct{}
}

// Open opens the accounts at an address: a file, or a PostgreSQL database
// ("postgres://…"). Until [Store.Close], it releases the credits of lost requests
// every minute.
func Open(ctx context.Context, address string, opt Options) (*Store, error) {
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	pepper, err := billing.NewPepper(opt.Pepper)
	if err != nil {
		return nil, fmt.Errorf("accounts: Pepper: %w", err)
	}
	proxies, err := billing.ParseAddrList(opt.TrustedProxies)
	if err != nil {
		return nil, fmt.Errorf("accounts: TrustedProxies: %w", err)
	}
	s := &Store{pepper: pepper, swept: make(chan struct{})}
	if s.store, err = sqlstore.Open(ctx, address, sqlstore.Options{Pepper: pepper, Create: opt.Create, Strict: opt.Strict}); err != nil {
		return nil, err
	}
	limiter, limits, err := service.OpenLimits(ctx, opt.Limits, max(1, opt.LimitProcesses), opt.Logger)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("accounts: Limits: %w", err), s.store.Close())
	}
	s.limits = limits
	gate, err := billing.NewGate(billing.GateOptions{Directory: s.store, Pepper: pepper, DemoKey: opt.DemoKey, Limiter: limiter})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("accounts: %w", err), limits.Close(), s.store.Close())
	}
	s.access = &server.Accounts{Gate: gate, Ledger: s.store, TrustedProxies: proxies}
	if shared, ok := limiter.(billing.Pinger); ok {
		s.access.Limits = shared
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(s.swept)
		service.Sweep(ctx, s.store, opt.Logger)
	}()
	return s, nil
}

// Accounts returns the accounts for a server's configuration.
func (s *Store) Accounts() *server.Accounts { return s.access }

// Close closes the store. Stop the server first.
func (s *Store) Close() error {
	s.stop()
	<-s.swept
	return errors.Join(s.limits.Close(), s.store.Close())
}

// CreateAccount enters an account and returns its id. The plan is "free",
// "restricted", "developer", "professional", "business" or "enterprise".
func (s *Store) CreateAccount(ctx context.Context, name, plan string) (id string, err error) {
	p, err := billing.ParsePlan(plan)
	if err != nil {
		return "", err
	}
	if err := billing.CheckName(name); err != nil {
		return "", err
	}
	if id, err = billing.NewAccountID(rand.Reader); err != nil {
		return "", err
	}
	a := billing.Account{ID: id, Name: name, Created: now()}
	a.Subscribe(p, a.Created)
	return id, s.store.CreateAccount(ctx, a)
}

// CreateKey creates a key of an account and returns its secret, which cannot be
// retrieved later. The kind is "live" or "test".
func (s *Store) CreateKey(ctx context.Context, account, kind string) (secret string, err error) {
	k, err := billing.ParseKeyKind(kind)
	if err != nil {
		return "", err
	}
	ring := billing.Keyring{Store: s.store, Pepper: s.pepper}
	_, text, err := ring.Create(ctx, billing.Key{Account: account, Kind: k})
	return text.Reveal(), err
}

// GrantPack gives credits to an account that do not expire. A reference, such as an
// invoice number, is granted once; granted is false if it was granted before.
func (s *Store) GrantPack(ctx context.Context, account, reference string, credits int) (granted bool, err error) {
	_, granted, err = s.store.Grant(ctx, billing.Grant{Account: account, Source: billing.PackCredits, Reference: reference, Amount: credits, Granted: now()})
	return granted, err
}

// GrantPeriod gives an account with a subscription the credits of its billing
// period, once. They expire with the period.
func (s *Store) GrantPeriod(ctx context.Context, account string) (granted bool, err error) {
	a, err := s.store.Account(ctx, account)
	if err != nil {
		return false, err
	}
	g, err := billing.NewSubscriptionGrant(&a, 0, now())
	if err != nil {
		return false, err
	}
	_, granted, err = s.store.Grant(ctx, g)
	return granted, err
}

// Balance returns the credits that an account can spend.
func (s *Store) Balance(ctx context.Context, account string) (int, error) {
	b, err := s.store.Balance(ctx, account)
	return b.Available, err
}

func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
