package geo

// hilbertKey returns how far along a Hilbert curve over the world a point
// lies, so that points with near keys are near each other. Longitude and
// latitude are in degrees.
func hilbertKey(lng, lat float64) uint32 {
	const side = 1<<16 - 1
	x := uint32(max(0, min(side, (lng+180)*(side/degreesPerTurn))))
	y := uint32(max(0, min(side, (lat+90)*(side/180.0))))
	var key uint32
	for s := uint32(1 << 15); s > 0; s >>= 1 {
		var right, upper uint32
		if x&s != 0 {
			right = 1
		}
		if y&s != 0 {
			upper = 1
		}
		key += s * s * (3*right ^ upper)
		if upper == 0 {
			if right == 1 {
				x, y = side-x, side-y
			}
			x, y = y, x
		}
	}
	return key
}

// CurveKey returns how far along a Hilbert curve over the world the point
// lies. Points with near keys are near each other; most near points have near
// keys.
func (p LatLng) CurveKey() uint32 { return hilbertKey(p.Lng(), p.Lat()) }
