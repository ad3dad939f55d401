// Package dataset stores postal geography in one immutable file and reads it.
//
// # Usage
//
// [Open] opens a file by its path, [OpenFS] one of an [io/fs.FS], for example
// of an embed.FS. The result answers look-ups by code:
//
//	d, err := dataset.Open("postgeo.db")
//	if err != nil {
//		return err
//	}
//	defer d.Close()
//	row, ok := d.ZIP(90210)
//	detail, err := d.ZIPDetail(ctx, 90210)
//
// [Create] begins a new file, [Diff] and [Changes] compare two.
//
// # Data
//
// A file is a SQLite database that is written once. What every look-up needs
// (codes, names, coordinates, references) is kept in memory from Open on; the
// methods that answer from there run no SQL and allocate nothing. What only a
// full record shows stays in the file, one row per thing, and is read by the
// methods that take a context.
//
// Outlines of ZIPs, FSAs, states, counties and time zones are layers that a
// file may lack: [Areas] of a kind, nil where there are none. They are in
// memory, packed, and answer which area holds a point. The shares of time
// zones and the numbers of residents may be missing too, and are then unknown.
//
// Coordinates have a precision of 1e-6 degree. The identifiers of states,
// counties and so on are positions in one file's tables: they mean nothing in
// another. Equal input gives equal bytes: a file holds no clock, no random
// number and nothing of the order in which a [Writer] was given its tables.
//
// SQLite does not notice a flipped bit. So each column and each row carries a
// CRC-32C over its place and its bytes, and the [Manifest] a SHA-256 over
// itself and every table. Open checks all that it loads down to the last
// reference; each read checks its row; [Dataset.Verify] checks the whole file.
// The tables in memory tell which rows the file must have: one that SQLite
// does not find is damage, never a code that does not exist.
//
// A server watches the file that it serves: [Dataset.Probe] reads the next page
// of every table past all caches, [Dataset.VerifyNext] verifies the file bit by
// bit, [Dataset.Moved] looks at the path. All answers come from the file that
// Open opened, whatever its path names later.
//
// # Concurrency
//
// A [Dataset] may be used by any number of goroutines at once, a [Writer] by
// one. Close waits for reads that are under way. Slices and pointers that a
// Dataset returns are its own and must not be changed, unless they come from a
// method that takes a context.
//
// # Errors
//
// Errors match one of the sentinels [ErrClosed], [ErrDamaged],
// [ErrUnreadable], [ErrNotDataset], [ErrVersion], [ErrNotFound] and
// [ErrInvalidRow], or the cause that they wrap, such as [io/fs.ErrNotExist] or
// a context's error. They name the file, what was found and what was expected.
// Look-ups in memory report an absent code with false; absence is not an error.
package dataset
