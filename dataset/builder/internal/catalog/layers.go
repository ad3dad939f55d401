package catalog

import (
	"fmt"
	"sync"

	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/store"
)

// A LayerSpec lists the files of a layer that is read from outlines. Every
// available file adds its areas; without any the dataset lacks the layer. Counties,
// metropolitan divisions, and the areas of Canada that are made of others have none.
type LayerSpec struct {
	ID      layerID     `json:"id"`
	Of      fetch.Layer `json:"of"`   // the layer of the build that has it
	Year    int         `json:"year"` // of the areas; 0: of the vintage of the first file
	Files   []LayerFile `json:"files"`
	Details struct {    // a file of the Gazetteer with names, areas and points that the files lack
		Source string `json:"source"`
		Digits int    `json:"digits"` // of a GEOID
	} `json:"details"`

	Plan store.Plan `json:"plan"` // of districts; the ID and name follow the file's period if they are empty
	Keep []Kept     `json:"keep"`
}

// A Kept is a state, by its FIPS code or letters, that keeps the districts of another plan.
type Kept struct {
	State    string `json:"state"`
	Plan     string `json:"plan"`
	Evidence string `json:"evidence"`
}

// A LayerFile is one file of a layer.
type LayerFile struct {
	Source string   `json:"source"` // identifier in the catalog
	Kind   string   `json:"kind"`   // of all its areas; "": from the file's column
	Kinds  []string `json:"kinds"`  // sources without which the kind is unknown: this file may hold areas of all kinds
	Names  bool     `json:"names"`  // the file has no outlines
	States bool     `json:"states"` // there is a file for each state
}

// layerID is a layer with its name as text.
type layerID struct{ store.LayerID }

// UnmarshalText reads the name of a layer.
func (id *layerID) UnmarshalText(name []byte) (err error) {
	var ok bool
	if id.LayerID, ok = store.ParseLayerID(string(name)); !ok {
		err = fmt.Errorf("unknown layer %q", name)
	}
	return err
}

var builtInCatalog = sync.OnceValue(func() *Catalog { return Load(nil) })

// Layer returns the files of a layer, nil for one that is not read from outlines.
func Layer(id store.LayerID) *LayerSpec {
	for i := range builtInCatalog().layers {
		if l := &builtInCatalog().layers[i]; l.ID.LayerID == id {
			return l
		}
	}
	return nil
}

// Columns returns the columns of a file of outlines.
func Columns(id string) source.LayerColumns { return builtInCatalog().entry(id).Columns }
