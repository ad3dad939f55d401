package packed

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
)

// A packed index of polygons (package geo) has a header, shapes, rings, chunks of
// up to 32 edges, and their vertices as bits. The filter keeps the vertices as one
// list of rings. Most edges belong to two areas, so runs of vertices repeat,
// usually in the opposite direction; a repeated run is a reference.
const (
	outlineMagic   = "PGPI\x01\x00\x00\x00"
	outlineHead    = 32
	outlineShape   = 32
	outlineRing    = 4
	outlineChunk   = 41
	outlinePadding = 8
	chunkBox       = 16 // offset of the box in a chunk
	chunkEdges     = 32 // offset of the number of edges
	keptBytes      = outlineChunk - 16
)

// recent is the number of vertices that references reach back.
const recent = 1 << 19

// batch is the number of vertices of a block.
const batch = 1 << 16

// shortest is the least number of vertices of a reference.
const shortest = 3

type vertex struct{ x, y int32 }

// outlineParts returns the offsets of the parts of a packed index.
func outlineParts(head []byte, size int) (shapes, rings, chunks int, ok bool) {
	shapes, rings, chunks = int(le32(head[12:])), int(le32(head[16:])), int(le32(head[20:]))
	vertices := binary.LittleEndian.Uint64(head[24:])
	want := uint64(outlineHead) + uint64(shapes)*outlineShape + uint64(rings)*outlineRing + uint64(chunks)*outlineChunk + outlinePadding + vertices
	return shapes, rings, chunks, string(head[:8]) == outlineMagic && vertices <= uint64(size) && want == uint64(size)
}

func stride(w, h uint32) (wBits, all int) {
	wBits, all = bits.Len32(w), bits.Len32(w)+bits.Len32(h)
	if all > 57 {
		all = 64
	}
	return wBits, all
}

// filterOutline returns the filtered form, and false for bytes that do not come
// back exactly.
func filterOutline(data []byte) ([]byte, bool) {
	if len(data) < outlineHead {
		return nil, false
	}
	shapes, rings, chunks, ok := outlineParts(data, len(data))
	if !ok {
		return nil, false
	}
	ringsAt := outlineHead + shapes*outlineShape
	chunksAt := ringsAt + rings*outlineRing
	at, list := chunksAt+chunks*outlineChunk, make([]vertex, 0, len(data)/3)
	next := chunksAt
	for i := range rings {
		for range le32(data[ringsAt+i*outlineRing:]) {
			if next == chunksAt+chunks*outlineChunk {
				return nil, false
			}
			c := data[next:]
			next += outlineChunk
			x, y, w, h := int32(le32(c[16:])), int32(le32(c[20:])), le32(c[24:]), le32(c[28:])
			wBits, n := stride(w, h)
			edges := int(c[chunkEdges])
			if at+((edges+1)*n+7)/8+outlinePadding > len(data) {
				return nil, false
			}
			for k := range edges { // the last vertex is the first of the next chunk
				word := binary.LittleEndian.Uint64(data[at+k*n/8:]) >> (k * n & 7)
				list = append(list, vertex{x + int32(word&(1<<wBits-1)), y + int32(word>>wBits&(1<<bits.Len32(h)-1))})
			}
			at += ((edges+1)*n + 7) / 8
		}
	}
	out := bytes.Clone(data[:chunksAt])
	for k := range outlineChunk {
		if k >= chunkBox && k < chunkEdges {
			continue
		}
		for i := range chunks {
			out = append(out, data[chunksAt+i*outlineChunk+k])
		}
	}
	out = appendVertices(out, list)
	r, back := newReader(out), make(memory, len(data))
	return out, readOutline(r, back, len(data)) == nil && r.end() == nil && bytes.Equal(back, data)
}

