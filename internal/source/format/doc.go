// Package format reads the file formats of postal and census geography: delimited text,
// fixed-width records, shapefiles, GeoJSON, Excel sheets, and the JSON arrays of the Census
// Bureau. Files are plain, gzipped or in a zip.
//
// # Usage
//
// [File.Rows] reads the rows of any format; the content shows which it is.
//
//	file := format.File{Path: "US.zip", Member: "US.txt"}
//	for row, err := range file.Rows(format.Options{Columns: []string{"GEOID", "NAME"}}) {
//		...
//	}
//
// Every sequence yields at most one error other than bad values, as its last pair. The
// memory for rows does not grow with the file. Only a sheet is kept in memory as a whole,
// within the limit of 256 MiB.
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
// # Errors
//
// A malformed file is refused with an [*Error]. It names the file and the line
// or record, and matches one of the package's sentinels.
// Files that expand as decompression bombs do are refused.
package format
