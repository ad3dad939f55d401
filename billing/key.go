package billing

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"
	"time"
)

// A Key is an API key without its secret.
type Key struct {
	ID      string // "key_" and 12 characters; no part of the secret
	Account string // the account's id
	Kind    KeyKind
	Shown   string // first 12 characters of the secret, to identify the key
	Name    string // chosen by the owner; may be empty
	Debug   bool   // responses include meta.debug on request
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

// A KeyKind is the kind of a key.
type KeyKind string

// The kinds of keys.
const (
	Live KeyKind = "live" // everything in the plan; calls are charged
	Test KeyKind = "test" // demo codes and small radii; calls are not charged
	Demo KeyKind = "demo" // shared, for demo codes, limited by address; calls are not charged
)

// The states of keys.
const (
	Active   = "active"
	Inactive = "inactive" // deactivated
	Expired  = "expired"  // past its time, or past the grace time of a rotation
	Rotating = "rotating" // replaced, still valid for a grace time
)

// State returns the state at a time. Requests are accepted in the states Active and
// Rotating.
func (k *Key) State(now time.Time) string {
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

// Lengths of keys.
const (
	keyLength     = 32 // characters of every API key
	minKeyLength  = 16
	maxGivenBytes = 2 * keyLength // of a text that is presented as a key, and of a demo key

	// shownLength is the length of the public part of a key: its mark and four of 24
	// random characters. 100 bits remain secret.
	shownLength = 12
)

// alphabet is Crockford's base 32: digits and letters without the ambiguous i, l,
// o and u. Each character has five random bits.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// newSecret draws a key of the kind, e.g. "pg_live_" and 24 characters of 120
// random bits.
func newSecret(kind KeyKind, entropy io.Reader) (string, error) {
	if kind != Live && kind != Test && kind != Demo {
		return "", fmt.Errorf("billing: %q is not a kind of key; expected live, test or demo", kind)
	}
	mark := "pg_" + string(kind) + "_"
	return randomText(mark, keyLength-len(mark), entropy)
}

// randomText returns the mark and n random characters.
func randomText(mark string, n int, entropy io.Reader) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(entropy, b); err != nil {
		return "", fmt.Errorf("billing: read random bytes: %w", err)
	}
	for i := range b {
		b[i] = alphabet[b[i]&31] // 256 is a multiple of 32, so that all characters are equally likely
	}
	return mark + string(b), nil
}

// A keyHash is the stored form of a key: HMAC-SHA-256 under the pepper.
type keyHash [sha256.Size]byte

// A pepper is the secret of an installation that hashes keys. It is configured, and
// never stored with the hashes: the store alone is no use for guessing keys. It is
// safe for concurrent use.
type pepper struct{ states sync.Pool }

// minPepperLength is the minimum length of a pepper, in bytes.
const minPepperLength = 16

func newPepper(secret []byte) (*pepper, error) {
	if len(secret) < minPepperLength {
		return nil, fmt.Errorf("billing: pepper of %d bytes; expected at least %d, best 32 random ones", len(secret), minPepperLength)
	}
	secret = append([]byte(nil), secret...)
	p := new(pepper)
	p.states.New = func() any { return &pepperState{mac: hmac.New(sha256.New, secret)} }
	return p, nil
}

type pepperState struct {
	mac  hash.Hash
	text [maxGivenBytes + 1]byte // the text, zeros, and its length
	sum  [sha256.Size]byte
}

// hash returns the hash of a text that is presented as a key. Texts of any length
// take the same time: they are cut or padded to one length. The hash includes the
// length, so that no other text collides with a key.
//
// A fast hash is enough, unlike for passwords: a key has 120 random bits, which nobody can
// guess from its hash, with or without the pepper. The pool keeps states of the HMAC,
// because a new one allocates two hashes and prepares them with the pepper.
func (p *pepper) hash(text string) keyHash {
	s := p.states.Get().(*pepperState)
	defer p.states.Put(s)
	clear(s.text[:])
	copy(s.text[:maxGivenBytes], text)
	s.text[maxGivenBytes] = byte(min(len(text), 255))
	s.mac.Reset()
	s.mac.Write(s.text[:])
	return keyHash(s.mac.Sum(s.sum[:0]))
}

// fingerprint identifies a pepper without revealing it. A store compares it with
// that of its first use.
func (p *pepper) fingerprint() keyHash { return p.hash("postgeo pepper fingerprint") }

// ErrPepper is returned for accounts that were written with another pepper.
var ErrPepper = errors.New("billing: the pepper is not the one that the keys were hashed with; configure the original one")

// CheckDemoKey returns an error unless a text is a valid demo key: 16 to 64
// printable ASCII characters. It must not begin or end with a space. The error
// does not contain the text.
func CheckDemoKey(s string) error {
	switch {
	case len(s) < minKeyLength, len(s) > maxGivenBytes:
		return fmt.Errorf("billing: demo key of %d bytes; expected %d to %d printable ASCII characters", len(s), minKeyLength, maxGivenBytes)
	case strings.TrimSpace(s) != s, strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }):
		return errors.New("billing: the demo key has a character that is not printable ASCII, or begins or ends with a space")
	}
	return nil
}
