package source

import (
	"errors"
	"iter"
	"math"
	"path"
	"reflect"
	"slices"
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
//	range:"0,1"      the bounds of a number
//	true:"Y*"        the texts that mean true, a pattern of path.Match
//	must:"a city"    what a blank text should be
//	usual:"zip zip5" headers of the column that are as good, see [usual]; "a;b" of its parts
//	miss:"file"      the file may lack the column
//	miss:"value"     the field may be blank
//
// The zero value of a field means that it is missing. A field Line has the
// number of the row.
//
// Tags are read once for a file, by newRowReader. It keeps pointers to the fields of one
// row, which read fills again and again and rowsOf copies: so a row costs no reflection,
// and a switch over types of pointers finds the parser. A sequence therefore belongs to
// one goroutine.
type rowReader[R any] struct {
	columns  []string // that the file must have
	meanings map[string][]string
	values   []rowValue
	row      R
	line     *int // in row
}

// A rowValue is a field that is read from columns.
type rowValue struct {
	to      any // pointer to the field
	columns []string
	digits  []int
	letters int
	bounds  [2]float64
	yes     string
	must    string
	missing bool
}

func newRowReader[R any]() *rowReader[R] {
	r := &rowReader[R]{line: new(int), meanings: map[string][]string{}}
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
		v := rowValue{
			to: row.Field(i).Addr().Interface(), columns: strings.Split(col, ";"),
			yes: f.Tag.Get("true"), must: f.Tag.Get("must"), missing: f.Tag.Get("miss") != "",
		}
		for n := range strings.FieldsFuncSeq(f.Tag.Get("digits"), func(c rune) bool { return c == ',' }) {
			v.digits = append(v.digits, number(n))
		}
		v.letters = number(f.Tag.Get("letters"))
		for i, n := range strings.Split(f.Tag.Get("range"), ",") {
			v.bounds[i], _ = strconv.ParseFloat(n, 64)
		}
		for i, headers := range strings.Split(f.Tag.Get("usual"), ";") {
			if headers != "" {
				r.meanings[v.columns[i]] = strings.Fields(headers)
			}
		}
		r.values = append(r.values, v)
		if f.Tag.Get("miss") != "file" {
			r.columns = append(r.columns, v.columns...)
		}
	}
	return r
}

// number returns a number in a tag, 0 for "".
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// read fills the row. It starts from the zero value, so that no field of the row before
// is left.
func (r *rowReader[R]) read(f format.Row) error {
	r.row = *new(R)
	*r.line = f.Number
	for i := range r.values {
		if err := r.values[i].read(f); err != nil {
			return err
		}
	}
	return nil
}

