package layers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A CodeNumber is a ZIP Code or a forward sortation area.
type CodeNumber uint32

// NumberOf returns the number of a code.
func NumberOf[K dataset.ZIP | dataset.FSA](code K) CodeNumber {
	if f, ok := any(code).(dataset.FSA); ok {
		return CodeNumber(dataset.NumZIPs) + CodeNumber(f)
	}
	return CodeNumber(code)
}

// codeOf returns the code of a number; ok is false if it is of the other kind.
func codeOf[K dataset.ZIP | dataset.FSA](n CodeNumber) (code K, ok bool) {
	if _, fsa := any(code).(dataset.FSA); fsa {
		return K(n - dataset.NumZIPs), n >= dataset.NumZIPs
	}
	return K(n), n < dataset.NumZIPs
}

// A Shared is the common part of a code and an area of an added layer.
type Shared struct {
	Code         CodeNumber
	Area         int
	Intersection geo.SquareMeters
	People       int
}

// encodeShared writes for each area the number of its codes. For each code follow
// the gap to the one before, the intersection and the people.
func (l *layerWriter) encodeShared(list []Shared) ([]byte, error) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(x, y Shared) int { return cmp.Or(cmp.Compare(x.Area, y.Area), cmp.Compare(x.Code, y.Code)) })
	var e file.Encoder
	for area := range l.areas {
		n := 0
		for n < len(list) && list[n].Area == area {
			n++
		}
		e.Uint(uint64(n))
		next := CodeNumber(0)
		for _, s := range list[:n] {
			switch {
			case s.Code < next:
				return nil, fmt.Errorf("the area %s was given twice for a code", l.areas[area].GEOID)
			case !possibleExtent(math.Abs(float64(s.Intersection))), s.People < 0 || s.People > math.MaxInt32:
				return nil, fmt.Errorf("the area %s shares %v m² and %d people", l.areas[area].GEOID, float64(s.Intersection), s.People)
			}
			e.Uint(uint64(s.Code - next))
			e.Int(int64(math.Round(float64(s.Intersection) * overlapUnits)))
			e.Uint(uint64(s.People))
			next = s.Code + 1
		}
		list = list[n:]
	}
	if len(list) > 0 {
		return nil, fmt.Errorf("the area number %d; expected 0 to %d", list[0].Area, len(l.areas)-1)
	}
	return e.B, nil
}

// A part is the common part of a code and an area.
type part struct {
	intersection geo.SquareMeters
	people       int32
}

// sortByCode orders the positions of an added layer by code.
func (c *Codes) sortByCode() {
	c.byCode = make([]uint32, len(c.Codes))
	for i := range c.byCode {
		c.byCode[i] = uint32(i)
	}
	slices.SortFunc(c.byCode, func(x, y uint32) int { return cmp.Or(cmp.Compare(c.Codes[x], c.Codes[y]), cmp.Compare(x, y)) })
}

// holds reports whether a code was compared with layers.
func (d *Reader) holds(n CodeNumber) bool {
	if z, ok := codeOf[dataset.ZIP](n); ok {
		return d.zipOverlaps.Has(uint32(z))
	}
	f, _ := codeOf[dataset.FSA](n)
	return d.fsaOverlaps.Has(uint32(f))
}

// appendAdded adds the overlaps of a code with the layers that users added, which
// have the last numbers.
func (d *Reader) appendAdded(ctx context.Context, c *CodeOverlaps, in codes.Country, n CodeNumber) error {
	for _, l := range d.added {
		if !In(l.info.ID, in) {
			continue
		}
		codes, err := l.allCodes(ctx)
		if err != nil {
			return err
		}
		from, have := slices.BinarySearchFunc(codes.byCode, uint32(n), func(i, n uint32) int { return cmp.Compare(codes.Codes[i], n) })
		if !have {
			continue
		}
		var list []Overlap
		for _, i := range codes.byCode[from:] {
			if codes.Codes[i] != uint32(n) {
				break
			}
			p, area := codes.parts[i], int(codes.areas[i])
			list = append(list, Overlap{
				Area: area, Intersection: p.intersection, People: int(p.people),
				PercentOfCode: percentOf(p.intersection, c.Outline), PercentOfArea: percentOf(p.intersection, l.outline(area)),
			})
		}
		slices.SortFunc(list, byIntersection)
		c.Layers = append(c.Layers, LayerOverlaps{l.info.ID, list})
	}
	return nil
}
