package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
)

// An acsTable is an open table of any layout.
type acsTable struct {
	name   string
	line   int      // of the header
	header []string // names such as DP05_0001E; without the table's name, _0001E, in files of FactFinder
	labels []string // of the columns; nil in layouts without labels
	geoid  int      // column with the GEO_ID
	first  *acsRecord
	read   func() (acsRecord, error) // io.EOF after the last record
}

// An acsRecord is a row of a table. Its fields hold until the next one is read.
type acsRecord struct {
	fields []string
	line   int
}

func (t *acsTable) next() (acsRecord, error) {
	if r := t.first; r != nil {
		t.first = nil
		return *r, nil
	}
	return t.read()
}

// IsACSProfile reports whether an input begins like a table of a profile, in
// any of its layouts, without reading it.
func IsACSProfile(in *format.Input) bool {
	text := beginning(in)
	return slices.ContainsFunc([]string{"[", `"GEO_ID"`, "GEO_ID,", "GEO.id,", `"GEO.id"`}, func(s string) bool { return strings.HasPrefix(text, s) })
}

func beginning(in *format.Input) string {
	head, _ := in.Peek(64)
	return strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \r\n\t")
}

// OpenACSTable opens a file that holds a table: a plain or gzip file, or a zip
// as downloaded, with notes next to the table.
func OpenACSTable(path string) (*format.Input, error) {
	for _, member := range []string{"*-Data.csv", "*with_ann.csv", "*.csv"} {
		in, err := format.Open(path, format.OpenOptions{Member: member})
		if !errors.Is(err, format.ErrMember) {
			return in, err
		}
	}
	return format.Open(path, format.OpenOptions{})
}

// acsGEOID matches the start of a GEO_ID of any summary level, such as
// 860Z200US90210.
var acsGEOID = regexp.MustCompile(`^\d{3}\w{4}US`)

// newACSTable reads the head of a file: the identifiers of the columns, and in text a
// row of labels, which may be missing below identifiers of data.census.gov.
func newACSTable(in *format.Input) (*acsTable, error) {
	if strings.HasPrefix(beginning(in), "[") {
		return newACSArrays(in)
	}
	// The Census Bureau does not double quotes within quoted labels.
	rows, err := format.NewTable(in, format.TableOptions{LooseQuotes: true})
	if err != nil {
		return nil, err
	}
	t := &acsTable{name: in.Name(), line: 2, header: rows.Header()}
	t.read = func() (acsRecord, error) {
		row, err := rows.Next()
		return acsRecord{row.Fields(), row.Line()}, err
	}
	data := false
	if t.geoid = slices.Index(t.header, "GEO_ID"); t.geoid >= 0 {
		data = true
	} else if t.geoid = slices.Index(t.header, "GEO.id"); t.geoid < 0 {
		return nil, &format.Error{File: t.name, Line: 1, Reason: "no column GEO_ID or GEO.id: it is not a table of a data profile", Err: format.ErrColumns}
	}
	labels, err := t.read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, &format.Error{File: t.name, Line: 2, Reason: "the row of labels is missing", Err: format.ErrTruncated}
	case err != nil:
		return nil, err
	case data && acsGEOID.MatchString(labels.fields[t.geoid]):
		t.line, t.first = 1, &labels
	default:
		t.labels = slices.Clone(labels.fields)
	}
	if !data {
		t.header = factFinderNames(t.header)
	}
	return t, nil
}

var factFinderID = regexp.MustCompile(`^HC0([1-4])_VC(\d+)$`)

