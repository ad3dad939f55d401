package lookup

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
)

// OwnLayers are layers that users added to the dataset, by their names without
// "layers.".
type OwnLayers map[string]OwnLayer

// An OwnLayer lists the areas of a layer of the user, the largest part of the code
// first. The list is empty outside all areas.
type OwnLayer struct {
	Source string    `json:"source"` // title of the layer and file of the data
	Basis  Basis     `json:"basis"`  // rule that selected the areas
	Areas  []OwnArea `json:"areas"`  // the areas that the code lies in, the largest share first
}

// An OwnArea is one area of a layer of the user.
type OwnArea struct {
	ID   string `json:"id"`   // as in the user's file
	Name string `json:"name"` // as in the user's file; the ID without one
	Share
}

// ownFlag begins the flags of own layers.
const ownFlag = "layers."

// ownLayer takes the flag of an own layer, such as layers.clinics, and reports
// whether it is one.
func (inc *Include) ownLayer(flag string) bool {
	name, ok := strings.CutPrefix(flag, ownFlag)
	if ok {
		_, ok = dataset.OwnLayer(name)
	}
	if ok && !slices.Contains(inc.Layers, name) {
		inc.Layers = append(inc.Layers, name)
	}
	return ok
}

// ownLayers fills the requested layers of the user and removes them from inc.
// A code that the dataset compares with no area has its point. Layers that the
// dataset lacks, and those of places without outline and point, remain.
func (f *finder) ownLayers(fam *Families, inc *Include) error {
	var missing []string
	for _, name := range inc.Layers {
		id, _ := dataset.OwnLayer(name)
		l := f.r.data.Layer(id)
		if l == nil || !f.measured && !f.point.IsValid() {
			missing = append(missing, name)
			continue
		}
		met, err := f.find(l)
		if err != nil {
			return err
		}
		own := OwnLayer{Source: sourceName(f.r.data, l.Info().Source), Basis: basisOf(!f.measured || f.overlaps.AtPoint()), Areas: make([]OwnArea, len(met))}
		for i, o := range met {
			a := l.Area(o.Area)
			own.Areas[i] = OwnArea{ID: a.GEOID, Name: a.Name, Share: f.share(l, o)}
		}
		if fam.Layers == nil {
			fam.Layers = OwnLayers{}
		}
		fam.Layers[name] = own
	}
	inc.Layers = missing
	return nil
}
