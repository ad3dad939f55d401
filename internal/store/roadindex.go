package store

import (
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A roadKey is a row of the index of an area: the key of a road, its place, and its bounding
// box in 255ths of the area's. Keys ascend.
type roadKey struct {
	Key string
	roadPlace
	Box smallBox
}

// A roadPlace is the place of a road in the pages of its area.
type roadPlace struct {
	Page uint32
	Slot uint16
}

// The columns of a roadKey.
const (
	columnRoadKey = iota
	columnRoadPage
	columnRoadSlot
	columnRoadBox
)

// A smallBox is a box in 255ths of another.
type smallBox struct{ South, West, North, East uint8 }

// A roadIndex lists the roads of an area.
type roadIndex struct {
	*file.Table
	boxes []lanes
}

// The lanes of a box hold its sides in 16 bits each, so that all are compared at once.
type lanes uint64

// lanes returns the lanes of a box; low sides are inverted.
func (b smallBox) lanes() lanes {
	return lanes(255-b.South) | lanes(255-b.West)<<16 | lanes(b.North)<<32 | lanes(b.East)<<48
}

// box reverses [smallBox.lanes].
func (l lanes) box() smallBox {
	return smallBox{255 - uint8(l), 255 - uint8(l>>16), uint8(l >> 32), uint8(l >> 48)}
}

var roadIndexRows = &file.RowKind{Name: "road_index", Noun: func(id int64) string {
	return fmt.Sprintf("the index of the roads of %s", RoadArea(id))
}}

func decodeRoadIndex(payload []byte) (*roadIndex, error) {
	t, err := file.DecodeTable[roadKey](payload)
	if err != nil {
		return nil, err
	}
	x := &roadIndex{t, make([]lanes, t.Rows)}
	for i := range x.boxes {
		var side [4]uint8
		for k := range side {
			n, _ := t.Number(columnRoadBox+k, i)
			side[k] = uint8(n)
		}
		x.boxes[i] = smallBox{side[0], side[1], side[2], side[3]}.lanes()
	}
	return x, nil
}

// key returns the key of a road.
func (x *roadIndex) key(i int) string { return x.Text(columnRoadKey, i) }

func (x *roadIndex) place(i int) roadPlace {
	page, _ := x.Number(columnRoadPage, i)
	slot, _ := x.Number(columnRoadSlot, i)
	return roadPlace{uint32(page), uint16(slot)}
}

// find returns the range of the roads with a key.
func (x *roadIndex) find(key string) (from, to int) {
	from, _ = x.Find(columnRoadKey, key)
	for to = from; to < x.Rows && x.key(to) == key; to++ {
	}
	return from, to
}

// meeting yields the roads whose boxes meet a window.
func (x *roadIndex) meeting(window smallBox) iter.Seq[int] {
	const high = 0x8000_8000_8000_8000
	return func(yield func(int) bool) {
		// The least lanes of boxes that meet the window: no lane of the others is below them.
		least := smallBox{window.North, window.East, window.South, window.West}.lanes()
		for i, box := range x.boxes {
			if (box|high-least)&high == high && !yield(i) {
				return
			}
		}
	}
}

// scaled returns a box within another in 255ths, rounded outwards.
func (b cellBox) scaled(in cellBox) smallBox {
	down := func(v, low, high int32) uint8 {
		return uint8(int64(v-low) * 255 / max(int64(high)-int64(low), 1))
	}
	up := func(v, low, high int32) uint8 {
		span := max(int64(high)-int64(low), 1)
		return uint8((int64(v-low)*255 + span - 1) / span)
	}
	return smallBox{
		down(b.Low.Lat, in.Low.Lat, in.High.Lat), down(b.Low.Lng, in.Low.Lng, in.High.Lng),
		up(b.High.Lat, in.Low.Lat, in.High.Lat), up(b.High.Lng, in.Low.Lng, in.High.Lng),
	}
}

// unscaled returns the box whose form in 255ths of the area's is given; it holds
// the original one.
func (b cellBox) unscaled(of smallBox) cellBox {
	down := func(v uint8, low, high int32) int32 {
		return low + int32(int64(v)*(int64(high)-int64(low))/255)
	}
	up := func(v uint8, low, high int32) int32 {
		return low + int32((int64(v)*(int64(high)-int64(low))+254)/255)
	}
	return cellBox{
		cell{down(of.South, b.Low.Lat, b.High.Lat), down(of.West, b.Low.Lng, b.High.Lng)},
		cell{up(of.North, b.Low.Lat, b.High.Lat), up(of.East, b.Low.Lng, b.High.Lng)},
	}
}

// window returns the part of a box within b in 255ths of b, rounded outwards.
func (b cellBox) window(in cellBox) smallBox {
	at := func(v, low, high int32, out int64) uint8 {
		return uint8(min(max(int64(v-low)*255/max(int64(high)-int64(low), 1)+out, 0), 255))
	}
	return smallBox{
		at(in.Low.Lat, b.Low.Lat, b.High.Lat, -1), at(in.Low.Lng, b.Low.Lng, b.High.Lng, -1),
		at(in.High.Lat, b.Low.Lat, b.High.Lat, 1), at(in.High.Lng, b.Low.Lng, b.High.Lng, 1),
	}
}
