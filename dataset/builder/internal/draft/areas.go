package draft

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// Two types hold polygons by key. [outlines] keep what a source has of one kind of area,
// and areas find points in them. Both use the index of package spatial, which readers of
// the dataset use too: a point that the builder puts into an area is found there by a
// lookup. A point on a border belongs to one area, and of overlapping areas to the
// smallest.

// Areas find the areas around a point, as readers of the dataset do. Several of one key
// are one area. The nil areas are empty.
//
// The index is packed at the first search after an add. So all areas are added first, and
// searches from several goroutines need one before them.
type areas[K cmp.Ordered] struct {
	keys     []K
	number   map[K]int // of the area with a key, the last of several
	polygons []orb.MultiPolygon
	builder  spatial.PolygonIndexBuilder
	index    *spatial.PolygonIndex // nil after add, until a search packs it
}

// add takes the outline of an area. Polygons that are no outline contain nothing.
func (s *areas[K]) add(key K, polygons orb.MultiPolygon) {
	if s.builder.Add(polygons) == nil {
		if s.number == nil {
			s.number = map[K]int{}
		}
		s.number[key] = len(s.keys)
		s.keys, s.polygons, s.index = append(s.keys, key), append(s.polygons, polygons), nil
	}
}

func (s *areas[K]) packed() *spatial.PolygonIndex {
	if s.index == nil {
		s.index = must(spatial.DecodePolygonIndex(must(s.builder.AppendBinary(nil))))
	}
	return s.index
}

// at returns the areas that contain the point, in the order they were added and each
// once. A point on an edge is in one of the areas that share it.
func (s *areas[K]) at(point geo.LatLng) (keys []K) {
	if s == nil || !point.IsValid() {
		return nil
	}
	found := s.packed().AppendAround(nil, point)
	slices.Sort(found)
	for _, i := range found {
		if !slices.Contains(keys, s.keys[i]) {
			keys = append(keys, s.keys[i])
		}
	}
	return keys
}

// first returns the first area that contains the point, or the zero key. FSAs need at: A0A is
// the zero FSA.
func (s *areas[K]) first(point geo.LatLng) (key K) {
	if keys := s.at(point); len(keys) > 0 {
		key = keys[0]
	}
	return key
}

// has reports whether the key has an area.
func (s *areas[K]) has(key K) bool {
	if s == nil {
		return false
	}
	_, ok := s.number[key]
	return ok
}

// holds reports whether the point resolves to the area of the key: of overlapping areas,
// the smallest holds a point.
func (s *areas[K]) holds(key K, p geo.LatLng) bool {
	if !s.has(key) || !p.IsValid() {
		return false
	}
	i, ok := s.packed().Containing(p)
	return ok && s.keys[i] == key
}

// near returns the area whose outline is nearest to the point within the limit, or the
// zero key. The first added wins a tie. Boxes that do not meet the box around the circle
// are passed over, and each hit lowers the limit, so that few outlines are measured. Of
// the 16 corners, one lies in each cardinal direction, so that their box is nearly that
// of the circle.
func (s *areas[K]) near(point geo.LatLng, limit geo.Meters) (key K) {
	const corners = 16
	around := must(spatial.NewCircle(point, limit))
	box := shape.BoxAround(orb.MultiPolygon{{must(around.Ring(corners))}})
	for i, k := range s.keys {
		if box.Meets(s.packed().Box(i)) {
			if d, ok := s.index.BoundaryWithin(i, point, limit); ok && d < limit {
				limit, key = d, k
			}
		}
	}
	return key
}

// milesTo returns the distance from the point to the area of the key, 0 within it
// and without an area.
func (s *areas[K]) milesTo(key K, p geo.LatLng) float64 {
	if !s.has(key) || slices.Contains(s.at(p), key) {
		return 0
	}
	d, _ := s.packed().DistanceToBoundary(s.number[key], p)
	return float64(d.Miles())
}

// within returns a point that resolves to the area of the key, or the zero LatLng if
// smaller areas cover all points that were tried. That happens: an outline without a hole
// for another code inside contains that code's area too.
func (s *areas[K]) within(key K) geo.LatLng {
	if s.has(key) {
		for p := range shape.PointsWithin(s.polygons[s.number[key]]) {
			if s.holds(key, p) {
				return p
			}
		}
	}
	return geo.LatLng{}
}

