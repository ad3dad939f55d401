package packed

import (
	"bytes"
	"encoding/binary"
	"io"
)

// Filters arrange the bytes of a segment so that they compress better. Each has an
// exact inverse.
const (
	filterNone     = iota
	filterPlanes   // rows of one width, by their bytes
	filterOutlines // a packed index of polygons
)

// maxFiltered is the most bytes of a segment with a filter. They are in memory.
const maxFiltered = 48 << 20

// filter returns the arrangement of a segment that compresses best, behind a byte
// that names it.
func filter(data []byte, width int, z *coder) []byte {
	if len(data) > maxFiltered {
		return append([]byte{filterNone}, data...)
	}
	if bytes.HasPrefix(data, []byte(outlineMagic)) {
		if b, ok := filterOutline(data); ok {
			return append([]byte{filterOutlines}, b...)
		}
	}
	best := append([]byte{filterNone}, data...)
	size := z.size(best)
	for _, w := range [...]int{width, 4} {
		if w < 2 || w > 255 || len(data) < 64 {
			continue
		}
		b := append([]byte{filterPlanes, byte(w)}, planes(data, w, z)...)
		if n := z.size(b); n < size {
			best, size = b, n
		}
	}
	return best
}

// planes appends byte 0 of each row, then byte 1 and so on. Each plane begins with
// 1 if it has the differences of its bytes, else with 0. The bytes behind the last
// whole row follow.
func planes(data []byte, w int, z *coder) []byte {
	rows := len(data) / w
	out := make([]byte, 0, len(data)+w)
	plane, steps := make([]byte, rows), make([]byte, rows)
	for k := range w {
		last := byte(0)
		for i := range plane {
			v := data[i*w+k]
			plane[i], steps[i] = v, v-last
			last = v
		}
		if z.size(steps) < z.size(plane) {
			out = append(append(out, 1), steps...)
		} else {
			out = append(append(out, 0), plane...)
		}
	}
	return append(out, data[rows*w:]...)
}

// readPlanes is the inverse of planes for size bytes.
func readPlanes(r *reader, size, w int) []byte {
	if w == 0 || size > maxFiltered {
		r.err = errStream
		return nil
	}
	rows := size / w
	var out []byte
	for k := range w {
		mode := r.uint(1)
		plane := r.take(rows)
		if r.err != nil {
			return nil
		}
		if k == 0 { // the first plane has arrived: the size is plausible
			out = make([]byte, size)
		}
		last := byte(0)
		for i, v := range plane {
			if mode == 1 {
				v += last
				last = v
			}
			out[i*w+k] = v
		}
	}
	r.fill(out[rows*w:])
	return out
}

// A sink takes a row, in order or by offsets.
type sink interface {
	io.WriteCloser
	io.WriterAt
}

// unfilter reads a segment of rows of the sizes and writes them. Only segments
// without a filter have several rows.
func unfilter(r *reader, sizes []uint32, row func(i int) (sink, error), buffer []byte) error {
	kind := r.uint(filterOutlines)
	if r.err == nil && kind != filterNone && len(sizes) != 1 {
		r.err = errStream
	}
	for i, size := range sizes {
		if r.err != nil {
			return r.fault()
		}
		w, err := row(i)
		if err != nil {
			return err
		}
		switch kind {
		case filterNone:
			var n int64
			if n, err = io.CopyBuffer(writer{w}, io.LimitReader(r.Reader, int64(size)), buffer); err == nil && n < int64(size) {
				err = errStream
			}
		case filterPlanes:
			b := readPlanes(r, int(size), int(r.uint(255)))
			if r.err == nil {
				_, err = w.Write(b)
			}
		default:
			err = readOutline(r, w, int(size))
		}
		if r.err != nil {
			return r.fault()
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			return err
		}
	}
	return r.fault()
}

func zigzag(v int32) uint32 { return uint32(v<<1) ^ uint32(v>>31) }

func unzigzag(v uint32) int32 { return int32(v>>1) ^ -int32(v&1) }

func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
