package format

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// A wkbReader reads well-known binary (ISO 19125) and the extended form of PostGIS into
// a shape. Package orb's decoder refuses heights and measures, which are left out here.
type wkbReader struct {
	b     []byte
	order binary.ByteOrder
	shape *Shape
}

var errWKB = errors.New("the well-known binary ends early or has bytes after its end")

// parseWKB reads polygons, or lines and points.
func (s *Shape) parseWKB(b []byte) error {
	r := wkbReader{b: b, shape: s}
	if err := r.geometry(0); err != nil {
		return err
	}
	if len(r.b) > 0 {
		return errWKB
	}
	return nil
}

// number reads a count of parts, of at least so many bytes each, or a type.
func (r *wkbReader) number(least int) (int, error) {
	if len(r.b) < 4 {
		return 0, errWKB
	}
	n := int64(r.order.Uint32(r.b))
	if r.b = r.b[4:]; n*int64(least) > int64(len(r.b)) {
		return 0, errWKB
	}
	return int(n), nil
}

// geometry reads a geometry, which must be of the type part if that is not 0.
func (r *wkbReader) geometry(part int) error {
	const point, line, polygon, multiPoint, multiPolygon = 1, 2, 3, 4, 6
	if len(r.b) == 0 || r.b[0] > 1 {
		return errWKB
	}
	r.order = binary.BigEndian
	if r.b[0] == 1 {
		r.order = binary.LittleEndian
	}
	r.b = r.b[1:]
	kind, err := r.number(0)
	if err != nil {
		return err
	}
	flags, kind := kind>>29, kind&(1<<29-1)
	if kind >= 4000 {
		return fmt.Errorf("%d is not a type of well-known binary", kind)
	}
	numbers := 2 + []int{0, 1, 1, 2}[kind/1000] + flags>>2&1 + flags>>1&1 // heights and measures, of both forms
	if flags&1 == 1 {
		if _, err := r.number(0); err != nil { // the reference system
			return err
		}
	}
	switch kind %= 1000; {
	case part != 0 && kind != part, kind < point || kind > multiPolygon:
		return fmt.Errorf("the geometry has the type %d of well-known binary; expected polygons, lines or points", kind)
	case kind >= multiPoint:
		n, err := r.number(5)
		for i := 0; i < n && err == nil; i++ {
			err = r.geometry(kind - multiPoint + point)
		}
		return err
	case kind == point:
		at, err := r.points(1, numbers)
		if err == nil && !math.IsNaN(at[0][0]) { // as empty points have
			r.shape.Lines = append(r.shape.Lines, at)
		}
		return err
	case kind == line:
		at, err := r.vertices(numbers)
		if len(at) > 0 {
			r.shape.Lines = append(r.shape.Lines, at)
		}
		return err
	}
	n, err := r.number(4)
	if err != nil {
		return err
	}
	var p orb.Polygon
	for range n {
		ring, err := r.vertices(numbers)
		if err != nil {
			return err
		}
		p = append(p, ring)
	}
	if len(p) > 0 {
		r.shape.Polygon = append(r.shape.Polygon, p)
	}
	return nil
}

func (r *wkbReader) vertices(numbers int) ([]orb.Point, error) {
	n, err := r.number(8 * numbers)
	if err != nil {
		return nil, err
	}
	return r.points(n, numbers)
}

func (r *wkbReader) points(n, numbers int) ([]orb.Point, error) {
	if len(r.b) < 8*numbers*n {
		return nil, errWKB
	}
	out := make([]orb.Point, n)
	for i := range out {
		out[i] = orb.Point{math.Float64frombits(r.order.Uint64(r.b)), math.Float64frombits(r.order.Uint64(r.b[8:]))}
		r.b = r.b[8*numbers:]
	}
	return out, nil
}
