package builder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/fetch"
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
// for street segments, the list of counties. It requests the sizes of files from a
// mirror's server.
func Plan(ctx context.Context, o Options) (*Forecast, error) {
	client, err := newClient(ctx, o)
	if err != nil {
		return nil, err
	}
	sources, err := chosen(ctx, o, client)
	if err != nil {
		return nil, err
	}
	f := &Forecast{}
	for _, s := range sources {
		p := Planned{Source: s, Path: o.supplied(s.ID), Size: s.Size}
		if p.Path != "" {
			st, err := os.Stat(p.Path)
			if err != nil {
				return nil, fmt.Errorf("build: %s: %w", s.ID, err)
			}
			p.Size = st.Size()
		}
		if size := client.Size(ctx, s); p.Path == "" && size > 0 {
			p.Size = size
		}
		_, held := client.Held(s)
		p.Local = p.Path != "" || !o.mirrorServer() && held
		if !p.Local {
			f.Download += p.Size
		}
		p.Source.URL = OfficialURL(s.URL)
		f.Files = append(f.Files, p)
	}
	return f, nil
}

func newClient(ctx context.Context, o Options) (*fetch.Client, error) {
	var progress fetch.Progress
	if o.Progress != nil {
		progress = o.Progress
	}
	of := fetch.Options{Cache: o.Cache, Mirror: o.Mirror, Offline: o.Offline, Progress: progress}
	if o.client != nil {
		o.client(&of)
	}
	client, err := fetch.New(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("build: %w", err)
	}
	return client, nil
}

// chosen returns the catalog's sources for the options: those of its layers
// that can be fetched, and the user's.
func chosen(ctx context.Context, o Options, client files) ([]fetch.Source, error) {
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
	all, err := catalog.Load(o.Catalog)
	if err != nil {
		return nil, err
	}
	var sources []fetch.Source
	for _, s := range withRepeated(all.Files(), o) {
		held, ok := client.Held(s)
		switch {
		case o.supplied(s.ID) != "":
			if err := credit(all, &held, o.named(s.ID)); err != nil {
				return nil, err
			}
		case !slices.ContainsFunc(s.Layers, func(l fetch.Layer) bool { return slices.Contains(layers, l) }):
			continue
		case (s.UserSupplied || s.MirrorOnly) && !ok && (s.URL == "" || !o.mirrorServer()):
			continue // a mirror's server may have it, a folder does not
		}
		sources = append(sources, held)
	}
	if err := o.described(sources); err != nil {
		return nil, err
	}
	segments, err := o.segments(ctx, all, layers, client)
	return append(sources, segments...), err
}

// credit gives a file of the user its title and the terms that the user names.
func credit(all *catalog.Catalog, s *fetch.Source, named string) error {
	path, terms, err := catalog.ParseTerms(named)
	if err != nil {
		return fmt.Errorf("build: %w", err)
	}
	if strings.HasPrefix(s.ID, catalog.AddrFeat) && source.IsRoadNetwork(path) {
		network := all.Source(catalog.RoadNetwork)
		s.Title, s.License, s.Attribution, s.Refresh = network.Title, network.License, network.Attribution, network.Refresh
	}
	all.Credit(s, terms)
	return nil
}

// withRepeated appends entries for files beyond the first of a source.
func withRepeated(all []fetch.Source, o Options) []fetch.Source {
	for _, of := range o.repeatedSources() {
		at := slices.IndexFunc(all, func(s fetch.Source) bool { return s.ID == of.id })
		for i := 1; i < len(of.paths); i++ {
			s := all[at]
			s.ID = catalog.Repeated(of.id, i)
			all = append(all, s)
		}
	}
	return all
}

// unverified is added to the name of a file that has not been read back.
const unverified = ".unverified"

// LayerInfo describes a layer.
type LayerInfo = catalog.Choice

// Layers returns the layers that can be built.
func Layers() []LayerInfo { return slices.Clone(catalog.All) }

// Catalog returns the sources of the built-in catalog, in the order of manifests.
// Sizes are approximate. A source with a file for each state has SS in its address.
func Catalog() []fetch.Source { return catalog.BuiltIn().Described() }

// CheckCatalog verifies a catalog file, if its path is not "".
func CheckCatalog(file string) error {
	_, err := catalog.Load(file)
	return err
}
