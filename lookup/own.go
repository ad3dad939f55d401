package lookup

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// OwnLayers are layers that users added to the dataset, by their names without
// "layers.". Layers of the catalog without a family, such as "urban_area", are among them.
type OwnLayers map[string]OwnLayer

// An OwnLayer lists the areas of a layer, the largest part of the code first. The list
// is empty outside all areas.
type OwnLayer struct {
	Source string    `json:"source"` // title and file
	Basis  Basis     `json:"basis"`  // rule that selected the areas
	Areas  []OwnArea `json:"areas"`  // largest share first
}

// An OwnArea is one area of a layer.
type OwnArea struct {
	ID   string `json:"id"`   // as in the file
	Name string `json:"name"` // or the ID without one
	Share
}

// layersOf returns the areas of layers of users that a ZIP Code, FSA or postal code of
// the dataset lies in, as a lookup does. Layers without figures are omitted.
func (r *Reader) layersOf(ctx context.Context, code string, names []string) (OwnLayers, error) {
	c, err := ParseCode(code)
	if err != nil {
		return nil, err
	}
	var s subject
	switch c.Type() {
	case ZIP:
		row, _ := r.data.ZIP(postcode.ZIP(c.num))
		s.zip = &row
	case Postal:
		row, _ := r.data.PostalCode(postcode.PostalCode(c.num))
		s.postal = &row
	default:
		s.fsa = postcode.FSA(c.num)
	}
	f := finder{r: r, ctx: ctx}
	if _, err := f.setCode(&s, nil); err != nil {
		return nil, err
	}
	var fam Families
	err = f.ownLayers(&fam, &Options{Include: Include{Layers: names}})
	return fam.Layers, err
}

// ownLayers fills the requested layers of the user and removes them from opt.
// A code that the dataset compares with no area has its point. Layers that the
// dataset lacks, and those of places without outline and point, remain.
func (f *finder) ownLayers(fam *Families, opt *Options) error {
	inc := &opt.Include
	var missing []string
	for _, name := range inc.Layers {
		l := f.r.data.NamedLayer(name)
		if l == nil || !f.measured && !f.point.IsValid() || !store.LayerIn(l.ID(), f.country) {
			missing = append(missing, name)
			continue
		}
		if err := l.Load(f.ctx); err != nil {
			return fmt.Errorf("lookup: layer %s: %w", l.ID(), err)
		}
		met, err := f.find(l)
		if err != nil {
			return err
		}
		if len(met) == 0 && !store.IsOwnLayer(l.ID()) && f.cannotDeny(l) {
			missing = append(missing, name)
			continue
		}
		own := OwnLayer{Source: l.Info().Source, Basis: basisOf(!f.measured || f.overlaps.AtPoint()), Areas: make([]OwnArea, len(met))}
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
