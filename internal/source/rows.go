package source

import (
	"errors"
	"iter"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
)

// A rowReader fills rows of a type by the tags of its fields:
//
//	col:"A"          the column; "A;B" of a code in parts, or of a latitude and a longitude
//	digits:"5"       the number of digits of a code; "2,3" of its parts
//	letters:"2"      the number of letters
//	miss:"file"      the file may lack the column
//	miss:"value"     the field may be blank
//
// The zero value of a field means that it is missing. A field Line has the
// number of the row.
type rowReader[R any] struct {
	columns []format.Column
	values  []rowValue
	row     R
	line    *int // in row
}

// A rowValue is a field that is read from columns.
type rowValue struct {
	to      any // pointer to the field
	columns []string
	digits  []int
	letters int
	missing bool
}

// newRowReader reads the tags of a type. The function match, which may be nil,
// returns the headers of a column.
func newRowReader[R any](match func(column string) func(header string) bool) *rowReader[R] {
	r := &rowReader[R]{line: new(int)}
	row := reflect.ValueOf(&r.row).Elem()
	for i := range row.NumField() {
		f := row.Type().Field(i)
		if f.Name == "Line" {
			r.line = row.Field(i).Addr().Interface().(*int)
		}
		col, ok := f.Tag.Lookup("col")
		if !ok {
			continue
		}
		v := rowValue{to: row.Field(i).Addr().Interface(), columns: strings.Split(col, ";"), missing: f.Tag.Get("miss") != ""}
		for n := range strings.FieldsFuncSeq(f.Tag.Get("digits"), func(c rune) bool { return c == ',' }) {
			v.digits = append(v.digits, number(n))
		}
		v.letters = number(f.Tag.Get("letters"))
		r.values = append(r.values, v)
		for _, name := range v.columns {
			c := format.Column{Name: name, Optional: f.Tag.Get("miss") == "file"}
			if match != nil {
				c.Match = match(name)
			}
			r.columns = append(r.columns, c)
		}
	}
	return r
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func (r *rowReader[R]) read(f fields, line int) (R, error) {
	var zero R
	r.row, *r.line = zero, line
	for i := range r.values {
		if err := r.values[i].read(f); err != nil {
			return zero, err
		}
	}
	return r.row, nil
}

func (v *rowValue) read(f fields) (err error) {
	name := v.columns[0]
	ok, want := true, ""
	switch to := v.to.(type) {
	case *string:
		*to, err = v.text(f)
	case *[]string:
		*to = list(f.Get(name))
	case *int64:
		*to, err = count(f, name)
	case **int64:
		*to, err = optionalCount(f, name)
	case *int32:
		*to, err = count32(f, name)
	case **int32:
		var n *int64
		if n, err = optionalCount(f, name); n != nil && *n > math.MaxInt32 {
			return f.Errorf(name, "%d, expected at most %d", *n, math.MaxInt32)
		} else if n != nil {
			*to = new(int32(*n))
		}
	case *geo.LatLng:
		*to, err = point(f, name, v.columns[1])
	case *postcode.ZIP:
		*to, ok = postcode.ParseZIP(f.Get(name))
		want = "five digits"
	case *postcode.Plus4:
		*to, ok = postcode.ParsePlus4(f.Get(name))
		want = "four digits"
	case *postcode.FSA:
		*to, ok = postcode.ParseFSA(f.Get(name))
		want = "a forward sortation area"
	case *postcode.PostalCode:
		*to, ok = postcode.ParsePostalCode(f.Get(name))
		want = "a postal code"
	}
	if !ok {
		return f.Errorf(name, "%q is not %s", f.Get(name), want)
	}
	return err
}

// text returns a text, or a code with its parts joined. A code is a copy, so
// that it does not keep its line in memory.
func (v *rowValue) text(f fields) (text string, err error) {
	if v.digits == nil || v.missing && f.Get(v.columns[0]) == "" {
		text = f.Get(v.columns[0])
		if v.letters > 0 && len(text) != v.letters {
			return "", f.Errorf(v.columns[0], "%q is not %d letters", text, v.letters)
		}
		return text, nil
	}
	for i, name := range v.columns {
		part, err := digits(f, name, v.digits[i])
		if err != nil {
			return "", err
		}
		text += part
	}
	return strings.Clone(text), nil
}

// rowsOf reads rows of a type with tags from a delimited text. The function
// finish, which may be nil, sets further fields and refuses rows; it returns
// errSkip for a row to leave out.
func rowsOf[R any](in *format.Input, o format.TableOptions, finish func(format.Row, *R) error) iter.Seq2[R, error] {
	return matchedRows(in, o, nil, finish)
}

// matchedRows is like rowsOf for headers whose wording varies.
func matchedRows[R any](in *format.Input, o format.TableOptions, match func(string) func(string) bool, finish func(format.Row, *R) error) iter.Seq2[R, error] {
	r := newRowReader[R](match)
	o.Columns = append(o.Columns, r.columns...)
	return table(in, o, r.parser(finish))
}

func (r *rowReader[R]) parser(finish func(format.Row, *R) error) func(format.Row) (R, error) {
	return func(f format.Row) (R, error) {
		row, err := r.read(f, f.Line())
		if err == nil && finish != nil {
			err = finish(f, &r.row)
			row = r.row
		}
		return row, err
	}
}

func opened[F interface{ Close() error }, S, R any](open func() (F, error), rows func(F) iter.Seq2[S, error], parse func(S) (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		file, err := open()
		if err != nil {
			failed[R](err)(yield)
			return
		}
		defer file.Close()
		for row, err := range parsed(rows(file), parse) {
			if !yield(row, err) {
				return
			}
		}
	}
}

// fields is the common part of a row of a table and a shape.
type fields interface {
	Get(name string) string
	Errorf(name, format string, args ...any) error
}

// errSkip leaves a row out.
var errSkip = errors.New("source: skip the row")

// parsed turns rows, shapes or blocks into typed rows. It yields an error that
// matches [format.ErrValue] and continues; other errors end the sequence.
func parsed[F, R any](rows iter.Seq2[F, error], parse func(F) (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for f, err := range rows {
			var r R
			if err == nil {
				r, err = parse(f)
			}
			if errors.Is(err, errSkip) {
				continue
			}
			if err != nil {
				r = *new(R)
			}
			if !yield(r, err) || err != nil && !errors.Is(err, format.ErrValue) {
				return
			}
		}
	}
}

// table opens a delimited text and parses its rows.
func table[R any](in *format.Input, o format.TableOptions, parse func(format.Row) (R, error)) iter.Seq2[R, error] {
	t, err := format.NewTable(in, o)
	if err != nil {
		return failed[R](err)
	}
	return parsed(t.Rows(), parse)
}

// failed is a sequence of nothing but an error.
func failed[R any](err error) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var zero R
		yield(zero, err)
	}
}

