package build

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/fetch"
)

// Build fetches the sources of the chosen layers, derives the tables, writes
// the dataset file and reads it back. The file at Options.Output appears, or
// is replaced, only when all of that has succeeded. The report is returned
// with an error too, as far as the build came.
func Build(ctx context.Context, o Options) (*Report, error) {
	if o.Output == "" {
		return nil, errors.New("build: no output path")
	}
	if err := writable(o.Output); err != nil {
		return nil, err
	}
	client, err := newClient(ctx, o)
	if err != nil {
		return nil, err
	}
	return build(ctx, o, client)
}

// writable tries whether a file can be made where the output shall be, before
// an hour of work is spent on it.
func writable(output string) error {
	path := output + unverified
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(path))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) { // of a build that was killed

		return fmt.Errorf("build: the dataset cannot be written to %s: %w; give another place", output, err)
	}
	return nil
}

// files is what a build needs of a fetch.Client.
type files interface {
	Get(context.Context, fetch.Source) (*fetch.File, error)
	Has(fetch.Source) bool
	Open(context.Context, fetch.Source, string) (*fetch.File, error)
}

func build(ctx context.Context, o Options, client files) (*Report, error) {
	start := time.Now()
	layers, err := o.layers()
	if err != nil {
		return nil, err
	}
	b := &builder{o: o, files: map[string]*fetch.File{}, read: map[string]bool{}, report: &Report{Output: o.Output}}
	for _, l := range layers {
		b.report.Layers = append(b.report.Layers, string(l))
	}
	err = b.run(ctx, client)
	b.report.Seconds = time.Since(start).Seconds()
	if err != nil {
		return b.report, fmt.Errorf("build: %w", err)
	}
	return b.report, nil
}

// builder is the state of one build.
type builder struct {
	o      Options
	files  map[string]*fetch.File // by source identifier
	order  []fetch.Source         // sources at hand, in the order of the catalogue
	read   map[string]bool        // sources that were read, by identifier
	report *Report
	tables tables
}

func (b *builder) run(ctx context.Context, client files) error {
	if err := b.timed("fetch", func() error { return b.fetch(ctx, client) }); err != nil {
		return err
	}
	for _, s := range steps {
		if err := b.timed(s.name, func() error { return s.run(ctx, b) }); err != nil {
			return err
		}
	}
	if err := b.timed("write", func() error { return b.write(ctx) }); err != nil {
		return err
	}
	return b.finish(ctx)
}

// finish reads the written file back and gives it its name.
func (b *builder) finish(ctx context.Context) error {
	if err := b.timed("verify", func() error { return verify(ctx, b.o.Output+unverified, b.o.Output) }); err != nil {
		return err
	}
	st, err := os.Stat(b.o.Output)
	if err == nil {
		b.report.Bytes = st.Size()
	}
	return err
}

