package packed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// A Target is a new file.
type Target interface {
	io.WriterAt
	io.ReaderAt
}

// A Joiner writes a dataset file from its frame and its rows.
type Joiner struct {
	*frame
	file   Target
	page   []byte // of a leaf
	number uint32 // 0: none
	chunk  []byte
	buffer []byte
}

func newJoiner(f *frame, file Target) *Joiner {
	return &Joiner{frame: f, file: file, page: make([]byte, pageSize)}
}

// NewJoiner returns a joiner for a compressed frame. The frame must describe a file of
// so many bytes.
func NewJoiner(in io.Reader, file Target, size int64) (*Joiner, error) {
	r, done, err := unpack(in)
	if err != nil {
		return nil, err
	}
	defer done()
	f, err := readFrame(r, size)
	if err == nil {
		err = r.end()
	}
	if err != nil {
		return nil, fmt.Errorf("packed: the frame: %w", err)
	}
	return newJoiner(f, file), nil
}

// A rowWriter writes a row.
type rowWriter struct {
	place
	j      *Joiner
	at     int64 // of Write
	sum    uint32
	random bool // WriteAt was called: Close reads the payload for the checksum
}

// row begins a row. Every byte of its payload must be written once.
func (j *Joiner) row(t *table, row int) (*rowWriter, error) {
	l, c := t.leaf(row), t.cell(row)
	if err := j.open(t, l); err != nil {
		return nil, err
	}
	at := int(binary.BigEndian.Uint16(j.page[8+2*(row-t.first[l]):]))
	if at < 8+2*int(t.leaves[l].cells) || at+c.length > pageSize || at+c.head+c.local > pageSize {
		return nil, errFrame
	}
	t.appendHead(j.page[at:at], row)
	w := &rowWriter{
		place: place{int64(at + c.head), int64(c.local), t.chain[row], int64(t.sizes[row]) + sealSize},
		j:     j, sum: store.SealStart(t.name, t.ids[row]),
	}
	if c.whole {
		return w, nil
	}
	if last := w.page(w.size - 1); last > int64(j.pages) {
		return nil, errFrame
	}
	binary.BigEndian.PutUint32(j.page[at+c.head+c.local:], w.chain)
	return w, nil
}

// Write implements io.Writer.
func (w *rowWriter) Write(b []byte) (int, error) {
	if w.at+int64(len(b)) > w.size-sealSize {
		return 0, errRows
	}
	if err := w.put(b, w.at); err != nil {
		return 0, err
	}
	w.at += int64(len(b))
	w.sum = store.SealMore(w.sum, b)
	return len(b), nil
}

// WriteAt implements io.WriterAt.
func (w *rowWriter) WriteAt(b []byte, at int64) (int, error) {
	w.random = true
	if at < 0 || at+int64(len(b)) > w.size-sealSize {
		return 0, errRows
	}
	return len(b), w.put(b, at)
}

// put writes bytes into the leaf and the overflow pages, with the number of the next
// page before the first byte of each.
func (w *rowWriter) put(b []byte, at int64) error {
	if at < w.local {
		n := copy(w.j.page[w.head+at:w.head+w.local], b)
		b, at = b[n:], at+int64(n)
	}
	for len(b) > 0 {
		chunk, start, next := w.j.chunk[:0], int64(0), int64(0)
		for len(b) > 0 && len(chunk) < 1<<20 {
			from, room, begins := w.span(at)
			if begins {
				from -= 4
			}
			if len(chunk) == 0 {
				start = from
			} else if from != next {
				break
			}
			if begins {
				page := w.page(at)
				following := after(uint32(page))
				if at+room >= w.size {
					following = 0
				}
				chunk = binary.BigEndian.AppendUint32(chunk, following)
			}
			n := min(int64(len(b)), room)
			chunk = append(chunk, b[:n]...)
			b, at = b[n:], at+n
			next = start + int64(len(chunk))
		}
		w.j.chunk = chunk
		if _, err := w.j.file.WriteAt(chunk, start); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the checksum.
func (w *rowWriter) Close() error {
	end := w.size - sealSize
	if w.random {
		buf := make([]byte, 1<<16)
		for at := int64(0); at < end; {
			n := min(int64(len(buf)), end-at)
			if err := w.get(buf[:n], at); err != nil {
				return err
			}
			w.sum = store.SealMore(w.sum, buf[:n])
			at += n
		}
	} else if w.at != end {
		return errRows
	}
	return w.put(binary.LittleEndian.AppendUint32(nil, w.sum), end)
}

// get reads bytes that were written.
func (w *rowWriter) get(b []byte, at int64) error {
	if at < w.local {
		n := copy(b, w.j.page[w.head+at:w.head+w.local])
		b, at = b[n:], at+int64(n)
	}
	r := rowReader{w.place, w.j.file}
	_, err := r.ReadAt(b, at)
	return err
}

// write writes a row.
func (j *Joiner) write(t *table, row int, payload io.Reader) error {
	w, err := j.row(t, row)
	if err != nil {
		return err
	}
	if _, err := io.CopyBuffer(writer{w}, payload, j.copying()); err != nil {
		return err
	}
	return w.Close()
}

// copying returns a buffer for copies.
func (j *Joiner) copying() []byte {
	if j.buffer == nil {
		j.buffer = make([]byte, 1<<18)
	}
	return j.buffer
}

// A writer hides all methods but Write.
type writer struct{ io.Writer }

// open makes a leaf the current page.
func (j *Joiner) open(t *table, l int) error {
	number := t.leaves[l].page
	if number == j.number {
		return nil
	}
	if err := j.flush(); err != nil {
		return err
	}
	if number == 0 || number > j.pages {
		return errFrame
	}
	clear(j.page)
	if _, err := j.file.ReadAt(j.page, int64(number-1)*pageSize); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	j.number = number
	if j.page[0] == 0 {
		return j.begin(t, l)
	}
	return nil
}

// begin writes the header and the pointers of the current leaf.
func (j *Joiner) begin(t *table, l int) error {
	clear(j.page)
	j.page[0] = 13
	cells := t.leaves[l].cells
	binary.BigEndian.PutUint16(j.page[3:], uint16(cells))
	at := pageSize
	for i := range int(cells) {
		row := t.first[l] + i
		at -= t.cell(row).length
		if at < 8+2*int(cells) {
			return errFrame
		}
		binary.BigEndian.PutUint16(j.page[8+2*i:], uint16(at))
	}
	binary.BigEndian.PutUint16(j.page[5:], uint16(at))
	return nil
}

func (j *Joiner) flush() error {
	if j.number == 0 {
		return nil
	}
	_, err := j.file.WriteAt(j.page, int64(j.number-1)*pageSize)
	j.number = 0
	return err
}

// Finish writes the pages that no rule predicts. It is called after the last pack.
func (j *Joiner) Finish() error {
	if err := j.flush(); err != nil {
		return err
	}
	for _, p := range j.raw {
		if _, err := j.file.WriteAt(p.data, int64(p.page-1)*pageSize); err != nil {
			return err
		}
	}
	return nil
}
