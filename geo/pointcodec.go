package geo

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrDamagedIndex is matched by every error that says that the packed form of
// an index is not what an encoder of this package wrote.
var ErrDamagedIndex = errors.New("geo: damaged index")

// AppendBinary appends the packed form of the index to dst: the order of the
// points in the tree, four bytes each, little-endian. The points themselves
// are not part of it. It never fails.
func (x *PointIndex) AppendBinary(dst []byte) ([]byte, error) {
	for i := range x.points {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(x.points[i].index))
	}
	return dst, nil
}

// DecodePointIndex returns the index that [NewPointIndex] makes of the points,
// sooner, from the packed form that [PointIndex.AppendBinary] made for the
// same points. Data that belong to other points or are damaged give an error
// that matches [ErrDamagedIndex], or an index that answers as exactly as any.
func DecodePointIndex(points []LatLng, data []byte) (*PointIndex, error) {
	valid := 0
	for _, p := range points {
		if p.IsValid() {
			valid++
		}
	}
	if len(data) != 4*valid {
		return nil, fmt.Errorf("%w: %d bytes for %d points, expected %d", ErrDamagedIndex, len(data), valid, 4*valid)
	}
	x := &PointIndex{points: make([]treePoint, valid), place: make([]int32, len(points)), leaves: leafCount(valid, leafPoints)}
	for i := range x.place {
		x.place[i] = -1
	}
	for i := range x.points {
		k := binary.LittleEndian.Uint32(data[4*i:])
		if uint64(k) >= uint64(len(points)) || x.place[k] >= 0 || !points[k].IsValid() {
			return nil, fmt.Errorf("%w: entry %d names point %d, which is not one of the %d or named before", ErrDamagedIndex, i, k, valid)
		}
		x.place[k] = int32(i)
		p := points[k]
		x.points[i] = treePoint{at: earthCentered(p), lat: p.Lat(), lng: p.lng, index: int32(k)}
	}
	if !x.summarize() {
		return nil, fmt.Errorf("%w: the order of its %d points is not that of a tree", ErrDamagedIndex, valid)
	}
	return x, nil
}
