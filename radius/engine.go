package radius

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// An Engine searches one open dataset by distance. It is safe for concurrent
// use until the dataset is closed. A postgeo.DB has one; no other program can make a
// reader for it.
//
// The dataset has indexes of points, which the first search reads. Their
// positions are computed when a search first reaches them, or all at once by
// [Engine.Prepare].
type Engine struct {
	reader *lookup.Reader
	data   *store.Dataset
	// zone and layers are functions of package lookup that it does not export, taken through the
	// door.
	zone   func(*lookup.Reader, store.ZoneID, time.Time) *lookup.TimeZone
	layers func(r *lookup.Reader, ctx context.Context, code string, names []string) (lookup.OwnLayers, error)
	// codes are the ZIPs, then the full postal codes: the matches of centroid
	// mode. areas are the ZIPs, then the FSAs: those of spatial mode.
	codes, areas pointSet
	loaded       atomic.Bool // codes, areas and coverage are made
	loading      sync.Mutex
	scratch      sync.Pool // of *scratch
	coverage     *coverage
}

func datasetOf(r *lookup.Reader) *store.Dataset {
	return door.Take[func(*lookup.Reader) *store.Dataset]()(r)
}

// NewEngine returns an engine over the reader's dataset.
func NewEngine(r *lookup.Reader) *Engine {
	e := &Engine{
		reader: r, data: datasetOf(r),
		zone:   door.Take[func(*lookup.Reader, store.ZoneID, time.Time) *lookup.TimeZone](),
		layers: door.Take[func(*lookup.Reader, context.Context, string, []string) (lookup.OwnLayers, error)](),
	}
	e.scratch.New = func() any { return new(scratch) }
	return e
}

// sections are the parts of a dataset that searches need.
const sections = store.SectionPostalCodes | store.SectionPoints | store.SectionDensity |
	store.SectionZIPAreas | store.SectionFSAAreas | store.SectionStateAreas

func (e *Engine) load(ctx context.Context) error {
	if e.loaded.Load() {
		return nil
	}
	if err := e.data.Load(ctx, sections); err != nil {
		return fmt.Errorf("radius: %w", err)
	}
	e.loading.Lock()
	defer e.loading.Unlock()
	if e.loaded.Load() {
		return nil
	}
	d := e.data
	e.codes, e.areas = pointSet{kind: lookup.Postal, zips: d.NumZIPs()}, pointSet{kind: lookup.FSA, zips: d.NumZIPs()}
	e.codes.index, e.codes.numbers = d.CodePoints()
	e.areas.index, e.areas.numbers = d.AreaPoints()
	e.areas.linkAreas(d)
	e.coverage = e.newCoverage()
	e.loaded.Store(true)
	return nil
}

// Prepare builds the tables that the first searches of a region would otherwise
// build, in a tenth of a microsecond per code. It may be called at any time.
// The error is the context's or a failure of the dataset.
func (e *Engine) Prepare(ctx context.Context) error {
	if err := e.load(ctx); err != nil {
		return err
	}
	e.codes.index.Load()
	e.areas.index.Load()
	return nil
}

// scratch is the working memory of a search. Its result does not keep it.
type scratch struct {
	near    []spatial.Neighbor
	hits    []hit
	share   []spatial.Share
	shareAt []float64 // by position in the set of areas; all 0 between searches, so that none has to clear 44,000
	touched []int32   // where shareAt was set
}

// A hit is a code that was found: its position in the point set, and in
// spatial mode its share. Searches collect hits and make matches of those that are returned:
// a match takes 200 bytes and not 24, and its texts come from the rows of codes.
type hit struct {
	distance geo.Meters
	at       int32
	share    float64 // percent, of an area
}

// A pointSet is an index of the points of ZIPs followed by Canadian codes of one
// kind, each in ascending order.
type pointSet struct {
	index   *spatial.PointIndex
	numbers []uint32 // postcode.ZIP; postcode.FSA or postcode.PostalCode
	zips    int      // how many of them are ZIPs
	kind    lookup.CodeType

	// Only for kind FSA: the number of each code's area, and the positions of the
	// codes of areas, noArea for none. Shares come by areas and distances by positions, and
	// a match has both.
	areaOf, zipAt, fsaAt []int32
}

// length returns how long the code at a position is as text.
func (s *pointSet) length(at int32) int {
	switch {
	case int(at) < s.zips:
		return len("12345")
	case s.kind == lookup.FSA:
		return len("A1A")
	default:
		return len("A1A 1A1")
	}
}

// appendText appends the code at a position: postcode's String without an allocation.
func (s *pointSet) appendText(dst []byte, at int32) []byte {
	n := s.numbers[at]
	if int(at) < s.zips {
		return append(dst, '0'+byte(n/10000), '0'+byte(n/1000%10), '0'+byte(n/100%10), '0'+byte(n/10%10), '0'+byte(n%10))
	}
	f := postcode.FSA(n)
	if s.kind == lookup.Postal {
		f = postcode.PostalCode(n).FSA()
	}
	dst = append(dst, 'A'+byte(f/260), '0'+byte(f/26%10), 'A'+byte(f%26))
	if s.kind == lookup.Postal {
		l := n % 2600
		dst = append(dst, ' ', '0'+byte(l/260), 'A'+byte(l/10%26), '0'+byte(l%10))
	}
	return dst
}

// AutoRadius returns the length of an automatic radius around a code of any
// kind or a coordinate. It returns the errors of [Engine.Search].
func (e *Engine) AutoRadius(ctx context.Context, center string, rule Auto) (geo.Miles, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("radius: %w", err)
	}
	opt := Options{Auto: rule}
	if rule == "" {
		return 0, invalid("auto radius", "rule", "", expectedAuto)
	}
	if err := opt.Check(); err != nil {
		return 0, err
	}
	p, err := e.center(ctx, center)
	if err != nil {
		return 0, err
	}
	miles, _, _, err := e.automatic(ctx, &p, rule)
	return miles, err
}

// op is the operation of most errors of this package.
const op = "radius"

// invalid returns the error of an option or argument out of range.
func invalid(op, param, given, expected string) error {
	return &envelope.Failure{Op: op, Kind: envelope.KindInvalidParam, Param: param, Input: given, Range: expected}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func checkMode(op string, m Mode) error {
	if m != "" && m != Centroid && m != Spatial {
		return invalid(op, "mode", string(m), expectedMode)
	}
	return nil
}

const expectedMode = "centroid or spatial"
