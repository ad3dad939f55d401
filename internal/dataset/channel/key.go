package channel

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

const (
	publicPrefix  = "postgeo-public-key "
	privatePrefix = "postgeo-private-key "
	// maxKeys is the most keys of a set.
	maxKeys = 16
)

// A Key signs indexes and sets of keys.
type Key struct{ private ed25519.PrivateKey }

// Public returns the key that verifies signatures.
func (k Key) Public() ed25519.PublicKey { return k.private.Public().(ed25519.PublicKey) }

// NewKey makes a key and writes it to the file, readable by its owner only, and its
// public part to the file with ".pub" added. Neither file may exist.
func NewKey(path string, random io.Reader) error {
	public, private, err := ed25519.GenerateKey(random)
	if err != nil {
		return fmt.Errorf("channel: make a key: %w", err)
	}
	if err := writeNew(path, privatePrefix+base64.StdEncoding.EncodeToString(private.Seed())+"\n", 0o600); err != nil {
		return err
	}
	if err := writeNew(path+".pub", publicLine(public), 0o644); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

func publicLine(k ed25519.PublicKey) string {
	return publicPrefix + base64.StdEncoding.EncodeToString(k) + "\n"
}

func writeNew(path, text string, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("channel: write a key: %w", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(fmt.Errorf("channel: write a key: %w", err), os.Remove(path))
	}
	return nil
}

// ReadKey reads the file of a private key. Others than its owner must not be able to
// read it.
func ReadKey(path string) (Key, error) {
	b, info, err := readSmall(path)
	if err != nil {
		return Key{}, fmt.Errorf("channel: read the key: %w", err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && os.PathSeparator == '/' {
		return Key{}, fmt.Errorf("channel: others can read the key %s (mode %o); expected mode 600: run chmod 600 %s", path, mode, path)
	}
	text, ok := strings.CutPrefix(strings.TrimSpace(string(b)), privatePrefix)
	seed, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(seed) != ed25519.SeedSize {
		return Key{}, fmt.Errorf("channel: %s is not a private key; expected a file of \"postgeo dataset key new\"", path)
	}
	return Key{ed25519.NewKeyFromSeed(seed)}, nil
}

func readSmall(path string) ([]byte, fs.FileInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxIndex+1))
	if err == nil && len(b) > maxIndex {
		err = fmt.Errorf("%s has more than %d bytes", path, maxIndex)
	}
	return b, info, err
}

// A KeySet is the set of keys that a channel trusts. Any of them may sign an index.
// Two of them, or the only one, must sign the set that follows it.
type KeySet []ed25519.PublicKey

// ReadKeys reads files with public keys, one per line.
func ReadKeys(paths ...string) (KeySet, error) {
	var keys KeySet
	for _, path := range paths {
		b, _, err := readSmall(path)
		if err != nil {
			return nil, fmt.Errorf("channel: read the public keys: %w", err)
		}
		set, err := ParseKeys(string(b))
		if err != nil {
			return nil, fmt.Errorf("channel: %s: %w", path, err)
		}
		keys = append(keys, set...)
	}
	return keys.sorted()
}

// ParseKeys reads public keys, one per line. Empty lines and lines that begin with
// "#" are skipped.
func ParseKeys(text string) (KeySet, error) {
	var keys KeySet
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		text, ok := strings.CutPrefix(line, publicPrefix)
		k, err := base64.StdEncoding.DecodeString(text)
		if !ok || err != nil || len(k) != ed25519.PublicKeySize {
			// The line may be a private key, which no message may show.
			return nil, fmt.Errorf("line %d is not a public key; expected a line of the .pub file of \"postgeo dataset key new\"", n)
		}
		keys = append(keys, k)
	}
	return keys.sorted()
}

// sorted returns the keys in order, each once.
func (s KeySet) sorted() (KeySet, error) {
	s = slices.Clone(s)
	slices.SortFunc(s, func(a, b ed25519.PublicKey) int { return bytes.Compare(a, b) })
	s = slices.CompactFunc(s, func(a, b ed25519.PublicKey) bool { return a.Equal(b) })
	if len(s) == 0 || len(s) > maxKeys {
		return nil, fmt.Errorf("%d public keys; expected 1 to %d", len(s), maxKeys)
	}
	for _, k := range s {
		if len(k) != ed25519.PublicKeySize {
			return nil, errors.New("a public key is malformed")
		}
	}
	return s, nil
}

