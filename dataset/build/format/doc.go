// Package format reads the file formats in which public agencies publish
// postal and census geography: delimited text, fixed-width blocks, zipped
// shapefiles, GeoJSON and Excel sheets, plain, gzipped or inside a zip.
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
// Every sequence reads as it goes, in memory that does not grow with the file,
// and yields at most one error, as its last pair.
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
