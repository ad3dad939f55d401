package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// A delta holds the frame of the new file. For each of its segments it has one of
// the following.
const (
	deltaNew  = iota // the filtered segment
	deltaSame        // the number of a segment of the old file with the same bytes
	deltaDiff        // the number of a segment of the old file, and the changes
)

// maxBase is the most bytes of several old rows that a pull keeps in memory.
const maxBase = 2 * segmentBytes

// WriteDelta writes the changes from the old file to the new one.
func WriteDelta(w io.Writer, was, is *File) error {
	columns, err := is.columns()
	if err != nil {
		return err
	}
	old, err := was.columns()
	if err != nil {
		return err
	}
	return is.coder.pack(w, func(z *zstd.Encoder) error {
		if _, err := z.Write(is.append(nil)); err != nil {
			return err
		}
		for _, g := range is.segments {
			b, err := deltaOf(was, is, g, old, columns)
			if err != nil {
				return err
			}
			if _, err := z.Write(b); err != nil {
				return err
			}
		}
		return nil
	})
}

// deltaOf returns the delta of a segment.
func deltaOf(was, is *File, g segment, old, columns []store.Column) ([]byte, error) {
	data, err := is.payload(g)
	if err != nil {
		return nil, err
	}
	n := counterpart(was, is, g, old, columns)
	if n >= 0 {
		base, err := was.payload(was.segments[n])
		switch h := was.segments[n]; {
		case err != nil:
			return nil, err
		case bytes.Equal(base, data) && h.to-h.from == g.to-g.from && slices.Equal(is.sizes(g), was.sizes(h)):
			return binary.AppendUvarint([]byte{deltaSame}, uint64(n)), nil
		case h.to-h.from == 1 || len(base) <= maxBase:
			changes := append(binary.AppendUvarint([]byte{deltaDiff}, uint64(n)), diff(base, data)...)
			b, err := is.filtered(g, columns)
			if err != nil || is.coder.size(changes) <= is.coder.size(b) {
				return changes, err
			}
			return append([]byte{deltaNew}, b...), nil
		}
	}
	b, err := is.filtered(g, columns)
	return append([]byte{deltaNew}, b...), err
}

func (s *File) sizes(g segment) []uint32 { return s.tables[g.table].sizes[g.from:g.to] }

// counterpart returns the number of the old segment that is closest to a new one,
// or -1.
func counterpart(was, is *File, g segment, old, columns []store.Column) int {
	t := &is.tables[g.table]
	for n, h := range was.segments {
		u := &was.tables[h.table]
		if u.name != t.name {
			continue
		}
		if t.name == store.ColumnRows.Name {
			if old[h.from].Name == columns[g.from].Name {
				return n
			}
			continue
		}
		if next := n + 1; u.ids[h.to-1] >= t.ids[g.from] || next == len(was.segments) || was.segments[next].table != h.table {
			return n
		}
	}
	return -1
}

// diff returns the changes from old to data: operations that copy bytes of old with
// differences, and insert others. It follows Colin Percival's bsdiff, with a hash
// table in place of the sorted suffixes.
func diff(old, data []byte) []byte {
	d := differ{old: old, data: data, seeds: make([]int32, 1<<20)}
	for i := 0; i+seedBytes <= len(old); i++ {
		d.seeds[seed(old[i:])] = int32(i + 1)
	}
	return d.run()
}

const seedBytes = 8

func seed(b []byte) uint64 {
	return binary.LittleEndian.Uint64(b) * 0x9e3779b97f4a7c15 >> 44
}

type differ struct {
	old, data []byte
	seeds     []int32
	out       []byte
	at        int // in old, after the last copy
}

// match returns the longest known match of data[i:], first with the offset of the
// last one.
func (d *differ) match(i, offset int) (pos, length int) {
	pos = i + offset
	if pos >= 0 && pos < len(d.old) {
		length = common(d.old[pos:], d.data[i:])
	}
	if length < 1<<10 && i+seedBytes <= len(d.data) {
		if p := int(d.seeds[seed(d.data[i:])]) - 1; p >= 0 {
			if n := common(d.old[p:], d.data[i:]); n > length {
				return p, n
			}
		}
	}
	return pos, length
}

func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func (d *differ) run() []byte {
	old, data := d.old, d.data
	scan, length, pos := 0, 0, 0
	lastScan, lastPos, lastOffset := 0, 0, 0
	for scan < len(data) {
		score := 0
		scan += length
		for scored := scan; scan < len(data); scan++ {
			pos, length = d.match(scan, lastOffset)
			for ; scored < scan+length; scored++ {
				if k := scored + lastOffset; k >= 0 && k < len(old) && old[k] == data[scored] {
					score++
				}
			}
			if length == score && length != 0 || length > score+8 {
				break
			}
			if k := scan + lastOffset; k >= 0 && k < len(old) && old[k] == data[scan] {
				score--
			}
		}
		if length == score && scan < len(data) {
			continue
		}
		forward := extent(func(i int) (same, ok bool) {
			if lastScan+i >= scan || lastPos+i >= len(old) {
				return false, false
			}
			return old[lastPos+i] == data[lastScan+i], true
		})
		backward := 0
		if scan < len(data) {
			backward = extent(func(i int) (same, ok bool) {
				if scan-1-i < lastScan || pos-1-i < 0 {
					return false, false
				}
				return old[pos-1-i] == data[scan-1-i], true
			})
		}
		if overlap := lastScan + forward - (scan - backward); overlap > 0 {
			keep, best, sum := 0, 0, 0
			for i := range overlap {
				if data[lastScan+forward-overlap+i] == old[lastPos+forward-overlap+i] {
					sum++
				}
				if data[scan-backward+i] == old[pos-backward+i] {
					sum--
				}
				if sum > best {
					best, keep = sum, i+1
				}
			}
			forward += keep - overlap
			backward -= keep
		}
		d.emit(lastScan, lastPos, forward, scan-backward)
		lastScan, lastPos, lastOffset = scan-backward, pos-backward, pos-scan
	}
	return d.out
}

