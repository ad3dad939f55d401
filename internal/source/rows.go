package source

import (
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
