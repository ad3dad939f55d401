package fetch

import (
	"regexp"
	"strconv"
)

// A Layer is a part of a dataset that can be built or left out.
type Layer string

// A Source is one file of the catalog: its address, its contents and its terms.
type Source struct {
	ID             string   `json:"id"`             // short name, such as "geonames-us"
	Title          string   `json:"title"`          // title of the file for readers, such as "Gazetteer, counties"
	URL            string   `json:"url"`            // official address, https, without query; "" for a file that only a user can supply
	Member         string   `json:"member"`         // member of the zip file; "" means the only one
	Format         string   `json:"format"`         // format of the content: text, shapefile, GeoJSON, Excel, fixed-width, tar or dBASE
	Vintage        string   `json:"vintage"`        // date or period of the content; "" if unknown before the download
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

	Older []Source `json:"-"` // older files, for a mirror or server that lacks this one, the newest first
	Usual string   `json:"-"` // vintage of the file that the catalog prefers, if it is not this one
}

// A File is a local file of a source.
type File struct {
	Source       Source // with the vintage, note and rows of an [actual], if any
	Path         string // of the file on this machine
	Size         int64  // bytes
	SHA256       string // lower-case hexadecimal
	Origin       Origin // origin of the file
	Empty        bool   // an [actual] declares a file without rows
	Published    string // vintage of the official file
	FitForShares bool   // false: outlines too coarse for overlap shares
	ETag         string // of the publisher's server; "" unknown
	LastModified string // of the publisher's server; "" unknown
}

var years = regexp.MustCompile(`\b(?:19|20)[0-9]{2}\b`)

// Year returns the last year in the vintage of the official file, 0 without one. The last
// year of "2020-2024" names a survey of five years. That of the mirror's vintage does not
// count, because it may be a remark ("outlines 2016; names 2021").
func (f *File) Year() int {
	all := years.FindAllString(f.Published, -1)
	if len(all) == 0 {
		return 0
	}
	year, _ := strconv.Atoi(all[len(all)-1])
	return year
}

// Origin is the origin of a file.
type Origin string

// The origins of a file.
const (
	Downloaded Origin = "downloaded" // fetched now
	Cached     Origin = "cached"     // of the cache; still current, or not checked
	Mirrored   Origin = "mirror"     // of a mirror folder, read in place
	Local      Origin = "local"      // named by the user
)
