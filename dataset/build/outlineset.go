package build

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/geo"
)

// boundaries are the outlines to be stored; nil without the boundaries layer.
type boundaries struct {
	zips     *outlineSet[dataset.ZIP]
	points   *outlineSet[dataset.ZIP] // of PO Box, unique and military ZIPs, which are compared with layers and not stored
	fsas     *outlineSet[dataset.FSA]
	states   *outlineSet[dataset.StateID]
	counties *outlineSet[dataset.CountyID]
	zones    *outlineSet[string] // by name

	zipZones []zoneShares // of the ZIPs in ascending order
	fsaZones []zoneShares // of the FSAs in ascending order

	uncovered float64 // square metres of states that no outline of a ZIP covers

	packed struct { // the layers as the file has them
		zips     dataset.AreaLayer[dataset.ZIP]
		fsas     dataset.AreaLayer[dataset.FSA]
		states   dataset.AreaLayer[dataset.StateID]
		counties dataset.AreaLayer[dataset.CountyID]
		zones    dataset.AreaLayer[dataset.ZoneID]
	}
}

// outlineSet collects the outlines of one kind of thing.
type outlineSet[K cmp.Ordered] struct {
	kind     string // for the report, e.g. "ZIPs"
	label    func(K) string
	sources  []string    // identifiers; outlines are added from the last
	files    []string    // names of their files, without extension
	file     map[K]uint8 // by key: which of files it came from
	polygons map[K]orb.MultiPolygon
	stated   map[K]extent
	ratio    map[K]float64 // drawn area to the stated one, known to report
	repairs  repairs
	laidOut  []*geo.Outline // by key, ascending; see layOut
}

// extent is the land and water of an area in square metres as its publisher
// states them, or dataset.UnknownArea.
type extent struct{ land, water int64 }

// ratio returns how many times the stated area an outline has, 0 if it is
// unknown. Outlines include none, a part or all of the water: those between
// the land and the whole are as large as stated.
func (e extent) ratio(drawn float64) float64 {
	land, whole := float64(e.land), float64(e.land+max(e.water, 0))
	switch {
	case e.land == dataset.UnknownArea || whole == 0:
		return 0
	case drawn > whole:
		return drawn / whole
	case drawn < land:
		return drawn / land
	}
	return 1
}

func newOutlineSet[K cmp.Ordered](kind string, label func(K) string) *outlineSet[K] {
	return &outlineSet[K]{kind: kind, label: label, file: map[K]uint8{}, polygons: map[K]orb.MultiPolygon{}, stated: map[K]extent{}, ratio: map[K]float64{}}
}

// from notes the source that outlines are about to come from.
func (s *outlineSet[K]) from(b *builder, source string) {
	name, _, _ := strings.Cut(b.fileName(source), ".")
	s.sources, s.files = append(s.sources, source), append(s.files, name)
}

// source returns the source of an outline, "" without one.
func (s *outlineSet[K]) source(key K) string {
	if s.polygons[key] == nil {
		return ""
	}
	return s.sources[s.file[key]]
}

// add takes an outline, which is repaired with all others by repair. Several of
// one key make one area.
func (s *outlineSet[K]) add(key K, r source.AreaRow) {
	s.repairs.closed += int64(r.Closed)
	s.polygons[key] = append(s.polygons[key], r.Polygon...)
	s.file[key] = uint8(max(len(s.files)-1, 0))
	stated := extent{known(r.Land), known(r.Water)}
	if before, several := s.stated[key]; several {
		stated.land, stated.water = sumKnown(before.land, stated.land), sumKnown(before.water, stated.water)
	}
	s.stated[key] = stated
}

// repair repairs the outlines. It is called once, when all have been added.
func (s *outlineSet[K]) repair() {
	keys := s.keys()
	list := make([]orb.MultiPolygon, len(keys))
	for i, k := range keys {
		list[i] = s.polygons[k]
	}
	s.repairs.repairAll(list)
	for i, k := range keys {
		s.polygons[k] = list[i]
	}
}

