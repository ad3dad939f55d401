package builder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// Extend writes a dataset that holds all of the one at the path base and more. It
// adds the plans and layers of o.Plans and o.OwnLayers, the address points of
// o.AddressPoints and the street segments of o.Streets and o.AddrFeat. The layers
// streets and points add all of theirs; Extend reads none of the options' other
// sources. The file at o.Output appears, or is replaced, only when everything has
// succeeded; base stays as it is.
func Extend(ctx context.Context, base string, o Options) (*Report, error) {
	if o.Output == "" || len(o.Plans)+len(o.OwnLayers) == 0 && !o.addsRoads() {
		return nil, errors.New("build: an extended dataset needs an output path, and a layer, a plan, streets or address points to add")
	}
	if same(base, o.Output) {
		return nil, fmt.Errorf("build: the extended dataset cannot take the place of %s while it is read; name another file", base)
	}
	return produce(ctx, o, func(b *builder, ctx context.Context, client *fetch.Client) error { return b.extend(ctx, base, client) })
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

// extend copies the base and adds to it. The base is verified in the background while
// sources are fetched and read. The new file is finished only after the base was found
// sound, because a copy would carry damage on under new digests.
//
// A damaged base can also make the work fail before that. The deferred function then
// waits for the verification and returns its error, which explains the other one. It runs
// before the deferred Close, so the goroutine never reads a closed file. WithoutCancel
// lets the verification be waited for after the context has ended; Verify itself ends
// with it.
func (b *builder) extend(ctx context.Context, base string, client *fetch.Client) (err error) {
	d, err := sqlite.Open(base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	sound := make(chan error, 1)
	go func() { sound <- d.Verify(ctx) }()
	verified := sync.OnceValue(func() error {
		return b.do(context.WithoutCancel(ctx))("verify the base", func() error { return <-sound })
	})
	defer func() {
		if damaged := verified(); err != nil && damaged != nil {
			err = damaged
		}
	}()
	files, err := chosen(ctx, b.o, client)
	if err != nil {
		return err
	}
	// The layers of the options choose whole groups of sources. Of these an extended file
	// takes only the roads and the files of own layers; all else is in the base.
	files = slices.DeleteFunc(files, func(f Planned) bool {
		return !slices.ContainsFunc(append(slices.Clone(draft.RoadSources), catalog.OwnAreas), func(id string) bool { return draft.OneOf(f.Source.ID, id) })
	})
	if err := b.fetch(ctx, client, files); err != nil {
		return err
	}
	if b.Output, err = storewrite.Extend(b.o.Output+unverified, d); err != nil {
		return err
	}
	b.SourceIDs = b.addedIDs(d.Manifest())
	if err := b.Extend(ctx, d, b.do(ctx)); err != nil {
		return errors.Join(err, b.Output.Abort())
	}
	if err := verified(); err != nil {
		return errors.Join(err, b.Output.Abort())
	}
	return b.finish(ctx, b.extendedManifest(d.Manifest()))
}

// addsRoads reports whether the options name streets or address points.
func (o Options) addsRoads() bool {
	layers, err := o.layers()
	return err == nil && (slices.Contains(layers, catalog.Streets) || slices.Contains(layers, catalog.Points)) || len(o.Streets)+len(o.AddrFeat)+len(o.AddressPoints) > 0
}

// addedIDs returns the identifiers in the extended dataset of the sources that
// were added, by their identifiers in this build. Sources that can have several
// files take the next free numbers; others take the place of the base's.
func (b *builder) addedIDs(m dataset.Manifest) map[string]string {
	taken := map[string]bool{}
	for _, s := range m.Sources {
		taken[s.ID] = true
	}
	names := map[string]string{}
	for _, s := range b.Sources {
		id := s.Source.ID
		for _, of := range [...]string{catalog.AddrFeat, catalog.AddressPoints, catalog.OwnAreas} {
			for n := 1; taken[id] && strings.HasPrefix(s.Source.ID, of); n++ {
				id = catalog.Repeated(of, n)
			}
		}
		taken[id], names[s.Source.ID] = true, id
	}
	return names
}

// extendedManifest returns the base's manifest with the sources that were
// added. Time and version change only with the options or a newer source.
func (b *builder) extendedManifest(m dataset.Manifest) dataset.Manifest {
	added := b.manifest()
	m.Sources = slices.Clone(m.Sources)
	for _, s := range added.Sources {
		s.ID = b.SourceIDs[s.ID]
		if at := slices.IndexFunc(m.Sources, func(have dataset.Source) bool { return have.ID == s.ID }); at >= 0 {
			m.Sources[at] = s
		} else {
			m.Sources = append(m.Sources, s)
		}
	}
	for _, l := range b.report.Layers {
		if (l == string(catalog.Streets) || l == string(catalog.Points)) && !slices.Contains(m.Layers, l) {
			m.Layers = append(slices.Clip(m.Layers), l)
		}
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