// extent returns the length that has the most equal bytes against others.
func extent(same func(i int) (same, ok bool)) (length int) {
	sum, best := 0, 0
	for i := 0; ; i++ {
		equal, ok := same(i)
		if !ok {
			return length
		}
		if equal {
			sum++
		}
		if n := 2*sum - (i + 1); n > best {
			best, length = n, i+1
		}
	}
}

// emit appends an operation. It copies n bytes and inserts those up to the end.
func (d *differ) emit(from, pos, n, end int) {
	if n == 0 && end == from {
		return
	}
	d.out = binary.AppendVarint(d.out, int64(pos-d.at))
	d.out = binary.AppendUvarint(d.out, uint64(n))
	d.out = binary.AppendUvarint(d.out, uint64(end-from-n))
	for i := range n {
		d.out = append(d.out, d.data[from+i]-d.old[pos+i])
	}
	d.out = append(d.out, d.data[from+n:end]...)
	d.at = pos + n
}

// A patcher reads size bytes of changes to the old bytes.
type patcher struct {
	r       *reader
	old     io.ReaderAt
	oldSize int64
	left    int // bytes to read
	at      int64
	copy    uint64 // bytes of the current operation
	insert  uint64
}

// Read implements io.Reader.
func (p *patcher) Read(b []byte) (int, error) {
	if p.left == 0 {
		return 0, io.EOF
	}
	if p.copy+p.insert == 0 {
		p.at += p.r.int()
		p.copy = p.r.uint(uint64(p.left))
		p.insert = p.r.uint(uint64(p.left) - p.copy)
		if p.r.err == nil && (p.at < 0 || p.at > p.oldSize || p.copy > uint64(p.oldSize-p.at) || p.copy+p.insert == 0) {
			p.r.err = errStream
		}
		if p.r.err != nil {
			return 0, p.r.fault()
		}
	}
	n := min(len(b), int(max(p.copy, 1)))
	if p.copy == 0 {
		n = min(len(b), int(p.insert))
	}
	b = b[:n]
	if p.copy > 0 {
		old := make([]byte, n)
		if _, err := p.old.ReadAt(old, p.at); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		p.r.fill(b)
		for i := range b {
			b[i] += old[i]
		}
		p.copy, p.at = p.copy-uint64(n), p.at+int64(n)
	} else {
		p.r.fill(b)
		p.insert -= uint64(n)
	}
	p.left -= n
	return n, p.r.fault()
}

// ReadDelta reads a delta and writes the new file of so many bytes.
func ReadDelta(in io.Reader, was *File, file Target, size int64) error {
	r, done, err := unpack(in)
	if err != nil {
		return err
	}
	defer done()
	f, err := readFrame(r, size)
	if err != nil {
		return err
	}
	j := newJoiner(f, file)
	for _, g := range j.segments {
		if err := j.delta(r, was, g); err != nil {
			return err
		}
	}
	if err := r.end(); err != nil {
		return err
	}
	return j.Finish()
}

// delta writes a segment of the new file.
func (j *Joiner) delta(r *reader, was *File, g segment) error {
	kind := r.uint(deltaDiff)
	if kind == deltaNew && r.err == nil {
		return j.segment(r, g)
	}
	n := r.uint(uint64(len(was.segments)))
	if r.err != nil || n == uint64(len(was.segments)) {
		return errStream
	}
	h, t := was.segments[n], &j.tables[g.table]
	u, sizes := &was.tables[h.table], t.sizes[g.from:g.to]
	if kind == deltaSame {
		if h.to-h.from != g.to-g.from {
			return errStream
		}
		for i := range sizes {
			old, err := was.rowReader(u, int(h.from)+i)
			if err == nil {
				err = j.write(t, int(g.from)+i, io.NewSectionReader(old, 0, old.size-sealSize))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	p := &patcher{r: r}
	for _, n := range sizes {
		if p.left += int(n); p.left > maxRow {
			return errStream
		}
	}
	if h.to == h.from+1 {
		row, err := was.rowReader(u, int(h.from))
		if err != nil {
			return err
		}
		p.old, p.oldSize = row, row.size-sealSize
	} else {
		b, err := was.payload(h)
		if err != nil {
			return err
		}
		p.old, p.oldSize = bytes.NewReader(b), int64(len(b))
	}
	for i, n := range sizes {
		if err := j.write(t, int(g.from)+i, io.LimitReader(p, int64(n))); err != nil {
			return err
		}
	}
	return nil
}
