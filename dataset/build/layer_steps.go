package build

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// layered are the layers that codes are held against; nil unless one of the
// layers census, districts and schools is built.
type layered struct {
	zips   *codeOutlines[dataset.ZIP]
	fsas   *codeOutlines[dataset.FSA]
	layers []dataset.LayerData // ascending

	schools  []dataset.SchoolDistrict        // in the order of their layer
	kept     map[dataset.LayerID]*layerDraft // with their outlines, for layers and codes to come
	assigned [][]dataset.PostalArea          // by full postal code; nil where none is known

	measured chan error // the result of the layer that is being measured; nil without one
}

// deriveLayers reads the layers one after the other and measures what codes
// share with their areas. A layer is read while the one before is measured, so
// that the outlines of two layers at most are in memory.
func deriveLayers(ctx context.Context, b *builder) (err error) {
	if !b.chose(Census) && !b.chose(Districts) && !b.chose(Schools) {
		return nil
	}
	t := &b.tables
	s := &layered{kept: map[dataset.LayerID]*layerDraft{}}
	t.layered = s
	defer func() { err = errors.Join(err, s.wait()) }()
	codes, err := b.readCodeAreas(ctx)
	if err != nil {
		return err
	}
	if s.zips, err = t.zipPlaces(); err != nil {
		return err
	}
	if s.fsas, err = t.fsaPlaces(); err != nil {
		return err
	}
	for _, id := range dataset.LayerIDs() {
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
		if err := s.measure(ctx, b, l); err != nil {
			return err
		}
		switch id {
		case dataset.LayerCounty, dataset.LayerCensusDivision, dataset.LayerCensusSubdivision, dataset.LayerEconomicRegion, dataset.LayerFederalDistrict:
			s.kept[id] = l
		default:
		}
	}
	if err := s.wait(); err != nil {
		return err
	}
	s.assign(b, codes)
	return nil
}

// wait waits for the layer that is being measured.
func (s *layered) wait() error {
	if s.measured == nil {
		return nil
	}
	defer func() { s.measured = nil }()
	return <-s.measured
}

// zipPlaces returns where the ZIPs lie. PO Box, unique and military ZIPs have
// the outline of the ZCTA of the same code (decision D59).
func (t *tables) zipPlaces() (*codeOutlines[dataset.ZIP], error) {
	outlines := map[dataset.ZIP]*geo.Outline{}
	if err := errors.Join(t.bounds.zips.outlinesTo(outlines), t.bounds.points.outlinesTo(outlines)); err != nil {
		return nil, err
	}
	list := make([]codePlace[dataset.ZIP], len(t.zips))
	for i, z := range t.zips {
		list[i] = codePlace[dataset.ZIP]{z.row.ZIP, z.row.State, outlines[z.row.ZIP], z.row.Location.Rounded()}
	}
	return newCodeOutlines(list), nil
}

// fsaPlaces returns where the FSAs lie.
func (t *tables) fsaPlaces() (*codeOutlines[dataset.FSA], error) {
	outlines := map[dataset.FSA]*geo.Outline{}
	if err := t.bounds.fsas.outlinesTo(outlines); err != nil {
		return nil, err
	}
	list := make([]codePlace[dataset.FSA], len(t.fsas))
	for i, f := range t.fsas {
		list[i] = codePlace[dataset.FSA]{f.row.FSA, f.row.Province, outlines[f.row.FSA], f.row.Location.Rounded()}
	}
	return newCodeOutlines(list), nil
}

// outlinesTo adds the measured outlines of a set by their codes.
func (s *outlineSet[K]) outlinesTo(into map[K]*geo.Outline) error {
	list, err := s.layOut()
	if err != nil {
		return err
	}
	for i, k := range s.keys() {
		into[k] = list[i]
	}
	return nil
}

