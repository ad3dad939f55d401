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
}

func newOutlineSet[K cmp.Ordered](kind string, label func(K) string) *outlineSet[K] {
	return &outlineSet[K]{kind: kind, label: label, file: map[K]uint8{}, polygons: map[K]orb.MultiPolygon{}, stated: map[K]int64{}}
}

// from notes the file that outlines are about to come from.
func (s *outlineSet[K]) from(file string) {
	name, _, _ := strings.Cut(path.Base(file), ".")
	s.files = append(s.files, name)
}

// add takes an outline, repaired. Several of one key make one area.
func (s *outlineSet[K]) add(key K, r source.AreaRow) {
	s.repairs.closed += int64(r.Closed)
	s.polygons[key] = append(s.polygons[key], s.repairs.repair(r.Polygon)...)
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

// keys returns the keys that have an outline, ascending.
func (s *outlineSet[K]) keys() []K { return slices.Sorted(maps.Keys(s.polygons)) }

// report tells what was repaired and how the extent of the outlines compares
// with what the agency states.
func (s *outlineSet[K]) report(b *builder) error {
	r := s.repairs
	for _, f := range []struct {
		rule string
		n    int64
	}{
		{"rings that were open, closed", r.closed},
		{"vertices that repeat the one before, dropped", r.repeated},
		{"rings without extent, dropped", r.dropped},
		{"rings that cross or meet themselves, cut where they do", r.crossing},
	} {
		if f.n > 0 {
			b.report.Rules = append(b.report.Rules, Finding{Name: "outlines, " + s.kind + ": " + f.rule, Count: f.n})
		}
	}
	c := Check{Name: "area of outlines against the stated area, " + s.kind}
	var off []float64
	for _, k := range s.keys() {
		stated := s.stated[k]
		if stated <= 0 {
			continue
		}
		area, err := geo.MultiPolygonArea(s.polygons[k])
		if err != nil {
			return fmt.Errorf("outline of %s %s: %w", s.kind, s.label(k), err)
		}
		percent := 100 * math.Abs(float64(area)/float64(stated)-1)
		off = append(off, percent)
		if percent > c.Worst {
			c.Worst, c.WorstCase = percent, s.label(k)
		}
	}
	if len(off) > 0 {
		slices.Sort(off)
		c.Count, c.Median, c.P90 = int64(len(off)), off[len(off)/2], off[len(off)*9/10]
		b.report.Checks = append(b.report.Checks, c)
	}
	return nil
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
