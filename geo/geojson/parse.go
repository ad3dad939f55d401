package geojson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/paulmach/orb"
)

// ErrNotPolygon is matched by the error of [ParsePolygons] for a geometry that
// is neither a Polygon nor a MultiPolygon.
var ErrNotPolygon = errors.New("expected a Polygon or MultiPolygon")

// ParsePolygons reads a GeoJSON geometry of type Polygon or MultiPolygon.
// Every position must have at least two numbers, longitude and latitude; the
// numbers after them are skipped. Ranges are not checked, and rings may be
// open or empty. An error describes the part that is wrong; it matches
// [ErrNotPolygon] if the geometry has another type or is null.
func ParsePolygons(geometry []byte) (orb.MultiPolygon, error) {
	var members map[string]json.RawMessage
	if err := Unmarshal(geometry, &members); err != nil {
		return nil, err
	}
	switch {
	case members == nil:
		return nil, fmt.Errorf("the geometry is null, %w", ErrNotPolygon)
	case members["type"] == nil:
		return nil, errors.New("the geometry has no type")
	}
	kind, coordinates := string(members["type"]), members["coordinates"]
	if kind != `"Polygon"` && kind != `"MultiPolygon"` {
		return nil, fmt.Errorf("the geometry has the type %s, %w", excerpt(bytes.Trim(members["type"], `"`)), ErrNotPolygon)
	}
	if coordinates == nil {
		return nil, errors.New("the geometry has no coordinates")
	}
	s := scanner{text: coordinates}
	if kind == `"Polygon"` {
		p, err := list(&s, ring)
		if err != nil {
			return nil, err
		}
		return orb.MultiPolygon{p}, nil
	}
	return list(&s, func(s *scanner) (orb.Polygon, error) { return list(s, ring) })
}

// Unmarshal is [json.Unmarshal] for GeoJSON objects. Its errors describe the
// JSON that is wrong and not the Go type that it was read into.
func Unmarshal(data []byte, object any) error {
	err := json.Unmarshal(data, object)
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &mismatch):
		return fmt.Errorf("not valid JSON: %w", err)
	case mismatch.Field == "":
		return fmt.Errorf("a JSON %s, expected an object", mismatch.Value)
	default:
		return fmt.Errorf("member %q cannot be a JSON %s", mismatch.Field, mismatch.Value)
	}
}

// A scanner reads coordinates, which are valid JSON: [Unmarshal] has checked them with the
// object around, also that arrays are not nested too deeply. So it looks only for the
// elements that it expects. Reading them into slices of encoding/json would take an allocation
// for each position, and name Go types in errors.
type scanner struct {
	text []byte
	at   int
}

func ring(s *scanner) (orb.Ring, error) { return list(s, position) }

// next returns the next byte that is not a space, without passing it.
func (s *scanner) next() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// pass passes the next byte if it is c.
func (s *scanner) pass(c byte) bool {
	if s.next() != c {
		return false
	}
	s.at++
	return true
}

// list reads an array.
func list[T any](s *scanner, element func(*scanner) (T, error)) (out []T, err error) {
	if !s.pass('[') {
		return nil, fmt.Errorf("the coordinates hold %s, expected an array", s.excerpt())
	}
	for !s.pass(']') {
		if len(out) > 0 {
			s.pass(',')
		}
		v, err := element(s)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func position(s *scanner) (p orb.Point, err error) {
	s.next()
	begin := s.at
	if !s.pass('[') {
		return p, fmt.Errorf("the coordinates hold %s, expected a position", s.excerpt())
	}
	n := 0
	for ; !s.pass(']'); n++ {
		if n > 0 {
			s.pass(',')
		}
		v, err := s.number()
		if err != nil {
			return p, err
		}
		if n < len(p) {
			p[n] = v
		}
	}
	if n < len(p) {
		s.at = begin
		return p, fmt.Errorf("the position %s has fewer than two numbers, expected longitude and latitude", s.excerpt())
	}
	return p, nil
}

func (s *scanner) number() (float64, error) {
	s.next()
	end := s.at
	for end < len(s.text) && bytes.IndexByte([]byte("+-.0123456789eE"), s.text[end]) >= 0 {
		end++
	}
	if end == s.at {
		return 0, fmt.Errorf("the coordinates hold %s, expected a number", s.excerpt())
	}
	v, err := strconv.ParseFloat(string(s.text[s.at:end]), 64)
	if err != nil {
		return 0, fmt.Errorf("the coordinate %s is out of range", excerpt(s.text[s.at:end]))
	}
	s.at = end
	return v, nil
}

// excerpt returns the current value, up to the end of an array.
func (s *scanner) excerpt() string {
	rest := s.text[s.at:]
	if end := bytes.IndexByte(rest, ']'); end > 0 {
		rest = rest[:end+1]
	}
	return excerpt(rest)
}

// excerptBytes limits the excerpts of input in errors.
const excerptBytes = 40

func excerpt(text []byte) string {
	if len(text) > excerptBytes {
		text = append(bytes.ToValidUTF8(text[:excerptBytes], nil), "…"...)
	}
	return strconv.QuoteToGraphic(string(text))
}
