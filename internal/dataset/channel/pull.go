package channel

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/fetch"
	"github.com/postgeo/postgeo/internal/disk"
)

// PullOptions configures a pull. From, Trust and Output must be set.
type PullOptions struct {
	// From are the folders or http addresses of the channel and its mirrors. The
	// first one with a valid index and whole files is used.
	From []string
	// Trust are the keys that are trusted at first. Later pulls of the same output
	// trust those that replaced them.
	Trust KeySet
	// Output is the dataset file. It is replaced when everything was verified.
	Output string
	// Channel names the list of vintages. "" means [DefaultChannel].
	Channel string
	// Vintage names a publication. "" means the newest one of the channel.
	Vintage string
	// Layers are the layers that the dataset must have. nil means all.
	Layers []string
	// Check compares the installed file with the channel and changes nothing.
	Check bool
	// Progress receives transfers. nil disables it.
	Progress fetch.Progress
	// Now returns the time. nil means [time.Now].
	Now func() time.Time
	// Sleep waits between tries, as in [fetch.Options].
	Sleep func(context.Context, time.Duration) error
	// Retries is as in [fetch.Options].
	Retries int
}

// A Report describes a pull.
type Report struct {
	From      string    `json:"from"`
	Channel   string    `json:"channel"`
	Vintage   string    `json:"vintage"`
	Version   string    `json:"version"` // of the dataset
	Layers    []string  `json:"layers"`
	Counter   uint64    `json:"counter"` // of the index
	Expires   time.Time `json:"expires"` // of the index
	Size      int64     `json:"size"`    // of the dataset
	SHA256    string    `json:"sha256"`  // of the dataset
	Download  int64     `json:"download_bytes"`
	Delta     bool      `json:"delta"`      // the installed file was changed by a delta
	Current   bool      `json:"up_to_date"` // the installed file is the published one
	Installed bool      `json:"installed"`
}

// A state is the file next to a dataset that a pull keeps. It prevents older indexes
// and keys that were replaced.
type state struct {
	Format  int       `json:"format"`  // 1
	Trust   string    `json:"trust"`   // id of the keys that were trusted at first
	Keys    KeySet    `json:"keys"`    // the current keys
	Counter uint64    `json:"counter"` // of the newest index
	Index   string    `json:"index"`   // its SHA-256
	Vintage string    `json:"vintage"` // that is installed
	Checked time.Time `json:"checked"` // time of the last successful pull or check
}

const (
	stateSuffix = ".channel.json"
	workSuffix  = ".pull" // the folder of a pull in progress
)

// Pull installs the dataset of a channel, or reports that it is installed. An
// installed file is replaced only when the new one has the published hash; after an
// error it is as before. A pull continues an interrupted one.
func Pull(ctx context.Context, o PullOptions) (*Report, error) {
	o.Channel = cmp.Or(o.Channel, DefaultChannel)
	if o.Now == nil {
		o.Now = time.Now
	}
	p := &puller{o: o, work: o.Output + workSuffix}
	r, err := p.pull(ctx)
	if err != nil {
		return nil, fmt.Errorf("channel: pull: %w", err)
	}
	return r, nil
}

type puller struct {
	o     PullOptions
	work  string
	state state
	from  source
	r     Report
}

func (p *puller) pull(ctx context.Context) (*Report, error) {
	trust, err := p.o.Trust.sorted()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUntrusted, err)
	}
	if info, err := os.Stat(p.o.Output); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "write", Path: p.o.Output, Err: syscall.EISDIR}
	}
	if err := os.MkdirAll(p.work, 0o755); err != nil {
		return nil, err
	}
	unlock, err := p.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := p.readState(trust); err != nil {
		return nil, err
	}
	old, sum, err := installed(p.o.Output)
	if err != nil {
		return nil, err
	}
	if old != nil {
		defer old.Close()
	}
	if err := p.anyOf(ctx, old, sum); err != nil {
		return nil, err
	}
	if p.r.Current {
		p.state.Vintage = p.r.Vintage
	}
	p.state.Checked = p.o.Now().UTC().Truncate(time.Second)
	if err := writeJSON(filepath.Dir(p.o.Output), filepath.Base(p.o.Output)+stateSuffix, p.state); err != nil {
		return nil, err
	}
	if p.r.Current {
		return &p.r, os.RemoveAll(p.work)
	}
	return &p.r, nil
}

