// Package store stores postal geography in one immutable file and reads it.
//
// # Usage
//
// [Open] opens a file by its path, [OpenFS] a file of an [io/fs.FS], for example
// of an embed.FS. Package sqlite calls them with SQLite. The result looks up codes:
//
//	d, err := sqlite.Open("postgeo.db")
//	if err != nil {
//		return err
//	}
//	defer d.Close()
//	row, ok := d.ZIP(90210)
//	detail, err := d.ZIPDetail(ctx, 90210)
//
// # Data
//
// A file is a SQLite database that is written once. The rows of ZIP Codes and
// forward sortation areas are in memory after Open. The other resident data is
// divided into [Sections], which are read when they are first needed. Methods
// that read only memory run no SQL and allocate nothing. The rest remains in
// the file, one row per code, and is read by the methods that take a context.
//
// A file may lack outlines of ZIPs, FSAs, states, counties or time zones: the
// [Areas] of that kind are empty. Time zone shares and numbers of residents may be
// missing too.
//
// Coordinates have a precision of 1e-6 degree. The identifiers of states,
// counties and so on are positions in one file's tables. Equal input gives equal
// bytes: a file has no clock and no random numbers, and the order of writing is
// irrelevant.
//
// SQLite does not notice a flipped bit. So each page ends with a checksum of its
// bytes and its number, which is compared on every read, and the manifest has a
// SHA-256 of itself and every table. The file remains an ordinary SQLite file, because
// SQLite reserves these bytes; a statement that changes it makes it a damaged one.
// [Dataset.VerifyPages] reads all pages. [Dataset.Verify] also compares caches with
// their queries and runs checks, which are queries without rows in a sound file.
//
// # Parts
//
//   - Codes and the small tables that they refer to: coderows.go and codes.go; codecaches.go
//     has their caches.
//   - Layers, plans of districts and outlines: layer.go, layers.go, plan.go and areas.go.
//   - The intersections of codes with areas: overlap.go.
//   - Street records of the postal service: streets.go.
//   - Address points and street segments: roads.go and roadsearch.go.
//   - The American Community Survey: acs.go, acsrow.go and acssegment.go.
//   - Names that suggestions find: entity.go.
//
// # Packages
//
// Package internal/file is the file itself: SQLite, page checksums, schema, caches and checks.
// It does not know the contents of tables. This package has the rows and reads them, package
// storewrite writes them, and package diff compares files.
//
// # Concurrency
//
// A [Dataset] may be used by any number of goroutines at once. Close waits for reads
// that are under way. Slices and pointers that a Dataset returns belong to it and must
// not be changed, unless they come from a method that takes a context.
//
// # Errors
//
// Errors match one of the sentinels, such as [ErrDamaged] or [ErrClosed], or
// their cause, such as [io/fs.ErrNotExist] or a context's error. They name the
// file, the bytes that were found and those that were expected. Lookups in
// memory report an absent code with false.
package store
