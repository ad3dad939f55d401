package file

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
)

// The last bytes of every page, which SQLite reserves and never reads: the identity
// of the file, so that a page of another file is damage, and a checksum of the page
// and its number. Without its number, two pages that changed places would both be right.
const (
	trailerSize = 16
	sumSize     = 8
)

func pageID(page []byte) uint64 { return binary.LittleEndian.Uint64(page[PageSize-trailerSize:]) }

// pageSum returns a CRC-32C and a CRC-32 of the page and its number. Processors compute
// both in about two microseconds. One CRC of 32 bits would miss one accident in four
// billion; hashes of 64 bits of the standard library are slower or change with each process.
func pageSum(page []byte, number int64) uint64 {
	page = page[:PageSize-sumSize]
	return (uint64(crc32.Checksum(page, castagnoli))<<32 | uint64(crc32.ChecksumIEEE(page))) ^ uint64(number)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// FirstPage returns an empty database whose pages have room for the trailer. SQLite
// has no statement for that.
func FirstPage() []byte {
	b := make([]byte, PageSize)
	copy(b, sqliteMagic)
	binary.BigEndian.PutUint16(b[16:], PageSize)
	copy(b[18:], []byte{1, 1, trailerSize, 64, 32, 32}) // rollback journal; the fractions are fixed
	binary.BigEndian.PutUint32(b[28:], 1)               // pages
	b[headerSize] = 0x0d                                // a leaf without cells, whose contents begin at the end
	binary.BigEndian.PutUint16(b[headerSize+5:], PageSize-trailerSize)
	return b
}

// SealPages writes the trailers of a finished file and syncs it.
func SealPages(path string, id uint64) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	b := make([]byte, PageSize)
	for number := int64(1); err == nil; number++ {
		if _, err = f.ReadAt(b, (number-1)*PageSize); err == nil {
			// The counters of changes, the cookie of the schema and the version of the last change:
			// a build and an extension that lead to the same tables give the same file.
			if number == 1 {
				for _, at := range [...]int{24, 40, 92} {
					binary.BigEndian.PutUint32(b[at:], 1)
				}
				if _, err = f.WriteAt(b[:headerSize], 0); err != nil {
					break
				}
			}
			binary.LittleEndian.PutUint64(b[PageSize-trailerSize:], id)
			binary.LittleEndian.PutUint64(b[PageSize-sumSize:], pageSum(b, number))
			_, err = f.WriteAt(b[PageSize-trailerSize:], number*PageSize-trailerSize)
		}
	}
	if errors.Is(err, io.EOF) {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
