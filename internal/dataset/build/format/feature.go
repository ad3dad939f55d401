package format

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo/geojson"
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
	if g.o.Points {
		var point struct {
			Type        string
			Coordinates json.RawMessage
		}
		if err := geojson.Unmarshal(parts.Geometry, &point); err == nil && point.Type == "Point" {
			var at []float64
			if err := json.Unmarshal(point.Coordinates, &at); err != nil || len(at) < 2 {
				return s, g.fault(ErrGeometry, "the point is not a longitude and a latitude")
			}
			s.Point = &orb.Point{at[0], at[1]}
			return s, nil
		}
	}
	var err error
	if s.Polygon, err = geojson.ParsePolygons(parts.Geometry); err != nil {
		return s, g.fault(ErrGeometry, "%v", err)
	}
	for _, p := range s.Polygon {
		if g.o.CloseRings {
			s.Closed += closeRings(p)
		}
		if reason := badPolygon(p); reason != "" {
			return s, g.fault(ErrGeometry, "%s", reason)
		}
		orient(p)
	}
	return s, nil
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
			if !(at[0] >= -180 && at[0] <= 180 && at[1] >= -90 && at[1] <= 90) {
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
		if (signedArea(r) < 0) == (i == 0) {
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
