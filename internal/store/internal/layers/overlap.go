package layers

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// An Overlap is the intersection of the outlines of a code and an area of a
// layer. Percentages are as exact as the measurement, not rounded.
type Overlap struct {
	Area          int              // of the layer
	Intersection  geo.SquareMeters // can be less than a square meter, and slightly negative between outlines of different sources
	PercentOfCode float64          // of the code's outline, without its water if [CodeOverlaps.Covered] is known
	PercentOfArea float64          // of the area's outline
	People        int              // residents of the code and the area, if the layer has [Info.People]
}

// LayerOverlaps are the areas of one layer that a code meets, including every
// sliver, the largest part of the code first. For a code without an outline
// they are the areas that contain its point.
type LayerOverlaps struct {
	Layer    ID
	Overlaps []Overlap
}

// CodeOverlaps are the intersections of the outline of a code with the areas of
// the layers. For a code without an outline they are the areas that contain the
// code's point: Outline, intersections and percentages are 0.
type CodeOverlaps struct {
	Outline geo.SquareMeters // extent of the code's outline, as measured; 0 without one
	Layers  []LayerOverlaps  // ascending by layer; a layer that the code does not meet is left out
	// Covered is the part of the outline that counties or census divisions cover, else
	// another layer of all land, if it is less than 0.99. The rest is water, and the
	// areas of layers of the catalog have percentages of the part that these cover. It
	// is 0 for other outlines.
	Covered float64
}

// leastCovered is the part of an outline that counties cover unless it has water.
const leastCovered = 0.99

// leaveOutWater measures the overlaps against the part of the outline that is not water.
func (c *CodeOverlaps) leaveOutWater(d *Reader) {
	const leastTiled = 0.9 // of the land: less is land that a layer lacks
	var land geo.SquareMeters
	for _, id := range [...]ID{LayerCounty, LayerCensusDivision} {
		if l := d.Layer(id); l != nil && l.info.FitForShares {
			land += sumOf(c.Of(id))
		}
	}
	for i := 0; land == 0 && i < len(tiling); i++ { // an island territory without outlines of counties
		if l := d.Layer(tiling[i]); l != nil && l.info.FitForShares {
			land = sumOf(c.Of(tiling[i]))
		}
	}
	if !(land > 0) {
		return
	}
	if land < leastCovered*c.Outline {
		c.Covered = float64(land / c.Outline)
	}
	for _, l := range c.Layers {
		whole, sum := max(land, sumOf(l.Overlaps)), sumOf(l.Overlaps)
		if slices.Contains(tiling[:], Base(l.Layer)) && sum >= leastTiled*land {
			whole = sum
		}
		if IsOwn(l.Layer) || whole >= leastCovered*c.Outline {
			continue
		}
		for i := range l.Overlaps {
			l.Overlaps[i].PercentOfCode = min(percentOf(l.Overlaps[i].Intersection, whole), 100)
		}
	}
}

func sumOf(list []Overlap) (sum geo.SquareMeters) {
	for i := range list {
		sum += list[i].Intersection
	}
	return sum
}

// Known reports whether the code was compared with the layers. It is false for
// a code without a point, and if the dataset has no overlaps.
func (c CodeOverlaps) Known() bool { return c.Layers != nil }

// AtPoint reports whether the areas are those that contain the code's point.
func (c CodeOverlaps) AtPoint() bool { return c.Known() && c.Outline == 0 }

// Of returns the overlaps with a layer, or nil if there are none.
func (c CodeOverlaps) Of(id ID) []Overlap {
	for _, l := range c.Layers {
		if l.Layer == id {
			return l.Overlaps
		}
	}
	return nil
}

// ZIPOverlaps reads the overlaps of a ZIP Code's outline with the areas of
// every layer of the United States. For a ZIP Code without an outline, it reads
// the areas that contain the point. PO Box, unique and military ZIP Codes have
// the outline of the ZIP Code Tabulation Area of the same code, which
// [Reader.ZIPAreas] leaves out. The result is empty if [CodeOverlaps.Known] is
// false.
func (d *Reader) ZIPOverlaps(ctx context.Context, z dataset.ZIP) (CodeOverlaps, error) {
	return d.overlaps(ctx, codes.US, &d.zipOverlaps, zipOverlapRows, uint32(z))
}

// FSAOverlaps reads the overlaps of a forward sortation area's outline with the
// areas of every layer of Canada. It is like [Reader.ZIPOverlaps].
func (d *Reader) FSAOverlaps(ctx context.Context, f dataset.FSA) (CodeOverlaps, error) {
	return d.overlaps(ctx, codes.CA, &d.fsaOverlaps, fsaOverlapRows, uint32(f))
}