// appendVertices appends the vertices in blocks. A block has its operations, and
// the steps to its literal vertices by their bytes.
func appendVertices(out []byte, list []vertex) []byte {
	last := make(map[vertex]int32, min(len(list), recent))
	var ops, steps []byte
	var literals []vertex
	var from vertex
	pending, covered := 0, 0
	flush := func() {
		ops = binary.AppendUvarint(ops, uint64(pending))
		pending = 0
		out = binary.AppendUvarint(out, uint64(len(ops)))
		out = append(out, ops...)
		steps = steps[:0]
		for _, v := range literals {
			steps = binary.LittleEndian.AppendUint32(steps, uint32(v.x))
			steps = binary.LittleEndian.AppendUint32(steps, uint32(v.y))
		}
		for k := range 8 {
			for i := k; i < len(steps); i += 8 {
				out = append(out, steps[i])
			}
		}
		ops, literals, covered = ops[:0], literals[:0], 0
	}
	for i := 0; i < len(list); {
		length, op := longest(list, i, last)
		length = min(length, batch-covered)
		if length >= shortest {
			ops = binary.AppendUvarint(ops, uint64(pending))
			ops = binary.AppendUvarint(ops, uint64(length))
			ops = binary.AppendUvarint(ops, op)
			pending = 0
		} else {
			length = 1
			v := list[i]
			literals = append(literals, vertex{int32(zigzag(v.x - from.x)), int32(zigzag(v.y - from.y))})
			pending++
		}
		for k := range length {
			last[list[i+k]] = int32(i + k)
		}
		i, covered, from = i+length, covered+length, list[i+length-1]
		if covered == batch || i == len(list) {
			flush()
		}
	}
	return out
}

// longest returns the longest run from i on that occurred before, and its
// distance times two, plus one if it runs in the opposite direction.
func longest(list []vertex, i int, last map[vertex]int32) (length int, op uint64) {
	c, ok := last[list[i]]
	j := int(c)
	if !ok || i-j >= recent-batch {
		return 0, 0
	}
	forward, backward := 0, 0
	for i+forward < len(list) && list[i+forward] == list[j+forward] {
		forward++
	}
	for i+backward < len(list) && j-backward >= 0 && i-(j-backward) < recent-batch && list[i+backward] == list[j-backward] {
		backward++
	}
	if backward > forward {
		return backward, uint64(i-j)<<1 | 1
	}
	return forward, uint64(i-j) << 1
}

// A vertexReader returns the vertices of blocks.
type vertexReader struct {
	r     *reader
	list  []vertex // the recent ones: vertex i is at i % recent
	have  int      // vertices that were read
	taken int
	total int
	from  vertex
}

func (v *vertexReader) next() vertex {
	if v.taken == v.have {
		if v.block(); v.r.err != nil {
			return vertex{}
		}
	}
	v.taken++
	return v.list[(v.taken-1)%recent]
}

// block reads a block.
func (v *vertexReader) block() {
	r, end := v.r, min(v.have+batch, v.total)
	if v.have == v.total {
		r.err = errStream
	}
	ops := newReader(r.take(int(r.uint(8 * batch))))
	type run struct{ literals, length, op uint64 }
	var runs []run
	literals, n := uint64(0), v.have
	for n < end && r.err == nil && ops.err == nil {
		u := run{literals: ops.uint(uint64(end - n))}
		n += int(u.literals)
		literals += u.literals
		if n < end {
			u.length, u.op = ops.uint(uint64(end-n)), ops.uint(2*recent)
			if back := u.op >> 1; u.length == 0 || back == 0 || back > uint64(n) || u.op&1 == 1 && back+u.length-1 > min(uint64(n), recent-batch) {
				r.err = errStream
			}
			n += int(u.length)
			if n == end && ops.uint(0) != 0 { // no literals follow
				r.err = errStream
			}
		}
		runs = append(runs, u)
	}
	steps := r.take(int(literals) * 8)
	if r.err == nil {
		r.err = ops.end()
	}
	if r.err != nil {
		return
	}
	i, count := 0, int(literals)
	part := func(k int) uint32 {
		return uint32(steps[k*count+i]) | uint32(steps[(k+1)*count+i])<<8 | uint32(steps[(k+2)*count+i])<<16 | uint32(steps[(k+3)*count+i])<<24
	}
	for _, u := range runs {
		for range u.literals {
			v.from = vertex{v.from.x + unzigzag(part(0)), v.from.y + unzigzag(part(4))}
			v.list[v.have%recent] = v.from
			i, v.have = i+1, v.have+1
		}
		at, step := v.have-int(u.op>>1), 1-2*int(u.op&1)
		for range u.length {
			v.from = v.list[at%recent]
			v.list[v.have%recent] = v.from
			at, v.have = at+step, v.have+1
		}
	}
}

