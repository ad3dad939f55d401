package build

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/fetch"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// chose reports whether the layer is built.
func (b *builder) chose(l fetch.Layer) bool { return slices.Contains(b.report.Layers, string(l)) }

// newBoundaries returns the collection for the boundaries layer, nil without
// the layer.
func newBoundaries(b *builder) *boundaries {
	if !b.chose(Boundaries) {
		return nil
	}
	return &boundaries{
		zips:     newOutlineSet("ZIPs", dataset.ZIP.String),
		points:   newOutlineSet("PO Box, unique and military ZIPs", dataset.ZIP.String),
		fsas:     newOutlineSet("FSAs", dataset.FSA.String),
		states:   newOutlineSet("states", func(id dataset.StateID) string { return b.tables.states[id-1].Abbr }),
		counties: newOutlineSet("counties", func(id dataset.CountyID) string { return b.tables.counties[id-1].FIPS }),
		zones:    newOutlineSet("time zones", strings.Clone),
	}
}

// fromFiles notes the files of the outlines that other layers read too.
func (s *boundaries) fromFiles(b *builder) {
	for id, note := range map[string]func(*builder, string){srcTimeZones: s.zones.from, srcFSAAreas: s.fsas.from, srcCountyAreas: s.counties.from} {
		if b.has(id) {
			note(b, id)
		}
	}
}

