package synth

// The projection of the Canadian shapefiles.
const (
	LambertWKT           = lambertWKT
	LambertOriginLng     = lambertOriginLng
	LambertOriginLat     = lambertOriginLat
	LambertFalseEasting  = lambertFalseEasting
	LambertFalseNorthing = lambertFalseNorthing
)

// LambertForward projects a place in degrees to meters.
func LambertForward(lng, lat float64) (x, y float64) { return newLambert().forward(lng, lat) }
