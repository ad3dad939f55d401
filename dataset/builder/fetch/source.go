package fetch

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/enum"
)

// Format is the format of a source's content, inside its wrapping.
type Format uint8

// The formats of the sources.
const (
	Text       Format = iota + 1 // delimited text, quoted or not
	Shapefile                    // ESRI shapefile in a zip
	GeoJSON                      // feature collection
	Sheet                        // Excel sheet (.xlsx)
	Blocks                       // fixed-width records of a postal product
	Tar                          // tar archive of files
	Attributes                   // attribute table of a shapefile (.dbf)
)

var formatNames = enum.Names[Format]{Text: "text", Shapefile: "shapefile", GeoJSON: "GeoJSON", Sheet: "Excel", Blocks: "fixed-width", Tar: "tar", Attributes: "dBASE"}

// String returns a word for the format, e.g. "shapefile".
func (f Format) String() string { return formatNames.Of(f) }

// UnmarshalText reads a format by its word.
func (f *Format) UnmarshalText(text []byte) error {
	known, ok := formatNames.Find(string(text))
	if !ok {
		return fmt.Errorf("unknown format %q; known formats: %s", text, strings.Join(formatNames[Text:], ", "))
	}
	*f = known
	return nil
}

// A Layer is a part of a dataset that can be built or left out.
type Layer string

// A Source is one file of the catalog: its address, its contents and its terms.
type Source struct {
	ID             string   `json:"id"`             // short name, such as "gazetteer-zcta"
	Title          string   `json:"title"`          // title of the file for readers, such as "Gazetteer, counties"
	URL            string   `json:"url"`            // official address, https, without query; "" for a file that only a user can supply
	Member         string   `json:"member"`         // member of the zip file; "" means the only one
	Format         Format   `json:"format"`         // format of the content: text, shapefile, GeoJSON, Excel, fixed-width or tar
	Edition        string   `json:"edition"`        // edition, a year such as "2025" or a release such as "2025b"; "" for a file that is renewed in place
	Pinned         string   `json:"pinned"`         // reason for keeping this edition when newer ones exist; "" takes newer ones
	Vintage        string   `json:"vintage"`        // date or period of the content; by default the edition, else unknown before the download
	License        string   `json:"license"`        // license; by default that of the publisher
	Attribution    string   `json:"attribution"`    // line that the license requires; by default that of the publisher
	Redistribution string   `json:"redistribution"` // public-domain, attribution, share-alike, restricted or unknown; by default that of the license
	Refresh        string   `json:"refresh"`        // rhythm of the publisher, such as "yearly"
	Layers         []Layer  `json:"layers"`         // layers that need the file
	Feeds          []string `json:"feeds"`          // fields of results whose values come from the file
	UserSupplied   bool     `json:"user_supplied"`  // true if the file is under private terms: the user names it, or a mirror holds it
	MirrorOnly     bool     `json:"mirror_only"`    // true for open data that comes from mirrors only: superseded, or without one official file
	Optional       bool     `json:"optional"`       // true if a build without the file continues and reports the gap
	Size           int64    `json:"size"`           // approximate size of the official file in bytes; 0 if unknown
	Rows           int64    `json:"rows"`           // approximate number of rows of the official file; 0 if unknown
	SHA256         string   `json:"sha256"`         // SHA-256 in lower-case hexadecimal, for a file that never changes; "" disables the check
	Note           string   `json:"note"`           // remark for readers of the manifest

	Newer   []Source `json:"-"` // later editions that may exist, the newest first
	Earlier []Source `json:"-"` // editions before this one that a build can read, the newest first
	Usual   string   `json:"-"` // edition that the catalog names, if it is not this one
}

// Year returns the year of the edition, 0 without one.
func (s Source) Year() int {
	year, _ := strconv.Atoi(s.Edition[:min(len(s.Edition), len("2006"))])
	return year
}

// A File is a local file of a source.
type File struct {
	Source       Source // with the vintage, note and rows of an [Actual], if any
	Path         string // of the file on this machine
	Size         int64  // bytes
	SHA256       string // lower-case hexadecimal
	Origin       Origin // origin of the file
	Empty        bool   // an [Actual] declares a file without rows
	Published    string // vintage of the official file
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
