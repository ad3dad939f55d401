package source

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// acsArrays are the records of the Census Bureau's interface: an array of
// arrays of texts, numbers and nulls, the first of which names the columns.
type acsArrays struct {
	name  string
	r     *bufio.Reader
	line  int
	begun bool
	geoid int
	parts []int // columns that make up the code without GEO_ID
	form  string
	label int
	width int
	text  []byte // of the values of a row
	ends  []int
	rec   acsRecord
}

// maxArrayRow bounds a row, in bytes.
const maxArrayRow = 1 << 20

func openACSArrays(in *format.Input) (*acsHead, acsRecords, error) {
	a := &acsArrays{name: in.Name(), r: bufio.NewReaderSize(in, 1<<16), line: 1, geoid: -1, label: -1}
	if head, _ := a.r.Peek(3); string(head) == "\ufeff" {
		_, _ = a.r.Discard(3)
	}
	names, err := a.row()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = a.fault("an empty array; expected a row of names")
		}
		return nil, nil, err
	}
	head := &acsHead{line: 1}
	var columns []string
	for i, n := range names {
		columns = append(columns, strings.Clone(n))
		head.columns = append(head.columns, dataColumn(i, n))
	}
	a.width = len(columns)
	at := func(name string) int { return slices.Index(columns, name) }
	a.geoid, a.label = at("GEO_ID"), at("NAME")
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

func (a *acsArrays) fault(reason string, args ...any) error {
	return &format.Error{File: a.name, Line: a.line, Reason: fmt.Sprintf(reason, args...), Err: format.ErrSyntax}
}

func (a *acsArrays) next() (*acsRecord, error) {
	fields, err := a.row()
	if err != nil {
		return nil, err
	}
	if len(fields) != a.width {
		return nil, &format.Error{File: a.name, Line: a.line, Reason: fmt.Sprintf("%d values, expected %d", len(fields), a.width), Err: format.ErrRagged}
	}
	a.rec.fields, a.rec.line = fields, a.line
	if a.label >= 0 {
		a.rec.name = fields[a.label]
	}
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

// token returns the next byte that is not white space.
func (a *acsArrays) token() (byte, error) {
	for {
		c, err := a.r.ReadByte()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return 0, &format.Error{File: a.name, Line: a.line, Reason: "the array has no end", Err: format.ErrTruncated}
			}
			return 0, err
		}
		switch c {
		case '\n':
			a.line++
		case ' ', '\t', '\r':
		default:
			return c, nil
		}
	}
}

// row reads one inner array; io.EOF after the last. Nulls are "".
func (a *acsArrays) row() ([]string, error) {
	c, err := a.token()
	if err != nil {
		return nil, err
	}
	switch {
	case !a.begun && c == '[':
		a.begun = true
		c, err = a.token()
	case a.begun && c == ',':
		c, err = a.token()
	case a.begun && c == ']':
		if c, err := a.token(); err == nil {
			return nil, a.fault("%q behind the end of the array", c)
		}
		return nil, io.EOF
	default:
		return nil, a.fault("%q; expected an array of arrays", c)
	}
	if err != nil {
		return nil, err
	}
	if c == ']' && len(a.ends) == 0 {
		return nil, io.EOF
	}
	if c != '[' {
		return nil, a.fault("%q; expected the array of a row", c)
	}
	a.text, a.ends = a.text[:0], a.ends[:0]
	for {
		if c, err = a.token(); err != nil {
			return nil, err
		}
		switch {
		case c == '"':
			err = a.quoted()
		case c == ']' && len(a.ends) == 0:
			return nil, a.fault("an empty row")
		default:
			err = a.bare(c)
		}
		if err != nil {
			return nil, err
		}
		a.ends = append(a.ends, len(a.text))
		if len(a.text) > maxArrayRow || len(a.ends) > maxArrayRow/4 {
			return nil, &format.Error{File: a.name, Line: a.line, Reason: fmt.Sprintf("a row of more than %d bytes", maxArrayRow), Err: format.ErrTooLong}
		}
		if c, err = a.token(); err != nil {
			return nil, err
		}
		if c == ']' {
			break
		}
		if c != ',' {
			return nil, a.fault("%q between values; expected a comma", c)
		}
	}
	text := string(a.text)
	fields := a.rec.fields[:0]
	from := 0
	for _, to := range a.ends {
		fields = append(fields, text[from:to])
		from = to
	}
	return fields, nil
}

// quoted reads a text behind its opening quote.
func (a *acsArrays) quoted() error {
	from := len(a.text)
	escaped := false
	for {
		part, err := a.r.ReadSlice('"')
		a.text = append(a.text, part...)
		if len(a.text)-from > maxArrayRow {
			return &format.Error{File: a.name, Line: a.line, Reason: "a text without a closing quote", Err: format.ErrTooLong}
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return &format.Error{File: a.name, Line: a.line, Reason: "the file ends within a text", Err: format.ErrTruncated}
		}
		n := len(a.text) - 1 // of the quote
		slashes := 0
		for n-1-slashes >= from && a.text[n-1-slashes] == '\\' {
			slashes++
		}
		escaped = escaped || slashes > 0
		if slashes%2 == 0 {
			break
		}
	}
	a.text = a.text[:len(a.text)-1]
	if !escaped && !slices.Contains(a.text[from:], '\\') {
		return nil
	}
	var s string
	if err := json.Unmarshal(slices.Concat([]byte{'"'}, a.text[from:], []byte{'"'}), &s); err != nil {
		return a.fault("a text is malformed: %v", err)
	}
	a.text = append(a.text[:from], s...)
	return nil
}

// bare reads null or a number, whose first byte is c.
func (a *acsArrays) bare(c byte) error {
	from := len(a.text)
	for {
		if c == ',' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t' {
			_ = a.r.UnreadByte()
			break
		}
		if a.text = append(a.text, c); len(a.text)-from > 32 {
			return a.fault("%q is not a value", a.text[from:])
		}
		var err error
		if c, err = a.r.ReadByte(); err != nil {
			return &format.Error{File: a.name, Line: a.line, Reason: "the array has no end", Err: format.ErrTruncated}
		}
	}
	value := a.text[from:]
	if string(value) == "null" {
		a.text = a.text[:from]
		return nil
	}
	if len(value) == 0 || !json.Valid(value) || value[0] != '-' && (value[0] < '0' || value[0] > '9') {
		return a.fault("%q; expected a text, a number or null", value)
	}
	return nil
}