func (d *Reader) overlaps(ctx context.Context, in codes.Country, set *file.CodeSet, table *file.RowKind, code uint32) (CodeOverlaps, error) {
	if err := d.file.Load(ctx, SectionOverlaps|d.layersOf(in)); err != nil {
		return CodeOverlaps{}, err
	}
	if _, ok := set.Row(code); !ok {
		return CodeOverlaps{}, d.file.Usable()
	}
	c, err := file.ReadRow(ctx, d.file, table, int64(code), func(payload []byte) (CodeOverlaps, error) { return DecodeOverlaps(d, payload) })
	if err != nil {
		return CodeOverlaps{}, err
	}
	if len(d.added) > 0 {
		n := CodeNumber(code)
		if in == codes.CA {
			n += dataset.NumZIPs
		}
		err = d.appendAdded(ctx, &c, in, n)
	}
	c.leaveOutWater(d)
	return c, err
}

// Intersections are stored in square centimeters.
const overlapUnits = 1e4

// EncodeOverlaps writes the extent of the code's outline, 0 without one, and
// the number of overlaps and of layers. For each layer it writes the layer's
// number and its number of overlaps. For each overlap it writes the area, the
// intersection and, in layers with residents, their number.
func EncodeOverlaps(c *CodeOverlaps, people func(ID) bool) []byte {
	var e file.Encoder
	e.Float(float64(c.Outline))
	total := 0
	for _, l := range c.Layers {
		total += len(l.Overlaps)
	}
	e.Uint(uint64(total))
	e.Uint(uint64(len(c.Layers)))
	for _, l := range c.Layers {
		e.Byte(byte(l.Layer))
		e.Uint(uint64(len(l.Overlaps)))
		for _, o := range l.Overlaps {
			e.Uint(uint64(o.Area))
			e.Int(int64(math.Round(float64(o.Intersection) * overlapUnits)))
			if people(l.Layer) {
				e.Uint(uint64(o.People))
			}
		}
	}
	return e.B
}

// DecodeOverlaps decodes the row of a code.
func DecodeOverlaps(d *Reader, payload []byte) (CodeOverlaps, error) {
	e := file.Decoder{B: payload}
	c := CodeOverlaps{Outline: geo.SquareMeters(e.Float())}
	if !possibleExtent(float64(c.Outline)) {
		return c, fmt.Errorf("its outline has %v m²", float64(c.Outline))
	}
	list := make([]Overlap, 0, e.Count())
	layers := e.Max(uint64(endOfIDs))
	c.Layers = make([]LayerOverlaps, 0, layers)
	for range layers {
		id := ID(e.Byte())
		l := d.Layer(id)
		if n := len(c.Layers); l == nil || n > 0 && id <= c.Layers[n-1].Layer {
			return c, fmt.Errorf("it refers to the layer %d, which is not there or out of order", uint8(id))
		}
		n, from := e.Count(), len(list)
		if n == 0 || n > cap(list)-from {
			return c, fmt.Errorf("%d overlaps with the layer %s after %d of %d", n, id, from, cap(list))
		}
		for range n {
			o := Overlap{Area: int(e.Max(uint64(l.Len() - 1)))}
			o.Intersection = geo.SquareMeters(float64(e.Int()) / overlapUnits)
			if l.info.People {
				o.People = int(e.Max(math.MaxInt32))
			}
			if c.Outline == 0 && o.Intersection != 0 {
				return c, fmt.Errorf("it shares %v m² and has no outline", float64(o.Intersection))
			}
			o.PercentOfCode = percentOf(o.Intersection, c.Outline)
			o.PercentOfArea = percentOf(o.Intersection, l.outline(o.Area))
			list = append(list, o)
		}
		if e.Err != nil {
			return c, e.Err
		}
		if of := list[from:]; !slices.IsSortedFunc(of, byIntersection) {
			return c, fmt.Errorf("the overlaps with the layer %s are not in order", id)
		}
		c.Layers = append(c.Layers, LayerOverlaps{id, list[from:len(list):len(list)]})
	}
	if len(list) != cap(list) && e.Err == nil {
		return c, fmt.Errorf("found %d overlaps, expected %d", len(list), cap(list))
	}
	return c, e.End()
}

