// Package svg draws maps of areas, points and circles, and charts of lines over
// years, as SVG, without tiles and without a network.
//
// # Usage
//
// A [Map] says what to draw, around which center:
//
//	m := svg.Map{
//		Title:  "25 miles around 90210",
//		Center: center,
//		Radius: geo.Miles(25).Meters(),
//		Areas:  []svg.Area{{Label: "90210", Class: svg.Focus, Polygons: outline}},
//	}
//	data, err := m.Append(nil)
//
// A [Chart] says which lines to draw, with bands of what their margins leave
// open and gaps where there is no value:
//
//	c := svg.Chart{Title: "Rent", Prefix: "$", Lines: []svg.Line{{Points: points}}}
//	data, err := c.Append(nil)
//
// The projection of maps is Lambert's azimuthal equal-area one about the center
// on the authalic sphere of WGS84, so that areas can be compared by eye,
// directions from the center are true, and neither longitude 180 nor a pole is
// special.
//
// The colours of a map are one blue ramp, whose steps differ in lightness and
// can therefore be told apart with any colour vision and in print; what is not
// an area differs in form too. Where the reader prefers a dark screen, the
// map is dark and the ramp runs the other way.
//
// # Concurrency
//
// A map or chart may be drawn by several goroutines at once. The same one gives
// the same bytes.
//
// # Errors
//
// Everything that refuses a map matches [ErrInvalidMap], everything that refuses
// a chart [ErrInvalidChart]. Texts are never
// refused: they are escaped, what XML cannot hold becomes U+FFFD, and what is
// too long is cut.
package svg
