package signed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"aead.dev/minisign"
	"github.com/klauspost/compress/zstd"

	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// PullOptions configures a pull. From, Name, Trust and Output must be set.
type PullOptions struct {
	// From is the folder or http address with the published files.
	From string
	// Name is the dataset's.
	Name string
	// Trust verifies the signature.
	Trust minisign.PublicKey
	// Output is the dataset file. It is replaced when everything was verified.
	Output string
	// Force installs a publication that is older than the output, and replaces a file
	// that is not a dataset.
	Force bool
	// Now returns the current time. Nil means time.Now.
	Now func() time.Time
	// Fetch configures downloads. MaxSize is set by the pull.
	Fetch fetch.Options
}

// A Report describes a pull.
type Report struct {
	Manifest
	Installed bool `json:"installed"` // false: the output was already the published dataset
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

// Pull installs a published dataset unless it is installed. After an error the output
// is as before. What has come of a download is kept in the folder OUTPUT.pull, and the
// next pull continues it.
func Pull(ctx context.Context, o PullOptions) (*Report, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Output == "" {
		return nil, errors.New("signed: pull: Output is not set")
	}
	p := puller{o, o.Output + ".pull"}
	r, err := p.pull(ctx)
	if err != nil {
		return nil, fmt.Errorf("signed: pull: %w", err)
	}
	return r, nil
}

type puller struct {
	PullOptions
	work string // folder for downloads
}

// pull checks what needs no network first. The lock lets two pulls of one output, such as
// a timer and a person, run one after the other; the second finds the file current. The
// folder with downloads is removed only after success, so that a failed pull continues
// later.
func (p *puller) pull(ctx context.Context) (*Report, error) {
	if err := errors.Join(CheckName(p.Name), CheckSource(p.From)); err != nil {
		return nil, err
	}
	if info, err := os.Stat(p.Output); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "write", Path: p.Output, Err: syscall.EISDIR}
	}
	unlock, err := fetch.Lock(ctx, p.Output+".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	m, err := p.manifest(ctx)
	if err != nil {
		return nil, err
	}
	current, err := p.isCurrent(ctx, m)
	if err == nil && !current {
		err = p.install(ctx, m)
	}
	if err != nil {
		return nil, err
	}
	return &Report{*m, !current}, os.RemoveAll(p.work)
}

// manifest returns the verified manifest.
func (p *puller) manifest(ctx context.Context) (*Manifest, error) {
	var texts [2][]byte
	for i, of := range [...]struct {
		end  string
		most int64
	}{{manifestEnd, maxManifest}, {signatureEnd, maxSignature}} {
		path, err := p.get(ctx, of.end, "", of.most)
		if err != nil {
			return nil, err
		}
		if texts[i], err = readSmall(path, of.most); err != nil {
			return nil, err
		}
	}
	m, err := parse(p.Trust, texts[0], texts[1], p.Name)
	if err == nil && !p.Now().Before(m.Expires) {
		err = fmt.Errorf("%w on %s; ask the publisher for a newer one", ErrExpired, m.Expires.Format(time.DateOnly))
	}
	return m, err
}

// get returns the path of a published file, which the caller verifies. Files of a folder
// are read in place; those of a host are downloaded, with a limit on their size. Only the
// data file has a hash that is known before.
func (p *puller) get(ctx context.Context, end, sum string, most int64) (path string, err error) {
	name := p.Name + end
	if !isAddress(p.From) {
		path = filepath.Join(p.From, name)
		var f *fetch.File
		if f, err = fetch.Measure(ctx, path); err == nil && (f.Size > most || sum != "" && f.SHA256 != sum) {
			err = fmt.Errorf("%w: %s has %d bytes with the SHA-256 %s, expected at most %d and %s", ErrContent, path, f.Size, f.SHA256, most, cmp.Or(sum, "any"))
		}
	} else {
		o := p.Fetch
		o.MaxSize = most
		path = filepath.Join(p.work, name)
		_, err = fetch.Download(ctx, fetch.Source{ID: name, URL: strings.TrimRight(p.From, "/") + "/" + name, SHA256: sum}, path, o)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fetch.ErrNotFound) {
		err = fmt.Errorf("%s does not exist in %s; expected the files of \"postgeo dataset publish\"", name, p.From)
	}
	if errors.Is(err, fetch.ErrChecksum) {
		err = fmt.Errorf("%w: %w", ErrContent, err)
	}
	return path, err
}

// isCurrent reports whether the output is the published dataset. It returns an error if
// the output may not be replaced. Sizes are compared first, to hash no file in vain. A
// file of another format version is replaced without a question: this program can't read
// it. Anything else that is not a dataset may be a file of the user.
func (p *puller) isCurrent(ctx context.Context, m *Manifest) (bool, error) {
	info, err := os.Stat(p.Output)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, fmt.Errorf("%s is not a regular file", p.Output)
	}
	if info.Size() == m.Size {
		if f, err := fetch.Measure(ctx, p.Output); err != nil || f.SHA256 == m.SHA256 {
			return err == nil, err
		}
	}
	if p.Force {
		return false, nil
	}
	d, err := sqlite.Open(p.Output)
	if errors.Is(err, store.ErrVersion) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w; --force replaces the file", err)
	}
	defer d.Close()
	if built := d.Manifest().Built; m.Built.Before(built) {
		return false, fmt.Errorf("%w: of %s, installed is one of %s; --force installs it", ErrOlder, m.Built.Format(time.DateOnly), built.Format(time.DateOnly))
	}
	return false, nil
}

// install makes the file in the work folder and gives it its name.
func (p *puller) install(ctx context.Context, m *Manifest) (err error) {
	packed, err := p.get(ctx, dataEnd, m.CompressedSHA256, m.CompressedSize)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.work, 0o755); err != nil {
		return err
	}
	made := filepath.Join(p.work, "new.db")
	to, err := os.OpenFile(made, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(made))
		}
	}()
	if err := errors.Join(unpack(ctx, packed, to, m.Size), to.Sync(), to.Close()); err != nil {
		return err
	}
	if f, err := fetch.Measure(ctx, made); err != nil {
		return err
	} else if f.Size != m.Size || f.SHA256 != m.SHA256 {
		return fmt.Errorf("%w: the dataset has %d bytes with the SHA-256 %s, the manifest lists %d and %s", ErrContent, f.Size, f.SHA256, m.Size, m.SHA256)
	}
	// A newer program may have made the publication in a format that this one can't read.
	// It must not replace a file that can be read. The content needs no further check: it
	// has the hash of the file that the publisher verified.
	d, err := sqlite.Open(made)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrContent, err)
	}
	if err := d.Close(); err != nil {
		return err
	}
	return disk.Settle(made, p.Output)
}

// unpack writes the dataset, at most a byte more than its size. The byte shows that the
// content is larger without unpacking all of it. The window and memory of the decoder are
// limited too. An error of the disk is that of the disk; any other one is of the content.
func unpack(ctx context.Context, path string, to io.Writer, size int64) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	z, err := zstd.NewReader(fetch.WithContext(ctx, in), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer z.Close()
	_, err = io.Copy(to, io.LimitReader(z, size+1))
	var failed *fs.PathError
	if err == nil || ctx.Err() != nil || errors.As(err, &failed) { // of the disk
		return cmp.Or(ctx.Err(), err)
	}
	return fmt.Errorf("%w: %s: %w", ErrContent, path, err)
}
