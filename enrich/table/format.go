package table

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/postgeo/postgeo/envelope"
)

// A Format is the file format of a table.
type Format string

// The formats.
const (
	CSV     Format = "csv"     // RFC 4180
	TSV     Format = "tsv"     // CSV with tabs
	NDJSON  Format = "ndjson"  // a JSON object a line
	Parquet Format = "parquet" // Apache Parquet
	XLSX    Format = "xlsx"    // a sheet of an Excel file
)

// UnmarshalText reads a name of a format, such as csv, jsonl or the extension of a file.
func (f *Format) UnmarshalText(name []byte) error {
	switch strings.ToLower(string(name)) {
	case "csv", "txt":
		*f = CSV
	case "tsv", "tab":
		*f = TSV
	case "ndjson", "jsonl", "json":
		*f = NDJSON
	case "parquet", "pq":
		*f = Parquet
	case "xlsx":
		*f = XLSX
	default:
		return &envelope.Failure{Op: "table", Kind: envelope.KindInvalidParam, Param: "format", Input: string(name), Range: "csv, tsv, ndjson, parquet or xlsx"}
	}
	return nil
}

// FormatOf returns the format that the extension of a file's name indicates, "" if it is
// not known, and whether the name is that of a gzip file.
//
// It returns an error for names of spreadsheets other than .xlsx, of files for maps, and
// of compressed files of binary formats. An output would be text under a misleading name;
// an input would be read as if it were text.
func FormatOf(path string) (f Format, zipped bool, err error) {
	name, zipped := strings.CutSuffix(strings.ToLower(path), ".gz")
	_ = f.UnmarshalText([]byte(strings.TrimPrefix(filepath.Ext(name), ".")))
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".gz":
		if f.Binary() {
			err = fmt.Errorf("table: %s is the name of a file of %s in gzip; it is compressed inside, name it .%[2]s", path, f)
		}
	case ".xls", ".xlsm", ".xlsb", ".ods", ".numbers":
		err = fmt.Errorf("table: %s is a spreadsheet in an unsupported format; save it as .xlsx, .csv, .tsv, .ndjson or .parquet", path)
	case ".geojson":
		err = fmt.Errorf("table: %s is a GeoJSON file, not a table; its polygons can be areas that rows are looked up in (--areas-from)", path)
	case ".shp", ".dbf", ".gpkg", ".kml", ".kmz", ".fgb", ".gml", ".topojson", ".arrow", ".feather", ".avro", ".orc":
		err = fmt.Errorf("table: the format %s of %s is not supported; name a .csv, .tsv, .ndjson, .parquet or .xlsx file", ext, path)
	}
	return f, zipped, err
}

// Binary reports whether the format is binary, with its own compression: Parquet and
// XLSX.
func (f Format) Binary() bool { return f == Parquet || f == XLSX }

// comma returns the default delimiter of CSV and TSV.
func (f Format) comma() byte {
	if f == TSV {
		return '\t'
	}
	return ','
}

// An Error is an error of a table or its options: a row that the format does not allow,
// missing or ambiguous key columns, a missing sheet, or added columns whose names the table
// already has.
type Error struct {
	Line   int64  // of the row in the input, from 1; in Parquet the row; 0 for other errors
	Reason string // why the table is refused
	// Options are the fields of [Input], [Names] and [Output] that can help: Lenient keeps
	// such rows, NoHeader reads the first as one, Sheet is the missing one, Code, Lat, Lon
	// and Address name key columns, and Status and Reason name the columns otherwise.
	Options []string
	Columns []string // that the table already has
}

// Error names the line of a row.
func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("table: line %d: %s", e.Line, e.Reason)
	}
	return "table: " + e.Reason
}

func rowError(line int64, err error) *Error {
	e := &Error{Line: line, Reason: err.Error()}
	if errors.As(err, new(cellsError)) {
		e.Options = []string{"Lenient"}
	}
	return e
}

// A cellsError is a row with too few or too many cells.
type cellsError struct{ cells, header int }

func (e cellsError) Error() string {
	return fmt.Sprintf("%d cells, the header has %d", e.cells, e.header)
}

// Magic numbers of files.
const (
	gzipMagic    = "\x1f\x8b"
	parquetMagic = "PAR1"
	zipMagic     = "PK\x03\x04"
	byteBOM      = "\ufeff"
)

// foreign lists the first bytes of unreadable formats and the advice for each. Without it,
// they would be read as CSV, with an error about a key column that nobody understands.
var foreign = []struct{ magic, what string }{
	{"\xd0\xcf\x11\xe0", "an old spreadsheet (.xls) or one with a password; save it as .xlsx without a password, or as CSV UTF-8"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it, or compress it with gzip"},
	{"BZh91AY&SY", "compressed with bzip2; unpack it, or compress it with gzip"},
	{"\xfd7zXZ", "compressed with xz; unpack it, or compress it with gzip"},
	{"ARROW1\x00\x00", "an Arrow file; write it as Parquet"},
	{"SQLite format 3\x00", "an SQLite database; export the table as CSV"},
}

// recognize returns the format of the options, else the one that the first bytes
// indicate: NDJSON for an object, Parquet and XLSX for their magic numbers, and CSV for
// other text.
func recognize(r *bufio.Reader, opt Input) (Format, error) {
	_, _ = r.Peek(1) // brings one read; the next one meets the error
	peeked, _ := r.Peek(r.Buffered())
	head := string(peeked)
	for _, f := range foreign {
		if strings.HasPrefix(head, f.magic) {
			return "", errors.New("table: the input is " + f.what)
		}
	}
	first := strings.TrimLeft(strings.TrimPrefix(head, byteBOM), jsonBlanks)
	object := func(s string) bool { return strings.HasPrefix(strings.TrimLeft(s, jsonBlanks), "{") }
	zip, parquet := strings.HasPrefix(head, zipMagic), strings.HasPrefix(head, parquetMagic)
	switch {
	case zip && (opt.Format == "" || opt.Format == XLSX):
		return XLSX, nil
	case zip:
		return "", errors.New("table: the input is an Excel file (.xlsx) or a ZIP archive, and was to be read as " + string(opt.Format))
	case opt.Sheet != "":
		return "", sheetError(opt.Sheet, nil)
	case parquet && opt.Format == "":
		return Parquet, nil
	case parquet && strings.IndexByte(head, 0) >= 0: // a text may begin with PAR1
		return "", errors.New("table: the input is Parquet, and was to be read as " + string(opt.Format))
	case strings.HasPrefix(first, "[") && (opt.Format == NDJSON || opt.Format == "" && object(first[1:])):
		return "", errors.New("table: the input is one JSON array; expected one object per line (jq -c '.[]' makes them)")
	case opt.Format != "":
		return opt.Format, nil
	case object(first):
		return NDJSON, nil
	default:
		return CSV, nil
	}
}
