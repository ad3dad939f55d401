// Package geojson writes points and polygons as GeoJSON (RFC 7946) and
// reads polygons.
//
// # Usage
//
// The functions append to a byte slice, so that a caller can write any number
// of features with its own properties:
//
//	b = append(b, `{"type":"Feature","properties":{},"geometry":`...)
//	b = geojson.AppendPolygons(b, outline)
//	b = append(b, '}')
//
// Coordinates are longitude and latitude in degrees with at most 6 decimals.
// Outer rings run counterclockwise if they did before. What crosses longitude
// 180 is cut there, as the RFC requires.
package geojson
