package table

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/postgeo/postgeo/internal/enum"
)

// A Format is how a table is written.
type Format uint8

// The formats.
const (
	CSV     Format = iota + 1 // RFC 4180
	TSV                       // CSV with tabs
	NDJSON                    // a JSON object a line
	Parquet                   // Apache Parquet
)

var formatNames = enum.Names[Format]{CSV: "csv", TSV: "tsv", NDJSON: "ndjson", Parquet: "parquet"}

// String returns "csv", "tsv", "ndjson" or "parquet".
func (f Format) String() string { return formatNames.Of(f) }

// ParseFormat reads a name of a format: csv, tsv, ndjson (also jsonl) or
// parquet.
func ParseFormat(name string) (Format, error) {
	switch strings.ToLower(name) {
	case "csv", "txt":
		return CSV, nil
	case "tsv", "tab":
		return TSV, nil
	case "ndjson", "jsonl", "json":
		return NDJSON, nil
	case "parquet", "pq":
		return Parquet, nil
	default:
		return 0, fmt.Errorf("table: unknown format %q; expected csv, tsv, ndjson or parquet", name)
	}
}

// FormatOf returns the format and the compression that a file's name stands for.
// ok is false if the name has no known extension.
func FormatOf(path string) (f Format, zipped, ok bool) {
	name := strings.ToLower(path)
	if rest, is := strings.CutSuffix(name, ".gz"); is {
		name, zipped = rest, true
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || strings.ContainsAny(name[dot:], `/\`) {
		return 0, zipped, false
	}
	f, err := ParseFormat(name[dot+1:])
	return f, zipped, err == nil
}

// CheckName refuses the name of a spreadsheet, which would be text under a
// name that promises something else, or be read as if it were text.
func CheckName(path string) error {
	if f, zipped, ok := FormatOf(path); ok && zipped && f == Parquet {
		return fmt.Errorf("table: %s is the name of a Parquet file in gzip; Parquet is compressed inside, name it .parquet", path)
	}
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".xlsx", ".xls", ".xlsm", ".xlsb", ".ods", ".numbers":
		return fmt.Errorf("table: %s is the name of a spreadsheet, which is not read or written; save it as CSV, or name a file .csv, .tsv, .ndjson or .parquet", path)
	default:
		return nil
	}
}

// comma returns what divides the cells of a line.
func (f Format) comma() byte {
	if f == TSV {
		return '\t'
	}
	return ','
}

// A RowError is the error of a row that its format does not allow.
type RowError struct {
	Line   int64 // of the input, from 1; of Parquet the row
	Reason string
}

// Error names the line.
func (e *RowError) Error() string { return fmt.Sprintf("table: line %d: %s", e.Line, e.Reason) }
