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
	State    string // two letters; "" in the ZCTA file
	GEOID    string
	Name     string // with its legal description; "" in the ZCTA file
	LSAD     string // legal/statistical area description; only in the place file
	FuncStat string // functional status, e.g. "A" active government; only of places and subdivisions
	Land     int64  // square meters
	Water    int64  // square meters
	Location geo.LatLng
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
	columns := format.Columns("GEOID", "ALAND", "AWATER", "INTPTLAT", "INTPTLONG")
	columns = append(columns, optionalColumns("USPS", "NAME", "LSAD", "FUNCSTAT")...)
	for i := range columns {
		columns[i].Match = trimmed(columns[i].Name)
	}
	o := format.TableOptions{Delimiter: delimiter, Columns: columns}
	return table(in, o, func(r format.Row) (GazetteerRow, error) { return gazetteerRow(r, geoidDigits) })
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

func gazetteerRow(r format.Row, geoidDigits int) (GazetteerRow, error) {
	g := GazetteerRow{
		State:    r.Get("USPS"),
		Name:     r.Get("NAME"),
		LSAD:     r.Get("LSAD"),
		FuncStat: r.Get("FUNCSTAT"),
		Line:     r.Line(),
	}
	var err error
	if g.GEOID, err = digits(r, "GEOID", geoidDigits); err != nil {
		return g, err
	}
	if g.Land, err = count(r, "ALAND"); err != nil {
		return g, err
	}
	if g.Water, err = count(r, "AWATER"); err != nil {
		return g, err
	}
	g.Location, err = point(r, "INTPTLAT", "INTPTLONG")
	return g, err
}

// GazetteerOf returns [Gazetteer] for GEOIDs of so many digits.
func GazetteerOf(digits int) func(*format.Input) iter.Seq2[GazetteerRow, error] {
	return func(in *format.Input) iter.Seq2[GazetteerRow, error] { return Gazetteer(in, digits) }
}
