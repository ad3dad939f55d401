package channel

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/packed"
)

// PublishOptions configures a publication. Files, To and Key must be set.
type PublishOptions struct {
	// Files are the paths of datasets, with different layers.
	Files []string
	// To is the folder of the channel. It is created.
	To string
	// Key signs the index.
	Key Key
	// Channel names the list that the vintage becomes the newest of. "" means
	// "stable".
	Channel string
	// Vintage names the publication. "" means the version of the first dataset.
	Vintage string
	// Now is the time of the publication.
	Now time.Time
	// Valid is the time until the index expires. 0 means [DefaultValid].
	Valid time.Duration
	// Step is called with the name of each step. nil disables it.
	Step func(name string)
}

// DefaultValid is the time that an index is valid by default: 100 days, a quarter
// and a week.
const DefaultValid = 100 * 24 * time.Hour

// DefaultChannel is the channel that commands use by default.
const DefaultChannel = "stable"

// deltaVintages is the number of earlier vintages with deltas.
const deltaVintages = 2

// Publish writes datasets into the folder of a channel as static files. The same
// datasets give the same files; only the index has a date. It refuses datasets with
// sources that may not be passed on, with an error that matches [ErrRestricted].
func Publish(ctx context.Context, o PublishOptions) (*Manifest, error) {
	p := publisher{o: o}
	if p.o.Channel == "" {
		p.o.Channel = DefaultChannel
	}
	if p.o.Valid == 0 {
		p.o.Valid = DefaultValid
	}
	if p.o.Step == nil {
		p.o.Step = func(string) {}
	}
	m, err := p.publish(ctx)
	if err != nil {
		return nil, fmt.Errorf("channel: publish: %w", err)
	}
	return m, nil
}

type publisher struct {
	o     PublishOptions
	index Index
	old   []*Manifest // of earlier vintages, the newest first
	m     Manifest
}