func (b *builder) timed(name string, run func() error) error {
	if b.o.Progress != nil {
		b.o.Progress.Step(name)
	}
	start := time.Now()
	err := run()
	b.report.Steps = append(b.report.Steps, StepReport{Name: name, Seconds: time.Since(start).Seconds()})
	if err != nil && !strings.HasPrefix(err.Error(), name+": ") {
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// fetch brings the chosen sources to this machine. An optional source that its
// host does not have, or the cache when offline, is a gap of the dataset, not
// an error.
func (b *builder) fetch(ctx context.Context, client files) error {
	sources, err := chosen(b.o, client)
	if err != nil {
		return err
	}
	for _, s := range sources {
		if err := b.add(ctx, client, s); err != nil {
			return err
		}
	}
	return nil
}

// add brings one source.
func (b *builder) add(ctx context.Context, client files, s fetch.Source) error {
	file, err := b.get(ctx, client, s)
	absent := errors.Is(err, fetch.ErrNotFound) || errors.Is(err, fetch.ErrOffline)
	if absent && s.Optional && b.o.supplied(s.ID) == "" {
		b.report.applied("an optional source is not available", s.ID+": "+firstLine(err))
		return nil
	}
	if err != nil {
		return err
	}
	if file.Source.Vintage == "" {
		file.Source.Vintage = packed(file.Path)
	}
	b.files[s.ID] = file
	b.order = append(b.order, file.Source)
	b.report.Sources = append(b.report.Sources, SourceReport{
		ID: s.ID, Title: file.Source.Title, Vintage: file.Source.Vintage, Origin: file.Origin.String(), Bytes: file.Size,
	})
	return nil
}

func (b *builder) get(ctx context.Context, client files, s fetch.Source) (*fetch.File, error) {
	if path := b.o.supplied(s.ID); path != "" {
		return client.Open(ctx, s, path)
	}
	return client.Get(ctx, s)
}

// has reports whether the source is at hand.
func (b *builder) has(id string) bool { return b.files[id] != nil }

// wants reports whether the layer is to be built.
func (b *builder) wants(l fetch.Layer) bool { return slices.Contains(b.report.Layers, string(l)) }

// rows notes how many rows of a source a step has read, and returns the most
// that any step has: a later one may get those only that are in order.
func (b *builder) rows(id string, n int64) int64 {
	b.read[id] = true
	for i := range b.report.Sources {
		if s := &b.report.Sources[i]; s.ID == id {
			s.Rows = max(s.Rows, n)
			n = s.Rows
		}
	}
	return n
}

// verify reads a file back and gives it its name. A file that does not read is
// removed.
func verify(ctx context.Context, path, name string) error {
	d, err := dataset.Open(path)
	if err == nil {
		err = errors.Join(d.Verify(ctx), d.Close())
	}
	if err == nil {
		err = os.Rename(path, name)
		if err != nil && runtime.GOOS == "windows" {
			err = fmt.Errorf("%w; Windows replaces no file that a program has open: stop the server that reads %s, or build into another file with -o", err, name)
		}
	}
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// manifest describes the dataset for the file.
func (b *builder) manifest() dataset.Manifest {
	m := dataset.Manifest{
		Version: b.o.Version, Sample: b.o.Sample, Built: b.o.SourceDateEpoch.UTC(), Builder: b.o.Builder,
		Layers: b.report.Layers, Gaps: b.report.Gaps,
	}
	for i, s := range b.order {
		if !b.read[s.ID] {
			continue // the dataset holds nothing of it
		}
		r := b.report.Sources[i]
		m.Sources = append(m.Sources, dataset.Source{
			ID: s.ID, Title: s.Title, URL: OfficialURL(s.URL), Vintage: s.Vintage, Licence: s.Licence, Attribution: s.Attribution,
			Refresh: s.Refresh, UserSupplied: s.UserSupplied, Note: s.Note, Rows: r.Rows, SHA256: b.files[s.ID].SHA256,
		})
		if b.o.Sample {
			markSample(&m.Sources[len(m.Sources)-1])
		}
	}
	if b.o.SourceDateEpoch.IsZero() {
		m.Built = newestVintage(b.order, b.read)
	}
	if m.Version == "" {
		m.Version = m.Built.Format(time.DateOnly)
		if m.Sample {
			m.Version = "sample-" + m.Version
		}
	}
	if m.Builder == "" {
		m.Builder = "postgeo"
	}
	return m
}

// OfficialURL returns the address of a source of the [Catalogue], or "" where
// the file has none of its own and exists only in a mirror.
func OfficialURL(url string) string {
	if host, _, ok := strings.Cut(strings.TrimPrefix(url, "https://"), "/"); ok && strings.HasSuffix(host, ".local") {
		return ""
	}
	return url
}

var vintageDate = regexp.MustCompile(`\b(?:19|20)[0-9]{2}(?:-[0-9]{2}(?:-[0-9]{2})?)?`)

// newestVintage returns the latest date that the vintages of the sources name,
// the first of the month or year where they name no more; 2000-01-01 where
// they name none. Sources that were not read do not count.
func newestVintage(sources []fetch.Source, read map[string]bool) time.Time {
	newest := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, s := range sources {
		if !read[s.ID] {
			continue
		}
		for _, text := range vintageDate.FindAllString(s.Vintage, -1) {
			date, err := time.Parse(time.DateOnly, (text + "-01-01")[:len(time.DateOnly)])
			if err == nil && date.After(newest) {
				newest = date
			}
		}
	}
	return newest
}

// packed returns the date of the newest member of a zip file, for publishers
// who renew a file under the same name; "" for other files.
func packed(path string) string {
	z, err := zip.OpenReader(path)
	if err != nil {
		return ""
	}
	defer z.Close()
	var newest time.Time
	for _, f := range z.File {
		if f.Modified.After(newest) {
			newest = f.Modified
		}
	}
	const firstZIP = 1990 // a zip without dates says 1980 or nothing
	if newest.Year() < firstZIP {
		return ""
	}
	return newest.UTC().Format(time.DateOnly)
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
