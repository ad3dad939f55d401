package build

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
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
	files    []string    // names of the files, without extension; outlines are added from the last
	file     map[K]uint8 // by key: which of files it came from
	polygons map[K]orb.MultiPolygon
	stated   map[K]int64 // square metres that the agency states
	repairs  repairs
	laidOut  []*geo.Outline // by key, ascending; see layOut
}

func newOutlineSet[K cmp.Ordered](kind string, label func(K) string) *outlineSet[K] {
	return &outlineSet[K]{kind: kind, label: label, file: map[K]uint8{}, polygons: map[K]orb.MultiPolygon{}, stated: map[K]int64{}}
}

// from notes the file that outlines are about to come from.
func (s *outlineSet[K]) from(file string) {
	name, _, _ := strings.Cut(path.Base(file), ".")
	s.files = append(s.files, name)
}

// add takes an outline, which is repaired with all others by repair. Several of
// one key make one area.
func (s *outlineSet[K]) add(key K, r source.AreaRow) {
	s.repairs.closed += int64(r.Closed)
	s.polygons[key] = append(s.polygons[key], r.Polygon...)
	s.file[key] = uint8(max(len(s.files)-1, 0))
	if r.Land == nil {
		return
	}
	area := *r.Land
	if r.Water != nil {
		area += *r.Water
	}
	s.stated[key] += area
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
		stated := s.stated[k]
		if stated <= 0 {
			continue
		}
		area, err := geo.MultiPolygonArea(s.polygons[k])
		if err != nil {
			return fmt.Errorf("outline of %s %s: %w", s.kind, s.label(k), err)
		}
		c.add(s.label(k), float64(area), float64(stated))
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
}

func (c *extentCheck) add(label string, area, stated float64) {
	percent := 100 * math.Abs(area/stated-1)
	c.off = append(c.off, percent)
	if percent > c.check.Worst {
		c.check.Worst, c.check.WorstCase = percent, label
	}
}

func (c *extentCheck) report(b *builder) {
	if len(c.off) == 0 {
		return
	}
	slices.Sort(c.off)
	c.check.Name = "area of outlines against the stated area, " + c.name
	c.check.Count, c.check.Median, c.check.P90 = int64(len(c.off)), c.off[len(c.off)/2], c.off[len(c.off)*9/10]
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