func (p *publisher) publish(ctx context.Context) (*Manifest, error) {
	if err := p.readIndex(); err != nil {
		return nil, err
	}
	infos := make([]dataset.Manifest, len(p.o.Files))
	for i, path := range p.o.Files { // all of them before the first file is written
		var err error
		p.o.Step("checking " + path)
		if infos[i], err = check(ctx, path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if slices.ContainsFunc(infos[:i], func(m dataset.Manifest) bool { return slices.Equal(m.Layers, infos[i].Layers) }) {
			return nil, fmt.Errorf("%s: two files have the layers %s; publish one file for each choice of layers", path, strings.Join(infos[i].Layers, ","))
		}
	}
	if err := os.MkdirAll(filepath.Join(p.o.To, dataName), 0o755); err != nil {
		return nil, err
	}
	p.m.Format = formatNumber
	for i, path := range p.o.Files {
		if err := p.add(ctx, path, infos[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	slices.SortStableFunc(p.m.Files, func(a, b File) int { return len(a.Layers) - len(b.Layers) })
	manifest, err := encode(p.m)
	if err != nil {
		return nil, err
	}
	blob, err := p.write(func(w io.Writer) error {
		_, err := w.Write(manifest)
		return err
	})
	if err != nil {
		return nil, err
	}
	vintage, x := p.m.Vintage, &p.index
	x.Format = formatNumber
	x.Counter++
	x.Issued = p.o.Now.UTC().Truncate(time.Second)
	x.Expires = x.Issued.Add(p.o.Valid)
	x.Vintages[vintage] = blob
	list := slices.DeleteFunc(x.Channels[p.o.Channel], func(v string) bool { return v == vintage })
	x.Channels[p.o.Channel] = append([]string{vintage}, list...)
	return &p.m, writeIndex(p.o.To, x, p.o.Key)
}

// readIndex reads the index of the folder, if any, and the manifests of the last
// vintages. A key that was replaced may not sign.
func (p *publisher) readIndex() error {
	list, err := readRotations(p.o.To)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		var last rotation
		if err := json.Unmarshal(list[len(list)-1].Signed, &last); err != nil {
			return err
		}
		if !slices.ContainsFunc(last.Keys, func(k ed25519.PublicKey) bool { return k.Equal(p.o.Key.Public()) }) {
			return errors.New("the key was replaced by another; publish with one of the current keys")
		}
	}
	x, err := readUnverified(p.o.To)
	if errors.Is(err, fs.ErrNotExist) {
		p.index = Index{Channels: map[string][]string{}, Vintages: map[string]Blob{}}
		return nil
	}
	if err != nil {
		return err
	}
	p.index = *x
	for _, v := range p.index.Channels[p.o.Channel] {
		if v == p.o.Vintage || len(p.old) == deltaVintages {
			continue
		}
		m, err := p.manifest(v)
		if err != nil {
			return err
		}
		p.old = append(p.old, m)
	}
	return nil
}

func (p *publisher) manifest(vintage string) (*Manifest, error) {
	b, _, err := readSmall(filepath.Join(p.o.To, filepath.FromSlash(p.index.Vintages[vintage].name())))
	if err != nil {
		return nil, fmt.Errorf("read the manifest of %s: %w", vintage, err)
	}
	return parseManifest(b, vintage)
}

// add writes the packs and deltas of a dataset.
func (p *publisher) add(ctx context.Context, path string, info dataset.Manifest) error {
	if p.m.Vintage == "" {
		if p.m.Vintage = p.o.Vintage; p.m.Vintage == "" {
			p.m.Vintage = info.Version
		}
		p.old = slices.DeleteFunc(p.old, func(m *Manifest) bool { return m.Vintage == p.m.Vintage })
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	file := File{Version: info.Version, FileFormat: info.Format, Layers: info.Layers}
	h := sha256.New()
	if file.Size, err = io.Copy(h, f); err != nil {
		return err
	}
	file.SHA256 = hex.EncodeToString(h.Sum(nil))
	s, err := packed.Open(f, file.Size)
	if err != nil {
		return err
	}
	if err := p.scratch(func(f *os.File) error { return s.Predict(f) }); err != nil {
		return err
	}
	p.o.Step("packing " + path)
	if file.Frame, err = p.write(s.WriteFrame); err != nil {
		return err
	}
	for i, name := range packed.Names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !s.Uses(i) {
			continue
		}
		blob, err := p.write(func(w io.Writer) error { return s.WritePack(w, i) })
		if err != nil {
			return err
		}
		pack := Pack{Blob: blob, Name: name}
		if i == packed.Zones {
			pack.Notice = notice(info)
		}
		file.Packs = append(file.Packs, pack)
	}
	for _, m := range p.old {
		if err := p.delta(ctx, m, &file, s); err != nil {
			return err
		}
	}
	p.addSources(info)
	p.m.Files = append(p.m.Files, file)
	return nil
}

// addSources lists the sources of the dataset.
func (p *publisher) addSources(info dataset.Manifest) {
	for _, s := range info.Sources {
		source := Source{s.ID, s.Title, s.Vintage, s.License, s.Redistribution, s.Attribution}
		if !slices.Contains(p.m.Sources, source) {
			p.m.Sources = append(p.m.Sources, source)
		}
	}
}

// notice returns the lines that share-alike licenses of the sources require.
func notice(info dataset.Manifest) string {
	var lines []string
	for _, s := range info.Sources {
		if s.Redistribution == dataset.ShareAlike {
			lines = append(lines, fmt.Sprintf("%s (%s): %s", s.Title, s.License, s.Attribution))
		}
	}
	return strings.Join(lines, "\n")
}

// check verifies the dataset and refuses sources that may not be passed on.
func check(ctx context.Context, path string) (m dataset.Manifest, err error) {
	d, err := dataset.Open(path)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	m = d.Manifest()
	var refused []string
	for _, s := range m.Sources {
		switch s.Redistribution {
		case dataset.PublicDomain, dataset.WithAttribution, dataset.ShareAlike:
		default:
			refused = append(refused, fmt.Sprintf("%s (%s)", s.ID, s.License))
		}
	}
	if len(refused) > 0 {
		return m, fmt.Errorf("%w: the license of %s does not allow it; build the dataset without it", ErrRestricted, strings.Join(refused, ", "))
	}
	return m, d.Verify(ctx)
}

// scratch calls f with a file that is removed afterwards.
func (p *publisher) scratch(f func(*os.File) error) error {
	tmp, err := os.CreateTemp(p.o.To, ".scratch-*")
	if err != nil {
		return err
	}
	err = errors.Join(f(tmp), tmp.Close())
	if e := os.Remove(tmp.Name()); e != nil && !errors.Is(e, fs.ErrNotExist) { // it may have another name by now
		err = errors.Join(err, e)
	}
	return err
}

// write adds a file to the channel.
func (p *publisher) write(write func(w io.Writer) error) (b Blob, err error) {
	err = p.scratch(func(f *os.File) error {
		h := sha256.New()
		if err := write(io.MultiWriter(f, h)); err != nil {
			return err
		}
		b.SHA256 = hex.EncodeToString(h.Sum(nil))
		if b.Size, err = f.Seek(0, io.SeekEnd); err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Chmod(0o644)); err != nil {
			return err
		}
		return os.Rename(f.Name(), filepath.Join(p.o.To, dataName, b.SHA256))
	})
	return b, err
}

// delta adds the delta from a file of an earlier vintage with the same layers.
func (p *publisher) delta(ctx context.Context, m *Manifest, to *File, is *packed.File) error {
	i := slices.IndexFunc(m.Files, func(f File) bool { return slices.Equal(f.Layers, to.Layers) })
	if i < 0 || m.Files[i].SHA256 == to.SHA256 || m.Files[i].FileFormat != to.FileFormat {
		return ctx.Err()
	}
	from := &m.Files[i]
	p.o.Step(fmt.Sprintf("changes from %s to %s", m.Vintage, p.m.Vintage))
	return p.scratch(func(f *os.File) error {
		if err := assemble(ctx, from, f, func(b Blob) (*os.File, error) {
			return os.Open(filepath.Join(p.o.To, filepath.FromSlash(b.name())))
		}); err != nil {
			return fmt.Errorf("the vintage %s: %w", m.Vintage, err)
		}
		was, err := packed.Open(f, from.Size)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := packed.WriteDelta(&b, was, is); err != nil {
			return err
		}
		if int64(b.Len()) >= to.Download() {
			return nil
		}
		blob, err := p.write(func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
		to.Deltas = append(to.Deltas, Delta{blob, m.Vintage, from.SHA256})
		return err
	})
}
