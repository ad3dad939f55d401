package billing

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/internal/enum"
)

// KeyLength is the number of characters of every API key.
const KeyLength = 32

// minKeyLength is the minimum number of characters of a key.
const minKeyLength = 16

// alphabet is Crockford's base 32: digits and letters without the ambiguous i, l,
// o and u. Each character has five random bits.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// shownLength is the length of the public part of a key: its mark and four of 24
// random characters. 100 bits remain secret.
const shownLength = 12

// A KeyKind is the kind of a key.
type KeyKind uint8

// The kinds of keys.
const (
	Live KeyKind = iota + 1 // everything in the plan; calls are charged
	Test                    // demo codes and small radii; calls are not charged
	Demo                    // shared, for demo codes, limited by address; calls are not charged
)

var kindNames = enum.Names[KeyKind]{Live: "live", Test: "test", Demo: "demo"}

// String returns "live", "test" or "demo".
func (k KeyKind) String() string { return cmp.Or(kindNames.Of(k), "none") }

// ParseKeyKind reads "live", "test" or "demo".
func ParseKeyKind(s string) (KeyKind, error) {
	if k, ok := kindNames.Find(s); ok {
		return k, nil
	}
	return 0, fmt.Errorf("billing: %q is not a kind of key; expected live, test or demo", s)
}

// A Secret is the text of a new API key. Only its creator sees it: a Secret prints
// as its public part.
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

func randomText(entropy io.Reader, n int) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(entropy, b); err != nil {
		return "", fmt.Errorf("billing: read random bytes: %w", err)
	}
	for i := range b {
		b[i] = alphabet[b[i]&31] // 256 is a multiple of 32, so that all characters are equally likely
	}
	return string(b), nil
}

// Reveal returns the whole key.
func (s Secret) Reveal() string { return s.text }

// Shown returns the public part of the key.
func (s Secret) Shown() string { return shown(s.text) }

// String returns the public part of the key.
func (s Secret) String() string { return s.Shown() + "…" }

// GoString keeps the key out of %#v.
func (s Secret) GoString() string { return "billing.Secret(" + s.Shown() + "…)" }

func shown(text string) string {
	if len(text) < KeyLength {
		return ""
	}
	return text[:shownLength]
}

// A KeyHash is the stored form of a key: HMAC-SHA-256 under the pepper.
type KeyHash [sha256.Size]byte

// A Pepper is the secret of an installation that hashes keys. It is
// configured, and never stored with the hashes: the store alone is no use for
// guessing keys. It is safe for concurrent use.
type Pepper struct{ states sync.Pool }

// minPepperLength is the minimum length of a pepper, in bytes.
const minPepperLength = 16

// NewPepper returns a pepper of at least 16 bytes; 32 random bytes are
// recommended.
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

// Hash returns the hash of a text that is presented as a key. Texts of any length
// take the same time: they are cut or padded to one length. The hash includes the
// length, so that no other text collides with a key.
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

// Fingerprint identifies a pepper without revealing it. A store compares it with
// that of its first use.
func (p *Pepper) Fingerprint() KeyHash { return p.Hash("postgeo pepper fingerprint") }

// ErrPepper is returned for a store that was written with another pepper.
var ErrPepper = errors.New("billing: the pepper is not the one that the keys were hashed with; configure the original one")

// NewAccountID draws an account's id.
func NewAccountID(entropy io.Reader) (string, error) { return newID("acct_", 16, entropy) }

// NewKeyID draws the public id of a key. It is independent of the secret.
func NewKeyID(entropy io.Reader) (string, error) { return newID("key_", 12, entropy) }

func newID(mark string, n int, entropy io.Reader) (string, error) {
	random, err := randomText(entropy, n)
	return mark + random, err
}

// maxDemoKeyLength is the number of characters of the longest demo key.
const maxDemoKeyLength = 2 * KeyLength

// CheckDemoKey returns an error unless a text is a valid demo key: 16 to 64
// printable ASCII characters. It must not begin or end with a space. The error
// does not contain the text.
func CheckDemoKey(s string) error {
	switch {
	case len(s) < minKeyLength, len(s) > maxDemoKeyLength:
		return fmt.Errorf("billing: demo key of %d bytes; expected %d to %d printable ASCII characters", len(s), minKeyLength, maxDemoKeyLength)
	case strings.TrimSpace(s) != s, strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }):
		return errors.New("billing: the demo key has a character that is not printable ASCII, or begins or ends with a space")
	}
	return nil
}
