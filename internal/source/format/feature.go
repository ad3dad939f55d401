package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	orbjson "github.com/paulmach/orb/geojson"

	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/internal/rings"
)

// shape decodes a feature and checks its polygons.
func (g *GeoJSON) shape(raw json.RawMessage) (Shape, error) {
	s := Shape{file: g.in.name, record: g.record}
	var parts struct {
		Type       string
		Properties map[string]json.RawMessage
		Geometry   json.RawMessage
	}
	if err := geojson.Unmarshal(raw, &parts); err != nil {
		return s, g.fault(ErrSyntax, "%v", err)
	}
	if parts.Type != "Feature" {
		return s, g.fault(ErrSyntax, "type is %s, expected Feature", excerpt(parts.Type))
	}
	s.names = make(map[string]int, len(parts.Properties))
	for name, v := range parts.Properties {
		s.names[name] = len(s.values)
		s.values = append(s.values, propertyText(v))
	}
	for _, name := range g.o.Required {
		if !s.Has(name) {
			return s, &Error{File: g.in.name, Record: g.record, Column: name, Reason: "no such property", Err: ErrColumns}
		}
	}
	if len(parts.Geometry) == 0 || string(parts.Geometry) == "null" {
		return s, nil
	}
	var err error
	if g.o.Lines {
		if s.Lines, err = linesOf(parts.Geometry); err != nil {
			return s, g.fault(ErrGeometry, "%v", err)
		}
		if s.Lines != nil {
			return s, nil
		}
	}
	if s.Polygon, err = geojson.ParsePolygons(parts.Geometry); err != nil {
		return s, g.fault(ErrGeometry, "%v", err)
	}
	if reason := s.tidy(g.o.CloseRings); reason != "" {
		return s, g.fault(ErrGeometry, "%s", reason)
	}
	return s, nil
}

// linesOf reads a point or line, or several. It returns nil for other geometries.
func linesOf(geometry json.RawMessage) (lines orb.MultiLineString, err error) {
	g, err := orbjson.UnmarshalGeometry(geometry)
	if err != nil {
		return nil, nil // ParsePolygons describes it
	}
	switch g := g.Geometry().(type) {
	case orb.Point:
		lines = orb.MultiLineString{{g}}
	case orb.MultiPoint:
		for _, p := range g {
			lines = append(lines, orb.LineString{p})
		}
	case orb.LineString:
		lines = orb.MultiLineString{g}
	case orb.MultiLineString:
		lines = g
	}
	for _, l := range lines {
		if len(l) == 0 {
			return nil, errors.New("a line has no vertices")
		}
		if i := slices.IndexFunc(l, func(p orb.Point) bool { return !onEarth(p) }); i >= 0 {
			return nil, fmt.Errorf("position %v is not a longitude and latitude in degrees", l[i])
		}
	}
	return lines, nil
}

func onEarth(p orb.Point) bool {
	return p[0] >= -180 && p[0] <= 180 && p[1] >= -90 && p[1] <= 90
}

// closeRings closes the rings of three points or more that are open, and
// returns how many they are.
func closeRings(p orb.Polygon) (closed int) {
	for i, r := range p {
		if len(r) >= 3 && !r.Closed() {
			p[i] = append(r, r[0])
			closed++
		}
	}
	return closed
}

// badPolygon returns the fault of the rings, or "".
func badPolygon(p orb.Polygon) string {
	if len(p) == 0 {
		return "polygon without rings"
	}
	for _, r := range p {
		if len(r) < 4 || !r.Closed() {
			return fmt.Sprintf("ring of %d points is not closed or has no area", len(r))
		}
		for _, at := range r {
			if !onEarth(at) {
				return fmt.Sprintf("position %v, %v is not a longitude and latitude in degrees", at[0], at[1])
			}
		}
	}
	return ""
}

// orient turns rings so that the first, which is the outer one, runs
// counter-clockwise and the holes clockwise. Unlike shapefiles, GeoJSON has no
// dependable orientation.
func orient(p orb.Polygon) {
	for i, r := range p {
		if (rings.Area(r) < 0) == (i == 0) {
			slices.Reverse(r)
		}
	}
}

// propertyText returns the text of a string, number or truth value, "" for
// null, and the JSON of anything else.
func propertyText(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return strings.TrimSpace(s)
	}
	if string(v) == "null" {
		return ""
	}
	return string(v)
}
