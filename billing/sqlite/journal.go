package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/postgeo/postgeo/billing/internal/book"
)

// journalSuffix follows the path of the accounts in that of the journal.
const journalSuffix = "-spends"

// A journal has the settlements of the round that is not yet committed, so that
// calls can return before the commit. A written file outlives the process that
// wrote it: the next round reads the settlements of a killed process. Only the
// holder of the database's write lock reads or writes the journal.
//
// It is a sequence of entries, each a header and the record of a settled hold. An
// entry is valid if its checksum is. The checksum covers the salt of the database,
// the number of the round and the checksum of the previous entry.
type journal struct {
	f    *os.File
	salt int64
	at   int64  // offset of the next entry
	last uint32 // checksum of the previous entry
	buf  []byte
}

// entryHeader is the size of a record and a checksum, 4 bytes each.
const entryHeader = 8

// maxEntry exceeds the size of every record: an id, and a line for each grant of
// the hold.
const maxEntry = 1 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func openJournal(path string) (*journal, error) {
	f, err := os.OpenFile(path+journalSuffix, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("sqlite: journal of the accounts: %w", err)
	}
	return &journal{f: f}, nil
}

func (j *journal) close() error { return j.f.Close() }

func (j *journal) rewind() { j.at, j.last = 0, 0 }

func (j *journal) sum(round int64, record []byte) uint32 {
	var head [20]byte
	binary.LittleEndian.PutUint64(head[:], uint64(j.salt))
	binary.LittleEndian.PutUint64(head[8:], uint64(round))
	binary.LittleEndian.PutUint32(head[16:], j.last)
	return crc32.Update(crc32.Checksum(head[:], castagnoli), castagnoli, record)
}

func (j *journal) add(round int64, h *book.Hold) error {
	j.buf = appendRecord(append(j.buf[:0], make([]byte, entryHeader)...), h)
	record := j.buf[entryHeader:]
	if len(record) > maxEntry {
		return errRecord
	}
	binary.LittleEndian.PutUint32(j.buf, uint32(len(record)))
	sum := j.sum(round, record)
	binary.LittleEndian.PutUint32(j.buf[4:], sum)
	if _, err := j.f.WriteAt(j.buf, j.at); err != nil {
		return fmt.Errorf("sqlite: journal of the accounts: %w", err)
	}
	j.at, j.last = j.at+int64(len(j.buf)), sum
	return nil
}

// read returns the settlements of a round in order. The next entry follows them.
func (j *journal) read(round int64) ([]*book.Hold, error) {
	j.rewind()
	var holds []*book.Hold
	var head [entryHeader]byte
	for {
		if _, err := j.f.ReadAt(head[:], j.at); errors.Is(err, io.EOF) {
			return holds, nil
		} else if err != nil {
			return nil, fmt.Errorf("sqlite: journal of the accounts: %w", err)
		}
		size := binary.LittleEndian.Uint32(head[:])
		if size == 0 || size > maxEntry {
			return holds, nil
		}
		record := make([]byte, size)
		if _, err := j.f.ReadAt(record, j.at+entryHeader); errors.Is(err, io.EOF) {
			return holds, nil
		} else if err != nil {
			return nil, fmt.Errorf("sqlite: journal of the accounts: %w", err)
		}
		sum := j.sum(round, record)
		if sum != binary.LittleEndian.Uint32(head[4:]) {
			return holds, nil
		}
		h, rest, err := nextRecord(record)
		if err != nil || len(rest) > 0 || h.State != book.Settled {
			return nil, errRecord
		}
		holds = append(holds, h)
		j.at, j.last = j.at+entryHeader+int64(size), sum
	}
}
