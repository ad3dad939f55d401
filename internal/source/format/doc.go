// Package format reads the file formats of postal and census geography:
// delimited text, fixed-width blocks, zipped shapefiles, GeoJSON and Excel
// sheets. Files are plain, gzipped or inside a zip.
//
// # Usage
//
// [Open] opens a file, or one member of a zip, compressed or not. A reader
// reads it: [NewTable], [Blocks] or [NewGeoJSON].
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
// Every sequence yields at most one error, as its last pair. The memory for rows
// does not grow with the file. Only a sheet is kept in memory as a whole, within
// the limit of 256 MiB.
//
// # Libraries
//
// encoding/csv reads quoted text, bufio's Scanner lines, archive/zip and compress/gzip
// containers, package xlsx of this module workbooks, package geo/geojson of this module
// polygons in GeoJSON, and package orb points. Shapefiles (.shp, .dbf, .prj) and
// fixed-width records are read here: the known library for shapefiles is not maintained.
//
// Sizes in a header are compared with the data. The end that a library finds must be the
// end of the content.
//
// # Concurrency
//
// A reader belongs to one goroutine. Different readers are independent.
//
// # Errors
//
// A malformed file is refused with an [*Error]. It names the file and the line
// or record, and matches one of the package's sentinels.
// Files that expand as decompression bombs do are refused.
package format
