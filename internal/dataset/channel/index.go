package channel

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/dataset/packed"
	"github.com/postgeo/postgeo/internal/disk"
)

// Sentinels of refused pulls.
var (
	// ErrUntrusted means that no trusted key signed.
	ErrUntrusted = errors.New("the channel is not signed by a trusted key")
	// ErrExpired means that an index is past its date, as a frozen mirror keeps it.
	ErrExpired = errors.New("the index of the channel has expired")
	// ErrRollback means that an index is older than one that was seen before.
	ErrRollback = errors.New("the index of the channel is older than the last one")
	// ErrContent means that a file is not the published one.
	ErrContent = errors.New("the file is not the published one")
	// ErrMissing means that the channel lacks the requested channel, vintage or layers.
	ErrMissing = errors.New("the channel does not offer it")
	// ErrRestricted means that a source of a dataset may not be passed on.
	ErrRestricted = errors.New("the dataset may not be published")
)

const (
	indexName = "index.json"
	keysName  = "keys.json"
	dataName  = "data" // folder of manifests, packs and deltas by their SHA-256

	// maxIndex is the most bytes of an index, a manifest or a list of rotations.
	maxIndex = 1 << 20
	// maxBlob is the most bytes of a dataset, a pack or a delta.
	maxBlob = 64 << 30

	formatNumber = 1
)

// An Index is the signed file of a channel's folder.
type Index struct {
	Format   int                 `json:"format"`   // 1
	Counter  uint64              `json:"counter"`  // rises with each publication
	Issued   time.Time           `json:"issued"`   //
	Expires  time.Time           `json:"expires"`  // the publisher renews it before
	Keys     string              `json:"keys"`     // SHA-256 of keys.json; "" if there is none
	Channels map[string][]string `json:"channels"` // names of vintages, the newest first
	Vintages map[string]Blob     `json:"vintages"` // manifests by the name of the vintage
}

// A Blob is a file named by its SHA-256.
type Blob struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // lower-case hexadecimal
}

func (b Blob) check(most int64) error {
	sum, err := hex.DecodeString(b.SHA256)
	if err != nil || len(sum) != 32 || strings.ToLower(b.SHA256) != b.SHA256 || b.Size < 0 || b.Size > most {
		return fmt.Errorf("%w: a file with the SHA-256 %.80q and %d bytes; expected at most %d bytes", ErrContent, b.SHA256, b.Size, most)
	}
	return nil
}

// name returns the path of the file in the channel.
func (b Blob) name() string { return path.Join(dataName, b.SHA256) }

// A Manifest describes a vintage.
type Manifest struct {
	Format  int      `json:"format"`  // 1
	Vintage string   `json:"vintage"` // such as "2026-10"
	Sources []Source `json:"sources"` // of all files
	Files   []File   `json:"files"`   // from the fewest layers to the most
}

// A Source is a source of a vintage with the terms of its license.
type Source struct {
	ID             string `json:"id"`
	Title          string `json:"title"`
	Vintage        string `json:"vintage"`
	License        string `json:"license"`
	Redistribution string `json:"redistribution"`
	Attribution    string `json:"attribution,omitzero"`
}

// A File is a dataset of some layers.
type File struct {
	Blob                // of the installed file
	Version    string   `json:"version"`        // of the dataset
	FileFormat int      `json:"format_version"` // of the dataset
	Layers     []string `json:"layers"`
	Frame      Blob     `json:"frame"`
	Packs      []Pack   `json:"packs"`
	Deltas     []Delta  `json:"deltas,omitempty"`
}

// A Pack holds the rows of a part of a file.
type Pack struct {
	Blob
	Name   string `json:"name"`
	Notice string `json:"notice,omitzero"` // of a license that covers this pack only
}

// A Delta makes a file from one of an earlier vintage.
type Delta struct {
	Blob
	Vintage string `json:"vintage"`
	From    string `json:"from"` // SHA-256 of the earlier file
}

// Download returns the bytes of a download without a delta.
func (f *File) Download() (n int64) {
	n = f.Frame.Size
	for _, p := range f.Packs {
		n += p.Size
	}
	return n
}

// CheckName returns an error unless the text can name a channel or a vintage.
func CheckName(name string) error {
	const most = 64
	letter := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r)
	}
	if name == "" || len(name) > most || strings.TrimFunc(name, letter) != "" {
		return fmt.Errorf("%q; expected at most %d letters, digits, dots, hyphens and underscores", name, most)
	}
	return nil
}

