package svg

import (
	"math"
	"strconv"

	"github.com/postgeo/postgeo/geo"
)

// scaleBar draws a bar of a round number of miles and one of kilometers.
func (d *drawing) scaleBar(x, y float64) {
	longest := (d.frame.Max[0] - d.frame.Min[0]) / 4 / d.projection.pixelsPerUnit // meters
	bar := func(y float64, n float64, unit string, length geo.Meters) {
		width := float64(length) * d.projection.pixelsPerUnit
		d.add(`<path class="bar" d="M`, px(x), " ", px(y-4), "V", px(y), "H", px(x+width), "V", px(y-4), "\"/>\n")
		d.text("small", x+width+5, y+2, strconv.FormatFloat(n, 'f', -1, 64)+" "+unit)
	}
	miles := roundBelow(float64(geo.Meters(longest).Miles()))
	bar(y, miles, "mi", geo.Miles(miles).Meters())
	km := roundBelow(float64(geo.Meters(longest).Kilometers()))
	bar(y+smallLine, km, "km", geo.Kilometers(km).Meters())
}

// roundBelow returns the largest of 1, 2 or 5 times a power of ten that is at
// most v, which is more than 0.
func roundBelow(v float64) float64 {
	// The power is found by comparing, so that the result does not hang on the
	// last bit of a logarithm.
	power := int(math.Floor(math.Log10(v)))
	for _, n := range [...]struct {
		factor float64
		shift  int
	}{{1, 1}, {5, 0}, {2, 0}, {1, 0}, {5, -1}} {
		text := strconv.Itoa(int(n.factor)) + "e" + strconv.Itoa(power+n.shift)
		if round, err := strconv.ParseFloat(text, 64); err == nil && round <= v {
			return round
		}
	}
	return v
}

// legend draws the meanings of the colors if values are drawn.
func (d *drawing) legend(x, y float64) {
	valued := false
	for i := range d.Areas {
		valued = valued || d.Areas[i].Percent != nil && d.Areas[i].Class != Backdrop
	}
	if !valued {
		return
	}
	const width, height = 26, 9
	left := x - steps*width - 8
	if text := plain(d.Legend, maxLabel); text != "" {
		d.text("small end", left-8, y+2, text)
	}
	for i := range steps {
		d.add(`<rect class="area s`, strconv.Itoa(i), `" x="`, px(left+float64(i)*width), `" y="`, px(y-height+3), `" width="`, px(width), `" height="`, px(height), "\"/>\n")
	}
	for i := range steps + 1 {
		text := strconv.Itoa(i * 100 / steps)
		if i == steps {
			text += "%"
		}
		d.text("small tick", left+float64(i)*width, y+smallLine, text)
	}
}
