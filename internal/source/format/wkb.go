package format

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// Types of geometries in well-known binary. Types with heights are larger by 1000,
// with measures by 2000, with both by 3000.
const (
	wkbPoint           = 1
	wkbLine            = 2
	wkbPolygon         = 3
	wkbMultiPoint      = 4
	wkbMultiLine       = 5
	wkbMultiPolygon    = 6
	wkbWithMore        = 1000
	wkbWithBoth        = 3
	ewkbHeights        = 1 << 31 // PostGIS marks them by bits
	ewkbMeasures       = 1 << 30
	ewkbReference      = 1 << 29
	wkbByte, wkbNumber = 8, 4
)

var errWKBShort = errors.New("the well-known binary ends early")

// A wkbReader reads well-known binary (ISO 19125) and the extended form of PostGIS.
type wkbReader struct {
	b     []byte
	order binary.ByteOrder
}

// parseWKB reads a geometry: polygons, or lines, which points are with one vertex.
func parseWKB(b []byte) (m orb.MultiPolygon, lines orb.MultiLineString, err error) {
	r := wkbReader{b: b}
	kind, size, err := r.head()
	if err != nil {
		return nil, nil, err
	}
	part, several := kind, 1
	switch kind {
	case wkbMultiPoint, wkbMultiLine, wkbMultiPolygon:
		part = kind - wkbMultiPoint + wkbPoint
		if several, err = r.count(1 + wkbNumber); err != nil {
			return nil, nil, err
		}
	}
	for range several {
		if part != kind {
			var of int
			if of, size, err = r.head(); err == nil && of != part {
				err = fmt.Errorf("a geometry of type %d within one of type %d", of, kind)
			}
			if err != nil {
				return nil, nil, err
			}
		}
		switch part {
		case wkbPoint:
			var at []orb.Point
			if at, err = r.points(1, size); err == nil && !math.IsNaN(at[0][0]) { // as empty points have
				lines = append(lines, at)
			}
		case wkbLine:
			var at []orb.Point
			if at, err = r.vertices(size); len(at) > 0 {
				lines = append(lines, at)
			}
		case wkbPolygon:
			var p orb.Polygon
			if p, err = r.polygon(size); len(p) > 0 {
				m = append(m, p)
			}
		default:
			err = fmt.Errorf("the geometry has the type %d of well-known binary; expected polygons, lines or points", kind)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if len(r.b) > 0 {
		return nil, nil, fmt.Errorf("%d bytes follow the well-known binary", len(r.b))
	}
	return m, lines, nil
}

// head reads the order of bytes and the type, and the size of a vertex in bytes.
func (r *wkbReader) head() (kind, size int, err error) {
	if len(r.b) < 1+wkbNumber {
		return 0, 0, errWKBShort
	}
	switch r.b[0] {
	case 0:
		r.order = binary.BigEndian
	case 1:
		r.order = binary.LittleEndian
	default:
		return 0, 0, fmt.Errorf("byte %d begins the geometry, expected 0 or 1 of well-known binary", r.b[0])
	}
	n := r.order.Uint32(r.b[1:])
	r.b = r.b[1+wkbNumber:]
	numbers := 2
	for _, bit := range []uint32{ewkbHeights, ewkbMeasures} {
		if n&bit != 0 {
			numbers++
		}
	}
	if n&ewkbReference != 0 {
		if len(r.b) < wkbNumber {
			return 0, 0, errWKBShort
		}
		r.b = r.b[wkbNumber:]
	}
	n &^= ewkbHeights | ewkbMeasures | ewkbReference
	switch n / wkbWithMore {
	case 0:
	case 1, 2:
		numbers++
	case wkbWithBoth:
		numbers += 2
	default:
		return 0, 0, fmt.Errorf("%d is not a type of well-known binary", n)
	}
	return int(n % wkbWithMore), numbers * wkbByte, nil
}

// count reads how many parts follow, of at least so many bytes each.
func (r *wkbReader) count(least int) (int, error) {
	if len(r.b) < wkbNumber {
		return 0, errWKBShort
	}
	n := int64(r.order.Uint32(r.b))
	r.b = r.b[wkbNumber:]
	if n*int64(least) > int64(len(r.b)) {
		return 0, errWKBShort
	}
	return int(n), nil
}

func (r *wkbReader) points(n, size int) ([]orb.Point, error) {
	if len(r.b) < n*size {
		return nil, errWKBShort
	}
	out := make([]orb.Point, n)
	for i := range out {
		b := r.b[i*size:]
		out[i] = orb.Point{math.Float64frombits(r.order.Uint64(b)), math.Float64frombits(r.order.Uint64(b[wkbByte:]))}
	}
	r.b = r.b[n*size:]
	return out, nil
}

func (r *wkbReader) vertices(size int) ([]orb.Point, error) {
	n, err := r.count(size)
	if err != nil {
		return nil, err
	}
	return r.points(n, size)
}

func (r *wkbReader) polygon(size int) (p orb.Polygon, err error) {
	n, err := r.count(wkbNumber)
	if err != nil {
		return nil, err
	}
	for range n {
		ring, err := r.vertices(size)
		if err != nil {
			return nil, err
		}
		p = append(p, ring)
	}
	return p, nil
}
