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
	"github.com/postgeo/postgeo/dataset/build/source"
)

// Extend writes a dataset that holds all of the one at the path base and the
// tables of the American Community Survey of o.ACS. Tables of profiles replace
// those of the same year. Tables of people and homes renew the counts of ZIP
// Codes, unless base has newer ones; the ranks and counts of names for
// suggestions remain. Extend reads none of the options' other sources. The file
// at o.Output appears, or is replaced, only when everything has succeeded; base
// stays as it is.
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
	people, homes := surveyCounts{}, surveyCounts{}
	others, err := b.readPopulationTables(ctx, people, homes)
	if err != nil {
		return err
	}
	if len(others) > 0 {
		return fmt.Errorf("%s; expected a table of a data profile, or one of people or homes by ZCTA", others[0])
	}
	if err := b.timed("write", func() error { return b.writeExtension(ctx, d, people, homes) }); err != nil {
		return err
	}
	return b.finish(ctx)
}

// recount renews the counts of the base's ZIP Codes.
func (b *builder) recount(ctx context.Context, w *dataset.Extension, base *dataset.Dataset, people, homes surveyCounts) error {
	if len(people)+len(homes) == 0 {
		return nil
	}
	names := b.addedIDs(base.Manifest())
	for row := range base.ZIPs() {
		area := surveyArea{source.ZCTALevel, row.ZIP.String()}
		detail, err := base.ZIPDetail(ctx, row.ZIP)
		if err != nil {
			return err
		}
		q := &detail.Quality
		c, counted := people[area]
		if counted = counted && c.year >= q.PopulationYear; counted {
			c.source = names[c.source]
			c.countPeople(detail, q)
		}
		h, housed := homes[area]
		if housed {
			h.source = names[h.source]
			h.countHomes(detail, q)
		}
		if !counted && !housed {
			continue
		}
		b.report.applied("counts of people and homes renewed; ranks of suggestions remain until a build from the sources", area.geoid)
		if err := w.SetZIPDetail(row.ZIP, detail); err != nil {
			return err
		}
	}
	return nil
}

// addedIDs returns the identifiers in the extended dataset of the sources that
// were added, by their identifiers in this build.
func (b *builder) addedIDs(m dataset.Manifest) map[string]string {
	taken := map[string]bool{}
	for _, s := range m.Sources {
		taken[s.ID] = true
	}
	names := map[string]string{}
	for _, s := range b.order {
		id := s.ID
		for n := 1; taken[id]; n++ {
			id = acsID(n)
		}
		taken[id], names[s.ID] = true, id
	}
	return names
}

func (b *builder) writeExtension(ctx context.Context, base *dataset.Dataset, people, homes surveyCounts) (err error) {
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
	if err := b.recount(ctx, w, base, people, homes); err != nil {
		return err
	}
	m := b.extendedManifest(base.Manifest())
	b.report.Version, b.report.Built, b.report.Layers, b.report.Gaps = m.Version, m.Built, m.Layers, m.Gaps
	return w.Finish(m)
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
