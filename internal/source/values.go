package source

import (
	"errors"
	"iter"
	"strconv"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source/format"
)

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
