package store

import (
	"fmt"
	"iter"
	"sort"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A roadIndex lists the streets of an area by their keys, with their places in the
// pages and their bounding boxes.
type roadIndex struct {
	keys   string
	ends   []uint32 // of the keys
	places []roadPlace
	order  []uint32        // the places by page
	boxes  []lanes         // of the order
	pages  []roadIndexPage // ascending
}

// A roadIndexPage is the end of a page in the order of an index, with the box around its
// streets.
type roadIndexPage struct {
	end uint32
	box smallBox
}

// The lanes of a box hold its sides in 16 bits each, so that all are compared at once.
type lanes uint64

// lanes returns the lanes of a box; low sides are inverted.
func (b smallBox) lanes() lanes {
	return lanes(255-b[0]) | lanes(255-b[1])<<16 | lanes(b[2])<<32 | lanes(b[3])<<48
}

// least returns the least lanes of the boxes that meet b.
func (b smallBox) least() lanes {
	return smallBox{b[2], b[3], b[0], b[1]}.lanes()
}

// reach reports whether no lane is below that of least.
func (l lanes) reach(least lanes) bool {
	const high = 0x8000_8000_8000_8000
	return (l|high-least)&high == high
}

// A roadPlace is the place of a street in a page, with its box in 255ths of the
// area's.
type roadPlace struct {
	page uint32
	slot uint16
	box  smallBox
}

// A smallBox is a box in 255ths of another: low latitude and longitude, high latitude
// and longitude.
type smallBox [4]uint8

var roadIndexRows = &file.RowKind{Name: "road_index", Noun: func(id int64) string {
	return fmt.Sprintf("the index of the roads of %s", RoadArea(id))
}}

// key returns the key of a street.
func (x *roadIndex) key(i int) string {
	if i == 0 {
		return x.keys[:x.ends[0]]
	}
	return x.keys[x.ends[i-1]:x.ends[i]]
}

// find returns the range of the streets with a key.
func (x *roadIndex) find(key string) (from, to int) {
	n := len(x.ends)
	from = sort.Search(n, func(i int) bool { return x.key(i) >= key })
	for to = from; to < n && x.key(to) == key; to++ {
	}
	return from, to
}

// add appends a street; keys ascend.
func (x *roadIndex) add(key string, at roadPlace) {
	x.keys += key
	x.ends = append(x.ends, uint32(len(x.keys)))
	x.places = append(x.places, at)
}

func (x *roadIndex) encode() []byte {
	var e file.Encoder
	e.Uint(uint64(len(x.ends)))
	last := ""
	for i, p := range x.places {
		key, shared := x.key(i), 0
		for shared < min(len(key), len(last)) && key[shared] == last[shared] {
			shared++
		}
		e.Uint(uint64(shared))
		e.Text(key[shared:])
		e.Uint(uint64(p.page))
		e.Uint(uint64(p.slot))
		e.B = append(e.B, p.box[:]...)
		last = key
	}
	return e.B
}

// decodeIndex reads the index of an area with so many pages.
func decodeIndex(payload []byte, pages int) (*roadIndex, error) {
	d := file.Decoder{B: payload}
	n := d.Count()
	x := &roadIndex{ends: make([]uint32, 0, n), places: make([]roadPlace, 0, n)}
	var keys []byte
	start := 0
	for i := 0; i < n && d.Err == nil; i++ {
		shared := d.Max(uint64(len(keys) - start))
		rest := d.Take(d.Max(maxRoadName * 4))
		from := len(keys)
		keys = append(append(keys, keys[start:start+int(shared)]...), rest...)
		if string(keys[from:]) < string(keys[start:from]) {
			d.Fail(errKeys)
		}
		start = from
		p := roadPlace{page: uint32(d.Max(uint64(pages - 1))), slot: uint16(d.Max(maxRoadsOfPage - 1))}
		copy(p.box[:], d.Take(uint64(len(p.box))))
		x.ends, x.places = append(x.ends, uint32(len(keys))), append(x.places, p)
	}
	if err := d.End(); err != nil {
		return nil, err
	}
	x.keys = string(keys)
	x.sortByPage(pages)
	return x, nil
}

// sortByPage orders the places by their pages, so that a search passes over most pages.
func (x *roadIndex) sortByPage(pages int) {
	n := len(x.places)
	x.order, x.boxes, x.pages = make([]uint32, n), make([]lanes, n), make([]roadIndexPage, pages)
	for i := range x.pages {
		x.pages[i].box = smallBox{255, 255, 0, 0}
	}
	for _, p := range x.places {
		page := &x.pages[p.page]
		page.end++
		b := &page.box
		*b = smallBox{min(b[0], p.box[0]), min(b[1], p.box[1]), max(b[2], p.box[2]), max(b[3], p.box[3])}
	}
	begin := uint32(0)
	for i := range x.pages {
		x.pages[i].end, begin = begin, begin+x.pages[i].end
	}
	for i, p := range x.places {
		end := &x.pages[p.page].end
		x.order[*end], x.boxes[*end] = uint32(i), p.box.lanes()
		*end++
	}
}

// meeting yields the places whose boxes meet a window.
func (x *roadIndex) meeting(window smallBox) iter.Seq[*roadPlace] {
	return func(yield func(*roadPlace) bool) {
		begin, least := uint32(0), window.least()
		for i := range x.pages {
			page := &x.pages[i]
			if page.box.lanes().reach(least) {
				for k, box := range x.boxes[begin:page.end] {
					if box.reach(least) && !yield(&x.places[x.order[int(begin)+k]]) {
						return
					}
				}
			}
			begin = page.end
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
		down(b.low.lat, in.low.lat, in.high.lat), down(b.low.lng, in.low.lng, in.high.lng),
		up(b.high.lat, in.low.lat, in.high.lat), up(b.high.lng, in.low.lng, in.high.lng),
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
		cell{down(of[0], b.low.lat, b.high.lat), down(of[1], b.low.lng, b.high.lng)},
		cell{up(of[2], b.low.lat, b.high.lat), up(of[3], b.low.lng, b.high.lng)},
	}
}

// window returns the part of a box within b in 255ths of b, rounded outwards.
func (b cellBox) window(in cellBox) smallBox {
	at := func(v, low, high int32, out int64) uint8 {
		return uint8(min(max(int64(v-low)*255/max(int64(high)-int64(low), 1)+out, 0), 255))
	}
	return smallBox{
		at(in.low.lat, b.low.lat, b.high.lat, -1), at(in.low.lng, b.low.lng, b.high.lng, -1),
		at(in.high.lat, b.low.lat, b.high.lat, 1), at(in.high.lng, b.low.lng, b.high.lng, 1),
	}
}
