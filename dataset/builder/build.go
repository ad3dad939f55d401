package builder

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// Build fetches the sources of the chosen layers, derives the tables, writes
// the dataset file and reads it back. The file at Options.Output appears, or
// is replaced, only when all of that has succeeded. The report is returned
// with an error too, as far as the build came.
func Build(ctx context.Context, o Options) (*Report, error) {
	if o.Output == "" {
		return nil, errors.New("build: no output path")
	}
	return produce(ctx, o, (*builder).run)
}

// A build makes three files before the one that the user asked for:
//
//   - storewrite writes OUTPUT.unverified.part and OUTPUT.unverified.rows.part.
//   - Its Finish renames the first to OUTPUT.unverified and removes the other.
//   - verify opens OUTPUT.unverified as any program would, checks every digest, and
//     renames it to OUTPUT.
//
// A process that is killed at any point therefore leaves the old OUTPUT or the whole new
// one, never a part. The names are fixed, so that the next build replaces leftovers. The
// price is disk: an update needs room for the old file and the new one.

// produce runs a build and completes its report. [Build] and [Extend] differ in run only.
func produce(ctx context.Context, o Options, run func(*builder, context.Context, *fetch.Client) error) (*Report, error) {
	if err := writable(o.Output); err != nil {
		return nil, err
	}
	client, err := newClient(ctx, o)
	if err != nil {
		return nil, err
	}
	b, err := newBuilder(o)
	if err != nil {
		return nil, err
	}
	err = run(b, ctx, client)
	r := b.report
	for _, s := range b.Sources {
		r.Sources = append(r.Sources, SourceReport{
			ID: s.Source.ID, Title: s.Source.Title, Vintage: s.Source.Vintage, Origin: string(s.Origin), Bytes: s.Size, Rows: s.Rows, Refused: s.Refused,
		})
	}
	r.Seconds = time.Since(b.start).Seconds()
	if err != nil {
		return r, fmt.Errorf("build: %w", err)
	}
	return r, nil
}

// writable checks that the output can be created, before gigabytes are downloaded for it.
// It creates the file and removes it again: permissions alone do not show a read-only
// mount, a quota or a missing folder. A file that exists already was left by a killed
// build, which storewrite replaces.
func writable(output string) error {
	path := output + unverified
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(path))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("build: the dataset cannot be written to %s: %w; give another place", output, err)
	}
	return nil
}

// builder is the state of one build.
type builder struct {
	draft.Draft
	o      Options
	start  time.Time
	report *Report
}

func newBuilder(o Options) (*builder, error) {
	chosen, err := o.layers()
	if err != nil {
		return nil, err
	}
	b := &builder{o: o, start: time.Now(), report: &Report{Output: o.Output}}
	for _, l := range chosen {
		b.Layers = append(b.Layers, string(l))
	}
	b.report.Layers = b.Layers
	b.Filter, b.Simplify, b.Note, b.Provinces = o.filter, o.simplify, b.report.note, o.provinces()
	b.Requests, err = o.requests()
	return b, err
}

// do returns the function that runs a step of the build: it reports the step, times it,
// and adds its name to an error. An error that begins with the name is kept, as those of
// package fetch do. The context is checked between steps here and within long steps by
// themselves.
func (b *builder) do(ctx context.Context) func(name string, step func() error) error {
	return func(name string, step func() error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.o.Progress != nil {
			b.o.Progress.Step(name)
		}
		start := time.Now()
		err := step()
		b.report.Steps = append(b.report.Steps, StepReport{Name: name, Seconds: time.Since(start).Seconds()})
		if err != nil && !strings.HasPrefix(err.Error(), name+": ") {
			return fmt.Errorf("%s: %w", name, err)
		}
		return err
	}
}

func (b *builder) run(ctx context.Context, client *fetch.Client) error {
	err := b.do(ctx)("fetch", func() error {
		files, err := chosen(ctx, b.o, client)
		if err != nil {
			return err
		}
		return b.fetch(ctx, client, files)
	})
	if err != nil {
		return err
	}
	// The file is begun when all sources are there, so that a missing one leaves no
	// trace.
	if b.Output, err = storewrite.Create(b.o.Output + unverified); err != nil {
		return err
	}
	if err := b.Derive(ctx, b.do(ctx)); err != nil {
		return errors.Join(err, b.Output.Abort())
	}
	return b.finish(ctx, b.manifest())
}

