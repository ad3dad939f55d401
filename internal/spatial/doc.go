// Package spatial provides indexes of points and polygons on WGS84, circles,
// and the measurement of areas, borders and overlaps.
//
// # Concurrency
//
// Types are values without hidden state unless documented otherwise. All
// functions are safe for concurrent use.
package spatial
