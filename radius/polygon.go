package radius

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/pace"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/rings"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/lookup"
)

// MaxPolygonVertices is the most vertices that a searched polygon may have.
const MaxPolygonVertices = 100_000

// Limits of searched polygons that cross themselves. They bound the time to a part of a
// second.
const (
	mostCrossings = 1000
	mostSteps     = 10_000_000
)

// leastShared is the least extent that an area must share with a searched
// polygon: less is the rounding of stored vertices.
const leastShared = geo.SquareMeters(1)

// PolygonOptions configures a search inside a polygon.
type PolygonOptions struct {
	Mode     Mode      // Centroid: ZIPs and full postal codes by their points; Spatial: ZIPs and FSAs by their areas
	Timezone bool      // the time zone of each
	Layers   []string  // layers of the user of each match, without "layers."
	At       time.Time // start of the twelve months of time zone rules; zero means now
}

// A PolygonResult holds the codes inside a polygon. Distances are measured
// from Center, and matches are sorted by them and then by code. It is not part
// of the contract.
type PolygonResult struct {
	envelope.Item
	Center   geo.LatLng      `json:"center"`     // the middle of the polygon's box
	AreaSqMi geo.SquareMiles `json:"area_sq_mi"` // of the polygon
	Mode     Mode            `json:"mode"`       // centroid or spatial
	Matches  []Match         `json:"matches"`    // by the distance from the center
	Summary  Summary         `json:"summary"`
}

// InPolygon finds the codes inside a polygon or multipolygon. In spatial mode
// PctInside is the share of the code's area that the polygon covers. Codes
// without an area are found by their points, on the edge or inside. Coordinates
// are longitude and latitude in degrees, edges are straight in those, rings may
// run either way and cross the antimeridian.
//
// Errors match [envelope.ErrInvalidParam], or are the context's.
func (e *Engine) InPolygon(ctx context.Context, g orb.Geometry, opt PolygonOptions) (*PolygonResult, error) {
	if err := checkMode("polygon", opt.Mode); err != nil {
		return nil, err
	}
	q, err := newPolygonQuery(ctx, g)
	if err != nil {
		return nil, err
	}
	if err := e.load(ctx); err != nil {
		return nil, err
	}
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	s.hits = s.hits[:0]
	set := &e.areas
	if opt.Mode != Spatial {
		set = &e.codes
	}
	if err := e.inside(ctx, s, set, q); err != nil {
		return nil, err
	}
	if opt.Mode == Spatial {
		if err := e.overlaps(ctx, s, set, q); err != nil {
			return nil, err
		}
	}
	if err := s.sortHits(ctx); err != nil {
		return nil, err
	}
	res := &PolygonResult{
		Item: envelope.Item{Success: true}, Center: q.middle.Rounded(), Mode: cmp.Or(opt.Mode, Centroid),
		AreaSqMi: geo.SquareMiles(geo.Round(float64(q.region.Area().SquareMiles()), 2)),
	}
	if res.Matches, err = e.matches(ctx, set, s.hits, opt.Timezone, opt.At); err != nil {
		return nil, err
	}
	if opt.Mode == Spatial {
		e.measure(res.Matches, s.hits)
		res.Notices = e.undrawn(res.Notices, s.hits)
	}
	res.Summary = summarize(res.Matches, len(res.Matches))
	return res, e.polygonLayers(ctx, res, &opt)
}

// polygonLayers fills in the layers of the user.
func (e *Engine) polygonLayers(ctx context.Context, res *PolygonResult, opt *PolygonOptions) error {
	_, missing, err := e.addLayers(ctx, res.Matches, opt.Layers)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		res.Notices = append(res.Notices, notice.UnavailableEnrichments(missing))
	}
	return nil
}

// stepHits is how many hits are sorted or turned into matches between two checks
// of the context.
const stepHits = 1 << 12

// sortHits sorts the hits by distance and then by code. It sorts runs and merges
// them, so that it can stop in between. A polygon around a country holds hundreds of thousands
// of codes, and sorting them at once took a few hundred milliseconds that nothing could stop.
func (s *scratch) sortHits(ctx context.Context) error {
	compare := func(a, b hit) int { return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.at, b.at)) }
	for run := range slices.Chunk(s.hits, stepHits) {
		if err := pace.Step(ctx); err != nil {
			return fmt.Errorf("radius: %w", err)
		}
		slices.SortFunc(run, compare)
	}
	n := len(s.hits)
	if n <= stepHits {
		return nil
	}
	from, to := s.hits, make([]hit, n)
	for size := stepHits; size < n; size *= 2 {
		for begin := 0; begin < n; begin += 2 * size {
			middle, end := min(begin+size, n), min(begin+2*size, n)
			a, b := from[begin:middle], from[middle:end]
			for at := begin; at < end; at++ {
				if at%stepHits == 0 && ctx.Err() != nil {
					return fmt.Errorf("radius: %w", ctx.Err())
				}
				if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
					to[at], a = a[0], a[1:]
				} else {
					to[at], b = b[0], b[1:]
				}
			}
		}
		from, to = to, from
	}
	s.hits = from
	return nil
}

