package format

import (
	"fmt"
	"maps"
	"slices"

	"github.com/paulmach/orb"
)

// A Shape is an area with its attributes. It may be kept.
type Shape struct {
	// Polygon is in degrees of longitude and latitude, outer rings
	// counter-clockwise, holes clockwise, every ring closed. It is empty if the
	// record has no geometry.
	Polygon orb.MultiPolygon
	// Lines are in degrees too, of a file that was opened for lines. A point is a line
	// of one vertex.
	Lines orb.MultiLineString
	// Closed is how many rings the file leaves open and the reader closed.
	Closed int

	file   string
	record int
	names  map[string]int
	values []string
}

// Get returns an attribute as text without the spaces around it; "" if it is
// empty, null or missing.
func (s Shape) Get(name string) string {
	if i, ok := s.names[name]; ok {
		return s.values[i]
	}
	return ""
}

// Has reports whether the file has an attribute of the name.
func (s Shape) Has(name string) bool {
	_, ok := s.names[name]
	return ok
}

// Names returns the names of the attributes, ascending.
func (s Shape) Names() []string { return slices.Sorted(maps.Keys(s.names)) }

// Record returns the number of the record or feature in its file, from 1.
func (s Shape) Record() int { return s.record }

// Errorf returns an [*Error] about an attribute of the shape that matches
// [ErrValue]. The format should have the found and the expected value.
func (s Shape) Errorf(attribute, format string, args ...any) error {
	return &Error{File: s.file, Record: s.record, Column: attribute, Reason: fmt.Sprintf(format, args...), Err: ErrValue}
}
