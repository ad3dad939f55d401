package channel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/build/fetch"
)

// A source has the files of a channel: a folder, or an address with a folder for
// transfers.
type source struct {
	folder  string // "": address
	address string
	options fetch.Options
}

// CheckSource returns an error unless the text is an http address or a folder.
func CheckSource(from string) error {
	if isAddress(from) {
		return nil
	}
	if info, err := os.Stat(from); err != nil || !info.IsDir() {
		return fmt.Errorf("%q is neither an existing folder nor an http address", from)
	}
	return nil
}

func isAddress(from string) bool {
	return strings.HasPrefix(from, "http://") || strings.HasPrefix(from, "https://")
}

func newSource(from, work string, o PullOptions) (source, error) {
	if isAddress(from) {
		return source{
			address: strings.TrimRight(from, "/"),
			options: fetch.Options{Cache: work, Progress: o.Progress, Sleep: o.Sleep, Retries: o.Retries},
		}, nil
	}
	return source{folder: from}, CheckSource(from)
}

// small returns an index or the rotations of keys.
func (s source) small(ctx context.Context, name string) ([]byte, error) {
	f, err := s.get(ctx, name, name, "", maxIndex)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, maxIndex)
}

// open opens a file of the channel. The caller verifies its content.
func (s source) open(ctx context.Context, label string, b Blob) (*os.File, error) {
	return s.get(ctx, label, b.name(), b.SHA256, b.Size)
}

func (s source) get(ctx context.Context, label, name, sum string, most int64) (*os.File, error) {
	if s.folder != "" {
		return os.Open(filepath.Join(s.folder, filepath.FromSlash(name)))
	}
	o := s.options
	o.MaxSize = max(most, 1)
	client, err := fetch.New(ctx, o)
	if err != nil {
		return nil, err
	}
	f, err := client.GetURL(ctx, fetch.Source{ID: label, Title: name, URL: s.address + "/" + name, SHA256: sum})
	if err != nil {
		return nil, err
	}
	return os.Open(f.Path)
}

// readAll reads a file of at most so many bytes.
func readAll(f *os.File, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%w: it has more than %d bytes", ErrContent, most)
	}
	return b, err
}

// hashOf returns the SHA-256 of a file in lower-case hexadecimal.
func hashOf(r io.Reader) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), err
}
