package file

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

const (
	applicationID = 0x50474544 // "PGED" at byte 68 of the file
	// FormatVersion is the version of the file format: user_version, at byte 60 of
	// the file.
	FormatVersion = 13
	// PageSize is the size of SQLite's pages in bytes.
	PageSize    = 8192
	headerSize  = 100 // of a SQLite file
	sqliteMagic = "SQLite format 3\x00"
)

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// sealBytes is the size of a row's checksum, its last bytes.
const sealBytes = 4

// Seal appends to a row's payload the CRC-32C of its table, number and
// payload, so that a row cannot stand in for another.
func Seal(table string, id int64, payload []byte) []byte {
	return binary.LittleEndian.AppendUint32(payload, rowChecksum(table, id, payload))
}

// Unseal returns the payload of a sealed row.
func Unseal(table string, id int64, data []byte) ([]byte, error) {
	n := len(data) - sealBytes
	if n < 0 {
		return nil, fmt.Errorf("it has %d bytes, too few for a checksum", len(data))
	}
	if got, want := rowChecksum(table, id, data[:n]), binary.LittleEndian.Uint32(data[n:]); got != want {
		return nil, fmt.Errorf("its CRC-32C is %08x, expected %08x", got, want)
	}
	return data[:n:n], nil
}

func rowChecksum(table string, id int64, payload []byte) uint32 {
	return SealMore(SealStart(table, id), payload)
}

// SealStart returns the checksum of a row without its payload.
func SealStart(table string, id int64) uint32 {
	var b [64]byte
	key := append(b[:0], table...)
	key = append(key, 0)
	key = binary.LittleEndian.AppendUint64(key, uint64(id))
	return crc32.Checksum(key, castagnoli())
}

// SealMore adds bytes of the payload to a checksum.
func SealMore(sum uint32, payload []byte) uint32 { return crc32.Update(sum, castagnoli(), payload) }

// checkHeader looks at the first bytes of a file, before SQLite sees it.
func checkHeader(path string, header []byte, size int64) error {
	switch {
	case size == 0:
		return fmt.Errorf("%w: %s is empty; expected a file that \"postgeo dataset build\" wrote", ErrNotDataset, path)
	case len(header) < len(sqliteMagic) || string(header[:len(sqliteMagic)]) != sqliteMagic:
		return fmt.Errorf("%w: %s begins with %q, expected %q; give a file that \"postgeo dataset build\" wrote",
			ErrNotDataset, path, header[:min(len(header), len(sqliteMagic))], sqliteMagic)
	case len(header) < headerSize:
		return damaged(path, "it ends after %d bytes, inside its header", size)
	}
	if id := binary.BigEndian.Uint32(header[68:]); id != applicationID {
		return fmt.Errorf("%w: %s is a SQLite file with application id %#x, expected %#x; give a file that \"postgeo dataset build\" wrote",
			ErrNotDataset, path, id, uint32(applicationID))
	}
	if v := binary.BigEndian.Uint32(header[60:]); v != FormatVersion {
		return fmt.Errorf("%w: %s has format version %d, this release reads version %d; build it again with this release, or use the release that wrote it",
			ErrVersion, path, v, FormatVersion)
	}
	if p := binary.BigEndian.Uint16(header[16:]); p != PageSize {
		return damaged(path, "its page size is %d bytes, expected %d", p, PageSize)
	}
	if want := int64(binary.BigEndian.Uint32(header[28:])) * PageSize; size != want {
		return damaged(path, "it has %d bytes, expected %d", size, want)
	}
	return nil
}

func readHeader(r io.Reader) ([]byte, error) {
	b := make([]byte, headerSize)
	n, err := io.ReadFull(r, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return b[:n], err
}
