package geo

import "math"

// Factors between units. A mile is the international mile of 1959: 5,280 feet
// of exactly 0.3048 m.
const (
	metersPerMile             = 1609.344
	metersPerFoot             = 0.3048
	metersPerKilometer        = 1000
	squareMetersPerSquareMile = metersPerMile * metersPerMile // 2,589,988.110336
)

// Meters is a length.
type Meters float64

// Miles returns the length in international miles.
func (m Meters) Miles() Miles { return Miles(m / metersPerMile) }

// Kilometers returns the length in kilometers.
func (m Meters) Kilometers() Kilometers { return Kilometers(m / metersPerKilometer) }

// Feet returns the length in international feet.
func (m Meters) Feet() Feet { return Feet(m / metersPerFoot) }

// Miles is a length in international miles of 1609.344 m.
type Miles float64

// Meters returns the length in meters.
func (m Miles) Meters() Meters { return Meters(m * metersPerMile) }

// Kilometers is a length.
type Kilometers float64

// Meters returns the length in meters.
func (k Kilometers) Meters() Meters { return Meters(k * metersPerKilometer) }

// Feet is a length in international feet of 0.3048 m.
type Feet float64

// Meters returns the length in meters.
func (f Feet) Meters() Meters { return Meters(f * metersPerFoot) }

// Degrees is an angle. As a bearing it is at least 0 and less than 360,
// clockwise from north.
type Degrees float64

// SquareMeters is an area.
type SquareMeters float64

// SquareMiles returns the area in square miles of 2,589,988.110336 m².
func (a SquareMeters) SquareMiles() SquareMiles { return SquareMiles(a / squareMetersPerSquareMile) }

// SquareMiles is an area in square miles of 2,589,988.110336 m².
type SquareMiles float64

// SquareMeters returns the area in square meters.
func (a SquareMiles) SquareMeters() SquareMeters { return SquareMeters(a * squareMetersPerSquareMile) }

// Round returns v rounded to the number of decimals, halves away from zero.
// It is how published numbers are made: coordinates have 6 decimals, miles
// and areas 2, bearings and percentages 1. decimals is 0 to 9.
func Round(v float64, decimals int) float64 {
	scale := powersOfTen[decimals]
	return math.Round(v*scale) / scale
}

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}
