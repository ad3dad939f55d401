package builder

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/source/format"
)

// A Planned is a file that a build would read.
type Planned struct {
	Source fetch.Source // without address if only a mirror holds the file
	Path   string       // of a file that the user named; "" otherwise
	Size   int64        // bytes: of the user's or the mirror's file, else of the catalog; 0 unknown
	Local  bool         // in a mirror folder or a path of the user; nothing is downloaded
}

// A Forecast lists the input of a build.
type Forecast struct {
	Files    []Planned
	Download int64 // bytes that would come over the network, approximately, with an empty cache
}

// Plan returns the files that a build with these options reads, and the size of
// the downloads with an empty cache. It downloads only a mirror's ACTUAL.csv and,
// for street segments, the list of counties.
func Plan(ctx context.Context, o Options) (*Forecast, error) {
	client, err := newClient(ctx, o)
	if err != nil {
		return nil, err
	}
	files, err := chosen(ctx, o, client)
	if err != nil {
		return nil, err
	}
	f := &Forecast{Files: files}
	for i := range files {
		p := &files[i]
		_, size := client.Held(p.Source)
		p.Local = p.Path != "" || !o.mirrorServer() && size >= 0
		if p.Size = p.Source.Size; size > 0 {
			p.Size = size
		}
		if p.Path != "" {
			st, err := os.Stat(p.Path)
			if err != nil {
				return nil, fmt.Errorf("build: %s: %w", p.Source.ID, err)
			}
			p.Size = st.Size()
		}
		if !p.Local {
			f.Download += p.Size
		}
		p.Source.URL = OfficialURL(p.Source.URL)
	}
	return f, nil
}

func newClient(ctx context.Context, o Options) (*fetch.Client, error) {
	of := fetch.Options{Cache: o.Cache, Mirror: o.Mirror, Offline: o.Offline, HTTP: o.download.HTTP}
	if o.Progress != nil {
		of.Progress = o.Progress
	}
	client, err := fetch.New(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("build: %w", err)
	}
	return client, nil
}

// The files of a build are chosen in three groups, whose order is that of the manifest:
// those of the catalog, each replaced by a file that the user named for it; further files
// that the user named for one source; and street segments by county. Choosing downloads
// nothing but the list of counties, by which those of Options.Streets are checked.

// chosen returns the catalog's sources for the options: those of its layers
// that can be fetched, and the user's.
func chosen(ctx context.Context, o Options, client *fetch.Client) ([]Planned, error) {
	layers, err := o.layers()
	if err != nil {
		return nil, err
	}
	if o.ZIP4Points != "" && o.USPSZIP4 == "" {
		return nil, errors.New("build: points of ZIP+4 Codes are given without the ZIP+4 product that they belong to")
	}
	if o.ZIPPolygons != "" && !slices.Contains(layers, catalog.Boundaries) {
		return nil, fmt.Errorf("build: outlines of ZIP Codes are given without the layer %s that stores them", catalog.Boundaries)
	}
	named, err := o.userFiles()
	if err != nil {
		return nil, err
	}
	all := catalog.Load(o.change)
	var files []Planned
	for _, s := range all.Files() {
		held, size := client.Held(s)
		switch at := slices.IndexFunc(named, func(f userFile) bool { return f.id == s.ID }); {
		case at >= 0:
			files = append(files, named[at].planned(all, held))
		case !slices.ContainsFunc(s.Layers, func(l fetch.Layer) bool { return slices.Contains(layers, l) }):
		case (s.UserSupplied || s.MirrorOnly) && size < 0 && (s.URL == "" || !o.mirrorServer()):
			// Only a mirror can have it, and this one lacks it. A server is tried later,
			// because its ACTUAL.csv need not list all of its files.
		default:
			files = append(files, Planned{Source: held})
		}
	}
	for _, f := range named {
		if f.id != f.of {
			s := all.Source(f.of)
			s.ID = f.id
			held, _ := client.Held(s)
			files = append(files, f.planned(all, held))
		}
	}
	segments, err := o.segments(ctx, all, layers, client)
	for _, s := range segments {
		held, _ := client.Held(s)
		files = append(files, Planned{Source: held})
	}
	return files, err
}

// planned returns the file with its title and the terms that the user names. --addrfeat
// takes files of two publishers, which differ in license, so that the content has to be
// looked at.
func (f *userFile) planned(all *catalog.Catalog, s fetch.Source) Planned {
	if f.of == catalog.AddrFeat && source.IsRoadNetwork(format.File{Path: f.path}) {
		network := all.Source(catalog.RoadNetwork)
		s.Title, s.License, s.Attribution, s.Refresh = network.Title, network.License, network.Attribution, network.Refresh
	}
	all.Credit(&s, f.terms)
	if f.of == catalog.OwnAreas {
		s.Title = f.title
	}
	return Planned{Source: s, Path: f.path}
}

