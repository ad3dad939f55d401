package builder

import (
	"fmt"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/layers"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// CheckAdded verifies the texts of Plans and OwnLayers.
func CheckAdded(o Options) error {
	_, err := o.requests()
	return err
}

// requests returns the plans and layers that the options add.
func (o Options) requests() (list []layers.Request, err error) {
	for _, of := range []struct {
		texts []string
		parse func(string) (layers.Request, error)
	}{{o.Plans, layers.ParsePlan}, {o.OwnLayers, layers.ParseLayer}} {
		for _, text := range of.texts {
			r, err := of.parse(text)
			if err != nil {
				return nil, fmt.Errorf("build: %w", err)
			}
			list = append(list, r)
		}
	}
	return list, nil
}

// ownFiles returns the files of the plans and layers. Of malformed texts, which newBuilder
// reports, it returns none.
func (o Options) ownFiles() (paths []string) {
	list, _ := o.requests()
	for _, r := range list {
		paths = append(paths, r.File)
	}
	return paths
}

// described names the sources that are files of plans and layers.
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
	return nil
}
