package dataset

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// A Manifest describes a dataset and its sources. It is stored inside the file.
type Manifest struct {
	Version string    `json:"version"`                 // version of the data, e.g. "2026-06-30"; sample datasets begin with "sample"
	Sample  bool      `json:"sample,omitzero"`         // true: a few hundred codes, for trying things out
	Built   time.Time `json:"built,omitzero"`          // SOURCE_DATE_EPOCH, or the date of the newest source; never the wall clock
	Builder string    `json:"builder,omitzero"`        // name and version of the program that built the file
	Layers  []string  `json:"layers,omitempty"`        // layers the build took, e.g. "identity", "timezones"
	Sources []Source  `json:"sources,omitempty"`       // in the order of the catalog
	Gaps    []Gap     `json:"gaps,omitempty"`          // known gaps, in the order of the report
	Format  int       `json:"format_version,omitzero"` // set by the writer
	Tables  []Table   `json:"tables,omitempty"`        // set by the writer
	Digest  string    `json:"digest,omitzero"`         // SHA-256 over the tables and the rest of the manifest, lower-case hexadecimal; set by the writer
}

// A Source is one file that a dataset was built from.
type Source struct {
	ID          string `json:"id"`                   // short name in the catalog, e.g. "geonames-us"
	Title       string `json:"title"`                // name of the file or product
	URL         string `json:"url,omitzero"`         // official address, or "" for a user-supplied file
	Vintage     string `json:"vintage"`              // as the file really is, e.g. "2025", "2026-03-30"
	License     string `json:"license"`              // terms of use
	Attribution string `json:"attribution,omitzero"` // the line that the license requires
	// Redistribution is [PublicDomain], [WithAttribution], [ShareAlike] or [Restricted].
	// All else is unknown: the data may not be passed on.
	Redistribution string `json:"redistribution,omitzero"`
	Refresh        string `json:"refresh,omitzero"`       // how often the publisher renews it, e.g. "yearly", "monthly"
	UserSupplied   bool   `json:"user_supplied,omitzero"` // whether it is a file of the user
	Note           string `json:"note,omitzero"`          // known differences from the official file
	Rows           int64  `json:"rows"`                   // rows read
	SHA256         string `json:"sha256,omitzero"`        // of the file as it was read, lower-case hexadecimal
	Size           int64  `json:"size,omitzero"`          // bytes of the file as it was read
	ETag           string `json:"etag,omitzero"`          // of the publisher's server when the file was downloaded
	LastModified   string `json:"last_modified,omitzero"` // as the server reported it
}

// The values of Source.Redistribution.
const (
	PublicDomain    = "public-domain" // without conditions
	WithAttribution = "attribution"   // with the attribution
	ShareAlike      = "share-alike"   // with the attribution, under the same license
	Restricted      = "restricted"    // not at all: private terms
)

// A Gap is a known hole of a dataset.
type Gap struct {
	Name  string `json:"name"`  // e.g. "ZIPs without a county"
	Count int64  `json:"count"` // number of rows or values
}

// A Table is one table of the file.
type Table struct {
	Name   string `json:"name"`   // in the file
	Rows   int64  `json:"rows"`   // number of rows
	SHA256 string `json:"sha256"` // over its rows in order, lower-case hexadecimal
}

// Attributions returns the sentences that the licenses of the sources require,
// each once, in the order of the sources, without full stops.
func (m Manifest) Attributions() []string {
	var all []string
	for _, s := range m.Sources {
		for _, sentence := range sentences(s.Attribution) {
			same := func(other string) bool { return strings.TrimSuffix(other, ".") == strings.TrimSuffix(sentence, ".") }
			if !slices.ContainsFunc(all, same) {
				all = append(all, sentence)
			}
		}
	}
	return all
}

// sentences splits a text after full stops that end a word of small letters or
// digits, unlike those of "U.S. Census Bureau".
func sentences(text string) []string {
	var out []string
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	begin := 0
	for i := 1; i+1 < len(text); i++ {
		if before := rune(text[i-1]); text[i] == '.' && text[i+1] == ' ' && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			add(text[begin:i])
			begin = i + 1
		}
	}
	add(text[begin:])
	return out
}