// readOutline is the inverse of filterOutline for size bytes.
func readOutline(r *reader, to io.WriterAt, size int) error {
	if size < outlineHead || size > maxFiltered {
		return errStream
	}
	head := r.take(outlineHead)
	if r.err != nil {
		return r.fault()
	}
	shapes, rings, chunks, ok := outlineParts(head, size)
	if !ok {
		return errStream
	}
	rest := r.take(shapes*outlineShape + rings*outlineRing)
	kept := r.take(chunks * keptBytes)
	if r.err != nil {
		return r.fault()
	}
	v := &vertexReader{r: r, list: make([]vertex, recent)}
	for _, edges := range kept[16*chunks : 17*chunks] {
		v.total += int(edges)
	}
	at := int64(len(head) + len(rest))
	w := &outlineWriter{kept: kept, number: chunks, chunks: cursor{to: to, at: at}, vertices: cursor{to: to, at: at + int64(chunks)*outlineChunk}, end: int64(size) - outlinePadding}
	if _, err := to.WriteAt(append(head, rest...), 0); err != nil {
		return err
	}
	for i := range rings {
		if err := w.ring(v, le32(rest[shapes*outlineShape+i*outlineRing:])); err != nil {
			return err
		}
	}
	if w.chunk != chunks || v.taken != v.total || w.vertices.end() != w.end {
		return errStream
	}
	w.vertices.b = append(w.vertices.b, make([]byte, outlinePadding)...)
	if err := w.chunks.flush(); err != nil {
		return err
	}
	return w.vertices.flush()
}

// A cursor writes from an offset on.
type cursor struct {
	to io.WriterAt
	at int64
	b  []byte
}

func (c *cursor) end() int64 { return c.at + int64(len(c.b)) }

func (c *cursor) flush() error {
	_, err := c.to.WriteAt(c.b, c.at)
	c.at, c.b = c.end(), c.b[:0]
	return err
}

// An outlineWriter writes chunks and their vertices.
type outlineWriter struct {
	kept             []byte
	number, chunk    int // of chunks, of the next one
	chunks, vertices cursor
	end              int64 // of the vertices
	list             []vertex
}

// ring writes the chunks of a ring, whose last vertex is its first one.
func (w *outlineWriter) ring(v *vertexReader, chunks uint32) error {
	var first, last vertex
	for i := range chunks {
		if w.chunk == w.number {
			return errStream
		}
		edges := int(w.kept[16*w.number+w.chunk])
		w.list = w.list[:0]
		if i > 0 {
			w.list = append(w.list, last)
		}
		for len(w.list) < edges && v.r.err == nil {
			w.list = append(w.list, v.next())
		}
		if i == 0 && edges > 0 {
			first = w.list[0]
		}
		if last = first; i+1 < chunks && v.r.err == nil {
			last = v.next()
		}
		if v.r.err != nil {
			return v.r.fault()
		}
		w.list = append(w.list, last)
		if err := w.pack(); err != nil {
			return err
		}
	}
	return nil
}

// pack writes the chunk of the listed vertices.
func (w *outlineWriter) pack() error {
	lo, hi := w.list[0], w.list[0]
	for _, v := range w.list {
		lo = vertex{min(lo.x, v.x), min(lo.y, v.y)}
		hi = vertex{max(hi.x, v.x), max(hi.y, v.y)}
	}
	width, height := uint32(hi.x-lo.x), uint32(hi.y-lo.y)
	wBits, n := stride(width, height)
	size := (len(w.list)*n + 7) / 8
	if w.vertices.end()+int64(size) > w.end {
		return errStream
	}
	for k := range outlineChunk {
		switch {
		case k < chunkBox:
			w.chunks.b = append(w.chunks.b, w.kept[k*w.number+w.chunk])
		case k == chunkBox:
			for _, v := range [...]uint32{uint32(lo.x), uint32(lo.y), width, height} {
				w.chunks.b = binary.LittleEndian.AppendUint32(w.chunks.b, v)
			}
		case k >= chunkEdges:
			w.chunks.b = append(w.chunks.b, w.kept[(k-16)*w.number+w.chunk])
		}
	}
	var words [256*8 + 16]byte
	for i, v := range w.list {
		to := words[i*n/8:]
		word := uint64(v.x-lo.x) | uint64(v.y-lo.y)<<wBits
		binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(to)|word<<(i*n&7))
	}
	w.vertices.b = append(w.vertices.b, words[:size]...)
	w.chunk++
	for _, c := range [...]*cursor{&w.chunks, &w.vertices} {
		if len(c.b) > 1<<16 {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}
