package builder

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/source/format"
)

// A county is a county with its state's letters.
type county struct{ state, fips string }

var stateOrCounty = regexp.MustCompile(`^\s*([A-Za-z]{2}|\d{2}|\d{5})\s*$`)

// IsStateOrCounty reports whether a text has the form of Options.Streets: the
// letters or FIPS code of a state, or the FIPS code of a county.
func IsStateOrCounty(text string) bool { return stateOrCounty.MatchString(text) }

// segments returns the sources of street segments: those of all counties with the
// layer streets, else of the counties and states of Options.Streets. A mirror
// that has only an older file gives that one.
func (o Options) segments(ctx context.Context, sources *catalog.Catalog, layers []fetch.Layer, client files) ([]fetch.Source, error) {
	everything := slices.Contains(layers, catalog.Streets)
	if !everything && len(o.Streets) == 0 {
		return nil, nil
	}
	all, err := counties(ctx, sources, client)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, text := range o.streets() {
		found := source.IsProvince(text)
		for _, c := range all {
			if c.state == text || c.fips == text || c.fips[:2] == text {
				wanted[c.fips], found = true, true
			}
		}
		if len(text) == 5 && slices.ContainsFunc(all, func(c county) bool { return c.fips[:2] == text[:2] }) { // of another year
			wanted[text], found = true, true
		}
		if !found {
			return nil, fmt.Errorf("build: unknown state or county %q; expected letters of a state or province, two digits of a state, or five digits of a county", text)
		}
	}
	for _, c := range all {
		wanted[c.fips] = wanted[c.fips] || everything
	}
	var list []fetch.Source
	if len(o.provinces()) > 0 && !everything {
		s, _ := client.Held(sources.Source(catalog.RoadNetwork))
		list = append(list, s)
	}
	for fips, want := range wanted {
		if !want {
			continue
		}
		s, _ := client.Held(sources.Segments(fips))
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b fetch.Source) int { return strings.Compare(a.ID, b.ID) })
	return list, nil
}

func (o Options) streets() []string {
	list := make([]string, len(o.Streets))
	for i, text := range o.Streets {
		list[i] = strings.ToUpper(strings.TrimSpace(text))
	}
	return list
}

// provinces returns the letters of the provinces among Options.Streets; nil means all,
// for a road network file of the user and for the layer streets.
func (o Options) provinces() map[string]bool {
	found := map[string]bool{}
	for _, text := range o.streets() {
		if source.IsProvince(text) {
			found[text] = true
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

func counties(ctx context.Context, sources *catalog.Catalog, client files) ([]county, error) {
	file, err := client.Get(ctx, sources.Source(catalog.GazetteerCounties))
	if err != nil {
		return nil, fmt.Errorf("build: list of counties: %w", err)
	}
	in, err := format.Open(file.Path, format.OpenOptions{})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var list []county
	for row, err := range source.Gazetteer(5)(in) {
		switch {
		case err == nil:
			list = append(list, county{row.State, row.GEOID})
		case !errors.Is(err, format.ErrValue):
			return nil, err
		}
	}
	return list, nil
}

// isPart reports whether a source is one of many files.
func isPart(s fetch.Source) bool {
	return slices.ContainsFunc(catalog.Divided[:], func(id string) bool { return strings.HasPrefix(s.ID, id+"-") })
}

// downloads is the number of counties that are fetched at a time.
const downloads = 4

// prefetch gets the files of counties and states several at a time. Files that fail
// are tried again, and reported, one by one.
func (b *builder) prefetch(ctx context.Context, client files, sources []fetch.Source) map[string]*fetch.File {
	var mu sync.Mutex
	var wait sync.WaitGroup
	got, room := map[string]*fetch.File{}, make(chan struct{}, downloads)
	for _, s := range sources {
		if !isPart(s) || ctx.Err() != nil {
			continue
		}
		room <- struct{}{}
		wait.Go(func() {
			defer func() { <-room }()
			if file, err := client.Get(ctx, s); err == nil {
				mu.Lock()
				got[s.ID] = file
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return got
}
