// Package output writes the items that commands answer with in the formats of
// the --format flag: JSON as the server writes it, one JSON object per line,
// comma or tab separated values, and tables for people.
package output

import (
	"fmt"
	"strings"
)

// A Format is a way to write items.
type Format uint8

// The formats. The zero Format is none of them.
const (
	Table    Format = iota + 1 // aligned columns for a terminal
	JSON                       // the item, or an array of items
	JSONL                      // one item per line
	CSV                        // comma separated values with a header (RFC 4180, lines end in LF)
	TSV                        // tab separated values with a header; tabs and line ends in values become spaces
	Markdown                   // a table of GitHub flavoured Markdown
	GeoJSON                    // a feature collection (RFC 7946), an item a feature
)

var formatNames = [...]string{Table: "table", JSON: "json", JSONL: "jsonl", CSV: "csv", TSV: "tsv", Markdown: "markdown", GeoJSON: "geojson"}

// FormatNames lists the names of the formats, separated by commas.
func FormatNames() string { return strings.Join(formatNames[Table:], ",") }

// String returns the name that [ParseFormat] reads; "" for the zero Format.
func (f Format) String() string {
	if int(f) >= len(formatNames) {
		return ""
	}
	return formatNames[f]
}

// ParseFormat reads the name of a format in any letter case.
func ParseFormat(s string) (Format, error) {
	for f := Table; f <= GeoJSON; f++ {
		if strings.EqualFold(s, formatNames[f]) {
			return f, nil
		}
	}
	return 0, fmt.Errorf("unknown format %q; expected one of %s", s, FormatNames())
}
