package spatial

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/geo"
)

// ErrDamagedIndex indicates that the packed form of an index was not written by
// an encoder of this package.
var ErrDamagedIndex = errors.New("geo: damaged index")

// The packed form of an index of points is little-endian. It begins with a
// header and the order of the points in the tree. The splits of the inner nodes
// follow, from the root on, then the boxes of the leaves. Points are missing because the dataset
// has them already, in its rows. Decoding sorts nothing and computes no sine: it takes 10 ns a
// point, building the index 350.
const (
	pointMagic      = "PGPT"
	pointVersion    = 1
	pointHeaderSize = 4 + 3*4 // magic, version, points given, points of the tree
	pointOrderSize  = 4
	splitSize       = 8 + 1
	leafBoxSize     = 6 * 4
)

// pageBits is the binary logarithm of the number of points that a decoded index
// places at once. One search of a few miles needs a page or two, not the sines of 900,000 points.
const pageBits = 8

// AppendBinary appends the packed form of the index to dst, about six bytes a
// point. The points themselves are not part of it. It never fails.
func (x *PointIndex) AppendBinary(dst []byte) ([]byte, error) {
	dst = append(dst, pointMagic...)
	for _, v := range [...]int{pointVersion, len(x.place), len(x.points)} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	x.Load()
	for i := range x.points {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(x.points[i].index))
	}
	for _, s := range x.splits[1:] {
		dst = append(appendFloat(dst, s.at), s.axis)
	}
	for i := range x.boxes[x.leaves:] {
		b := &x.boxes[x.leaves+i]
		for _, v := range [...]float32{b.min[0], b.min[1], b.min[2], b.max[0], b.max[1], b.max[2]} {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
		}
	}
	return dst, nil
}

// DecodePointIndex returns the index of n points from the packed form that
// [PointIndex.AppendBinary] returned for the same points. The function at
// returns point i; it must always return the same and be safe for concurrent
// use. DecodePointIndex keeps at and data, which must not be changed.
//
// Decoding takes about ten nanoseconds a point. The positions in space are
// computed when a search needs them, or by [PointIndex.Load].
//
// Errors match [ErrDamagedIndex]. They are caused by data of another format or
// length, or with impossible numbers. Other damage makes results wrong, but
// nothing worse.
func DecodePointIndex(n int, at func(i int) geo.LatLng, data []byte) (*PointIndex, error) {
	if len(data) < pointHeaderSize || string(data[:4]) != pointMagic {
		return nil, fmt.Errorf("%w: %d data does not begin with %q", ErrDamagedIndex, len(data), pointMagic)
	}
	d := decoder{data: data[4:]}
	if v := d.uint32(); v != pointVersion {
		return nil, fmt.Errorf("%w: the index of points has version %d, expected %d", ErrDamagedIndex, v, pointVersion)
	}
	given, placed := d.uint32(), d.uint32()
	if uint64(given) != uint64(n) || placed > given {
		return nil, fmt.Errorf("%w: the index has %d of %d points, expected points of %d", ErrDamagedIndex, placed, given, n)
	}
	x := &PointIndex{place: make([]int32, n), leaves: leafCount(int(placed), leafPoints)}
	want := uint64(pointHeaderSize) + uint64(placed)*pointOrderSize + uint64(x.leaves-1)*splitSize + uint64(x.leaves)*leafBoxSize
	if uint64(len(data)) != want {
		return nil, fmt.Errorf("%w: the index of %d points has %d bytes, expected %d", ErrDamagedIndex, placed, len(data), want)
	}
	order := d.data[:int(placed)*pointOrderSize]
	d.data = d.data[len(order):]
	if err := x.decodeOrder(at, order); err != nil {
		return nil, err
	}
	if err := x.decodeNodes(&d); err != nil {
		return nil, err
	}
	x.points = make([]treePoint, placed)
	pages := (len(x.points) + 1<<pageBits - 1) >> pageBits
	x.pending = &pendingPoints{order: order, at: at, loaded: make([]atomic.Bool, pages)}
	x.pending.left.Store(int32(pages))
	return x, nil
}

