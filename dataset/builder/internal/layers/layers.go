package layers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// Build is the part of a build that compares codes with areas.
type Build struct {
	*draft.Draft
	CodeLayers *CodeLayers
	Places     *Places                // of an extended file
	Taken      map[store.LayerID]bool // layers of the user, and of an extended file

	requests []Request // by the order of the files of [catalog.OwnAreas]
}

// New returns the part of a build for the layers and plans that the user adds.
func New(d *draft.Draft, requests []Request) *Build {
	return &Build{Draft: d, CodeLayers: &CodeLayers{}, Taken: map[store.LayerID]bool{}, requests: requests}
}

// CodeLayers are the areas that codes are compared with.
type CodeLayers struct {
	ZIPs     *CodeOutlines[postcode.ZIP] // nil without such layers
	FSAs     *CodeOutlines[postcode.FSA]
	List     []store.LayerData      // ascending
	Schools  []store.SchoolDistrict // in the order of their layer
	Assigned [][]store.PostalArea   // by full postal code; nil if unknown
	Centers  []store.Center         // of population, with their ZIP Codes

	people map[postcode.ZIP][]draft.Center // parts of centers
	around []around                        // block groups, and tracts after them
}

// layers reads the layers one after the other and measures what codes share with
// their areas. A layer is read while the one before is measured, so that the
// outlines of two layers at most are in memory.
type layers struct {
	*Build

	kept     map[store.LayerID]*draftLayer // with their outlines, for later layers and codes
	measured chan error                    // the result of the layer that is being measured; nil without one
}

// Compare compares codes with the areas of the layers.
func (b *Build) Compare(ctx context.Context) error {
	l := &layers{Build: b, kept: map[store.LayerID]*draftLayer{}}
	return l.compare(ctx)
}

func (b *layers) compare(ctx context.Context) (err error) {
	if b.Includes(catalog.Boundaries) {
		b.CodeLayers.share(b.Draft)
	}
	if !slices.ContainsFunc(catalog.Compared[:], b.Includes) && len(b.requests) == 0 {
		return nil
	}
	defer func() { err = errors.Join(err, b.wait()) }()
	codes, err := b.readCodeAreas(ctx)
	if err != nil {
		return err
	}
	if b.CodeLayers.ZIPs, err = b.zipPlaces(); err != nil {
		return err
	}
	if b.CodeLayers.FSAs, err = b.fsaPlaces(); err != nil {
		return err
	}
	for _, id := range store.PlanIDs() {
		l, err := b.layerOf(ctx, id)
		if err != nil {
			return err
		}
		if l == nil {
			continue
		}
		l.addNamed(b, codes.named[id], codes.source[id])
		if len(l.areas) == 0 {
			continue
		}
		if err := b.measure(ctx, l); err != nil {
			return err
		}
		switch id {
		case store.LayerCounty, store.LayerCensusDivision, store.LayerCensusSubdivision, store.LayerEconomicRegion, store.LayerFederalDistrict:
			b.kept[id] = l
		default:
		}
	}
	if err := b.wait(); err != nil {
		return err
	}
	b.share()
	b.assign(codes)
	b.CodeLayers.ZIPs.release()
	b.CodeLayers.FSAs.release()
	return nil
}

// share divides the people of block groups among ZIP Codes, once.
func (b *layers) share() {
	if s := b.CodeLayers; s.ZIPs.people == nil && len(b.Residents.Centers) > 0 {
		s.share(b.Draft)
		s.ZIPs.people, s.around = s.people, nil
	}
}

// wait waits for the layer that is being measured.
func (b *layers) wait() error {
	if b.measured == nil {
		return nil
	}
	defer func() { b.measured = nil }()
	return <-b.measured
}

// zipPlaces returns the places of ZIPs. PO Box, unique and military ZIPs have
// the outline of the ZCTA of the same code (decision D59).
func (b *Build) zipPlaces() (*CodeOutlines[postcode.ZIP], error) {
	outlines := map[postcode.ZIP]*spatial.Outline{}
	if err := errors.Join(b.ZIPOutlines.Areas.OutlinesTo(outlines), b.ZIPOutlines.Points.OutlinesTo(outlines)); err != nil {
		return nil, err
	}
	list := make([]codePlace[postcode.ZIP], len(b.ZIPs.List))
	ratios := maps.Clone(b.ZIPOutlines.Points.Ratio)
	maps.Copy(ratios, b.ZIPOutlines.Areas.Ratio)
	for i, z := range b.ZIPs.List {
		p := codePlace[postcode.ZIP]{key: z.Row.ZIP, state: z.Row.State, outline: outlines[z.Row.ZIP], point: z.Row.Location.Rounded()}
		list[i] = p.trusted(b.Env, ratios)
	}
	return newCodeOutlines(list), nil
}

func (b *Build) fsaPlaces() (*CodeOutlines[postcode.FSA], error) {
	outlines := map[postcode.FSA]*spatial.Outline{}
	if err := b.FSAOutlines.OutlinesTo(outlines); err != nil {
		return nil, err
	}
	list := make([]codePlace[postcode.FSA], len(b.FSAs.List))
	for i, f := range b.FSAs.List {
		p := codePlace[postcode.FSA]{key: f.Row.FSA, state: f.Row.Province, outline: outlines[f.Row.FSA], point: f.Row.Location.Rounded()}
		list[i] = p.trusted(b.Env, b.FSAOutlines.Ratio)
	}
	return newCodeOutlines(list), nil
}

