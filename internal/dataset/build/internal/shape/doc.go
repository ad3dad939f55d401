// Package shape has the geometry of a build: sets of polygons, repair, joining,
// points within, and the nearest of many points.
package shape