// decodeOrder records the position of each point in the tree, and checks that
// every valid point has one.
func (x *PointIndex) decodeOrder(at func(int) geo.LatLng, order []byte) error {
	const unplaced, invalid = -1, -2
	valid := 0
	for i := range x.place {
		x.place[i] = invalid
		if at(i).IsValid() {
			x.place[i] = unplaced
			valid++
		}
	}
	if len(order) != valid*pointOrderSize {
		return fmt.Errorf("%w: the index has %d points, expected %d", ErrDamagedIndex, len(order)/pointOrderSize, valid)
	}
	for i := range valid {
		k := binary.LittleEndian.Uint32(order[pointOrderSize*i:])
		if uint64(k) >= uint64(len(x.place)) || x.place[k] != unplaced {
			return fmt.Errorf("%w: entry %d names point %d, which is not one of the %d or named before", ErrDamagedIndex, i, k, valid)
		}
		x.place[k] = int32(i)
	}
	return nil
}

// decodeNodes reads splits and boxes; the boxes of inner nodes hold those of
// their children.
func (x *PointIndex) decodeNodes(d *decoder) error {
	x.splits, x.boxes = make([]split, x.leaves), make([]spaceBox, 2*x.leaves)
	for n := 1; n < x.leaves; n++ {
		s := split{at: d.float64(), axis: d.data[0]}
		d.data = d.data[1:]
		if s.axis > 2 || math.IsNaN(s.at) {
			return fmt.Errorf("%w: node %d is split at %v along axis %d", ErrDamagedIndex, n, s.at, s.axis)
		}
		x.splits[n] = s
	}
	for n := x.leaves; n < len(x.boxes); n++ {
		b := &x.boxes[n]
		for i := range b.min {
			b.min[i] = d.float32()
		}
		for i := range b.max {
			b.max[i] = d.float32()
		}
		for i := range b.min {
			if b.min[i] != b.min[i] || b.max[i] != b.max[i] {
				return fmt.Errorf("%w: the box of node %d is invalid", ErrDamagedIndex, n)
			}
		}
	}
	for n := x.leaves - 1; n > 0; n-- {
		x.boxes[n] = x.boxes[2*n].union(&x.boxes[2*n+1])
	}
	return nil
}

// pendingPoints tracks the points of a decoded index that are not loaded.
//
// The lock guards the writes to PointIndex.points. Readers take no lock: a page is marked
// as loaded after its points are written, and left is counted down after that, so whoever sees
// the mark or left at 0 sees the points. Every search reaches points by within. Only
// those that within has returned are read by [PointIndex.at].
type pendingPoints struct {
	order  []byte // of the packed form: the point at each place of the tree
	at     func(int) geo.LatLng
	mu     sync.Mutex    // held while points are placed
	loaded []atomic.Bool // by page
	left   atomic.Int32  // pages that are not loaded; 0 spares searches the look at loaded
}

// within returns the points of a node, and loads them if need be.
func (x *PointIndex) within(s span) []treePoint {
	if x.pending != nil && x.pending.left.Load() > 0 {
		x.come(s)
	}
	return x.points[s.lo:s.hi]
}

// come loads the points of a node.
func (x *PointIndex) come(s span) {
	if s.lo == s.hi {
		return
	}
	for page := s.lo >> pageBits; page <= (s.hi-1)>>pageBits; page++ {
		if !x.pending.loaded[page].Load() {
			x.load(page)
		}
	}
}

func (x *PointIndex) load(page int32) {
	p := x.pending
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loaded[page].Load() {
		return
	}
	first := int(page) << pageBits
	for i := first; i < min(first+1<<pageBits, len(x.points)); i++ {
		k := binary.LittleEndian.Uint32(p.order[pointOrderSize*i:])
		at := p.at(int(k))
		x.points[i] = treePoint{at: earthCentered(at), lat: at.Lat(), lng: at.Lng(), index: int32(k)}
	}
	p.loaded[page].Store(true)
	p.left.Add(-1)
}

// Load computes everything that an index of [DecodePointIndex] otherwise
// computes on demand. It may be called at any time.
func (x *PointIndex) Load() { x.within(x.root()) }