// layerOf returns a layer with its outlines, nil without a source.
func (b *layers) layerOf(ctx context.Context, id store.LayerID) (*draftLayer, error) {
	if id == store.LayerCounty {
		return b.countyLayer(), nil
	}
	if at := slices.IndexFunc(layerSpecs, func(s layerSpec) bool { return s.id == id }); at >= 0 {
		if l, err := b.readLayer(ctx, layerSpecs[at]); l != nil || err != nil {
			return l, err
		}
	}
	return b.madeLayer(ctx, id)
}

// countyLayer returns the layer of counties, whose outlines the boundaries
// layer has; nil without the census.
func (b *layers) countyLayer() *draftLayer {
	if !b.Includes(catalog.Census) || len(b.CountyOutlines.Polygons) == 0 {
		return nil
	}
	l := newLayerDraft(store.LayerCounty)
	l.from(b.File(catalog.CountyAreas), b.FileName(catalog.CountyAreas), 0)
	for _, id := range b.CountyOutlines.Keys() {
		c := b.Counties.List[id-1]
		stated, known := b.CountyExtents[c.FIPS]
		if !known {
			stated = shape.Extent{Land: store.UnknownArea, Water: store.UnknownArea}
		}
		l.add(store.LayerArea{
			GEOID: c.FIPS, Name: c.Name, State: c.State, Land: stated.Land, Water: stated.Water, Point: b.Counties.At[c.FIPS],
		}, b.CountyOutlines.Polygons[id])
	}
	return l
}

// measure lays out a layer, keeps its part of the file, and begins to measure
// the overlaps of codes with its areas.
func (b *layers) measure(ctx context.Context, l *draftLayer) error {
	s := b.CodeLayers
	outlines, err := l.settle()
	if err != nil {
		return err
	}
	l.repairs.Report(b.Env, l.info.ID.String())
	if l.info.ID == store.LayerSchoolDistrict {
		if s.Schools, err = b.schoolDistricts(ctx, l.areas); err != nil {
			return err
		}
	}
	if err := b.wait(); err != nil {
		return err
	}
	if l.info.ID > store.LayerBlockGroup { // block groups are measured
		b.share()
	}
	at := len(s.List)
	s.List = append(s.List, store.LayerData{Info: l.info, Areas: l.areas})
	b.measured = make(chan error, 1)
	go func(done chan<- error) {
		packed, err := s.meet(ctx, l, outlines)
		s.List[at].Packed = packed
		done <- err
	}(b.measured)
	return nil
}

// meet measures what codes share with the areas of a layer and returns their
// outlines as the file stores them.
func (s *CodeLayers) meet(ctx context.Context, l *draftLayer, outlines []*spatial.Outline) (packed []byte, err error) {
	if packed, err = l.pack(); err != nil {
		return nil, err
	}
	index, err := spatial.DecodePolygonIndex(packed)
	if err != nil {
		return nil, fmt.Errorf("layer %s: %w", l.info.ID, err)
	}
	if l.info.ID == store.LayerTract || l.info.ID == store.LayerBlockGroup {
		s.around = append([]around{{index, l.areas}}, s.around...)
	}
	m := &measure{l, outlines, index, s.first(l)}
	if l.info.ID.Country() == store.US {
		err = s.ZIPs.meet(ctx, m)
	} else {
		err = s.FSAs.meet(ctx, m)
	}
	if err != nil || l.info.ID == store.LayerCounty || !slices.ContainsFunc(outlines, func(o *spatial.Outline) bool { return o != nil }) {
		return nil, err
	}
	return packed, nil
}

// first returns the areas of the first plan of a layer with several, or nil.
func (s *CodeLayers) first(l *draftLayer) []store.LayerArea {
	for i := range s.List {
		if id := s.List[i].Info.ID; id == store.BaseLayer(l.info.ID) && id != l.info.ID {
			return s.List[i].Areas
		}
	}
	return nil
}

// WriteLayers writes the layers.
func (b *Build) WriteLayers(_ context.Context) error {
	s := b.CodeLayers
	if err := b.Output.SetCenters(s.Centers); err != nil {
		return err
	}
	if s.ZIPs == nil {
		return nil
	}
	for _, l := range s.List {
		if err := b.Output.SetLayer(l); err != nil {
			return err
		}
		b.Table("layer "+l.Info.ID.String(), len(l.Areas))
		if l.Info.ID == store.LayerSchoolDistrict {
			if err := b.Output.SetSchoolDistricts(s.Schools); err != nil {
				return err
			}
		}
	}
	for i, z := range s.ZIPs.codes {
		if err := b.Output.AddZIPOverlaps(z.key, s.ZIPs.found[i]); err != nil {
			return err
		}
	}
	for i, f := range s.FSAs.codes {
		if err := b.Output.AddFSAOverlaps(f.key, s.FSAs.found[i]); err != nil {
			return err
		}
	}
	for i, list := range s.Assigned {
		if list == nil {
			continue
		}
		if err := b.Output.AddPostalAreas(b.Postal.Rows[i].Code, list); err != nil {
			return err
		}
	}
	return nil
}