// read parses the field. A type without a case would keep its zero value.
func (v *rowValue) read(f format.Row) (err error) {
	name := v.columns[0]
	ok, want := true, ""
	switch to := v.to.(type) {
	case *string:
		*to, err = v.text(f)
	case *bool:
		*to, err = path.Match(v.yes, f.Get(name))
	case *float64:
		*to, err = v.between(f)
	case *[]string:
		*to = list(f.Get(name))
	case *[]uint16:
		for _, text := range list(f.Get(name)) {
			var n int64
			if n, err = parseCount(f, name, text, math.MaxUint16); err != nil {
				return err
			}
			*to = append(*to, uint16(n))
		}
	case *uint16:
		var n int64
		n, err = parseCount(f, name, f.Get(name), math.MaxUint16)
		*to = uint16(n)
	case *int64:
		*to, err = count(f, name)
	case **int64:
		*to, err = optional(f, name, count)
	case *int32:
		*to, err = count32(f, name)
	case **int32:
		*to, err = optional(f, name, count32)
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
func (v *rowValue) text(f format.Row) (text string, err error) {
	if v.digits == nil || v.missing && f.Get(v.columns[0]) == "" {
		text = f.Get(v.columns[0])
		switch {
		case v.letters > 0 && len(text) != v.letters:
			return "", f.Errorf(v.columns[0], "%q is not %d letters", text, v.letters)
		case v.must != "" && text == "":
			return "", f.Errorf(v.columns[0], "blank, expected %s", v.must)
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

// between returns a number within the bounds, 0 if it is blank and may be.
func (v *rowValue) between(f format.Row) (float64, error) {
	text := f.Get(v.columns[0])
	if text == "" && v.missing {
		return 0, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= v.bounds[0] && n <= v.bounds[1]) {
		return 0, f.Errorf(v.columns[0], "%q is not a number from %v to %v", text, v.bounds[0], v.bounds[1])
	}
	return n, nil
}

// rowsOf reads rows of a type with tags. The function finish, which may be nil, sets
// further fields and refuses rows; it returns errSkip for a row to leave out.
func rowsOf[R any](f format.File, o format.Options, finish func(format.Row, *R) error) iter.Seq2[R, error] {
	r := newRowReader[R]()
	o.Columns = append(r.columns, o.Columns...)
	if len(r.meanings) > 0 {
		o.Meanings = usual(r.meanings)
	}
	return parsed(f.Rows(o), func(f format.Row) (R, error) {
		err := r.read(f)
		if err == nil && finish != nil {
			err = finish(f, &r.row)
		}
		return r.row, err
	})
}

// Table reads a text with commas, quotes and a header by the tags of the rows' fields.
func Table[R any](f format.File) iter.Seq2[R, error] {
	return rowsOf[R](f, format.Options{Quoted: true}, nil)
}

// errSkip leaves a row out, without a trace in the report: it is a row that the file has
// for others, such as the total of Canada or a copyright record.
var errSkip = errors.New("source: skip the row")

// parsed turns rows into typed ones. It yields an error that matches [format.ErrValue] or
// [format.ErrOther] and continues; other errors end the sequence.
func parsed[R any](rows iter.Seq2[format.Row, error], parse func(format.Row) (R, error)) iter.Seq2[R, error] {
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
			if !yield(r, err) || err != nil && !errors.Is(err, format.ErrValue) && !errors.Is(err, format.ErrOther) {
				return
			}
		}
	}
}

// usual returns a function for [format.Options] that finds the column of each meaning: the
// first of its usual headers that a file has. Those are in small letters and without
// anything but letters and digits.
func usual(meanings map[string][]string) func(headers []string) map[string]string {
	return func(headers []string) map[string]string {
		plain, found := make(map[string]string, len(headers)), map[string]string{}
		for _, h := range slices.Backward(headers) { // the first of the same name counts
			plain[plainHeader(h)] = h
		}
		for meaning, names := range meanings {
			for _, name := range names {
				if h, ok := plain[name]; ok {
					found[meaning] = h
					break
				}
			}
		}
		return found
	}
}

// plainHeader returns a header in small letters without anything but letters and digits.
func plainHeader(header string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(header))
}

// point reads a latitude and a longitude in degrees. Several publishers write
// unknown points as 0, 0 or as two empty fields: both give the point that is
// not valid.
func point(f format.Row, lat, lng string) (geo.LatLng, error) {
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
func count(f format.Row, name string) (int64, error) {
	return parseCount(f, name, f.Get(name), math.MaxInt64)
}

func count32(f format.Row, name string) (int32, error) {
	n, err := parseCount(f, name, f.Get(name), math.MaxInt32)
	return int32(n), err
}

func parseCount(f format.Row, name, text string, most int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, f.Errorf(name, "%q is not a whole number of 0 or more", text)
	}
	if n > most {
		return 0, f.Errorf(name, "%d, expected at most %d", n, most)
	}
	return n, nil
}

// optional reads a number, nil if the field is empty or holds one of the marks of an
// unpublished value ("x", "..", "F").
func optional[N int32 | int64](f format.Row, name string, read func(format.Row, string) (N, error)) (*N, error) {
	switch f.Get(name) {
	case "", "x", "X", "..", "...", "F":
		return nil, nil
	}
	n, err := read(f, name)
	if err != nil {
		return nil, err
	}
	return &n, nil
}

// digits checks that the field is exactly n ASCII digits.
func digits(f format.Row, name string, n int) (string, error) {
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
