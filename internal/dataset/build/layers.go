package build

import (
	"slices"

	"github.com/postgeo/postgeo/internal/dataset/build/fetch"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
)

// LayerInfo describes a layer.
type LayerInfo = catalog.Choice

// Layers returns the layers that can be built.
func Layers() []LayerInfo { return slices.Clone(catalog.All) }

// Catalog returns the sources that a build can read, in the order of manifests.
// Sizes are approximate.
func Catalog() []fetch.Source { return catalog.Sources() }