// A polygonQuery is a polygon that is ready to be searched.
type polygonQuery struct {
	middle geo.LatLng
	region *spatial.Region
	rings  orb.MultiPolygon
}

func invalidPolygon(cause error) error {
	return &envelope.Failure{
		Op: "polygon", Kind: envelope.KindInvalidParam, Param: "polygon",
		Detail: "invalid geometry: " + strings.TrimPrefix(strings.TrimPrefix(cause.Error(), "geo: "), "rings: "), Err: cause,
	}
}

func newPolygonQuery(ctx context.Context, g orb.Geometry) (*polygonQuery, error) {
	var m orb.MultiPolygon
	switch g := g.(type) {
	case orb.Polygon:
		m = orb.MultiPolygon{g}
	case orb.MultiPolygon:
		m = g
	default:
		return nil, invalidPolygon(fmt.Errorf("%T; expected a polygon or multipolygon", g))
	}
	vertices := 0
	for _, p := range m {
		for _, r := range p {
			vertices += len(r)
		}
	}
	if vertices > MaxPolygonVertices {
		return nil, invalidPolygon(fmt.Errorf("%d vertices; expected at most %d", vertices, MaxPolygonVertices))
	}
	box, err := spatial.BoundingBox(m)
	if err != nil {
		return nil, invalidPolygon(err)
	}
	// Unfolded first: Repair takes edges the short way round and would lose those of the world's box.
	m = unfold(m)
	step := func() error { return pace.Step(ctx) }
	m, _, err = rings.Repair(m, rings.Limits{Crossings: mostCrossings, Steps: mostSteps, Pause: step})
	switch {
	case errors.As(err, new(*rings.LimitError)):
		return nil, invalidPolygon(err)
	case err == nil:
		err = step()
	}
	if err != nil {
		return nil, fmt.Errorf("radius: %w", err)
	}
	region, err := spatial.NewRegion(m)
	if err != nil {
		return nil, invalidPolygon(err)
	}
	if !(region.Area() >= leastShared) { // or rounding alone; NaN too
		return nil, invalidPolygon(errors.New("it encloses nothing"))
	}
	return &polygonQuery{middle: box.Center(), region: region, rings: m}, nil
}

// unfold returns the polygons with the vertices that [spatial.Unfold] adds.
func unfold(m orb.MultiPolygon) orb.MultiPolygon {
	out := make(orb.MultiPolygon, len(m))
	for i, p := range m {
		out[i] = make(orb.Polygon, len(p))
		for k, r := range p {
			out[i][k] = spatial.Unfold(r)
		}
	}
	return out
}

// inside collects the codes without an area whose points lie in the polygon.
func (e *Engine) inside(ctx context.Context, s *scratch, set *pointSet, q *polygonQuery) error {
	point := func(at int) geo.LatLng {
		if set.hasArea(int32(at)) {
			return geo.LatLng{}
		}
		return e.pointOf(set, int32(at))
	}
	err := q.region.Covered(pace.Checked(ctx), len(set.numbers), point, func(at int) {
		s.hits = append(s.hits, hit{distance: geo.Distance(q.middle, point(at)), at: int32(at)})
	})
	if err != nil {
		return fmt.Errorf("radius: %w", err)
	}
	return nil
}

// overlaps collects the codes whose areas share anything with the polygon.
func (e *Engine) overlaps(ctx context.Context, s *scratch, set *pointSet, q *polygonQuery) error {
	for _, layer := range [...]struct {
		index *spatial.PolygonIndex
		at    []int32
	}{{e.data.ZIPAreas().Index(), set.zipAt}, {e.data.FSAAreas().Index(), set.fsaAt}} {
		if layer.index == nil {
			continue
		}
		keep := func(area int) bool { return layer.at[area] != noArea }
		err := q.region.Overlaps(pace.Checked(ctx), layer.index, keep, func(area int, shared geo.SquareMeters) {
			at := layer.at[area]
			if p := e.pointOf(set, at); shared >= leastShared && p.IsValid() {
				s.hits = append(s.hits, hit{
					distance: geo.Distance(q.middle, p), at: at, share: min(float64(100*shared/layer.index.Area(area)), 100),
				})
			}
		})
		if err != nil {
			return fmt.Errorf("radius: %w", err)
		}
	}
	return nil
}

func (e *Engine) pointOf(set *pointSet, at int32) geo.LatLng {
	number := set.numbers[at]
	switch {
	case int(at) < set.zips:
		row, _ := e.data.ZIP(postcode.ZIP(number))
		return row.Location
	case set.kind == lookup.FSA:
		row, _ := e.data.FSA(postcode.FSA(number))
		return row.Location
	default:
		row, _ := e.data.PostalCode(postcode.PostalCode(number))
		return row.Location
	}
}
