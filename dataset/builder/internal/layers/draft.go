package layers

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// A layerDraft is a layer in the making.
type draftLayer struct {
	info     store.LayerInfo
	areas    []store.LayerArea  // ascending once it is settled
	polygons []orb.MultiPolygon // of the areas, repaired; nil for an area without outline
	at       map[string]int     // by GEOID, until it is settled
	repairs  shape.Repairs
}

func newLayerDraft(id store.LayerID) *draftLayer {
	return &draftLayer{info: store.LayerInfo{ID: id, FitForShares: true}, at: map[string]int{}}
}

// from records the next file of areas: the layer is fit for shares if all of
// its files are. A mirror may hold a file of another year under the publisher's
// name. Then the mirror's vintage replaces the name.
func (l *draftLayer) from(f *fetch.File, name string, year int) {
	base, _, _ := strings.Cut(name, ".")
	published := f.Published
	from := ", " + base
	if f.Source.Vintage != published && firstYear(f.Source.Vintage) != 0 {
		from = " (" + f.Source.Vintage + ")"
	}
	publisher, _, _ := strings.Cut(f.Source.Attribution, ",")
	if strings.HasPrefix(f.Source.Attribution, "Adapted from Statistics Canada") {
		publisher = "Statistics Canada"
	}
	if l.info.Source == "" {
		l.info.Source, l.info.Vintage = publisher+from, f.Source.Vintage
		l.info.Year = cmp.Or(year, firstYear(f.Source.Vintage), firstYear(published))
		l.info.Period = cmp.Or(schoolPeriod(f.Source.Vintage), schoolPeriod(published))
	} else if !strings.HasSuffix(l.info.Source, from) {
		l.info.Source += from
	}
	l.info.FitForShares = l.info.FitForShares && f.FitForShares
}

var (
	yearPattern   = regexp.MustCompile(`\b(?:19|20)[0-9]{2}\b`)
	schoolPattern = regexp.MustCompile(`school year ((?:19|20)[0-9]{2})-([0-9]{2})`)
)

// firstYear returns the first year in a vintage, 0 without one.
func firstYear(vintage string) int {
	year, err := strconv.Atoi(yearPattern.FindString(vintage))
	if err != nil {
		return 0
	}
	return year
}

// schoolPeriod returns the school year in a vintage, "2023-2024"; "" without
// one.
func schoolPeriod(vintage string) string {
	m := schoolPattern.FindStringSubmatch(vintage)
	if m == nil {
		return ""
	}
	return m[1] + "-" + m[1][:2] + m[2]
}

// add takes an area, or a further part of one.
func (l *draftLayer) add(a store.LayerArea, polygons orb.MultiPolygon) {
	i, have := l.at[a.GEOID]
	if !have {
		l.at[a.GEOID] = len(l.areas)
		l.areas, l.polygons = append(l.areas, a), append(l.polygons, polygons)
		return
	}
	l.polygons[i] = append(l.polygons[i], polygons...)
	l.areas[i].Land = shape.SumKnown(l.areas[i].Land, a.Land)
	l.areas[i].Water = shape.SumKnown(l.areas[i].Water, a.Water)
}

func (l *draftLayer) take(b *layers, f layerFile, kind string, r source.AreaRow) error {
	if undefined(r.ID) {
		return plan.Refused("area that the publisher leaves undefined", r.Record, r.ID)
	}
	a := store.LayerArea{
		GEOID: r.ID, Name: cmp.Or(r.Full, r.Name), NameFR: r.French, Type: cmp.Or(kind, r.Kind),
		Land: shape.Known(r.Land), Water: shape.Known(r.Water), State: b.layerState(l.info.ID, r.ID),
	}
	if l.info.ID == store.LayerMetroArea {
		a.Type = metroKind(a.Type)
	}
	if f.kinds && kind == "" {
		a.Type = ""
	}
	if a.State == 0 && l.info.ID.Country() == store.US && !acrossStates(l.info.ID) {
		return plan.Refused("area of an unknown state", r.Record, r.ID)
	}
	if l.info.Period == "" {
		l.info.Period = r.Period
	}
	l.repairs.Closed += int64(r.Closed)
	l.add(a, r.Polygon)
	return nil
}

// metroKind spells out the letter of a census metropolitan area (B) or a census
// agglomeration with tracts (K) or without (D).
func metroKind(letter string) string {
	switch letter {
	case "B":
		return "CMA"
	case "D", "K":
		return "CA"
	}
	return letter
}

// undefined reports whether a code is one that the Census gives to water and
// land that no district holds.
func undefined(geoid string) bool { return strings.HasSuffix(geoid, "ZZ") }

// acrossStates reports whether areas of a layer lie in several states or provinces, or
// their codes don't begin with one.
func acrossStates(id store.LayerID) bool {
	switch id {
	case store.LayerCBSA, store.LayerMetropolitanDivision, store.LayerMetroArea, store.LayerCensusTract, store.LayerUrbanArea, store.LayerTribalArea:
		return true
	default:
		return false
	}
}

