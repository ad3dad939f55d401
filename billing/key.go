package billing

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/enum"
)

// A Key is an API key without its secret.
type Key struct {
	ID      string // "key_" and 12 characters; no part of the secret
	Account string // the account's id
	Kind    KeyKind
	Shown   string // first 12 characters of the secret, to identify the key
	Name    string // chosen by the owner; may be empty
	Scopes  Scopes
	Created time.Time
	Expires time.Time // zero: never; of a rotated key the end of its grace time
	Rotated bool      // replaced by another key
	Off     bool      // deactivated
	Addrs   AddrList  // addresses it may be used from; empty: any
	Origins []Origin  // pages it may be used from; empty: any
}

// Errors of keys.
var (
	ErrKeyNotFound = errors.New("billing: key not found")
	ErrKeyLimit    = errors.New("billing: the account has as many keys as its plan allows")
	ErrKeyUnusable = errors.New("billing: the key is not active")
)

// A KeyState is the state of a key.
type KeyState uint8

// The states of keys.
const (
	Active   KeyState = iota + 1
	Inactive          // deactivated
	Expired           // past its time, or past the grace time of a rotation
	Rotating          // replaced, still valid for a grace time
)

var stateNames = enum.Names[KeyState]{Active: "active", Inactive: "inactive", Expired: "expired", Rotating: "rotating"}

// String returns the state's name, e.g. "active".
func (s KeyState) String() string { return cmp.Or(stateNames.Of(s), "none") }

// State returns the state at a time.
func (k *Key) State(now time.Time) KeyState {
	switch {
	case k.Off:
		return Inactive
	case !k.Expires.IsZero() && !now.Before(k.Expires):
		return Expired
	case k.Rotated:
		return Rotating
	default:
		return Active
	}
}

// Usable reports whether requests with the key are accepted at a time.
func (k *Key) Usable(now time.Time) bool {
	s := k.State(now)
	return s == Active || s == Rotating
}

// Scopes are additional rights of a key.
type Scopes uint8

// The scopes.
const (
	ScopeDebug Scopes = 1 << iota // responses include meta.debug on request
)

type scopeName struct {
	scope Scopes
	name  string
}

var scopeNames = []scopeName{{ScopeDebug, "debug"}}

// Has reports whether s has every scope of t.
func (s Scopes) Has(t Scopes) bool { return s&t == t }

// String returns the names, divided by commas.
func (s Scopes) String() string {
	var names []string
	for _, sc := range scopeNames {
		if s.Has(sc.scope) {
			names = append(names, sc.name)
		}
	}
	return strings.Join(names, ",")
}

// ParseScopes reads names of scopes.
func ParseScopes(names []string) (Scopes, error) {
	var s Scopes
	for _, name := range names {
		i := slices.IndexFunc(scopeNames, func(sc scopeName) bool { return sc.name == name })
		if i < 0 {
			return 0, fmt.Errorf("billing: %q is not a scope; expected debug", name)
		}
		s |= scopeNames[i].scope
	}
	return s, nil
}

// A Keyring creates and replaces keys. Entropy and Now default to crypto/rand and
// time.Now; the other fields are required.
type Keyring struct {
	Store   Store
	Pepper  *Pepper
	Entropy io.Reader
	Now     func() time.Time
}

// Create creates a key with the account, kind, name, scopes, expiry and lists of
// k. The secret cannot be retrieved later.
func (r *Keyring) Create(ctx context.Context, k Key) (Key, Secret, error) {
	if err := CheckName(k.Name); err != nil {
		return Key{}, Secret{}, err
	}
	now := r.now()
	if !k.Expires.IsZero() && !k.Expires.After(now) {
		return Key{}, Secret{}, fmt.Errorf("billing: the key would expire at %s, which is over; expected a time to come", k.Expires.UTC().Format(time.RFC3339))
	}
	secret, err := r.draw(&k)
	if err != nil {
		return Key{}, Secret{}, err
	}
	k.Created, k.Rotated, k.Off = now, false, false
	if err := r.Store.CreateKey(ctx, k, r.Pepper.Hash(secret.text), now); err != nil {
		return Key{}, Secret{}, err
	}
	return k, secret, nil
}

// maxGrace is the longest grace time of a rotation.
const maxGrace = 90 * 24 * time.Hour

// Rotate creates a key with the rights of an active key and replaces it. The old
// key stays valid for the grace time, at most 90 days.
func (r *Keyring) Rotate(ctx context.Context, id string, grace time.Duration) (Key, Secret, error) {
	if grace < 0 || grace > maxGrace {
		return Key{}, Secret{}, fmt.Errorf("billing: grace time of %s; expected 0 to %s", grace, maxGrace)
	}
	k, err := r.Store.Key(ctx, id)
	if err != nil {
		return Key{}, Secret{}, err
	}
	now := r.now()
	secret, err := r.draw(&k)
	if err != nil {
		return Key{}, Secret{}, err
	}
	k.Created = now
	if err := r.Store.ReplaceKey(ctx, id, now.Add(grace), k, r.Pepper.Hash(secret.text), now); err != nil {
		return Key{}, Secret{}, err
	}
	return k, secret, nil
}

func (r *Keyring) draw(k *Key) (Secret, error) {
	if r.Pepper == nil {
		return Secret{}, errors.New("billing: a keyring needs a pepper")
	}
	entropy := r.Entropy
	if entropy == nil {
		entropy = rand.Reader
	}
	var err error
	if k.ID, err = NewKeyID(entropy); err != nil {
		return Secret{}, err
	}
	secret, err := NewSecret(k.Kind, entropy)
	k.Shown = secret.Shown()
	return secret, err
}

func (r *Keyring) now() time.Time {
	if r.Now == nil {
		return time.Now().UTC()
	}
	return r.Now()
}