// factFinderNames returns the names for identifiers such as HC01_VC03. Their second
// numbers count lines on the screen, including headings; in order they are the columns
// of the table.
func factFinderNames(header []string) []string {
	var lines []int
	of := func(id string) (measure, line int) {
		if m := factFinderID.FindStringSubmatch(id); m != nil {
			measure, _ = strconv.Atoi(m[1])
			line, _ = strconv.Atoi(m[2])
		}
		return measure, line
	}
	for _, id := range header {
		if m, line := of(id); m > 0 {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	names := make([]string, len(header))
	for i, id := range header {
		if m, line := of(id); m > 0 {
			at, _ := slices.BinarySearch(lines, line)
			names[i] = fmt.Sprintf("_%04d%s", at+1, acsMeasures[m-1])
		}
	}
	return names
}

// maxACSRow bounds a row of the Census Bureau's interface, in bytes.
const maxACSRow = 1 << 20

// newACSArrays reads the layout of the Census Bureau's interface: an array of arrays of
// texts, numbers and nulls. The first array has the names of the columns.
func newACSArrays(in *format.Input) (*acsTable, error) {
	if head, _ := in.Peek(3); string(head) == "\ufeff" {
		_, _ = in.Read(make([]byte, 3))
	}
	limited := &io.LimitedReader{R: in, N: maxACSRow}
	a := &acsArrays{name: in.Name(), in: limited, json: json.NewDecoder(limited)}
	a.json.UseNumber()
	if _, err := a.json.Token(); err != nil { // the bracket around the rows
		return nil, a.failed(err)
	}
	head, err := a.row()
	if errors.Is(err, io.EOF) {
		err = a.fault(format.ErrSyntax, "an empty array; expected a row of names")
	}
	if err != nil {
		return nil, err
	}
	t := &acsTable{name: a.name, line: 1, header: slices.Clone(head), read: a.next}
	a.width = len(t.header)
	if t.geoid = slices.Index(t.header, "GEO_ID"); t.geoid >= 0 {
		return t, nil
	}
	for _, names := range [][]string{{"zip code tabulation area"}, {"state", "county", "tract"}} { // whose codes make a GEO_ID
		a.parts = a.parts[:0]
		for _, n := range names {
			if at := slices.Index(t.header, n); at >= 0 {
				a.parts = append(a.parts, at)
			}
		}
		if len(a.parts) == len(names) {
			break
		}
		a.parts = nil
	}
	switch len(a.parts) {
	case 0:
		return nil, &format.Error{File: a.name, Line: 1, Reason: "no column GEO_ID, zip code tabulation area or tract: it is not a table of ZCTAs or census tracts", Err: format.ErrColumns}
	case 1:
		year, err := acsYear(a.name)
		if err != nil {
			return nil, err
		}
		if a.prefix = "860Z200US"; year <= lastOldZCTAs {
			a.prefix = "8600000US"
		}
	default:
		a.prefix = "1400000US"
	}
	t.geoid, t.header = len(t.header), append(t.header, "GEO_ID")
	return t, nil
}

type acsArrays struct {
	name   string
	in     *io.LimitedReader // the bytes of a row at most
	json   *json.Decoder
	width  int
	prefix string // of a GEO_ID that is made of parts
	parts  []int
	line   int
	values []any
	fields []string
}

func (a *acsArrays) next() (acsRecord, error) {
	fields, err := a.row()
	if err != nil {
		return acsRecord{}, err
	}
	if len(fields) != a.width {
		return acsRecord{}, a.fault(format.ErrRagged, "%d values, expected %d", len(fields), a.width)
	}
	if a.parts != nil {
		id := a.prefix
		for _, i := range a.parts {
			id += fields[i]
		}
		fields = append(fields, id)
	}
	return acsRecord{fields, a.line}, nil
}

// row returns the values of the next inner array, nulls as ""; io.EOF after the
// last, which is also the end of the file.
func (a *acsArrays) row() ([]string, error) {
	a.in.N = maxACSRow
	if !a.json.More() {
		if _, err := a.json.Token(); err != nil {
			return nil, a.failed(err)
		}
		t, err := a.json.Token()
		switch {
		case err == nil:
			err = a.fault(format.ErrSyntax, "%v behind the end of the array", t)
		case !errors.Is(err, io.EOF):
			err = a.failed(err)
		}
		return nil, err
	}
	a.line++
	a.values, a.fields = a.values[:0], a.fields[:0]
	if err := a.json.Decode(&a.values); err != nil {
		return nil, a.failed(err)
	}
	for _, v := range a.values {
		switch v := v.(type) {
		case nil:
			a.fields = append(a.fields, "")
		case string:
			a.fields = append(a.fields, v)
		case json.Number:
			a.fields = append(a.fields, v.String())
		default:
			return nil, a.fault(format.ErrSyntax, "%v; expected a text, a number or null", v)
		}
	}
	return a.fields, nil
}

func (a *acsArrays) fault(cause error, reason string, args ...any) error {
	return &format.Error{File: a.name, Line: a.line, Reason: fmt.Sprintf(reason, args...), Err: cause}
}

// failed adds the place and the reason to a decoding error.
func (a *acsArrays) failed(err error) error {
	var e *format.Error
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &e):
		return err
	case errors.As(err, &kind):
		return a.fault(format.ErrSyntax, "%s; expected the array of a row", kind.Value)
	case a.in.N == 0:
		return a.fault(format.ErrTooLong, "a row of more than %d bytes", maxACSRow)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return a.fault(format.ErrTruncated, "the array has no end")
	default:
		return a.fault(format.ErrSyntax, "%v", err)
	}
}