// keys returns the keys that have an outline, ascending.
func (s *outlineSet[K]) keys() []K { return slices.Sorted(maps.Keys(s.polygons)) }

// layOut returns the outlines in the order of the keys, laid out once for all
// measurements. Nothing may be added to the set afterwards.
func (s *outlineSet[K]) layOut() ([]*geo.Outline, error) {
	if s.laidOut != nil {
		return s.laidOut, nil
	}
	keys := s.keys()
	out := make([]*geo.Outline, len(keys))
	err := parallel(len(keys), func(i int) (err error) {
		if out[i], err = geo.NewOutline(s.polygons[keys[i]]); err != nil {
			return fmt.Errorf("outline of %s %s: %w", s.kind, s.label(keys[i]), err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.laidOut = out
	return out, nil
}

// report tells what was repaired and how the extent of the outlines compares
// with what the agency states.
func (s *outlineSet[K]) report(b *builder) error {
	s.repairs.report(b, s.kind)
	c := extentCheck{name: s.kind}
	for _, k := range s.keys() {
		if s.stated[k].land == dataset.UnknownArea {
			continue
		}
		area, err := geo.MultiPolygonArea(s.polygons[k])
		if err != nil {
			return fmt.Errorf("outline of %s %s: %w", s.kind, s.label(k), err)
		}
		s.ratio[k] = c.add(s.label(k), s.stated[k], float64(area))
	}
	c.report(b)
	return nil
}

// report tells what was repaired of the outlines of a kind.
func (n *repairs) report(b *builder, kind string) {
	for _, f := range []struct {
		rule string
		n    int64
	}{
		{"rings that were open, closed", n.closed},
		{"vertices that repeat the one before, dropped", n.repeated},
		{"rings without extent, dropped", n.dropped},
		{"rings that cross or meet themselves, cut where they do", n.crossing},
	} {
		if f.n > 0 {
			b.report.Rules = append(b.report.Rules, Finding{Name: "outlines, " + kind + ": " + f.rule, Count: f.n})
		}
	}
}

// An extentCheck compares the extents of outlines with what the publisher
// states.
type extentCheck struct {
	name  string
	check Check
	off   []float64 // percent
	dry   int       // stated extents without water
}

// add compares an outline with its stated extent and returns their ratio.
func (c *extentCheck) add(label string, stated extent, drawn float64) float64 {
	ratio := stated.ratio(drawn)
	if ratio == 0 {
		return 0
	}
	percent := 100 * math.Abs(ratio-1)
	c.off = append(c.off, percent)
	if stated.water == dataset.UnknownArea {
		c.dry++
	}
	if percent > c.check.Worst {
		c.check.Worst, c.check.WorstCase = percent, label
	}
	return ratio
}

// unlike is the note of a check whose figures measure different things.
const unlike = "compares unlike things: outlines include inland water, the stated area is land only"

func (c *extentCheck) report(b *builder) {
	if len(c.off) == 0 {
		return
	}
	slices.Sort(c.off)
	c.check.Name = "area of outlines against the stated area, " + c.name
	c.check.Count, c.check.Median, c.check.P90 = int64(len(c.off)), c.off[len(c.off)/2], c.off[len(c.off)*9/10]
	if c.dry > 0 {
		c.check.Note = unlike
	}
	b.report.Checks = append(b.report.Checks, c.check)
}

// pack writes the areas of the keys, which ascend, as the file stores them.
func pack[N cmp.Ordered, K dataset.AreaKey](s *outlineSet[N], names []N, keys []K) (dataset.AreaLayer[K], error) {
	l := dataset.AreaLayer[K]{Sources: s.files, Keys: keys}
	var p geo.PolygonIndexBuilder
	for _, n := range names {
		if len(s.files) > 1 {
			l.From = append(l.From, s.file[n])
		}
		if err := p.Add(s.polygons[n]); err != nil {
			return l, fmt.Errorf("outline of %s %s: %w", s.kind, s.label(n), err)
		}
	}
	var err error
	l.Packed, err = p.AppendBinary(nil)
	return l, err
}