// finish completes the file, reads it back and gives it its name. After an error, also of
// a context that ended before, the file is removed: by Abort until Finish has renamed it,
// and by its new name after that.
func (b *builder) finish(ctx context.Context, m dataset.Manifest) error {
	r, do := b.report, b.do(ctx)
	r.Version, r.Built, r.Layers, r.Gaps = m.Version, m.Built, m.Layers, m.Gaps
	if err := do("write: finish", func() error { return b.Output.Finish(m) }); err != nil {
		return errors.Join(err, b.Output.Abort())
	}
	path := b.o.Output + unverified
	if err := do("verify", func() error { return verify(ctx, path, b.o.Output) }); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	st, err := os.Stat(b.o.Output)
	if err == nil {
		b.report.Bytes = st.Size()
	}
	return err
}

// verify reads a file back and gives it its name. It repeats what the command "dataset
// verify" does, so that a fault of the writer or of the disk never replaces a good file.
func verify(ctx context.Context, path, name string) error {
	d, err := sqlite.Open(path)
	if err == nil {
		err = errors.Join(d.Verify(ctx), d.Close())
	}
	if err != nil {
		return err
	}
	err = disk.Settle(path, name)
	if err != nil && runtime.GOOS == "windows" {
		err = fmt.Errorf("%w; Windows replaces no file that a program has open: stop the server that reads %s, or build into another file with -o", err, name)
	}
	return err
}

// manifest describes the dataset for the file. Sources that no part has read are left
// out: their licenses and vintages do not bind the file. Nothing in it depends on the
// wall clock or on this machine, because equal sources must give equal bytes.
func (b *builder) manifest() dataset.Manifest {
	m := dataset.Manifest{
		Version: b.o.Version, Sample: b.o.Sample, Built: b.o.SourceDateEpoch.UTC(), Builder: cmp.Or(b.o.Builder, "postgeo"),
		Layers: b.report.Layers, Gaps: b.report.Gaps,
	}
	var vintages []string
	for _, s := range b.Sources {
		if !s.Read {
			continue
		}
		f := s.Source
		vintages = append(vintages, f.Vintage)
		m.Sources = append(m.Sources, dataset.Source{
			ID: f.ID, Title: f.Title, URL: OfficialURL(f.URL), Vintage: f.Vintage, License: f.License, Attribution: f.Attribution,
			Redistribution: cmp.Or(f.Redistribution, "unknown"), Refresh: f.Refresh, UserSupplied: f.UserSupplied, Note: f.Note, Rows: s.Rows,
			SHA256: s.SHA256, Size: s.Size, ETag: s.ETag, LastModified: s.LastModified,
		})
		if b.o.describe != nil {
			b.o.describe(&m.Sources[len(m.Sources)-1])
		}
	}
	if b.o.SourceDateEpoch.IsZero() {
		m.Built = newest(vintages)
	}
	if m.Version == "" {
		m.Version = m.Built.Format(time.DateOnly)
		if m.Sample {
			m.Version = "sample-" + m.Version
		}
	}
	return m
}

// OfficialURL returns the address of a source of the [Catalog], or "" if the
// file exists only in a mirror.
func OfficialURL(url string) string {
	if host, _, ok := strings.Cut(strings.TrimPrefix(url, "https://"), "/"); ok && strings.HasSuffix(host, ".local") {
		return ""
	}
	return url
}

// vintageDate matches a year, a month, a day, a period of years (2020-2024) and a school year
// (2024-25). It has no boundary at its end, so that it finds the year of "2026f", a release of
// the tz database.
var vintageDate = regexp.MustCompile(`\b(school year )?((?:19|20)[0-9]{2})(?:-((?:19|20)[0-9]{2})\b|-([0-9]{2})(?:-([0-9]{2}))?)?`)

// newest returns the latest date in the vintages, the first day if only a month or year is
// given; 2000-01-01 without any. Periods and school years have the date of their last year.
func newest(vintages []string) time.Time {
	newest := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, m := range vintageDate.FindAllStringSubmatch(strings.Join(vintages, " "), -1) {
		school, year, last, month, day := m[1] != "", m[2], m[3], m[4], m[5]
		date, err := time.Parse(time.DateOnly, cmp.Or(last, year)+"-"+cmp.Or(month, "01")+"-"+cmp.Or(day, "01"))
		// 2009-10 is a month, unless it is called a school year; 2024-25 can't be one.
		if start, _ := time.Parse("2006", year); day == "" && (school || err != nil) {
			if next := start.AddDate(1, 0, 0); next.Format("06") == month {
				date, err = next, nil
			}
		}
		if err == nil && date.After(newest) {
			newest = date
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
	const firstZIP = 1990 // a zip without dates has 1980 or nothing
	if newest.Year() < firstZIP {
		return ""
	}
	return newest.UTC().Format(time.DateOnly)
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
