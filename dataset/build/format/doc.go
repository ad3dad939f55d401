// Package format reads the file formats of postal and census geography:
// delimited text, fixed-width blocks, zipped shapefiles, GeoJSON and Excel
// sheets. Files are plain, gzipped or inside a zip.
//
// # Usage
//
// [Open] opens a file, or one member of a zip, whatever its wrapping. A reader
// is laid over it, [NewTable], [NewBlocks] or [NewGeoJSON], and ranged over.
// Shapefiles and sheets span several members and are opened whole, with
// [OpenShapefile] and [OpenSheet].
//
//	in, err := format.Open("US.zip", format.OpenOptions{Member: "US.txt"})
//	defer in.Close()
//	table, err := format.NewTable(in, format.TableOptions{Delimiter: '\t', Names: names})
//	for row, err := range table.Rows() {
//		...
//	}
//
// Every sequence yields at most one error, as its last pair. All but those of
// sheets read as they go, in memory that does not grow with the file; a sheet's
// file is kept in memory whole, within its limit of 256 MiB.
//
// # Libraries
//
// Shapefiles, Excel sheets, GeoJSON features and quoted CSV are decoded by
// libraries, which take much on trust. Around each stands what makes damage an
// error: members are opened through the checks of [Archive], sizes that a
// header announces are compared with what there is, a panic becomes an [*Error],
// an end that the library takes for the end of the content must be where the
// file says that it is, and what a library passes over or makes up (bytes that
// are no text, cells out of order, numbers that are null) is looked for before
// or after it.
//
// # Concurrency
//
// A reader belongs to one goroutine. Different readers are independent.
//
// # Errors
//
// A file that is not as it should be is refused with an [*Error], which names
// the file and the line or record, and matches one of the package's sentinels.
// Archives are not trusted: members with names that leave the archive, with
// encryption, or that expand beyond the [Limits] are refused.
package format
