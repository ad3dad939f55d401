package suggest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// An ownArea is an area of a layer of the user, or of one of the catalog without a type.
type ownArea struct {
	layer store.LayerID
	area  store.LayerArea
	state store.StateID // around its point; 0 for none
	box   geo.Box
	names [2]string // spellings of its name
	texts [2]string // the same with its identifier
	id    string    // its identifier, folded
}

// loadOwn reads these areas on their first use.
func (e *Engine) loadOwn(ctx context.Context) error {
	e.readingOwn.Lock()
	defer e.readingOwn.Unlock()
	if e.haveOwn {
		return nil
	}
	if err := e.d.Load(ctx, store.SectionStateAreas); err != nil {
		return fmt.Errorf("suggest: states: %w", err)
	}
	var list []ownArea
	for _, l := range e.d.Layers() {
		if !searched(l.ID()) {
			continue
		}
		if err := l.Load(ctx); err != nil {
			return fmt.Errorf("suggest: layer %s: %w", l.ID(), err)
		}
		for i := range l.Len() {
			box, err := l.Box(ctx, i)
			if err != nil {
				return fmt.Errorf("suggest: layer %s: %w", l.ID(), err)
			}
			a := l.Area(i)
			state, _ := e.d.StateAreas().Containing(a.Point)
			x := ownArea{layer: l.ID(), area: a, state: state, box: box, id: string(namekey.Fold(nil, a.GEOID))}
			for i, name := range spellings(a.Name) {
				x.texts[i] = name + " " + x.id
				x.names[i] = x.texts[i][:len(name)]
			}
			list = append(list, x)
		}
	}
	e.own, e.haveOwn = list, true
	return nil
}

// searched reports whether the areas of a layer are found by the layer's name. Voting
// districts have numbers, which many share.
func searched(id store.LayerID) bool {
	return store.IsOwnLayer(id) || store.IsNamedLayer(id) && id != store.LayerVotingDistrict
}

// ownAreas offers those that match the query.
func (s *search) ownAreas() {
	queries := spellings(string(s.words.text))
	parts := [2][][]byte{bytes.Split([]byte(queries[0]), []byte(" ")), bytes.Split([]byte(queries[1]), []byte(" "))}
	for i := range s.e.own {
		x := &s.e.own[i]
		if !s.admits(kindOwn, x.state) || len(s.layers) > 0 && !slices.Contains(s.layers, x.layer) {
			continue
		}
		if m := s.fits(x, queries, parts); m.bucket != 0 {
			near := s.near.at(x.area.Point)
			if s.near.state != 0 {
				near = s.near.most(0, uint16(x.state))
			}
			s.offerCode(kindOwn, uint32(i), 0, near, m)
			s.loose++
		}
	}
}

// fits returns the best manner of an area with the words of a query.
func (s *search) fits(x *ownArea, queries [2]string, parts [2][][]byte) manner {
	for i, query := range queries {
		name := x.names[i]
		switch {
		case query == "":
			return manner{}
		case query == x.id:
			return wholeCode
		case query == name:
			return exactName
		case !s.finished && strings.HasPrefix(name, query):
			return prefix
		case !s.finished && strings.HasPrefix(x.id, query):
			return codePrefix
		}
	}
	for i := range parts {
		if b, ok := hasWords(x.texts[i], parts[i], !s.finished); ok {
			return manner{b, innerWhole.gain}
		}
	}
	return manner{}
}

// spellings returns the words of a text unchanged, and with abbreviations expanded.
func spellings(text string) [2]string {
	return [2]string{string(namekey.Fold(nil, text)), namekey.Of(text)}
}

// setLayers sets the layers to search.
func (s *search) setLayers(names []string) error {
	s.layers = s.layers[:0]
	for _, name := range names {
		l := s.e.d.NamedLayer(name)
		if id, ok := store.ParseLayerName(name); l == nil && ok && store.IsNamedLayer(id) && searched(id) {
			return lookup.MissingLayer("suggest", lookup.Layer(id.String()))
		}
		if l == nil || !searched(l.ID()) {
			return invalid("include", "layers."+name, "a layer of the dataset with names of places")
		}
		s.layers = append(s.layers, l.ID())
	}
	return nil
}

// matchOwn sets the fields of such an area.
func (s *search) matchOwn(m *Match, x *ownArea) {
	m.Name, m.Layer, m.GEOID, m.Location, m.BBox = x.area.Name, x.layer.String(), x.area.GEOID, x.area.Point, s.box(x.box)
	if x.state != 0 {
		s.place(m, x.state)
	}
}