// parseIndex verifies and reads an index.
func parseIndex(b []byte, keys KeySet, now time.Time) (*Index, error) {
	var s signed
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, fmt.Errorf("%w: the index is not JSON: %w", ErrUntrusted, err)
	}
	if !exact(b, s) {
		return nil, fmt.Errorf("%w: the index is not as a publisher writes it", ErrUntrusted)
	}
	if s.signers(forIndex, keys) == 0 {
		return nil, fmt.Errorf("%w; expected a signature by one of %d keys: check --trust, and get the publisher's current public keys", ErrUntrusted, len(keys))
	}
	x := &Index{}
	if err := json.Unmarshal(s.Signed, x); err != nil {
		return nil, fmt.Errorf("%w: the index: %w", ErrContent, err)
	}
	if x.Format != formatNumber {
		return nil, fmt.Errorf("%w: the index has the format %d, this release reads %d; install a newer release", ErrContent, x.Format, formatNumber)
	}
	if !now.Before(x.Expires) {
		return nil, fmt.Errorf("%w on %s; use another mirror, or wait until the publisher renews it", ErrExpired, x.Expires.UTC().Format(time.DateOnly))
	}
	for _, b := range x.Vintages {
		if err := b.check(maxIndex); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// parseManifest reads the manifest of a vintage.
func parseManifest(b []byte, vintage string) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("%w: the manifest: %w", ErrContent, err)
	}
	if m.Format != formatNumber || m.Vintage != vintage {
		return nil, fmt.Errorf("%w: the manifest has the format %d and describes %.80q; expected format %d and %q", ErrContent, m.Format, m.Vintage, formatNumber, vintage)
	}
	for _, f := range m.Files {
		errs := []error{f.check(maxBlob), f.Frame.check(maxBlob)}
		for _, p := range f.Packs {
			if errs = append(errs, p.check(maxBlob)); !slices.Contains(packed.Names, p.Name) {
				errs = append(errs, fmt.Errorf("%w: unknown pack %.80q", ErrContent, p.Name))
			}
		}
		for _, d := range f.Deltas {
			errs = append(errs, d.check(maxBlob))
		}
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// file returns the smallest file with the layers, or the largest one if none are
// named.
func (m *Manifest) file(layers []string) (*File, error) {
	var best *File
	var offers []string
	for i := range m.Files {
		f := &m.Files[i]
		offers = append(offers, strings.Join(f.Layers, ","))
		lacks := slices.ContainsFunc(layers, func(l string) bool { return !slices.Contains(f.Layers, l) })
		if !lacks && (best == nil || (f.Size < best.Size) == (len(layers) > 0)) {
			best = f
		}
	}
	if best == nil {
		return nil, fmt.Errorf("%w: a file of the vintage %s with the layers %s; it has files with the layers %s",
			ErrMissing, m.Vintage, strings.Join(layers, ","), strings.Join(offers, "; "))
	}
	return best, nil
}

// encode returns the JSON text of a file.
func encode(value any) ([]byte, error) {
	b, err := json.MarshalIndent(value, "", " ")
	return append(b, '\n'), err
}

func writeJSON(folder, name string, value any) error {
	b, err := encode(value)
	if err != nil {
		return err
	}
	return disk.Write(disk.OS{}, filepath.Join(folder, name), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// writeIndex signs the index and writes it.
func writeIndex(folder string, x *Index, by Key) error {
	b, _, err := readSmall(filepath.Join(folder, keysName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	x.Keys = sumOf(b)
	s, err := sign(x, forIndex, by)
	if err != nil {
		return err
	}
	return writeJSON(folder, indexName, s)
}

// readUnverified reads the publisher's index, without a check. It returns an error
// that matches [fs.ErrNotExist] before the first publication.
func readUnverified(folder string) (*Index, error) {
	b, _, err := readSmall(filepath.Join(folder, indexName))
	if err != nil {
		return nil, err
	}
	var s signed
	x := &Index{}
	if err = json.Unmarshal(b, &s); err == nil {
		err = json.Unmarshal(s.Signed, x)
	}
	if err != nil {
		return nil, fmt.Errorf("the index %s is damaged (%w); restore it, or publish into another folder", filepath.Join(folder, indexName), err)
	}
	return x, nil
}

// sumOf returns the SHA-256 of bytes in lower-case hexadecimal, "" for none.
func sumOf(b []byte) string {
	if b == nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// readRotations reads the rotations of keys in a folder, if any.
func readRotations(folder string) (list []signed, err error) {
	b, _, err := readSmall(filepath.Join(folder, keysName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("channel: read the rotations of keys: %w", err)
	}
	return list, nil
}
