// Package packed stores dataset files in fewer bytes and restores them exactly. It
// does not use SQLite, so the bytes of a restored file depend on no other program.
//
// # Usage
//
//	file, err := packed.Open(f, size)
//	err = file.Predict(scratch)
//	err = file.WriteFrame(w)
//	err = file.WritePack(w, 0) // and the other packs
//
//	j, err := packed.NewJoiner(frame, target, size)
//	err = j.Pack(in, 0)
//	err = j.Finish()
//
// # Data
//
// Every stream is compressed with zstd; its window is at most 8 MiB. Numbers are
// varints, signed ones zigzag.
//
// A frame is "PGFRAME1", the number of pages, the tables, the segments, and the pages
// that no rule predicts. A table is its name, the differences of its row numbers and the
// sizes of its payloads. Then follow the pages of its leaves, their numbers of rows, and
// the first overflow page of each row that has one. A segment is a pack, a table, its first row
// and its number of rows. A page is the difference of its number and its bytes.
//
// A pack has its segments in the order of the frame. A segment is a byte for the
// filter and the filtered payloads. Filter 0 leaves them as they are. Filter 1 is a
// width, and for each byte of the rows a plane: 0 and the bytes, or 1 and their
// differences. Filter 2 is a packed index of polygons. It has header, shapes
// and rings as they are, the fields of the chunks by bytes without the boxes, and blocks
// of vertices. Checksums of rows are not stored.
//
// A delta is the frame of the new file and its segments. The first byte of a segment is
// its kind. Kind 0 is a segment as in a pack. Kind 1 is the number of an old segment with
// the same payloads. Kind 2 is the number of an old segment and operations. An operation begins with the place of a copy
// relative to the end of the last one, its length, and the length of an insertion. The
// differences of the copied bytes and the inserted bytes follow.
//
// # Concurrency
//
// A [File] and a [Joiner] are used by one goroutine.
//
// # Errors
//
// Readers return errors for malformed streams and never panic. They allocate no more
// than has arrived, except for rows, which a file's size bounds. They do not detect
// that a stream is a different one: verify its hash first.
package packed
