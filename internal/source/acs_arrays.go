package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/postgeo/postgeo/internal/source/format"
)

// acsArrays are the records of the Census Bureau's interface: an array of
// arrays of texts, numbers and nulls, the first of which names the columns.
// There is a row on each line.
type acsArrays struct {
	name   string
	in     *io.LimitedReader // the bytes of a row at most
	json   *json.Decoder
	geoid  int
	parts  []int // columns that make up the code without GEO_ID
	form   string
	values []any
	rec    acsRecord
}

// maxArrayRow bounds a row, in bytes.
const maxArrayRow = 1 << 20

func openACSArrays(in *format.Input) (*acsHead, acsRecords, error) {
	if head, _ := in.Peek(3); string(head) == "\ufeff" {
		_, _ = in.Read(make([]byte, 3))
	}
	rows := &io.LimitedReader{R: in, N: maxArrayRow}
	a := &acsArrays{name: in.Name(), in: rows, json: json.NewDecoder(rows)}
	a.json.UseNumber()
	if _, err := a.json.Token(); err != nil { // the bracket around the rows
		return nil, nil, a.failed(err)
	}
	columns, err := a.row(nil)
	if errors.Is(err, io.EOF) {
		err = a.fault(format.ErrSyntax, "an empty array; expected a row of names")
	}
	if err != nil {
		return nil, nil, err
	}
	head := &acsHead{line: 1}
	for i, n := range columns {
		head.columns = append(head.columns, dataColumn(i, n))
	}
	a.rec.fields = make([]string, len(columns))
	at := func(name string) int { return slices.Index(columns, name) }
	a.geoid = at("GEO_ID")
	switch {
	case a.geoid >= 0:
	case at("zip code tabulation area") >= 0:
		a.parts, a.form = []int{at("zip code tabulation area")}, "zcta"
	case at("state") >= 0 && at("county") >= 0 && at("tract") >= 0:
		a.parts, a.form = []int{at("state"), at("county"), at("tract")}, "1400000US"
	default:
		return nil, nil, &format.Error{File: a.name, Line: 1, Reason: "no column GEO_ID, zip code tabulation area or tract: it is not a table of ZCTAs or census tracts", Err: format.ErrColumns}
	}
	if a.form == "zcta" {
		a.form = "860Z200US"
		if year, err := acsYear(a.name); err != nil {
			return nil, nil, err
		} else if year <= 2019 {
			a.form = "8600000US"
		}
	}
	return head, a, nil
}

func (a *acsArrays) fault(cause error, reason string, args ...any) error {
	return &format.Error{File: a.name, Line: a.rec.line, Reason: fmt.Sprintf(reason, args...), Err: cause}
}

func (a *acsArrays) next() (*acsRecord, error) {
	width := len(a.rec.fields)
	fields, err := a.row(a.rec.fields[:0])
	if err != nil {
		return nil, err
	}
	if len(fields) != width {
		return nil, a.fault(format.ErrRagged, "%d values, expected %d", len(fields), width)
	}
	a.rec.fields = fields
	if a.geoid >= 0 {
		a.rec.geoid = fields[a.geoid]
	} else {
		a.rec.geoid = a.form
		for _, i := range a.parts {
			a.rec.geoid += fields[i]
		}
	}
	return &a.rec, nil
}

// row appends the values of the next inner array, nulls as ""; io.EOF after the
// last.
func (a *acsArrays) row(fields []string) ([]string, error) {
	a.in.N = maxArrayRow
	if !a.json.More() {
		return nil, a.end()
	}
	a.rec.line++
	a.values = a.values[:0]
	if err := a.json.Decode(&a.values); err != nil {
		return nil, a.failed(err)
	}
	if len(a.values) == 0 {
		return nil, a.fault(format.ErrSyntax, "an empty row")
	}
	for _, v := range a.values {
		switch v := v.(type) {
		case nil:
			fields = append(fields, "")
		case string:
			fields = append(fields, v)
		case json.Number:
			fields = append(fields, v.String())
		default:
			return nil, a.fault(format.ErrSyntax, "%v; expected a text, a number or null", v)
		}
	}
	return fields, nil
}

// end reads the end of the array and of the file, and returns io.EOF.
func (a *acsArrays) end() error {
	if _, err := a.json.Token(); err != nil {
		return a.failed(err)
	}
	switch t, err := a.json.Token(); {
	case errors.Is(err, io.EOF):
		return io.EOF
	case err != nil:
		return a.failed(err)
	default:
		return a.fault(format.ErrSyntax, "%v behind the end of the array", t)
	}
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
		return a.fault(format.ErrTooLong, "a row of more than %d bytes", maxArrayRow)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return a.fault(format.ErrTruncated, "the array has no end")
	default:
		return a.fault(format.ErrSyntax, "%v", err)
	}
}
