package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/fetch"
)

// Extend writes a dataset that holds all of the one at the path base and the
// tables of the American Community Survey of o.ACS, which take the place of
// those of the same year. It reads nothing else of the options' sources. The
// file at o.Output appears, or is replaced, only when everything has
// succeeded; base stays as it is.
func Extend(ctx context.Context, base string, o Options) (*Report, error) {
	start := time.Now()
	if o.Output == "" || len(o.ACS) == 0 {
		return nil, errors.New("build: a dataset is extended with an output path and at least one table of the American Community Survey")
	}
	if same(base, o.Output) {
		return nil, fmt.Errorf("build: the extended dataset cannot take the place of %s while it is read; name another file", base)
	}
	if err := writable(o.Output); err != nil {
		return nil, err
	}
	client, err := newClient(ctx, o)
	if err != nil {
		return nil, err
	}
	b := &builder{o: o, files: map[string]*fetch.File{}, read: map[string]bool{}, report: &Report{Output: o.Output}}
	err = b.extend(ctx, base, client)
	b.report.Seconds = time.Since(start).Seconds()
	if err != nil {
		return b.report, fmt.Errorf("build: %w", err)
	}
	return b.report, nil
}

// same reports whether two paths lead to one file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y) || filepath.Clean(a) == filepath.Clean(b)
}

func (b *builder) extend(ctx context.Context, base string, client files) (err error) {
	d, err := dataset.Open(base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := b.timed("verify the base", func() error { return d.Verify(ctx) }); err != nil {
		return err
	}
	for i, s := range withRepeated(Catalogue(), Options{ACS: b.o.ACS}) {
		if s.ID != srcACS && i < len(Catalogue()) {
			continue
		}
		if err := b.add(ctx, client, s); err != nil {
			return err
		}
	}
	b.tables.states, b.tables.counties = d.States(), d.Counties()
	if err := b.timed("survey: heads", func() error { return readSurvey(ctx, b) }); err != nil {
		return err
	}
	for i := range b.o.ACS {
		if id := acsID(i); !b.tables.survey.profiles[id] {
			return fmt.Errorf("%s: %s is no table of a data profile; a dataset is extended with such only", id, b.fileName(id))
		}
	}
	if err := b.timed("write", func() error { return b.writeExtension(ctx, d) }); err != nil {
		return err
	}
	return b.finish(ctx)
}

func (b *builder) writeExtension(ctx context.Context, base *dataset.Dataset) (err error) {
	w, err := dataset.Extend(b.o.Output+unverified, base)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Abort())
		}
	}()
	if b.report.Tables, err = b.writeSurvey(ctx, w); err != nil {
		return err
	}
	m := b.extendedManifest(base.Manifest())
	b.report.Version, b.report.Built, b.report.Layers, b.report.Gaps = m.Version, m.Built, m.Layers, m.Gaps
	return w.Finish(m)
}

// extendedManifest returns the base's manifest with the sources that were
// added. Time and version move on only where the options or a newer source
// say so.
func (b *builder) extendedManifest(m dataset.Manifest) dataset.Manifest {
	added := b.manifest()
	m.Sources = slices.Clone(m.Sources)
	for _, s := range added.Sources {
		for n := 1; slices.ContainsFunc(m.Sources, func(o dataset.Source) bool { return o.ID == s.ID }); n++ {
			s.ID = acsID(n)
		}
		m.Sources = append(m.Sources, s)
	}
	if !b.o.SourceDateEpoch.IsZero() || added.Built.After(m.Built) {
		m.Built = added.Built
	}
	if b.o.Version != "" {
		m.Version = b.o.Version
	}
	if b.o.Builder != "" {
		m.Builder = b.o.Builder
	}
	return m
}
