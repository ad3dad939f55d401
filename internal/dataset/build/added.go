package build

import (
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/internal/dataset/build/fetch"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/layers"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/owntables"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// CheckAdded verifies the texts of Plans, OwnLayers, OwnTables and Recipes.
func CheckAdded(o Options) error {
	if _, err := o.requests(); err != nil {
		return err
	}
	_, err := o.tables()
	return err
}

// A TableOpener reads a table: its columns, and its rows with as many cells.
type TableOpener = func(path string) (header []string, rows iter.Seq2[[]string, error], err error)

// A GeoOpener reads a GeoParquet file.
type GeoOpener = source.GeoOpener

// Recipes returns the names of the built-in recipes.
func Recipes() []string { return owntables.Recipes() }

// tables returns the tables that the options add.
func (o Options) tables() ([]owntables.Request, error) {
	return parsed(texts[owntables.Request]{o.OwnTables, owntables.ParseTable}, texts[owntables.Request]{o.Recipes, owntables.ParseRecipe})
}

// requests returns the plans and layers that the options add.
func (o Options) requests() ([]layers.Request, error) {
	return parsed(texts[layers.Request]{o.Plans, layers.ParsePlan}, texts[layers.Request]{o.OwnLayers, layers.ParseLayer})
}

// texts are the values of a flag, with their parser.
type texts[R any] struct {
	list  []string
	parse func(string) (R, error)
}

func parsed[R any](flags ...texts[R]) (list []R, err error) {
	for _, flag := range flags {
		for _, text := range flag.list {
			r, err := flag.parse(text)
			if err != nil {
				return nil, fmt.Errorf("build: %w", err)
			}
			list = append(list, r)
		}
	}
	return list, nil
}

// tableFiles returns the files of the tables. Of malformed texts, which newBuilder
// reports, it returns none.
func (o Options) tableFiles() (paths []string) {
	list, _ := o.tables()
	for i := range list {
		paths = append(paths, list[i].File)
	}
	return paths
}

// ownFiles returns the files of the plans and layers, as tableFiles does.
func (o Options) ownFiles() (paths []string) {
	list, _ := o.requests()
	for _, r := range list {
		paths = append(paths, r.File)
	}
	return paths
}

// described names the sources that are files of plans, layers and tables.
func (o Options) described(sources []fetch.Source) error {
	list, err := o.requests()
	if err != nil {
		return err
	}
	for i, r := range list {
		for k := range sources {
			if s := &sources[k]; s.ID == catalog.Repeated(catalog.OwnAreas, i) {
				s.Title, s.License = r.Describe(), r.License
			}
		}
	}
	tables, err := o.tables()
	if err != nil {
		return err
	}
	for i := range tables {
		for k := range sources {
			if s, r := &sources[k], &tables[i]; s.ID == catalog.Repeated(catalog.OwnTables, i) {
				s.Title, s.License, s.Attribution, s.URL = r.Describe(), r.License, r.Attribution, r.URL
			}
		}
	}
	return nil
}