// Outlines are the outlines of one kind of area. They are added from one or several
// sources (from, add), repaired once (repair), and then measured and searched. list and
// index are made when they are first needed, and shared by all measurements. Five of
// these once laid out the ZCTAs anew. remove forgets both.
type outlines[K cmp.Ordered] struct {
	kind     string       // for the report, e.g. "ZIPs"
	labels   map[K]string // identifiers of the areas, for errors and reports
	sources  []string     // identifiers; outlines are added from the last, and file has its position
	names    []string     // names of their files, without extension
	file     map[K]uint8  // which of the files an outline came from
	polygons map[K]orb.MultiPolygon
	stated   map[K]extent
	ratio    map[K]float64 // drawn area to the stated one, known to report
	repairs  shape.Repairs
	laidOut  []*spatial.Outline // by key, ascending; once they are needed
	indexed  *areas[K]
}

// An extent is the published land and water of an area in square meters, or
// store.UnknownArea.
type extent struct{ land, water int64 }

// ratio returns how many times the stated area an outline has, 0 if it is unknown.
// Outlines include none, a part or all of the water: those between the land and the whole
// are as large as stated. Cartographic files cut off the coastal water that the stated
// area includes, which would otherwise look like an error.
func (e extent) ratio(drawn float64) float64 {
	land, whole := float64(e.land), float64(e.land+max(e.water, 0))
	switch {
	case e.land == store.UnknownArea || whole == 0:
		return 0
	case drawn > whole:
		return drawn / whole
	case drawn < land:
		return drawn / land
	}
	return 1
}

// sumKnown adds extents; an unknown one makes the sum unknown.
func sumKnown(a, b int64) int64 {
	if a == store.UnknownArea || b == store.UnknownArea {
		return store.UnknownArea
	}
	return a + b
}

// known returns the extent, or UnknownArea for nil.
func known(v *int64) int64 {
	if v == nil {
		return store.UnknownArea
	}
	return *v
}

func newOutlines[K cmp.Ordered](kind string) *outlines[K] {
	return &outlines[K]{kind: kind, labels: map[K]string{}, file: map[K]uint8{}, polygons: map[K]orb.MultiPolygon{}, stated: map[K]extent{}, ratio: map[K]float64{}}
}

// from notes the source that outlines are about to come from.
func (s *outlines[K]) from(d *Draft, source string) {
	if d.has(source) {
		name, _, _ := strings.Cut(d.fileName(source), ".")
		s.sources, s.names = append(s.sources, source), append(s.names, name)
	}
}

// add takes an outline, which is repaired with all others by repair. Several of
// one key make one area.
func (s *outlines[K]) add(key K, label string, r *source.AreaRow) {
	s.repairs.Closed += int64(r.Closed)
	s.polygons[key] = append(s.polygons[key], r.Polygon...)
	s.labels[key], s.file[key] = label, uint8(max(len(s.names)-1, 0))
	stated := extent{known(r.Land), known(r.Water)}
	if before, several := s.stated[key]; several {
		stated = extent{sumKnown(before.land, stated.land), sumKnown(before.water, stated.water)}
	}
	s.stated[key] = stated
}

func (s *outlines[K]) remove(key K) {
	delete(s.polygons, key)
	delete(s.stated, key)
	s.laidOut, s.indexed = nil, nil
}

// repair repairs the outlines. It is called once, when all have been added, because the
// parts of one area may come from several records.
func (s *outlines[K]) repair() {
	keys := s.keys()
	list := make([]orb.MultiPolygon, len(keys))
	for i, k := range keys {
		list[i] = s.polygons[k]
	}
	s.repairs.RepairAll(list)
	for i, k := range keys {
		s.polygons[k] = list[i]
	}
}

// keys returns the keys that have an outline, ascending.
func (s *outlines[K]) keys() []K { return slices.Sorted(maps.Keys(s.polygons)) }

// list returns the outlines in the order of the keys, laid out once for all
// measurements.
func (s *outlines[K]) list() []*spatial.Outline {
	if s.laidOut == nil {
		keys := s.keys()
		out := make([]*spatial.Outline, len(keys))
		check(shape.Parallel(len(keys), func(i int) (err error) {
			if out[i], err = spatial.NewOutline(s.polygons[keys[i]]); err != nil {
				err = s.failed(keys[i], err)
			}
			return err
		}))
		s.laidOut = out
	}
	return s.laidOut
}

