package synth

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/geo"
)

// A table writes rows of delimited text.
type table struct {
	w         *bufio.Writer
	delimiter byte
	quoteAll  bool
	end       string
}

func newTable(w io.Writer, delimiter byte) *table {
	return &table{w: bufio.NewWriterSize(w, 1<<16), delimiter: delimiter, end: "\n"}
}

// row writes one row. With commas, values that need quotes get them; with
// other delimiters the official files have none. Errors come with flush.
func (t *table) row(values ...string) {
	for i, v := range values {
		if i > 0 {
			t.w.WriteByte(t.delimiter)
		}
		if t.quoteAll || t.delimiter == ',' && strings.ContainsAny(v, ",\"\n") {
			t.w.WriteByte('"')
			t.w.WriteString(strings.ReplaceAll(v, `"`, `""`))
			t.w.WriteByte('"')
		} else {
			t.w.WriteString(v)
		}
	}
	t.w.WriteString(t.end)
}

func (t *table) flush() error { return t.w.Flush() }

func itoa[T int | int32 | int64](v T) string { return strconv.FormatInt(int64(v), 10) }

// decimal formats a number with at most the given number of digits after the
// point.
func decimal(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// latText and lngText format a coordinate with up to six digits, blank where
// there is none.
func latText(p geo.LatLng) string {
	if !p.IsValid() {
		return ""
	}
	return decimal(p.Lat(), 6)
}

func lngText(p geo.LatLng) string {
	if !p.IsValid() {
		return ""
	}
	return decimal(p.Lng(), 6)
}

// squareMiles formats square metres as square miles with three digits, as the
// Gazetteer has them.
func squareMiles(m2 int64) string {
	return decimal(float64(m2)/2589988.110336, 3)
}

// areaColumns are the four columns that every Gazetteer file has for an area.
func (a Area) areaColumns() []string {
	return []string{itoa(a.Land), itoa(a.Water), squareMiles(a.Land), squareMiles(a.Water)}
}
