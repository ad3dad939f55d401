package file

import (
	"math"

	"github.com/postgeo/postgeo/geo"
)

// MicroDegrees returns an angle in units of 1e-6 degree.
func MicroDegrees(v float64) int32 { return int32(math.Round(v * 1e6)) }

// PointFromMicro returns the point with the coordinates in 1e-6 degree.
func PointFromMicro(lat, lng int32) geo.LatLng { return geo.LatLngFromMicrodegrees(lat, lng) }
