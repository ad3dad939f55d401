package layers

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// Places are the codes that added layers are compared with, limited to those that may
// meet a box.
type Places struct {
	zips   func(geo.Box) ([]codePlace[postcode.ZIP], error)
	fsas   func(geo.Box) ([]codePlace[postcode.FSA], error)
	people map[postcode.ZIP][]draft.Center
}

// newPlaces returns the codes of a new file, whatever the box.
func (b *Build) newPlaces() (*Places, error) {
	zips, err := b.zipPlaces()
	if err != nil {
		return nil, err
	}
	fsas, err := b.fsaPlaces()
	return &Places{
		zips:   func(geo.Box) ([]codePlace[postcode.ZIP], error) { return slices.Clone(zips.codes), nil },
		fsas:   func(geo.Box) ([]codePlace[postcode.FSA], error) { return slices.Clone(fsas.codes), nil },
		people: b.CodeLayers.people,
	}, err
}

// Add reads the layers and plans of the user, and measures what codes share with their
// areas.
func (b *Build) Add(ctx context.Context) (err error) {
	if len(b.requests) > 0 && b.Places == nil {
		if b.Places, err = b.newPlaces(); err != nil {
			return err
		}
	}
	for i, r := range b.requests {
		if slices.ContainsFunc(b.requests[:i], r.continues) {
			continue
		}
		if err := b.add(ctx, i); err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	return nil
}

// continues reports whether the request is a further file of the layer of another.
func (r Request) continues(first Request) bool {
	return r.Base == 0 && first.Base == 0 && r.Name == first.Name
}

// add adds the layer or plan of a request, with the further files of a layer.
func (b *Build) add(ctx context.Context, at int) error {
	r, id := b.requests[at], catalog.Repeated(catalog.OwnAreas, at)
	layer, err := b.newLayer(r)
	if err != nil {
		return err
	}
	l := newLayerDraft(layer)
	l.info.Source, l.info.Title = r.Describe(), r.Title
	if err := b.readOwn(ctx, l, &r, id); err != nil {
		return err
	}
	for i := at + 1; i < len(b.requests); i++ {
		if more := b.requests[i]; more.continues(r) {
			if err := b.readOwn(ctx, l, &more, catalog.Repeated(catalog.OwnAreas, i)); err != nil {
				return err
			}
			l.info.Source = r.Describe() + " and others"
		}
	}
	return b.finish(ctx, l, &r, id)
}

// readOwn reads a file of a layer.
func (b *Build) readOwn(ctx context.Context, l *draftLayer, r *Request, id string) error {
	areas := func(f format.File) iter.Seq2[source.AreaRow, error] { return source.OwnAreas(f, r.Columns) }
	return plan.Read(ctx, b.Env, id, areas, func(row source.AreaRow) error { return b.takeOwn(l, r, row) })
}

// finish measures a layer of a source and writes it.
func (b *Build) finish(ctx context.Context, l *draftLayer, r *Request, id string) error {
	if len(l.areas) == 0 {
		return fmt.Errorf("%s: no area was accepted: %s", r.File, cmp.Or(b.Refusal(id), "the file has none"))
	}
	if r.Base != 0 {
		if err := b.setOwnPlan(l, r); err != nil {
			return err
		}
	}
	data, err := b.compareOwn(ctx, l)
	if err != nil {
		return err
	}
	l.repairs.Report(b.Env, r.Name)
	b.Table("layer "+l.info.ID.String(), len(l.areas))
	return b.Output.SetLayer(data)
}

// newLayer returns the number of a new layer.
func (b *Build) newLayer(r Request) (store.LayerID, error) {
	if r.Base == 0 {
		id, _ := store.OwnLayer(r.Name)
		if b.Taken[id] {
			return 0, fmt.Errorf("the dataset has the layer %s; give another name", id)
		}
		b.Taken[id] = true
		return id, nil
	}
	for n := store.FirstAddedPlan; n < store.MaxPlans; n++ {
		if id := store.PlanLayer(r.Base, n); !b.Taken[id] {
			b.Taken[id] = true
			return id, nil
		}
	}
	return 0, fmt.Errorf("the dataset has %d plans of %s, which is the maximum", store.MaxPlans, r.Base)
}

// Describe returns the source of the areas.
func (r Request) Describe() string {
	return cmp.Or(r.Title, r.Name) + " (" + strings.ReplaceAll(r.File[strings.LastIndexAny(r.File, `/\`)+1:], ",", " ") + ")"
}

// takeOwn adds an area of the file, or a further part of one.
func (b *Build) takeOwn(l *draftLayer, r *Request, row source.AreaRow) error {
	a := store.LayerArea{GEOID: row.ID, Name: cmp.Or(row.Name, row.ID), Land: store.UnknownArea, Water: store.UnknownArea}
	if r.Base != 0 {
		if undefined(row.ID) {
			return plan.Refused("area that belongs to no district", row.Record, row.ID)
		}
		a.GEOID = b.districtID(r, row.ID)
		var reason string
		if a.State, reason = b.districtState(r, a.GEOID); reason != "" {
			return plan.Refused(reason, row.Record, row.ID)
		}
	}
	polygons := l.repairs.Repair(row.Polygon)
	if len(polygons) == 0 {
		return plan.Refused("outline without an area", row.Record, row.ID)
	}
	if _, err := spatial.NewOutline(polygons); err != nil {
		return plan.Refused("outline that cannot be repaired: "+err.Error(), row.Record, row.ID)
	}
	l.repairs.Closed += int64(row.Closed)
	l.add(a, polygons)
	return nil
}

// districtState returns the state of a district, or the reason to refuse it.
func (b *Build) districtState(r *Request, geoid string) (id store.StateID, refused string) {
	switch id = b.layerState(r.Base, geoid); {
	case id == 0:
		return 0, "district of an unknown state"
	case len(r.States) > 0 && !slices.Contains(r.States, b.States.Abbr(id)):
		return 0, "district of a state that the plan does not cover"
	}
	return id, ""
}

// codeDigits are the digits of a district behind those of its state.
var codeDigits = map[store.LayerID]int{
	store.LayerCongressionalDistrict: 2, store.LayerStateUpper: 3, store.LayerStateLower: 3, store.LayerFederalDistrict: 3,
}

// districtID returns the GEOID of a district. A file of one state may have the
// numbers of the districts only.
func (b *Build) districtID(r *Request, id string) string {
	digits := codeDigits[r.Base]
	if len(r.States) != 1 || len(id) > digits {
		return id
	}
	for i := range b.States.List {
		if s := &b.States.List[i]; s.Abbr == r.States[0] && s.FIPS != "" {
			return s.FIPS + strings.Repeat("0", digits-len(id)) + id
		}
	}
	return id
}

// setOwnPlan completes the plan of a layer of districts.
func (b *Build) setOwnPlan(l *draftLayer, r *Request) error {
	p := r.Plan
	for i := range l.areas {
		if s := l.areas[i].State; !slices.Contains(p.States, s) {
			p.States = append(p.States, s)
		}
	}
	for _, k := range r.Keep {
		at := slices.IndexFunc(b.States.List, func(s store.State) bool { return s.Abbr == k.State })
		if at < 0 || !slices.Contains(p.States, store.StateID(at+1)) {
			return fmt.Errorf("keep=%s: the plan has no district of the state", k.State)
		}
		p.Overrides = append(p.Overrides, store.PlanOverride{State: store.StateID(at + 1), Plan: k.Plan, Evidence: k.Evidence})
	}
	for _, abbr := range r.States {
		if !slices.ContainsFunc(p.States, func(s store.StateID) bool { return b.States.Abbr(s) == abbr }) {
			return fmt.Errorf("states=%s: the file has no district of the state", abbr)
		}
	}
	slices.Sort(p.States)
	l.info.Plan = p
	return nil
}

// compareOwn compares codes with the areas of a layer.
func (b *Build) compareOwn(ctx context.Context, l *draftLayer) (store.LayerData, error) {
	outlines, err := l.settle()
	if err != nil {
		return store.LayerData{}, err
	}
	packed, err := l.pack()
	if err != nil {
		return store.LayerData{}, err
	}
	index, err := spatial.DecodePolygonIndex(packed)
	if err != nil {
		return store.LayerData{}, err
	}
	var box geo.Box
	for _, m := range l.polygons {
		box = spatial.Union(box, shape.BoxAround(m))
	}
	var shared []store.SharedPart
	people := b.Places.people
	m := &measure{draftLayer: l, outlines: outlines, index: index}
	if store.LayerIn(l.info.ID, store.US) {
		l.info.People = len(people) > 0
		codes, err := b.Places.zips(box)
		if err != nil {
			return store.LayerData{}, err
		}
		if shared, err = appendShared(ctx, shared, m, codes, people); err != nil {
			return store.LayerData{}, err
		}
	}
	if store.LayerIn(l.info.ID, store.CA) {
		codes, err := b.Places.fsas(box)
		if err != nil {
			return store.LayerData{}, err
		}
		if shared, err = appendShared(ctx, shared, m, codes, nil); err != nil {
			return store.LayerData{}, err
		}
	}
	return store.LayerData{Info: l.info, Areas: l.areas, Packed: packed, Shared: shared}, nil
}

// appendShared adds what codes share with the areas of a layer. Codes without an
// outline of known extent belong to the area around their point.
func appendShared[K postcode.ZIP | postcode.FSA](ctx context.Context, list []store.SharedPart, m *measure, codes []codePlace[K], people map[K][]draft.Center) ([]store.SharedPart, error) {
	c := newCodeOutlines(codes)
	c.people = people
	if err := c.meet(ctx, m); err != nil {
		return nil, err
	}
	for i := range c.codes {
		for _, o := range c.found[i].Of(m.info.ID) {
			if c.codes[i].outline == nil {
				o.Intersection = c.codes[i].extent
			}
			list = append(list, store.SharedPart{Code: store.NumberOfCode(c.codes[i].key), Area: o.Area, Intersection: o.Intersection, People: o.People})
		}
	}
	return list, nil
}
