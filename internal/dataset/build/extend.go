package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/survey"
)

// Extend writes a dataset that holds all of the one at the path base and the
// tables of the American Community Survey of o.ACS. Tables of profiles replace
// those of the same year. Tables of people and homes renew the counts of ZIP
// Codes, unless base has newer ones; the ranks and counts of names for
// suggestions remain. Extend reads none of the options' other sources. The file
// at o.Output appears, or is replaced, only when everything has succeeded; base
// stays as it is.
func Extend(ctx context.Context, base string, o Options) (*Report, error) {
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
	b, err := newBuilder(o)
	if err != nil {
		return nil, err
	}
	return b.finished(b.extend(ctx, base, client))
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
	if err := b.Time("verify the base", func() error { return d.Verify(ctx) }); err != nil {
		return err
	}
	for i, s := range withRepeated(Catalog(), Options{ACS: b.o.ACS}) {
		if s.ID != catalog.ACS && i < len(Catalog()) {
			continue
		}
		if err := b.add(ctx, client, s); err != nil {
			return err
		}
	}
	var w *dataset.Extension
	defer func() {
		if err != nil && w != nil {
			err = errors.Join(err, w.Abort())
		}
	}()
	create := func() (_ *dataset.Extension, err error) {
		w, err = dataset.Extend(b.o.Output+unverified, d)
		return w, err
	}
	b.Give(&draft.States{List: d.States()}, &draft.Counties{List: d.Counties()}, &survey.Base{Dataset: d, Create: create, Names: b.addedIDs(d.Manifest())})
	if err := b.Run(ctx, survey.Extend()); err != nil {
		return err
	}
	m := b.extendedManifest(d.Manifest())
	b.report.Version, b.report.Built, b.report.Layers, b.report.Gaps = m.Version, m.Built, m.Layers, m.Gaps
	b.report.Tables = b.Notes().Tables
	if err := w.Finish(m); err != nil {
		return err
	}
	return b.finish(ctx)
}

// addedIDs returns the identifiers in the extended dataset of the sources that
// were added, by their identifiers in this build.
func (b *builder) addedIDs(m dataset.Manifest) map[string]string {
	taken := map[string]bool{}
	for _, s := range m.Sources {
		taken[s.ID] = true
	}
	names := map[string]string{}
	for _, s := range b.Sources() {
		id := s.Source.ID
		for n := 1; taken[id]; n++ {
			id = acsID(n)
		}
		taken[id], names[s.Source.ID] = true, id
	}
	return names
}

// extendedManifest returns the base's manifest with the sources that were
// added. Time and version change only with the options or a newer source.
func (b *builder) extendedManifest(m dataset.Manifest) dataset.Manifest {
	added, names := b.manifest(), b.addedIDs(m)
	m.Sources = slices.Clone(m.Sources)
	for _, s := range added.Sources {
		s.ID = names[s.ID]
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