func (s *outlines[K]) failed(key K, err error) error {
	return fmt.Errorf("outline of %s %s: %w", s.kind, s.labels[key], err)
}

// index returns the areas of all outlines.
func (s *outlines[K]) index() *areas[K] {
	if s.indexed == nil {
		s.indexed = s.only(func(K) bool { return true })
	}
	return s.indexed
}

// only returns the areas of the outlines with the keys that are known.
func (s *outlines[K]) only(known func(K) bool) *areas[K] {
	found := &areas[K]{}
	for _, k := range s.keys() {
		if known(k) {
			found.add(k, s.polygons[k])
		}
	}
	return found
}

// box returns the box around outlines, an empty one without any.
func (s *outlines[K]) box(keys ...K) (box geo.Box) {
	for _, k := range keys {
		box = spatial.Union(box, shape.BoxAround(s.polygons[k]))
	}
	return box
}

// report adds the repairs to the report, and compares the outlines with the published
// areas. The ratio of each code is stored (include=quality), and codes with outlines far
// from the stated area are not compared by area (decision D69).
func (s *outlines[K]) report(d *Draft) {
	d.repaired(s.kind, &s.repairs)
	for k, stated := range s.stated {
		if stated.land != store.UnknownArea {
			area, err := spatial.MultiPolygonArea(s.polygons[k])
			if err != nil {
				check(s.failed(k, err))
			}
			s.ratio[k] = stated.ratio(float64(area))
		}
	}
}

// repaired adds the repairs of the outlines of a kind to the report.
func (d *Draft) repaired(kind string, r *shape.Repairs) {
	for _, c := range []struct {
		rule string
		n    int64
	}{
		{"rings that were open, closed", r.Closed},
		{"vertices that repeat the one before, dropped", r.Repeated},
		{"rings without extent, dropped", r.Dropped},
		{"rings that cross or meet themselves, cut there", r.Crossing},
	} {
		if c.n > 0 {
			d.Note(Ruled, "outlines, "+kind+": "+c.rule, c.n, "")
		}
	}
}

// Nearest finds the nearest of a set of points. It wraps the index of points of package
// spatial, which has no filter: find takes 4, 16, 64, … nearest points until one of them
// is wanted. The nearest point nearly always is, and then 4 suffice.
type nearest[V any] struct {
	points []geo.LatLng
	values []V
	index  *spatial.PointIndex // of all points; nil after add
}

// add adds a point; one that is not valid is left out.
func (n *nearest[V]) add(at geo.LatLng, v V) {
	if at.IsValid() {
		n.points, n.values, n.index = append(n.points, at), append(n.values, v), nil
	}
}

// find returns the value of the nearest point that want accepts, nil for all, and its
// distance in miles; the zero value if none lies within 150 miles. The first added wins
// a tie.
func (n *nearest[V]) find(at geo.LatLng, want func(V) bool) (none V, miles float64) {
	// Without a limit, a want that accepts no point would have all of them sorted.
	const reach = geo.Miles(150)
	if n.index == nil {
		n.index = spatial.NewPointIndex(n.points)
	}
	if !at.IsValid() {
		return none, math.Inf(1)
	}
	for k := 4; ; k *= 4 {
		near := n.index.AppendNearest(nil, at, k)
		for _, p := range near {
			if miles := p.Distance.Miles(); miles <= reach && (want == nil || want(n.values[p.Index])) {
				return n.values[p.Index], float64(miles)
			}
		}
		if len(near) < k || near[k-1].Distance.Miles() > reach {
			return none, math.Inf(1)
		}
	}
}

// heaviest returns the key of the greatest weight, the first of equals; the zero key
// without any. Keys are sorted, because the order of a map would decide ties by chance.
func heaviest[K cmp.Ordered, N int | float64](weights map[K]N) (best K) {
	first := true
	for _, k := range slices.Sorted(maps.Keys(weights)) {
		if first || weights[k] > weights[best] {
			best, first = k, false
		}
	}
	return best
}
