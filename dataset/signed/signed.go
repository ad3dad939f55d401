// Package signed publishes dataset files that a static host can serve, and installs
// them. A dataset NAME has three files:
//
//   - NAME.db.zst, the dataset compressed by Zstandard
//   - NAME.json, its [Manifest]
//   - NAME.json.minisig, the signature of the manifest in the format of minisign
//
// Only the manifest is signed. It has the sizes and SHA-256 of the dataset, compressed
// and not, so that the signature holds for both. It is checked before the dataset is
// downloaded. Trust is one public key: the host, its certificate and mirrors need not be
// trusted.
//
// A pull makes these checks, in this order, before the file gets its name (decision D80):
//
//  1. the signature of the manifest, by the trusted key, and the name in it: a host can't
//     serve one dataset under the name of another,
//  2. the day of expiry: a host can't withhold newer publications forever,
//  3. the time of building: a host can't bring an older dataset back,
//  4. size and SHA-256 of the compressed file, before a decoder sees it,
//  5. size and SHA-256 of the dataset, and that this program can open it.
package signed

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"time"

	"aead.dev/minisign"
)

// Errors of a pull.
var (
	ErrSignature = errors.New("the signature is not that of the trusted key")
	ErrExpired   = errors.New("the publication has expired")
	ErrOlder     = errors.New("the publication is older than the installed dataset")
	ErrContent   = errors.New("the content is not the published one")
)

// ErrRestricted means that a source's license does not allow the publication.
var ErrRestricted = errors.New("the dataset may not be published")

// A Manifest describes a published dataset.
type Manifest struct {
	Name             string    `json:"name"`              // of the dataset
	Layers           []string  `json:"layers"`            // of the dataset
	Vintage          string    `json:"vintage"`           // version of the dataset
	Built            time.Time `json:"built"`             // as in the dataset
	Size             int64     `json:"size"`              // of the dataset
	SHA256           string    `json:"sha256"`            // of the dataset
	CompressedSize   int64     `json:"compressed_size"`   // bytes of the compressed file
	CompressedSHA256 string    `json:"compressed_sha256"` // of the compressed file
	Expires          time.Time `json:"expires"`           // pulls refuse the publication from then on
}

// The ends of the names of the files.
const (
	dataEnd      = ".db.zst"
	manifestEnd  = ".json"
	signatureEnd = ".json.minisig"
)

// The most bytes of small files. They are read whole, and come from a host that is not
// trusted until they were verified. A manifest has about 1 kB and a signature 300 bytes.
const (
	maxManifest  = 64 << 10
	maxSignature = 4 << 10
)

// window is the size of the window of the compression in bytes. A pull takes about
// twice as much memory.
const window = 8 << 20

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// CheckName returns an error unless the text can name a dataset.
func CheckName(name string) error {
	if !nameForm.MatchString(name) {
		return fmt.Errorf("%q is not a name; expected lower-case letters, digits, dots, hyphens and underscores, at most 64", name)
	}
	return nil
}

// parse verifies and reads a manifest. JSON is decoded only after the signature was found
// good. The identifiers of the keys are compared first, since a wrong key is a more
// helpful answer than a changed file.
func parse(key minisign.PublicKey, text, signature []byte, name string) (*Manifest, error) {
	var s minisign.Signature
	if err := s.UnmarshalText(signature); err != nil {
		return nil, fmt.Errorf("%w: %s%s is not a signature", ErrSignature, name, signatureEnd)
	}
	if s.KeyID != key.ID() {
		return nil, fmt.Errorf("%w: the key %016X signed, %016X is trusted", ErrSignature, s.KeyID, key.ID())
	}
	if !minisign.Verify(key, text, signature) {
		return nil, fmt.Errorf("%w: %s%s was changed", ErrSignature, name, manifestEnd)
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%w: %s%s: %w", ErrContent, name, manifestEnd, err)
	}
	if m.Name != name || m.Size <= 0 || m.CompressedSize <= 0 {
		return nil, fmt.Errorf("%w: %s%s is the manifest of %q with %d bytes", ErrContent, name, manifestEnd, m.Name, m.Size)
	}
	return &m, nil
}

// NewKey makes a key without a password and writes it to the file, readable by its owner
// only, and its public part to the file with ".pub" added. Neither file may exist: a key
// that is overwritten is lost, and with it the trust of everybody who has its public
// part.
func NewKey(path string) error {
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		return fmt.Errorf("signed: make a key: %w", err)
	}
	secret, err := private.MarshalText()
	if err != nil {
		return fmt.Errorf("signed: make a key: %w", err)
	}
	open, err := public.MarshalText()
	if err != nil {
		return fmt.Errorf("signed: make a key: %w", err)
	}
	if err := writeNew(path, secret, 0o600); err != nil {
		return err
	}
	if err := writeNew(path+".pub", open, 0o644); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

func writeNew(path string, text []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("signed: write a key: %w", err)
	}
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(fmt.Errorf("signed: write a key: %w", err), os.Remove(path))
	}
	return nil
}

// ReadKey reads the file of a private key without a password. Others than its owner must
// not be able to read it.
func ReadKey(path string) (key minisign.PrivateKey, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return key, fmt.Errorf("signed: read the key: %w", err)
	}
	if mode := info.Mode().Perm(); info.Mode().IsRegular() && mode&0o077 != 0 && os.PathSeparator == '/' {
		return key, fmt.Errorf("signed: others can read the key %s (mode %o); expected mode 600: run chmod 600 %s", path, mode, path)
	}
	text, err := readSmall(path, maxSignature)
	if err != nil {
		return key, fmt.Errorf("signed: read the key: %w", err)
	}
	if minisign.IsEncrypted(text) {
		return key, fmt.Errorf("signed: the key %s has a password; expected one without, of \"postgeo dataset key new\" or \"minisign -GW\"", path)
	}
	if key.UnmarshalText(text) != nil { // not wrapped: the error could show the key
		return key, fmt.Errorf("signed: %s is not a private key; expected a file of \"postgeo dataset key new\"", path)
	}
	return key, nil
}

// ReadTrust reads the file of a public key.
func ReadTrust(path string) (key minisign.PublicKey, err error) {
	text, err := readSmall(path, maxSignature)
	if err != nil {
		return key, fmt.Errorf("signed: read the public key: %w", err)
	}
	if key.UnmarshalText(text) != nil { // the file may be a private key, which no message may show
		return key, fmt.Errorf("signed: %s is not a public key; expected the .pub file of \"postgeo dataset key new\"", path)
	}
	return key, nil
}

// readSmall reads a file of at most so many bytes.
func readSmall(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%s has more than %d bytes", path, most)
	}
	return b, err
}
