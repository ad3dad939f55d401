package signed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aead.dev/minisign"
	"github.com/klauspost/compress/zstd"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// PublishOptions configures a publication. All but Step must be set.
type PublishOptions struct {
	// Files are the paths of datasets. A file identity.db has the name identity.
	Files []string
	// To is the folder for the files. It is created.
	To string
	// Key signs the manifests.
	Key minisign.PrivateKey
	// Expires is the time from which pulls refuse the publication.
	Expires time.Time
	// Step is called with the name of each step. nil disables it.
	Step func(name string)
}

// Publish writes datasets as signed files. The same datasets give the same compressed
// files. It refuses datasets with sources that may not be passed on, with an error
// that matches [ErrRestricted].
func Publish(ctx context.Context, o PublishOptions) ([]*Manifest, error) {
	if o.Step == nil {
		o.Step = func(string) {}
	}
	switch {
	case len(o.Files) == 0 || o.To == "":
		return nil, errors.New("signed: publish: Files and To must be set")
	case o.Key.Equal(minisign.PrivateKey{}):
		return nil, errors.New("signed: publish: Key is not set; ReadKey returns one")
	case o.Expires.IsZero():
		return nil, errors.New("signed: publish: Expires is not set; without it every pull refuses the publication")
	}
	all := make([]*Manifest, len(o.Files))
	// All datasets are verified before the first file is written, so that one that may
	// not be published leaves no others half published.
	for i, path := range o.Files {
		o.Step("checking " + path)
		m, err := describe(ctx, path)
		if err == nil && slices.ContainsFunc(all[:i], func(other *Manifest) bool { return other.Name == m.Name }) {
			err = errors.New("two files have this name")
		}
		if err != nil {
			return nil, fmt.Errorf("signed: %s: %w", path, err)
		}
		m.Expires = o.Expires.UTC().Truncate(time.Second)
		all[i] = m
	}
	if err := os.MkdirAll(o.To, 0o755); err != nil {
		return nil, fmt.Errorf("signed: %w", err)
	}
	for i, path := range o.Files {
		o.Step("compressing " + path)
		if err := publish(ctx, path, o, all[i]); err != nil {
			return nil, fmt.Errorf("signed: %s: %w", path, err)
		}
	}
	return all, nil
}

// describe verifies a dataset and refuses sources that may not be passed on.
func describe(ctx context.Context, path string) (*Manifest, error) {
	name, ok := strings.CutSuffix(filepath.Base(path), ".db")
	if !ok {
		name = filepath.Base(path)
	}
	d, err := sqlite.Open(path)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if err := CheckName(name); err != nil {
		return nil, err
	}
	info := d.Manifest()
	var refused []string
	remedy := "build the dataset without it"
	for _, s := range info.Sources {
		switch s.Redistribution {
		case dataset.PublicDomain, dataset.WithAttribution, dataset.ShareAlike:
		default:
			if s.Redistribution != dataset.Restricted {
				remedy = "build the dataset without it, or name its license, as in --layer sales=areas.geojson,license=CC0"
			}
			refused = append(refused, fmt.Sprintf("%s (%s)", s.ID, s.License))
		}
	}
	if len(refused) > 0 {
		return nil, fmt.Errorf("%w: the license of %s does not allow it; %s", ErrRestricted, strings.Join(refused, ", "), remedy)
	}
	return &Manifest{Name: name, Layers: info.Layers, Vintage: info.Version, Built: info.Built}, d.Verify(ctx)
}

// publish writes the files of a dataset, the signature last. Between the first and the
// last, a pull finds an old manifest with new data, or a manifest whose signature does
// not fit. It then fails its checks and leaves the installed file alone; the next pull
// succeeds.
//
// The same dataset gives the same compressed file, so that publishing it again changes no
// hash.
func publish(ctx context.Context, path string, o PublishOptions, m *Manifest) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	base := filepath.Join(o.To, m.Name)
	err = disk.Write(base+dataEnd, func(w io.Writer) error {
		z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		_, err = io.Copy(z, fetch.WithContext(ctx, in))
		return errors.Join(err, z.Close())
	})
	if err != nil {
		return err
	}
	for _, of := range [...]struct {
		path string
		size *int64
		sum  *string
	}{{path, &m.Size, &m.SHA256}, {base + dataEnd, &m.CompressedSize, &m.CompressedSHA256}} {
		f, err := fetch.Measure(ctx, of.path)
		if err != nil {
			return err
		}
		*of.size, *of.sum = f.Size, f.SHA256
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	signature := minisign.SignWithComments(o.Key, text, fmt.Sprintf("postgeo dataset %s %s", m.Name, m.Vintage), "signature from minisign secret key")
	if err := writeFile(base+manifestEnd, text); err != nil {
		return err
	}
	return writeFile(base+signatureEnd, append(signature, '\n'))
}

func writeFile(path string, text []byte) error {
	return disk.Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
