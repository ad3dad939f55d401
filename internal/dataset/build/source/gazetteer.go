package source

import (
	"bufio"
	"bytes"
	"io"
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A GazetteerRow is a row of a Gazetteer file of the U.S. Census Bureau. All
// its files share these columns, as far as they apply to the geography.
type GazetteerRow struct {
	State    string     `col:"USPS" miss:"file"` // two letters; "" in the ZCTA file
	GEOID    string     `col:"GEOID"`
	Name     string     `col:"NAME" miss:"file"`     // with its legal description; "" in the ZCTA file
	LSAD     string     `col:"LSAD" miss:"file"`     // legal/statistical area description; only in the place file
	FuncStat string     `col:"FUNCSTAT" miss:"file"` // functional status, e.g. "A" active government; only of places and subdivisions
	Land     int64      `col:"ALAND"`                // square meters
	Water    int64      `col:"AWATER"`               // square meters
	Location geo.LatLng `col:"INTPTLAT;INTPTLONG"`
	Line     int
}

// Gazetteer reads a Gazetteer file whose GEOIDs have so many digits: 5 for
// ZCTAs and counties, 7 for places, 10 for county subdivisions. The delimiter
// is "|" since 2025 and a tab before, by the header. A row is refused when its
// GEOID, an area or its point is malformed.
func Gazetteer(in *format.Input, geoidDigits int) iter.Seq2[GazetteerRow, error] {
	delimiter, in, err := sniffDelimiter(in)
	if err != nil {
		return failed[GazetteerRow](err)
	}
	return matchedRows(in, format.TableOptions{Delimiter: delimiter}, trimmed, func(r format.Row, _ *GazetteerRow) error {
		_, err := digits(r, "GEOID", geoidDigits)
		return err
	})
}

// trimmed matches a header that may be padded with spaces.
func trimmed(name string) func(string) bool {
	return func(header string) bool { return string(bytes.TrimSpace([]byte(header))) == name }
}

// sniffDelimiter looks at the header for the separator.
func sniffDelimiter(in *format.Input) (byte, *format.Input, error) {
	buffered := bufio.NewReaderSize(in, 1<<16)
	head, err := buffered.Peek(512)
	if err != nil && err != io.EOF {
		return 0, nil, err
	}
	delimiter := byte('\t')
	if line, _, _ := bytes.Cut(head, []byte("\n")); bytes.IndexByte(line, '|') >= 0 {
		delimiter = '|'
	}
	return delimiter, format.NewInput(in.Name(), buffered), nil
}

// GazetteerOf returns [Gazetteer] for GEOIDs of so many digits.
func GazetteerOf(digits int) func(*format.Input) iter.Seq2[GazetteerRow, error] {
	return func(in *format.Input) iter.Seq2[GazetteerRow, error] { return Gazetteer(in, digits) }
}