// segments returns the sources of street segments: those of all counties with the
// layer streets, else of the counties, states and provinces of Options.Streets.
func (o Options) segments(ctx context.Context, sources *catalog.Catalog, layers []fetch.Layer, client *fetch.Client) (list []fetch.Source, err error) {
	everything := slices.Contains(layers, catalog.Streets)
	if !everything && len(o.Streets) == 0 {
		return nil, nil
	}
	states, err := counties(ctx, sources, client)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for fips := range states {
		wanted[fips] = everything
	}
	for _, text := range o.streets() {
		found := source.IsProvince(text)
		for fips, state := range states {
			switch {
			case state == text, fips == text, fips[:2] == text:
				wanted[fips], found = true, true
			case len(text) == 5 && fips[:2] == text[:2]:
				// The list has the counties of one year. Older TIGER/Line files have
				// others, such as those of Connecticut before 2022.
				wanted[text], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("build: unknown state or county %q; expected letters of a state or province, two digits of a state, or five digits of a county", text)
		}
	}
	// With the layer streets, the road network is one of its sources.
	if len(o.provinces()) > 0 && !everything {
		list = append(list, sources.Source(catalog.RoadNetwork))
	}
	for _, fips := range slices.Sorted(maps.Keys(wanted)) {
		if wanted[fips] {
			list = append(list, sources.Segments(fips))
		}
	}
	return list, nil
}

// counties returns the letters of the state of each county by its FIPS code.
func counties(ctx context.Context, sources *catalog.Catalog, client *fetch.Client) (map[string]string, error) {
	file, err := client.Get(ctx, sources.Source(catalog.GazetteerCounties))
	if err != nil {
		return nil, fmt.Errorf("build: list of counties: %w", err)
	}
	states := map[string]string{}
	for row, err := range source.Gazetteer(5, "USPS")(format.File{Path: file.Path}) {
		switch {
		case err == nil:
			states[row.GEOID] = row.State
		case !errors.Is(err, format.ErrValue): // a bad row is reported by the part that reads counties
			return nil, err
		}
	}
	return states, nil
}

// fetch gets the files. An optional source that its host does not have, or the cache when
// offline, is a gap of the dataset, not an error. A file that the user named must exist.
// The sources keep the order of the files, whatever order their downloads end in.
func (b *builder) fetch(ctx context.Context, client *fetch.Client, files []Planned) error {
	ahead := prefetch(ctx, client, files)
	for _, f := range files {
		file, err := ahead[f.Source.ID], error(nil)
		switch {
		case f.Path != "":
			file, err = client.Open(ctx, f.Source, f.Path)
		case file == nil:
			file, err = client.Get(ctx, f.Source)
		}
		absent := errors.Is(err, fetch.ErrNotFound) || errors.Is(err, fetch.ErrOffline)
		if absent && f.Source.Optional && f.Path == "" {
			b.Note(draft.Ruled, "an optional source is not available", 1, f.Source.ID+": "+firstLine(err))
			continue
		}
		if err != nil {
			return err
		}
		if s := &file.Source; s.Usual != "" {
			b.Note(draft.Ruled, "an older file than the catalog's was read", 1, fmt.Sprintf("%s: %s, not %s", s.ID, file.Published, s.Usual))
		}
		if file.Source.Vintage == "" {
			file.Source.Vintage = packed(file.Path)
		}
		b.Sources = append(b.Sources, &draft.Source{File: *file})
	}
	return nil
}

// prefetch gets the files of counties and states several at a time: there are up to 3,200
// small ones on one host. All other files come one after the other.
//
// An error of one file ends nothing: that file stays nil, and fetch gets it again and
// reports what is wrong. So the first error in the order of the files is the one
// reported.
func prefetch(ctx context.Context, client *fetch.Client, files []Planned) map[string]*fetch.File {
	const downloads = 4 // at a time
	all := catalog.Load(nil)
	parts := slices.DeleteFunc(slices.Clone(files), func(f Planned) bool {
		_, entry := all.Find(f.Source.ID)
		return entry == "" || f.Path != ""
	})
	got := make([]*fetch.File, len(parts))
	var some errgroup.Group
	some.SetLimit(downloads)
	for i, f := range parts {
		some.Go(func() (err error) {
			got[i], err = client.Get(ctx, f.Source)
			return err
		})
	}
	_ = some.Wait()
	found := map[string]*fetch.File{}
	for i, f := range parts {
		found[f.Source.ID] = got[i]
	}
	return found
}
