package file

import (
	"encoding/binary"
	"fmt"
)

const (
	// ApplicationID is "PGED" at byte 68 of the file.
	ApplicationID = 0x50474544
	// FormatVersion is the version of the file format: user_version, at byte 60 of
	// the file.
	FormatVersion = 18
	// PageSize is the size of SQLite's pages in bytes.
	PageSize    = 8192
	headerSize  = 100 // of a SQLite file
	sqliteMagic = "SQLite format 3\x00"
)

// checkHeader looks at the first bytes of a file, before SQLite sees it. SQLite would report
// all of these as "file is not a database" or read a file of another program. The places are
// those of "Database File Format", section 1.3, of the SQLite documentation. The size of the
// file is compared with the number of pages in the header, which finds a download that broke off.
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
	if id := binary.BigEndian.Uint32(header[68:]); id != ApplicationID {
		return fmt.Errorf("%w: %s is a SQLite file with application id %#x, expected %#x; give a file that \"postgeo dataset build\" wrote",
			ErrNotDataset, path, id, uint32(ApplicationID))
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
