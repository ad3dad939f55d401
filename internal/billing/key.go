package billing

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
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

var stateNames = [...]string{Active: "active", Inactive: "inactive", Expired: "expired", Rotating: "rotating"}

// String returns the state's name, e.g. "active".
func (s KeyState) String() string {
	if s == 0 || int(s) >= len(stateNames) {
		return "none"
	}
	return stateNames[s]
}

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

var scopeNames = []struct {
	scope Scopes
	name  string
}{{ScopeDebug, "debug"}}

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
		i := slices.IndexFunc(scopeNames, func(sc struct {
			scope Scopes
			name  string
		},
		) bool {
			return sc.name == name
		})
		if i < 0 {
			return 0, fmt.Errorf("billing: %q is not a scope; expected debug", name)
		}
		s |= scopeNames[i].scope
	}
	return s, nil
}