// layerState returns the state or province of the first two digits of a GEOID,
// 0 without one.
func (b *Build) layerState(id store.LayerID, geoid string) store.StateID {
	if len(geoid) < 2 || acrossStates(id) {
		return 0
	}
	if id.Country() == store.CA {
		return b.States.ID(store.CA, source.Provinces[geoid[:2]])
	}
	return b.States.ByFIPS[geoid[:2]]
}

// readLayer reads a layer from its files, nil without any.
func (b *layers) readLayer(ctx context.Context, s layerSpec) (*draftLayer, error) {
	if !b.Includes(s.of) {
		return nil, nil
	}
	l := newLayerDraft(s.id)
	for _, f := range s.files {
		if f.states {
			if err := b.readStates(ctx, l, f); err != nil {
				return nil, err
			}
			continue
		}
		if !b.Has(f.source) || f.names && len(l.areas) > 0 {
			continue
		}
		l.from(b.File(f.source), b.FileName(f.source), s.year)
		kind := f.kind
		if f.kinds && !b.Has(catalog.SchoolTypes...) {
			kind = ""
			b.Applied("type of school districts unknown, for missing files", f.source)
		}
		rows := f.columns.Areas
		if f.names {
			rows, kind = f.columns.Names, ""
		}
		if err := plan.Read(ctx, b.Env, f.source, rows, func(r source.AreaRow) error { return l.take(b, f, kind, r) }); err != nil {
			return nil, err
		}
	}
	if len(l.areas) == 0 {
		return nil, nil
	}
	l.repairs.RepairAll(l.polygons)
	if err := l.complete(ctx, b, s.details); err != nil {
		return nil, err
	}
	l.setPlan(b, s)
	return l, nil
}

// readStates reads the files of the states. The layer is named after the first, with SS
// for the state.
func (b *layers) readStates(ctx context.Context, l *draftLayer, f layerFile) error {
	for i, id := range b.Files(f.source) {
		file := b.File(id)
		if i == 0 {
			state := "_" + strings.TrimPrefix(id, f.source+"-") + "_"
			l.from(file, strings.Replace(b.FileName(id), state, "_SS_", 1), 0)
		}
		l.info.FitForShares = l.info.FitForShares && file.FitForShares
		if err := plan.Read(ctx, b.Env, id, f.columns.Areas, func(r source.AreaRow) error { return l.take(b, f, f.kind, r) }); err != nil {
			return err
		}
	}
	return nil
}

// complete fills gaps of the files from the Gazetteer.
func (l *draftLayer) complete(ctx context.Context, b *layers, of gazetteerOf) error {
	if of.source == "" || !b.Has(of.source) {
		return nil
	}
	return plan.Read(ctx, b.Env, of.source, source.Gazetteer(of.digits), func(r source.GazetteerRow) error {
		i, ok := l.at[r.GEOID]
		if !ok {
			return nil
		}
		a := &l.areas[i]
		if a.Name == "" {
			a.Name = strings.Clone(r.Name)
		}
		if a.Land == store.UnknownArea && a.Water == store.UnknownArea {
			a.Land, a.Water = r.Land, r.Water
		}
		a.Point = r.Location
		return nil
	})
}

// settle puts the areas in order, gives those without a point one within their
// outline, and measures the outlines.
func (l *draftLayer) settle() ([]*spatial.Outline, error) {
	order := make([]int, len(l.areas))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(l.areas[i].GEOID, l.areas[j].GEOID) })
	areas, polygons := make([]store.LayerArea, len(order)), make([]orb.MultiPolygon, len(order))
	outlines := make([]*spatial.Outline, len(order))
	for k, i := range order {
		areas[k], polygons[k] = l.areas[i], l.polygons[i]
	}
	l.areas, l.polygons, l.at = areas, polygons, nil
	err := shape.Parallel(len(order), func(k int) error {
		if len(polygons[k]) == 0 {
			return nil
		}
		o, err := spatial.NewOutline(polygons[k])
		if err != nil {
			return fmt.Errorf("outline of %s %s: %w", l.info.ID, areas[k].GEOID, err)
		}
		outlines[k] = o
		areas[k].Outline = geo.SquareMeters(max(0, float64(o.Area())))
		if !areas[k].Point.IsValid() {
			areas[k].Point = shape.PointWithin(polygons[k])
		}
		return nil
	})
	return outlines, err
}

// pack writes the outlines as the file stores them.
func (l *draftLayer) pack() ([]byte, error) {
	var p spatial.PolygonIndexBuilder
	for i, m := range l.polygons {
		if err := p.Add(m); err != nil {
			return nil, fmt.Errorf("outline of %s %s: %w", l.info.ID, l.areas[i].GEOID, err)
		}
	}
	return p.AppendBinary(nil)
}