// layerOf returns a layer with its outlines, nil where nothing tells it.
func (b *builder) layerOf(ctx context.Context, id dataset.LayerID) (*layerDraft, error) {
	if id == dataset.LayerCounty {
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
func (b *builder) countyLayer() *layerDraft {
	t := &b.tables
	if !b.chose(Census) || len(t.bounds.counties.polygons) == 0 {
		return nil
	}
	l := newLayerDraft(dataset.LayerCounty)
	l.from(b.files[srcCountyAreas], b.fileName(srcCountyAreas), 0)
	for _, id := range t.bounds.counties.keys() {
		c := t.counties[id-1]
		stated, known := t.countyExtents[c.FIPS]
		if !known {
			stated = extent{dataset.UnknownArea, dataset.UnknownArea}
		}
		l.add(dataset.LayerArea{
			GEOID: c.FIPS, Name: c.Name, State: c.State, Land: stated.land, Water: stated.water, Point: t.countyAt[c.FIPS],
		}, t.bounds.counties.polygons[id])
	}
	return l
}

// measure lays out a layer, keeps what the file will hold of it, and begins to
// measure what codes share with its areas.
func (s *layered) measure(ctx context.Context, b *builder, l *layerDraft) error {
	outlines, err := l.settle()
	if err != nil {
		return err
	}
	l.repairs.report(b, l.info.ID.String())
	l.reportExtents(b)
	if l.info.ID == dataset.LayerSchoolDistrict {
		if s.schools, err = b.schoolDistricts(ctx, l.areas); err != nil {
			return err
		}
	}
	if err := s.wait(); err != nil {
		return err
	}
	at := len(s.layers)
	s.layers = append(s.layers, dataset.LayerData{Info: l.info, Areas: l.areas})
	s.measured = make(chan error, 1)
	go func(done chan<- error) {
		packed, err := s.meet(ctx, l, outlines)
		s.layers[at].Packed = packed
		done <- err
	}(s.measured)
	return nil
}

// meet measures what codes share with the areas of a layer and returns their
// outlines as the file stores them.
func (s *layered) meet(ctx context.Context, l *layerDraft, outlines []*geo.Outline) (packed []byte, err error) {
	if packed, err = l.pack(); err != nil {
		return nil, err
	}
	index, err := geo.DecodePolygonIndex(packed)
	if err != nil {
		return nil, fmt.Errorf("layer %s: %w", l.info.ID, err)
	}
	if l.info.ID.Country() == dataset.US {
		err = s.zips.meet(ctx, l.info.ID, outlines, index)
	} else {
		err = s.fsas.meet(ctx, l.info.ID, outlines, index)
	}
	if err != nil || l.info.ID == dataset.LayerCounty || !slices.ContainsFunc(outlines, func(o *geo.Outline) bool { return o != nil }) {
		return nil, err
	}
	return packed, nil
}

// reportExtents tells how the extents of the outlines compare with what the
// publisher states.
func (l *layerDraft) reportExtents(b *builder) {
	c := extentCheck{name: l.info.ID.String()}
	for i := range l.areas {
		a := &l.areas[i]
		if a.Outline > 0 {
			c.add(a.GEOID, extent{a.Land, a.Water}, float64(a.Outline))
		}
	}
	c.report(b)
}

// writeLayers gives the layers to the file.
func (b *builder) writeLayers(w *dataset.Writer) error {
	s := b.tables.layered
	if s == nil {
		return nil
	}
	for _, l := range s.layers {
		if err := w.SetLayer(l); err != nil {
			return err
		}
		if l.Info.ID == dataset.LayerSchoolDistrict {
			if err := w.SetSchoolDistricts(s.schools); err != nil {
				return err
			}
		}
	}
	for i, z := range s.zips.codes {
		if err := w.AddZIPOverlaps(z.key, s.zips.found[i]); err != nil {
			return err
		}
	}
	for i, f := range s.fsas.codes {
		if err := w.AddFSAOverlaps(f.key, s.fsas.found[i]); err != nil {
			return err
		}
	}
	for i, list := range s.assigned {
		if list == nil {
			continue
		}
		if err := w.AddPostalAreas(b.tables.postal[i].Code, list); err != nil {
			return err
		}
	}
	return nil
}

// tables reports how many areas the layers have.
func (s *layered) tables() []TableReport {
	if s == nil {
		return nil
	}
	var list []TableReport
	for _, l := range s.layers {
		list = append(list, TableReport{"layer " + l.Info.ID.String(), int64(len(l.Areas))})
	}
	return list
}
