// Package output writes the items that commands answer with in the formats of
// the --format flag: JSON as the server writes it, one JSON object per line,
// comma or tab separated values, and tables for people. Every format escapes
// hidden characters as \u001b, which leaves the values of JSON as they are.
package output

import (
	"fmt"
	"strings"

	"github.com/postgeo/postgeo/internal/plain"
)

// A Format is a way to write items.
type Format uint8

// The formats. The zero Format is invalid.
const (
	Table    Format = iota + 1 // aligned columns for a terminal
	JSON                       // the item, or an array of items
	JSONL                      // one item per line
	CSV                        // comma separated values with a header (RFC 4180, lines end in LF)
	TSV                        // tab separated values with a header; tabs and line ends in values become spaces
	Markdown                   // a table of GitHub Flavored Markdown; values are text, not markup
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

// Text returns s as one line without markup for a page in Table or Markdown.
func (f Format) Text(s string) string {
	if f == Markdown {
		return plain.Markdown(s)
	}
	return plain.Line(s)
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