// lock waits until no other pull of the output runs.
func (p *puller) lock(ctx context.Context) (unlock func(), err error) {
	for {
		unlock, ok, err := fetch.TryLock(p.o.Output + ".lock")
		if err != nil || ok {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("another pull of %s runs: %w", p.o.Output, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (p *puller) readState(trust KeySet) error {
	path := p.o.Output + stateSuffix
	b, _, err := readSmall(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var s state
	if err == nil {
		if err := json.Unmarshal(b, &s); err != nil || s.Format != formatNumber {
			return fmt.Errorf("%s is damaged or of another release (format %d, expected %d); remove it, then older indexes are no longer refused once", path, s.Format, formatNumber)
		}
	}
	if p.state = s; s.Trust != trust.id() {
		p.state = state{Format: formatNumber, Trust: trust.id(), Keys: trust}
	}
	p.state.Keys, err = p.state.Keys.sorted()
	return err
}

// anyOf pulls from the first source that has the files. An error of the local disk ends
// the search, because other sources would fail too.
func (p *puller) anyOf(ctx context.Context, old *os.File, sum string) error {
	var errs []error
	for _, from := range p.o.From {
		p.r = Report{From: from, Channel: p.o.Channel}
		err := p.pullFrom(ctx, from, old, sum)
		if err == nil {
			return nil
		}
		if errs = append(errs, fmt.Errorf("%s: %w", from, err)); ctx.Err() != nil || p.isLocal(err) {
			break
		}
	}
	if len(errs) == 0 {
		return errors.New("no folder or address of a channel is given; set --from or POSTGEO_CHANNEL")
	}
	all := errs[0]
	for _, err := range errs[1:] {
		all = fmt.Errorf("%w; %w", all, err)
	}
	return all
}

// isLocal reports whether an error is of a file in the work folder, or of the output.
func (p *puller) isLocal(err error) bool {
	local := func(path string) bool {
		return path == p.o.Output || path == p.work || strings.HasPrefix(path, p.work+string(filepath.Separator))
	}
	var file *fs.PathError
	var link *os.LinkError
	return errors.As(err, &file) && local(file.Path) || errors.As(err, &link) && (local(link.Old) || local(link.New))
}

// pullFrom installs the file of one source. old is the installed file, or nil.
func (p *puller) pullFrom(ctx context.Context, from string, old *os.File, sum string) error {
	index, err := p.indexOf(ctx, from)
	if err != nil {
		return err
	}
	p.r.Counter, p.r.Expires = index.Counter, index.Expires
	file, err := p.choose(ctx, index)
	if err != nil {
		return err
	}
	p.r.Version, p.r.Layers, p.r.Size, p.r.SHA256 = file.Version, file.Layers, file.Size, file.SHA256
	p.r.Current = sum == file.SHA256
	delta := slices.IndexFunc(file.Deltas, func(d Delta) bool { return d.From == sum })
	switch {
	case p.r.Current:
	case delta >= 0:
		p.r.Download = file.Deltas[delta].Size
	default:
		p.r.Download = file.Download()
	}
	if p.r.Current || p.o.Check {
		return nil
	}
	return p.install(ctx, file, delta, old)
}

func (p *puller) indexOf(ctx context.Context, from string) (*Index, error) {
	var err error
	if p.from, err = newSource(from, p.work, p.o); err != nil {
		return nil, err
	}
	keys := p.state.Keys
	rotations, err := p.from.small(ctx, keysName)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fetch.ErrNotFound):
	case err != nil:
		return nil, err
	default:
		var list []signed
		if err := json.Unmarshal(rotations, &list); err != nil {
			return nil, fmt.Errorf("%w: the rotations of keys: %w", ErrUntrusted, err)
		}
		if !exact(rotations, list) {
			return nil, fmt.Errorf("%w: the rotations of keys are not as a publisher writes them", ErrUntrusted)
		}
		if keys, err = keys.rotate(list); err != nil {
			return nil, err
		}
	}
	b, err := p.from.small(ctx, indexName)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fetch.ErrNotFound) {
		return nil, fmt.Errorf("%s does not exist; expected the folder or address of a channel", indexName)
	}
	if err != nil {
		return nil, err
	}
	x, err := parseIndex(b, keys, p.o.Now())
	if err != nil {
		return nil, err
	}
	sum := sumOf(b)
	if got := sumOf(rotations); got != x.Keys {
		return nil, fmt.Errorf("%w: keys.json has the SHA-256 %q, the index lists %q", ErrContent, got, x.Keys)
	}
	if x.Counter < p.state.Counter || x.Counter == p.state.Counter && sum != p.state.Index {
		return nil, fmt.Errorf("%w: it has the counter %d, the last one had %d; use another mirror", ErrRollback, x.Counter, p.state.Counter)
	}
	p.state.Keys, p.state.Counter, p.state.Index = keys, x.Counter, sum
	return x, nil
}

// choose returns the file to install.
func (p *puller) choose(ctx context.Context, x *Index) (*File, error) {
	list := x.Channels[p.o.Channel]
	vintage := p.o.Vintage
	if vintage == "" {
		if len(list) == 0 {
			return nil, fmt.Errorf("%w: the channel %q; it has %s", ErrMissing, p.o.Channel, strings.Join(sortedKeys(x.Channels), ", "))
		}
		vintage = list[0]
	}
	blob, ok := x.Vintages[vintage]
	if !ok {
		return nil, fmt.Errorf("%w: the vintage %q; it has %s", ErrMissing, vintage, strings.Join(sortedKeys(x.Vintages), ", "))
	}
	p.r.Vintage = vintage
	in, err := p.from.open(ctx, "manifest", blob)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if err := blob.verify(in); err != nil {
		return nil, fmt.Errorf("the manifest of %s: %w", vintage, err)
	}
	b, err := readAll(in, blob.Size)
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(b, vintage)
	if err != nil {
		return nil, err
	}
	f, err := m.file(p.o.Layers)
	if err == nil && f.FileFormat != dataset.Format {
		err = fmt.Errorf("%w: the vintage %s has datasets of format %d, this release reads %d; install the release of the same time, or choose another --vintage",
			dataset.ErrVersion, vintage, f.FileFormat, dataset.Format)
	}
	return f, err
}

// installed opens the installed file, if any, and returns its hash.
func installed(path string) (f *os.File, sum string, err error) {
	f, err = os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err == nil {
		sum, err = hashOf(f)
	}
	if err != nil {
		return nil, "", errors.Join(err, f.Close())
	}
	return f, sum, nil
}

// install makes the file in the work folder and gives it its name.
func (p *puller) install(ctx context.Context, file *File, delta int, old *os.File) (err error) {
	made := filepath.Join(p.work, "new.db")
	to, err := os.OpenFile(made, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(made))
		}
	}()
	err = errors.Join(p.make(ctx, file, delta, old, to), to.Sync(), to.Close())
	if err != nil {
		return err
	}
	d, err := dataset.Open(made)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrContent, err)
	}
	if err := d.Close(); err != nil {
		return err
	}
	if err := disk.Settle(disk.OS{}, made, p.o.Output); err != nil {
		return err
	}
	p.r.Installed, p.r.Current = true, true
	return nil
}

// make writes the new file from the old one and a delta, else from its packs.
func (p *puller) make(ctx context.Context, file *File, delta int, old, to *os.File) error {
	get := func(name string) func(Blob) (*os.File, error) {
		return func(b Blob) (*os.File, error) { return p.from.open(ctx, name, b) }
	}
	if delta >= 0 {
		err := applyDelta(file, file.Deltas[delta], old, to, get("delta"))
		if p.r.Delta = err == nil; err == nil || ctx.Err() != nil {
			return err
		}
		if err := to.Truncate(0); err != nil {
			return err
		}
		p.r.Download += file.Download()
	}
	return assemble(ctx, file, to, func(b Blob) (*os.File, error) {
		name := "frame"
		for _, pack := range file.Packs {
			if pack.Blob == b {
				name = pack.Name
			}
		}
		return get(name)(b)
	})
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
