package sqlite

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/postgeo/postgeo/billing/internal/book"
)

// batchBit marks the state of a batch in a record.
const batchBit = 4

// A record is the binary form of a finished hold: the length and text of its id,
// then varints and the lines. The varints are the account's row, state with
// batchBit, held and used credits, the time in milliseconds, and the number of
// lines. Holds that were cut have a row instead.
func appendRecord(b []byte, h *book.Hold) []byte {
	b = binary.AppendUvarint(b, uint64(len(h.ID)))
	b = append(b, h.ID...)
	b = binary.AppendUvarint(b, uint64(h.Account))
	state := uint64(h.State)
	if h.Batch {
		state |= batchBit
	}
	b = binary.AppendUvarint(b, state)
	b = binary.AppendUvarint(b, uint64(h.Held))
	b = binary.AppendUvarint(b, uint64(h.Used))
	b = binary.AppendUvarint(b, uint64(h.Time.UnixMilli()))
	b = binary.AppendUvarint(b, uint64(len(h.Lines)))
	return appendLines(b, h.Lines)
}

var (
	errRecord = errors.New("sqlite: the record of a finished hold is damaged")
	errLines  = errors.New("sqlite: the lines of a hold are damaged")
)

func nextRecord(b []byte) (*book.Hold, []byte, error) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n == 0 || n > book.MaxHoldID || n > uint64(len(b)-size) {
		return nil, nil, errRecord
	}
	h := &book.Hold{ID: string(b[size : size+int(n)])}
	b = b[size+int(n):]
	var v [6]int64
	for i := range v {
		var err error
		if v[i], b, err = nextInt(b); err != nil {
			return nil, nil, errRecord
		}
	}
	state := book.State(v[1] &^ batchBit)
	if v[1]&^batchBit > int64(book.Refunded) || v[3] > v[2] || v[5] > int64(len(b)) {
		return nil, nil, errRecord
	}
	h.Batch = v[1]&batchBit != 0
	h.Account, h.State, h.Held, h.Used, h.Time = v[0], state, int(v[2]), int(v[3]), time.UnixMilli(v[4]).UTC()
	var err error
	h.Lines, b, err = nextLines(b, int(v[5]))
	return h, b, err
}

func nextInt(b []byte) (int64, []byte, error) {
	u, n := binary.Uvarint(b)
	if n <= 0 || u > math.MaxInt64 {
		return 0, nil, errLines
	}
	return int64(u), b[n:], nil
}

func appendLines(b []byte, lines []book.Line) []byte {
	for _, l := range lines {
		b = binary.AppendUvarint(b, uint64(l.Grant))
		b = binary.AppendUvarint(b, uint64(l.Held))
		b = binary.AppendUvarint(b, uint64(l.Used))
	}
	return b
}

// nextLines reads n lines, or all lines if n is negative.
func nextLines(b []byte, n int) (lines []book.Line, rest []byte, err error) {
	for ; n > 0 || n < 0 && len(b) > 0; n-- {
		var v [3]int64
		for i := range v {
			if v[i], b, err = nextInt(b); err != nil {
				return nil, nil, err
			}
		}
		l := book.Line{Grant: v[0], Held: int(v[1]), Used: int(v[2])}
		if l.Used > l.Held {
			return nil, nil, errLines
		}
		lines = append(lines, l)
	}
	return lines, b, nil
}

// A pack is a row of the table finished.
type pack struct {
	first string
	time  time.Time // of the latest record
	data  []byte
}

const (
	packPrefix = 9   // bytes that the ids of a pack share: 32 ms of a ULID
	maxPack    = 256 // records
)

// prefix returns the part of an id that all ids of a pack share.
func prefix(id string) string { return id[:min(len(id), packPrefix)] }

// packs puts finished holds into rows.
func packs(holds []*book.Hold) (rows []pack) {
	slices.SortFunc(holds, func(x, y *book.Hold) int { return cmp.Compare(x.ID, y.ID) })
	n := 0
	for i, h := range holds {
		if i == 0 || n == maxPack || prefix(h.ID) != prefix(holds[i-1].ID) {
			rows, n = append(rows, pack{first: h.ID}), 0
		}
		p := &rows[len(rows)-1]
		p.data = appendRecord(p.data, h)
		if h.Time.After(p.time) {
			p.time = h.Time
		}
		n++
	}
	return rows
}

func unpack(data []byte, f func(*book.Hold) error) error {
	for len(data) > 0 {
		h, rest, err := nextRecord(data)
		if err != nil {
			return err
		}
		if err := f(h); err != nil {
			return err
		}
		data = rest
	}
	return nil
}