// String returns the keys as the lines of a .pub file.
func (s KeySet) String() string {
	var text strings.Builder
	for _, k := range s {
		text.WriteString(publicLine(k))
	}
	return text.String()
}

// id identifies the set.
func (s KeySet) id() string {
	sum := sha256.Sum256([]byte(s.String()))
	return hex.EncodeToString(sum[:])
}

// threshold is the number of signatures of a rotation.
func (s KeySet) threshold() int { return min(2, len(s)) }

// A signed value is JSON text with signatures.
type signed struct {
	Signed     json.RawMessage `json:"signed"`
	Signatures []signature     `json:"signatures"`
}

type signature struct {
	Key       []byte `json:"key"`
	Signature []byte `json:"signature"`
}

// Purposes of signatures, which are signed too.
const (
	forIndex    = "postgeo index 1\n"
	forRotation = "postgeo keys 1\n"
)

// exact reports whether JSON text is the form that a publisher writes of the value.
func exact(text []byte, value any) bool {
	b, err := encode(value)
	return err == nil && bytes.Equal(text, b)
}

func sign(value any, purpose string, keys ...Key) (s signed, err error) {
	if s.Signed, err = json.Marshal(value); err != nil {
		return s, err
	}
	for _, k := range keys {
		s.Signatures = append(s.Signatures, signature{k.Public(), ed25519.Sign(k.private, s.message(purpose))})
	}
	return s, nil
}

// message returns the signed bytes: the purpose and the JSON text without spaces
// between its tokens.
func (s signed) message(purpose string) []byte {
	b := bytes.NewBufferString(purpose)
	if json.Compact(b, s.Signed) != nil {
		return nil
	}
	return b.Bytes()
}

// signers returns the number of keys of the set that signed.
func (s signed) signers(purpose string, keys KeySet) (n int) {
	message := s.message(purpose)
	if len(s.Signatures) > maxKeys || message == nil {
		return 0
	}
	for _, k := range keys {
		if slices.ContainsFunc(s.Signatures, func(by signature) bool {
			return bytes.Equal(by.Key, k) && ed25519.Verify(k, message, by.Signature)
		}) {
			n++
		}
	}
	return n
}

// A rotation replaces a set of keys by another.
type rotation struct {
	From string `json:"from"` // id of the set that it replaces
	Keys KeySet `json:"keys"`
}

// rotate follows the rotations of a channel from the trusted keys to the current
// ones. Rotations of other sets are skipped.
func (s KeySet) rotate(rotations []signed) (KeySet, error) {
	for _, r := range rotations {
		var next rotation
		if err := json.Unmarshal(r.Signed, &next); err != nil {
			return nil, fmt.Errorf("%w: a rotation of keys is malformed", ErrUntrusted)
		}
		if next.From != s.id() {
			continue
		}
		if n := r.signers(forRotation, s); n < s.threshold() {
			return nil, fmt.Errorf("%w: a rotation of keys has %d valid signatures, expected %d", ErrUntrusted, n, s.threshold())
		}
		keys, err := next.Keys.sorted()
		if err != nil {
			return nil, fmt.Errorf("%w: a rotation of keys: %w", ErrUntrusted, err)
		}
		s = keys
	}
	return s, nil
}

// Rotate adds to the folder of a channel the replacement of the keys by others. Two
// of the keys must sign, or the only one. If one of them is among the new keys, it signs
// the index again. Otherwise pulls fail until the next publication.
func Rotate(folder string, from, to KeySet, by ...Key) error {
	from, err := from.sorted()
	if err != nil {
		return fmt.Errorf("channel: %w", err)
	}
	if to, err = to.sorted(); err != nil {
		return fmt.Errorf("channel: %w", err)
	}
	list, err := readRotations(folder)
	if err != nil {
		return err
	}
	if from, err = from.rotate(list); err != nil {
		return fmt.Errorf("channel: %w", err)
	}
	s, err := sign(rotation{from.id(), to}, forRotation, by...)
	if err != nil {
		return err
	}
	if n := s.signers(forRotation, from); n < from.threshold() {
		return fmt.Errorf("channel: %d of the keys that sign are current; expected %d different ones of the %d current keys", n, from.threshold(), len(from))
	}
	if err := writeJSON(folder, keysName, append(list, s)); err != nil {
		return err
	}
	x, err := readUnverified(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, k := range by {
		if err == nil && slices.ContainsFunc(to, func(p ed25519.PublicKey) bool { return p.Equal(k.Public()) }) {
			x.Counter++
			return writeIndex(folder, x, k)
		}
	}
	return err
}