// readZIPOutlines reads the outlines of ZIP Codes and finds the residents of
// each.
//
// The area of a general ZIP Code is what the user's file has for it, else the
// ZCTA of the same code. Post office box, unique and military ZIP Codes are
// points and have no area; their outline, which has residents, is compared with
// layers alone.
func readZIPOutlines(ctx context.Context, b *builder) error {
	t := &b.tables
	s := t.bounds
	if s == nil {
		return nil
	}
	supplied := map[dataset.ZIP]bool{}
	for _, file := range []struct {
		id   string
		rows func(string) iter.Seq2[source.AreaRow, error]
	}{{srcZIPPolygons, source.ZIPPolygons}, {srcZCTAAreas, source.ZCTAs}} {
		if !b.has(file.id) {
			continue
		}
		s.zips.from(b, file.id)
		s.points.from(b, file.id)
		err := readPath(ctx, b, file.id, file.rows, func(r source.AreaRow) error {
			zip, ok := dataset.ParseZIP(r.ID)
			z := t.zipAt[zip]
			switch {
			case !ok || z == nil:
				b.report.refuse(file.id, "outline of a code that is not a ZIP of the dataset", r.ID)
			case file.id == srcZIPPolygons:
				supplied[zip] = true
			case supplied[zip]:
				return nil
			}
			switch {
			case z == nil:
			case z.row.Class == dataset.General:
				s.zips.add(zip, r)
			default:
				b.report.applied("outline of a PO Box, unique or military ZIP, compared with layers and not stored", r.ID)
				s.points.add(zip, r)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	s.zips.repair()
	s.points.repair()
	return b.findResidents(ctx, s.zips.polygons, s.points.polygons)
}

func (s *boundaries) readStates(ctx context.Context, b *builder) error {
	if b.has(srcStateAreas) {
		s.states.from(b, srcStateAreas)
	}
	return readPath(ctx, b, srcStateAreas, source.CensusAreas, func(r source.AreaRow) error {
		id := b.tables.stateByFIPS[r.ID]
		if id == 0 {
			return refusal{"outline of an unknown state", r.Record, r.ID + " " + r.Name}
		}
		s.states.add(id, r)
		return nil
	})
}

// readProvinces makes the outlines of provinces of those of their census
// divisions.
func (s *boundaries) readProvinces(ctx context.Context, b *builder) error {
	if b.has(srcCDAreas) {
		s.states.from(b, srcCDAreas)
	}
	provinces := map[dataset.StateID]bool{}
	err := readPath(ctx, b, srcCDAreas, source.CensusDivisions, func(r source.DivisionRow) error {
		id := b.tables.provinces[r.Province]
		if id == 0 {
			return refusal{"outline in an unknown province", r.Record, r.ID + " " + r.Name}
		}
		provinces[id] = true
		s.states.add(id, r.AreaRow)
		return nil
	})
	s.states.repair()
	for id := range provinces {
		s.states.polygons[id] = dissolve(s.states.polygons[id])
	}
	return err
}

// deriveBoundaries reads the outlines of states and provinces, checks all
// outlines, and measures the shares of the time zones.
func deriveBoundaries(ctx context.Context, b *builder) error {
	s := b.tables.bounds
	if s == nil {
		return nil
	}
	if err := s.readStates(ctx, b); err != nil {
		return err
	}
	if err := s.readProvinces(ctx, b); err != nil {
		return err
	}
	for fsa := range s.fsas.polygons {
		if b.tables.fsaAt[fsa] == nil {
			b.report.refuse(srcFSAAreas, "outline of a code that is not an FSA of the dataset", fsa.String())
			delete(s.fsas.polygons, fsa)
			delete(s.fsas.stated, fsa)
		}
	}
	for _, report := range []func(*builder) error{s.zips.report, s.points.report, s.fsas.report, s.states.report, s.counties.report, s.zones.report} {
		if err := report(b); err != nil {
			return err
		}
	}
	s.noteQuality(b)
	if err := s.measureCover(ctx, b); err != nil {
		return err
	}
	return s.measureZones(ctx, b)
}

// noteQuality notes where the outlines of codes come from, and how they compare
// with the stated areas.
func (s *boundaries) noteQuality(b *builder) {
	for zip := range s.zips.polygons {
		q := &b.tables.zipAt[zip].quality
		q.OutlineSource, q.OutlineAreaRatio = s.zips.source(zip), s.zips.ratio[zip]
	}
	for fsa := range s.fsas.polygons {
		q := &b.tables.fsaAt[fsa].quality
		q.OutlineSource, q.OutlineAreaRatio = s.fsas.source(fsa), s.fsas.ratio[fsa]
		if q.OutlineAreaRatio > 1 {
			q.Notes = append(q.Notes, "The outline includes inland water; the stated area is land only.")
		}
	}
}

// packBoundaries makes the time zones of codes and of their areas agree, and
// packs the outlines for the file; those of time zones are the ones that a code
// of the dataset touches.
func packBoundaries(_ context.Context, b *builder) (err error) {
	s := b.tables.bounds
	if s == nil {
		return nil
	}
	s.agreeZones(b)
	if s.packed.zips, err = pack(s.zips, s.zips.keys(), s.zips.keys()); err != nil {
		return err
	}
	if s.packed.fsas, err = pack(s.fsas, s.fsas.keys(), s.fsas.keys()); err != nil {
		return err
	}
	if s.packed.states, err = pack(s.states, s.states.keys(), s.states.keys()); err != nil {
		return err
	}
	if s.packed.counties, err = pack(s.counties, s.counties.keys(), s.counties.keys()); err != nil {
		return err
	}
	var names []string
	var ids []dataset.ZoneID
	for i, z := range b.tables.zones { // ascending by name
		if s.zones.polygons[z.Name] != nil && z.Source == b.zoneSource() {
			names, ids = append(names, z.Name), append(ids, dataset.ZoneID(i+1))
		}
	}
	s.packed.zones, err = pack(s.zones, names, ids)
	return err
}

// writeBoundaries gives the outlines and shares to the file.
func (b *builder) writeBoundaries(w *dataset.Writer) error {
	s := b.tables.bounds
	if s == nil {
		return nil
	}
	for _, set := range []func() error{
		func() error { return setLayer(s.packed.zips, w.SetZIPAreas) },
		func() error { return setLayer(s.packed.fsas, w.SetFSAAreas) },
		func() error { return setLayer(s.packed.states, w.SetStateAreas) },
		func() error { return setLayer(s.packed.counties, w.SetCountyAreas) },
		func() error { return setLayer(s.packed.zones, w.SetZoneAreas) },
	} {
		if err := set(); err != nil {
			return err
		}
	}
	for i, zip := range s.zips.keys() {
		if shares := s.zipZones[i].rows(b); len(shares) > 0 {
			if err := w.AddZIPZones(zip, shares); err != nil {
				return err
			}
		}
	}
	for i, fsa := range s.fsas.keys() {
		if shares := s.fsaZones[i].rows(b); len(shares) > 0 {
			if err := w.AddFSAZones(fsa, shares); err != nil {
				return err
			}
		}
	}
	return nil
}

// setLayer gives a layer to the file unless nothing has an outline.
func setLayer[K dataset.AreaKey](l dataset.AreaLayer[K], set func(dataset.AreaLayer[K]) error) error {
	if len(l.Keys) == 0 {
		return nil
	}
	return set(l)
}

// tables reports how many outlines the layers have.
func (s *boundaries) tables() []TableReport {
	if s == nil {
		return nil
	}
	return []TableReport{
		{"outlines of ZIP Codes", int64(len(s.packed.zips.Keys))},
		{"outlines of FSAs", int64(len(s.packed.fsas.Keys))},
		{"outlines of states and provinces", int64(len(s.packed.states.Keys))},
		{"outlines of counties", int64(len(s.packed.counties.Keys))},
		{"outlines of time zones", int64(len(s.packed.zones.Keys))},
	}
}
