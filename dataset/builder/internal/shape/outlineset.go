package shape

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// BoxOf returns the box around the outlines of a set, an empty one without it.
func BoxOf[K cmp.Ordered](s *OutlineSet[K], keys ...K) geo.Box {
	var box geo.Box
	if s == nil {
		return box
	}
	for _, k := range keys {
		box = spatial.Union(box, BoxAround(s.Polygons[k]))
	}
	return box
}

// SumKnown adds extents; an unknown one makes the sum unknown.
func SumKnown(a, b int64) int64 {
	if a == store.UnknownArea || b == store.UnknownArea {
		return store.UnknownArea
	}
	return a + b
}

// Known returns the Extent, or UnknownArea for nil.
func Known(v *int64) int64 {
	if v == nil {
		return store.UnknownArea
	}
	return *v
}

// OutlinesTo adds the measured outlines of a set by their codes.
func (s *OutlineSet[K]) OutlinesTo(into map[K]*spatial.Outline) error {
	list, err := s.LayOut()
	if err != nil {
		return err
	}
	for i, k := range s.Keys() {
		into[k] = list[i]
	}
	return nil
}

// OutlineSet collects the outlines of one kind of thing.
type OutlineSet[K cmp.Ordered] struct {
	Kind     string       // for the report, e.g. "ZIPs"
	labels   map[K]string // identifiers of the areas, for errors and reports
	sources  []string     // identifiers; outlines are added from the last
	Files    []string     // names of their files, without extension
	File     map[K]uint8  // by key: which of files it came from
	Polygons map[K]orb.MultiPolygon
	stated   map[K]Extent
	Ratio    map[K]float64 // drawn area to the stated one, known to report
	repairs  Repairs
	laidOut  laidOut
	homes    *Homes[K] // of all areas, once they are needed
}

// laidOut holds the outlines of a set for all steps that measure them.
type laidOut struct {
	sync.Mutex
	list []*spatial.Outline // by key, ascending
}

// Extent is the published land and water of an area in square meters, or
// dataset.UnknownArea.
type Extent struct{ Land, Water int64 }

// ratio returns how many times the stated area an outline has, 0 if it is
// unknown. Outlines include none, a part or all of the water: those between
// the land and the whole are as large as stated.
func (e Extent) ratio(drawn float64) float64 {
	land, whole := float64(e.Land), float64(e.Land+max(e.Water, 0))
	switch {
	case e.Land == store.UnknownArea || whole == 0:
		return 0
	case drawn > whole:
		return drawn / whole
	case drawn < land:
		return drawn / land
	}
	return 1
}

// NewOutlineSet returns an empty set for a kind of area, such as "ZIPs".
func NewOutlineSet[K cmp.Ordered](kind string) *OutlineSet[K] {
	return &OutlineSet[K]{Kind: kind, labels: map[K]string{}, File: map[K]uint8{}, Polygons: map[K]orb.MultiPolygon{}, stated: map[K]Extent{}, Ratio: map[K]float64{}}
}

// From notes the source that outlines are about to come from.
func (s *OutlineSet[K]) From(e *plan.Env, source string) {
	if !e.Has(source) {
		return
	}
	name, _, _ := strings.Cut(e.FileName(source), ".")
	s.sources, s.Files = append(s.sources, source), append(s.Files, name)
}

// Source returns the source of an outline, "" without one.
func (s *OutlineSet[K]) Source(key K) string {
	if s.Polygons[key] == nil {
		return ""
	}
	return s.sources[s.File[key]]
}

// Add takes an outline, which is repaired with all others by repair. Several of
// one key make one area.
func (s *OutlineSet[K]) Add(key K, r source.AreaRow) {
	s.repairs.Closed += int64(r.Closed)
	s.Polygons[key] = append(s.Polygons[key], r.Polygon...)
	s.labels[key] = r.ID
	s.File[key] = uint8(max(len(s.Files)-1, 0))
	stated := Extent{Known(r.Land), Known(r.Water)}
	if before, several := s.stated[key]; several {
		stated.Land, stated.Water = SumKnown(before.Land, stated.Land), SumKnown(before.Water, stated.Water)
	}
	s.stated[key] = stated
}