// percentOf returns the percentage of a whole, or 0 if the whole is 0.
func percentOf(part, whole geo.SquareMeters) float64 {
	if !(whole > 0) {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

func byIntersection(p, q Overlap) int {
	return cmp.Or(cmp.Compare(q.Intersection, p.Intersection), cmp.Compare(q.People, p.People), cmp.Compare(p.Area, q.Area))
}

// A CodeOverlap is the intersection of the outlines of an area and a code.
type CodeOverlap[K dataset.ZIP | dataset.FSA] struct {
	Code K
	Overlap
	AtPoint bool // the code has no outline, and the area contains its point
}

// ZIPsIn reads the ZIP Codes whose outline meets an area of a layer, including
// every sliver, the largest part of the area first. Then come those without an
// outline whose point the area contains. The result is empty for a layer that
// the dataset does not have and a number that is not an area.
func (d *Reader) ZIPsIn(ctx context.Context, layer ID, area int) ([]CodeOverlap[dataset.ZIP], error) {
	if !In(layer, codes.US) {
		return nil, d.file.Usable()
	}
	return codesIn(ctx, d, layer, area, (*Reader).ZIPOverlaps)
}

// FSAsIn reads the forward sortation areas whose outline meets an area of a
// layer, as [Reader.ZIPsIn] does for ZIP Codes.
func (d *Reader) FSAsIn(ctx context.Context, layer ID, area int) ([]CodeOverlap[dataset.FSA], error) {
	if !In(layer, codes.CA) {
		return nil, d.file.Usable()
	}
	return codesIn(ctx, d, layer, area, (*Reader).FSAOverlaps)
}

func codesIn[K dataset.ZIP | dataset.FSA](
	ctx context.Context, d *Reader, id ID, area int, overlaps func(*Reader, context.Context, K) (CodeOverlaps, error),
) ([]CodeOverlap[K], error) {
	if err := d.file.Load(ctx, SectionOverlaps|id.Section()); err != nil {
		return nil, err
	}
	l := d.Layer(id)
	if area < 0 || area >= l.Len() || !l.hasCodes() {
		return nil, d.file.Usable()
	}
	codes, err := l.codesOf(ctx, area)
	if err != nil {
		return nil, err
	}
	list := make([]CodeOverlap[K], 0, len(codes))
	for _, number := range codes {
		code := K(number)
		if Added(id) {
			var ok bool
			if code, ok = codeOf[K](CodeNumber(number)); !ok {
				continue
			}
		}
		c, err := overlaps(d, ctx, code)
		if err != nil {
			return nil, err
		}
		of := c.Of(id)
		at := slices.IndexFunc(of, func(o Overlap) bool { return o.Area == area })
		if at < 0 {
			return nil, d.file.Damaged("%s: it names the code number %d, which does not meet %s", layerCodeRows.Noun(int64(id)), number, l.GEOID(area))
		}
		list = append(list, CodeOverlap[K]{code, of[at], c.AtPoint()})
	}
	slices.SortFunc(list, func(p, q CodeOverlap[K]) int {
		return cmp.Or(cmp.Compare(q.Intersection, p.Intersection), cmp.Compare(q.People, p.People), cmp.Compare(p.Code, q.Code))
	})
	return list, nil
}

// Codes are the codes that meet each area of a layer, one list after the
// other.
type Codes struct {
	starts []uint32 // of each list, and the end of the last
	Codes  []uint32 // of an added layer CodeNumbers

	parts  []part   // of an added layer, by position in Codes
	areas  []uint32 // areas of an added layer, by position in Codes
	byCode []uint32 // positions by code
}

func (l *Layer) hasCodes() bool {
	if Added(l.info.ID) {
		return true
	}
	set := &l.d.zipOverlaps
	if l.info.ID.Country() == codes.CA {
		set = &l.d.fsaOverlaps
	}
	return set.Count > 0
}

// codesOf returns the codes that meet an area, ascending. The first call reads
// those of the whole layer.
func (l *Layer) codesOf(ctx context.Context, area int) ([]uint32, error) {
	c, err := l.allCodes(ctx)
	if err != nil {
		return nil, err
	}
	return c.Codes[c.starts[area]:c.starts[area+1]], nil
}

func (l *Layer) allCodes(ctx context.Context) (*Codes, error) {
	c := l.codes.Load()
	if c == nil {
		l.loading.Lock()
		defer l.loading.Unlock()
		if c = l.codes.Load(); c == nil {
			var err error
			if c, err = file.ReadRow(ctx, l.d.file, layerCodeRows, int64(l.info.ID), l.DecodeCodes); err != nil {
				return nil, err
			}
			l.codes.Store(c)
		}
	}
	return c, nil
}

// encodeCodesOf writes for each area the number of its codes and the gaps between
// them.
func encodeCodesOf(codes [][]uint32) []byte {
	var b []byte
	for _, list := range codes {
		b = binary.AppendUvarint(b, uint64(len(list)))
		next := uint32(0)
		for _, c := range list {
			b = binary.AppendUvarint(b, uint64(c-next))
			next = c + 1
		}
	}
	return b
}

// DecodeCodes decodes the codes that meet each area.
func (l *Layer) DecodeCodes(payload []byte) (*Codes, error) {
	e, added := file.Decoder{B: payload}, Added(l.info.ID)
	first := CodeNumber(0) // of the layer's country
	if !added && l.info.ID.Country() == codes.CA {
		first = dataset.NumZIPs
	}
	c := &Codes{starts: make([]uint32, 1, l.Len()+1)}
	for i := range l.Len() {
		next := uint64(0)
		for range e.Count() {
			next += e.Max(math.MaxUint32)
			if next > math.MaxUint32 || !l.d.holds(first+CodeNumber(next)) {
				return nil, fmt.Errorf("%s: it names the code number %d, which has no overlaps", l.GEOID(i), next)
			}
			c.Codes = append(c.Codes, uint32(next))
			if added {
				p := part{geo.SquareMeters(float64(e.Int()) / overlapUnits), int32(e.Max(math.MaxInt32))}
				c.parts, c.areas = append(c.parts, p), append(c.areas, uint32(i))
			}
			next++
		}
		if e.Err != nil {
			return nil, fmt.Errorf("%s: %w", l.GEOID(i), e.Err)
		}
		c.starts = append(c.starts, uint32(len(c.Codes)))
	}
	c.Codes = slices.Clip(c.Codes)
	if added {
		c.sortByCode()
	}
	return c, e.End()
}