// point reads a latitude and a longitude in degrees. Several publishers write
// unknown points as 0, 0 or as two empty fields: both give the point that is
// not valid.
func point(f fields, lat, lng string) (geo.LatLng, error) {
	a, b := f.Get(lat), f.Get(lng)
	if a == "" && b == "" {
		return geo.LatLng{}, nil
	}
	y, err := strconv.ParseFloat(a, 64)
	if err != nil {
		return geo.LatLng{}, f.Errorf(lat, "%q is not a number of degrees", a)
	}
	x, err := strconv.ParseFloat(b, 64)
	if err != nil {
		return geo.LatLng{}, f.Errorf(lng, "%q is not a number of degrees", b)
	}
	if y == 0 && x == 0 {
		return geo.LatLng{}, nil
	}
	p, err := geo.LatLngFromDegrees(y, x)
	if err != nil {
		return geo.LatLng{}, f.Errorf(lat, "%s, %s: expected -90 to 90, -180 to 180", a, b)
	}
	return p, nil
}

// count reads a whole number that is not negative.
func count(f fields, name string) (int64, error) {
	n, err := strconv.ParseInt(f.Get(name), 10, 64)
	if err != nil || n < 0 {
		return 0, f.Errorf(name, "%q is not a whole number of 0 or more", f.Get(name))
	}
	return n, nil
}

// optionalCount reads a whole number, nil if the field is empty or holds one of
// the marks of an unpublished value ("x", "..", "F").
func optionalCount(f fields, name string) (*int64, error) {
	switch f.Get(name) {
	case "", "x", "X", "..", "...", "F":
		return nil, nil
	}
	n, err := count(f, name)
	if err != nil {
		return nil, err
	}
	return &n, nil
}

// digits checks that the field is exactly n ASCII digits.
func digits(f fields, name string, n int) (string, error) {
	s := f.Get(name)
	if !isDigits(s, n) {
		return "", f.Errorf(name, "%q is not %d digits", s, n)
	}
	return s, nil
}

func isDigits(s string, n int) bool {
	if len(s) != n {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