// Label returns the identifier of an area in its source.
func (s *OutlineSet[K]) Label(key K) string { return s.labels[key] }

// Remove removes an outline.
func (s *OutlineSet[K]) Remove(key K) {
	delete(s.Polygons, key)
	delete(s.stated, key)
}

// Repair repairs the outlines. It is called once, when all have been added.
func (s *OutlineSet[K]) Repair() {
	keys := s.Keys()
	list := make([]orb.MultiPolygon, len(keys))
	for i, k := range keys {
		list[i] = s.Polygons[k]
	}
	s.repairs.RepairAll(list)
	for i, k := range keys {
		s.Polygons[k] = list[i]
	}
}

// Keys returns the keys that have an outline, ascending.
func (s *OutlineSet[K]) Keys() []K { return slices.Sorted(maps.Keys(s.Polygons)) }

// LayOut returns the outlines in the order of the keys, laid out once for all
// measurements. Nothing may be added to the set afterwards.
func (s *OutlineSet[K]) LayOut() ([]*spatial.Outline, error) {
	s.laidOut.Lock()
	defer s.laidOut.Unlock()
	if s.laidOut.list != nil {
		return s.laidOut.list, nil
	}
	keys := s.Keys()
	out := make([]*spatial.Outline, len(keys))
	err := Parallel(len(keys), func(i int) (err error) {
		if out[i], err = spatial.NewOutline(s.Polygons[keys[i]]); err != nil {
			return fmt.Errorf("outline of %s %s: %w", s.Kind, s.Label(keys[i]), err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.laidOut.list = out
	return out, nil
}

// A Part is what an outline shares with the area of a number.
type Part struct {
	Area   int
	Shared float64 // square meters
}

// Parts measures what each outline shares with the areas, in the order of these.
func Parts(ctx context.Context, outlines, areas []*spatial.Outline) ([][]Part, error) {
	const noise = 1e-9 // of an outline: the rounding of an overlap of nothing
	parts, index := make([][]Part, len(outlines)), spatial.NewOverlapIndex(areas)
	return parts, ParallelWith(len(outlines), func() func(int) error {
		finder := index.Finder()
		var meter spatial.OverlapMeter
		var near []int32
		return func(i int) error {
			near = finder.AppendMeeting(near[:0], outlines[i])
			for _, k := range near {
				if v := float64(meter.Area(outlines[i], areas[k])); v > noise*float64(outlines[i].Area()) {
					parts[i] = append(parts[i], Part{int(k), v})
				}
			}
			return ctx.Err()
		}
	})
}

// Report adds the repairs to the report, and compares the outlines with the published
// areas.
func (s *OutlineSet[K]) Report(e *plan.Env) error {
	s.repairs.Report(e, s.Kind)
	for k, stated := range s.stated {
		if stated.Land == store.UnknownArea {
			continue
		}
		area, err := spatial.MultiPolygonArea(s.Polygons[k])
		if err != nil {
			return fmt.Errorf("outline of %s %s: %w", s.Kind, s.Label(k), err)
		}
		s.Ratio[k] = stated.ratio(float64(area))
	}
	return nil
}

// Report adds the repairs of the outlines of a kind.
func (n *Repairs) Report(e *plan.Env, kind string) {
	e.Counted("outlines, "+kind+": rings that were open, closed", n.Closed)
	e.Counted("outlines, "+kind+": vertices that repeat the one before, dropped", n.Repeated)
	e.Counted("outlines, "+kind+": rings without extent, dropped", n.Dropped)
	e.Counted("outlines, "+kind+": rings that cross or meet themselves, cut there", n.Crossing)
}
