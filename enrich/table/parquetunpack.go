package table

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/parquet-go/parquet-go/format"
)

// checkUnpacked refuses compressed text that unpacks to more than limit bytes.
// The library allocates the size in the compressed text, which can differ from
// the page's header.
//
// If the codec stores the size, decoders check it, and so the size suffices.
// Else the text is unpacked if its length allows more than [maxPageBytes].
func checkUnpacked(codec format.CompressionCodec, text *io.SectionReader, limit int64) error {
	switch codec {
	case format.Snappy:
		return checkSnappy(text, limit)
	case format.Zstd:
		return checkZstd(text, limit)
	case format.Gzip:
		const ratio = 1032 // no deflated byte makes more
		if text.Size() <= maxPageBytes/ratio {
			return nil
		}
		z, err := gzip.NewReader(text)
		if err != nil {
			return err
		}
		return checkLength(z)
	case format.Brotli:
		return checkLength(brotli.NewReader(text))
	default:
		return nil
	}
}

// errUnpacked returns the error of a text that exceeds the limit.
func errUnpacked(limit int64) error {
	return fmt.Errorf("its text unpacks to more than the %d bytes that it may have", limit)
}

// checkLength unpacks a text to see whether it is too long.
func checkLength(unpacked io.Reader) error {
	n, err := io.Copy(io.Discard, io.LimitReader(unpacked, maxPageBytes+1))
	if n > maxPageBytes {
		return errUnpacked(maxPageBytes)
	}
	return err
}

// checkSnappy reads the length that a block of Snappy begins with.
func checkSnappy(text *io.SectionReader, limit int64) error {
	head := make([]byte, binary.MaxVarintLen32)
	n, err := text.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if size, width := binary.Uvarint(head[:n]); width > 0 && size > uint64(limit) {
		return errUnpacked(limit)
	}
	return nil // one that has no length is refused by its decoder
}

// What frames of Zstandard (RFC 8878) begin with, and how much a block of one
// unpacks to at most.
const (
	zstdMagic     = 0xfd2fb528
	zstdSkipMagic = 0x184d2a50 // and the fifteen behind it
	zstdBlock     = 128 << 10
)

// checkZstd goes through the frames of a text.
func checkZstd(text *io.SectionReader, limit int64) error {
	var stored, most int64 // sum of the stored sizes, and upper bound of the other frames
	for at := int64(0); at < text.Size(); {
		var h zstdHeader
		if !h.read(text, at) {
			return nil // the decoder refuses it
		}
		at += h.width
		if h.skipped {
			continue
		}
		if h.sized {
			if h.size > uint64(limit-stored) {
				return errUnpacked(limit)
			}
			stored += int64(h.size)
		}
		for last := false; !last; {
			var head [4]byte // three of them a block's
			if n, err := text.ReadAt(head[:3], at); n < 3 {
				if errors.Is(err, io.EOF) {
					return nil // the decoder refuses it
				}
				return err
			}
			block := binary.LittleEndian.Uint32(head[:])
			last = block&1 != 0
			size := int64(block >> 3)
			const repeated, compressed = 1, 2
			unpacked := size
			switch block >> 1 & 3 {
			case repeated:
				size = 1
			case compressed:
				unpacked = zstdBlock
			}
			if at += 3 + size; !h.sized {
				most += unpacked
			}
			if stored+most > maxPageBytes {
				return errUnpacked(maxPageBytes)
			}
		}
		if h.summed {
			at += 4
		}
	}
	return nil
}

// A zstdHeader is the header of a frame.
type zstdHeader struct {
	width   int64  // of the header, of a skipped frame all of it
	skipped bool   // the frame holds no text
	summed  bool   // a checksum of four bytes follows the blocks
	sized   bool   // size is known
	size    uint64 // of the text in bytes
}

// read reads the header at an offset. ok is false if the text has none.
func (h *zstdHeader) read(text *io.SectionReader, at int64) (ok bool) {
	const most = 4 + 1 + 1 + 4 + 8 // magic, descriptor, window, dictionary, size
	var buf [most + 8]byte
	n, _ := text.ReadAt(buf[:most], at) // an early end leaves a truncated frame
	if n < 5 {
		return false
	}
	magic := binary.LittleEndian.Uint32(buf[:])
	if magic&^15 == zstdSkipMagic {
		*h = zstdHeader{width: 8 + int64(binary.LittleEndian.Uint32(buf[4:])), skipped: true}
		return n >= 8
	}
	if magic != zstdMagic {
		return false
	}
	d := buf[4]
	single := d>>5&1 == 1
	i := 5
	if !single {
		i++ // the window
	}
	i += [...]int{0, 1, 2, 4}[d&3] // the dictionary
	width := [...]int{0, 2, 4, 8}[d>>6]
	if width == 0 && single {
		width = 1
	}
	size := bytes.Clone(buf[i : i+8])
	clear(size[width:])
	*h = zstdHeader{width: int64(i + width), summed: d>>2&1 == 1, sized: width > 0, size: binary.LittleEndian.Uint64(size)}
	if width == 2 {
		h.size += 256
	}
	return n >= i+width
}
