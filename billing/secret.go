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
)

// KeyLength is the number of characters of every API key.
const KeyLength = 32

// minKeyLength is the number of characters below which a text is not even
// looked at as a key.
const minKeyLength = 16

// alphabet is Crockford's base 32: digits and letters without i, l, o and u,
// which are mistaken for others. Each character is five random bits.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// shownLength is how much of a key may be shown to tell it from others: its
// mark and four of 24 random characters. 100 bits stay unknown.
const shownLength = 12

// A KeyKind says what a key may do.
type KeyKind uint8

// The kinds of keys.
const (
	Live KeyKind = iota + 1 // everything the plan has; calls are charged
	Test                    // demo codes and small radii; calls are not charged
	Demo                    // shared, for demo codes, limited by address; calls are not charged
)

var kindNames = [...]string{Live: "live", Test: "test", Demo: "demo"}

// String returns "live", "test" or "demo".
func (k KeyKind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return "none"
	}
	return kindNames[k]
}

// ParseKeyKind reads "live", "test" or "demo".
func ParseKeyKind(s string) (KeyKind, error) {
	for k := Live; k <= Demo; k++ {
		if kindNames[k] == s {
			return k, nil
		}
	}
	return 0, fmt.Errorf("billing: %q is no kind of key; expected live, test or demo", s)
}

// A Secret is the text of a new API key. It is seen once, by whoever creates
// the key; it prints as its shown part.
type Secret struct{ text string }

// NewSecret draws a key of the kind, e.g. "pg_live_" and 24 characters of 120
// random bits.
func NewSecret(kind KeyKind, entropy io.Reader) (Secret, error) {
	if kind < Live || kind > Demo {
		return Secret{}, fmt.Errorf("billing: no kind of key has the number %d", kind)
	}
	mark := "pg_" + kind.String() + "_"
	random, err := randomText(entropy, KeyLength-len(mark))
	if err != nil {
		return Secret{}, err
	}
	return Secret{mark + random}, nil
}

// randomText returns n characters of the alphabet.
func randomText(entropy io.Reader, n int) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(entropy, b); err != nil {
		return "", fmt.Errorf("billing: read random bytes: %w", err)
	}
	for i := range b {
		b[i] = alphabet[b[i]&31] // 256 is a multiple of 32: no character is likelier
	}
	return string(b), nil
}

// Reveal returns the whole key.
func (s Secret) Reveal() string { return s.text }

// Shown returns the part of the key that listings have.
func (s Secret) Shown() string { return shown(s.text) }

// String returns the part of the key that may be shown.
func (s Secret) String() string { return s.Shown() + "…" }

// GoString keeps the key out of %#v.
func (s Secret) GoString() string { return "billing.Secret(" + s.Shown() + "…)" }

func shown(text string) string {
	if len(text) < KeyLength {
		return ""
	}
	return text[:shownLength]
}

// A KeyHash is all that is stored of a key: HMAC-SHA-256 under the pepper.
type KeyHash [sha256.Size]byte

// A Pepper is the secret of an installation under which keys are hashed. It
// is configuration and never stored beside the hashes: who has only the store
// cannot test guesses. It is safe for concurrent use.
type Pepper struct{ states sync.Pool }

// minPepperLength is the smallest pepper, in bytes.
const minPepperLength = 16

// NewPepper returns the pepper. It needs at least 16 bytes; 32 random ones are
// right.
func NewPepper(secret []byte) (*Pepper, error) {
	if len(secret) < minPepperLength {
		return nil, fmt.Errorf("billing: pepper of %d bytes; expected at least %d, best 32 random ones", len(secret), minPepperLength)
	}
	secret = append([]byte(nil), secret...)
	p := new(Pepper)
	p.states.New = func() any { return &pepperState{mac: hmac.New(sha256.New, secret)} }
	return p, nil
}

type pepperState struct {
	mac  hash.Hash
	text [2*KeyLength + 1]byte // the text, zeros, and its length
	sum  [sha256.Size]byte
}

// Hash returns the hash of a text that is presented as a key. A text of any
// length takes the same time: what is longer is cut and what is shorter filled
// up, and the length is hashed with it, so that neither can pass for a key.
func (p *Pepper) Hash(text string) KeyHash {
	s := p.states.Get().(*pepperState)
	defer p.states.Put(s)
	clear(s.text[:])
	copy(s.text[:2*KeyLength], text)
	s.text[2*KeyLength] = byte(min(len(text), 255))
	s.mac.Reset()
	s.mac.Write(s.text[:])
	return KeyHash(s.mac.Sum(s.sum[:0]))
}

// Fingerprint tells peppers apart without giving them away; a store keeps it
// to notice that it is opened with another one.
func (p *Pepper) Fingerprint() KeyHash { return p.Hash("postgeo pepper fingerprint") }

// ErrPepper says that a store was written with another pepper than the one
// given.
var ErrPepper = errors.New("billing: the pepper is not the one that the keys were hashed with; configure the original one")

// NewAccountID draws an account's id.
func NewAccountID(entropy io.Reader) (string, error) { return newID("acct_", 16, entropy) }

// NewKeyID draws the public id of a key, which is no part of the key.
func NewKeyID(entropy io.Reader) (string, error) { return newID("key_", 12, entropy) }

func newID(mark string, n int, entropy io.Reader) (string, error) {
	random, err := randomText(entropy, n)
	return mark + random, err
}

// maxDemoKeyLength is the number of characters of the longest demo key.
const maxDemoKeyLength = 2 * KeyLength

// CheckDemoKey returns an error unless a text can be a demo key: 16 to 64
// printable ASCII characters, the first and last of them no space. The error
// does not hold the text.
func CheckDemoKey(s string) error {
	switch {
	case len(s) < minKeyLength, len(s) > maxDemoKeyLength:
		return fmt.Errorf("billing: demo key of %d bytes; expected %d to %d printable ASCII characters", len(s), minKeyLength, maxDemoKeyLength)
	case strings.TrimSpace(s) != s, strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }):
		return errors.New("billing: the demo key has a character that is not printable ASCII, or begins or ends with a space")
	}
	return nil
}
