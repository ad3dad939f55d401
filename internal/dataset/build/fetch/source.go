package fetch

import "github.com/postgeo/postgeo/internal/enum"

// Format is the format of a source's content, inside its wrapping.
type Format uint8

// The formats of the sources.
const (
	Text      Format = iota + 1 // delimited text, quoted or not
	Shapefile                   // ESRI shapefile in a zip
	GeoJSON                     // feature collection
	Sheet                       // Excel sheet (.xlsx)
	Blocks                      // fixed-width records of a postal product
	Tar                         // tar archive of files
)

var formatNames = enum.Names[Format]{Text: "text", Shapefile: "shapefile", GeoJSON: "GeoJSON", Sheet: "Excel", Blocks: "fixed-width", Tar: "tar"}

// String returns a word for the format, e.g. "shapefile".
func (f Format) String() string { return formatNames.Of(f) }

// A Layer is a part of a dataset that can be built or left out.
type Layer string

// A Source is one file of the catalog: its address, its contents and its terms.
type Source struct {
	ID           string  // short name, e.g. "gazetteer-zcta"
	Title        string  // e.g. "2025 Gazetteer, ZIP Code Tabulation Areas"
	URL          string  // official address, https, without query; "" for a file that only a user can supply
	Member       string  // member of the zip, as format.OpenOptions has it; "" the only one
	Format       Format  // of the content
	Vintage      string  // e.g. "2025", "2026-03-30"; "" if unknown before the download
	License      string  // e.g. "public domain", "CC BY 4.0"
	Attribution  string  // the line that the license requires; "" none
	Refresh      string  // the publisher's rhythm, e.g. "yearly"
	Layers       []Layer // the layers that need the file
	UserSupplied bool    // under private terms: the user names a file, or a mirror holds it
	MirrorOnly   bool    // open data that comes from mirrors only: superseded, or without one official file
	Optional     bool    // a build without the file continues and reports the gap
	Size         int64   // approximate size of the official file in bytes; 0 not known
	Rows         int64   // approximate rows of the official file; 0 not known
	SHA256       string  // lower-case hexadecimal, if the publisher's file never changes; "" not checked
	Note         string  // for readers of the manifest; "" none
}

// A File is a local file of a source.
type File struct {
	Source       Source // with the vintage, note and rows of an [Actual], if any
	Path         string // of the file on this machine
	Size         int64  // bytes
	SHA256       string // lower-case hexadecimal
	Origin       Origin // origin of the file
	Empty        bool   // an [Actual] declares a file without rows
	OfficialRows int64  // rows of the official file in an [Actual], else Source.Rows
	FitForShares bool   // false: outlines too coarse for overlap shares
}

// Origin is the origin of a file.
type Origin uint8

// The origins of a file.
const (
	Downloaded Origin = iota + 1 // fetched now
	Cached                       // of the cache; still current, or not checked
	Mirrored                     // of a mirror folder, read in place
	Local                        // named by the user
)

var originNames = enum.Names[Origin]{Downloaded: "downloaded", Cached: "cached", Mirrored: "mirror", Local: "local"}

// String returns a word for the origin.
func (o Origin) String() string { return originNames.Of(o) }
