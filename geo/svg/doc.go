// Package svg draws maps of areas, points and circles as SVG, without tiles and
// without a network.
//
// # Usage
//
// A [Map] has a center and shapes:
//
//	m := svg.Map{
//		Title:  "25 miles around 90210",
//		Center: center,
//		Radius: geo.Miles(25).Meters(),
//		Areas:  []svg.Area{{Label: "90210", Class: svg.Focus, Polygons: outline}},
//	}
//	data, err := m.Append(nil)
//
// The projection of maps is Lambert's azimuthal equal-area one about the center,
// on the authalic sphere of WGS84. Areas can be compared by eye, and directions
// from the center are true. Longitude 180 and the poles need no special care.
//
// Water is drawn if the map has land ([Area].Land). Values have one ramp of
// colors. Its steps differ in lightness, so they can be distinguished with any
// color vision and in print. Other shapes differ in form too. If the reader
// prefers a dark screen, the map is dark. The map of the server's page looks the
// same: both follow the rules of testdata/rules.json, and tests compare whole
// drawings.
//
// # Concurrency
//
// A map may be drawn by several goroutines at once. Equal maps give equal bytes.
//
// # Errors
//
// Errors match [ErrInvalidMap].
// Any text is valid: it is escaped, characters that XML does not allow become
// U+FFFD, and long texts are cut.
package svg
