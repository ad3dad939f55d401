package catalog

import "github.com/postgeo/postgeo/internal/source/fetch"

// The layers that a dataset can have.
const (
	Identity    fetch.Layer = "identity"
	TimeZones   fetch.Layer = "timezones"
	Places      fetch.Layer = "places"
	Boundaries  fetch.Layer = "boundaries"
	Census      fetch.Layer = "census"
	Districts   fetch.Layer = "districts"
	Schools     fetch.Layer = "schools"
	PUMA        fetch.Layer = "puma"
	Urban       fetch.Layer = "urban"
	Tribal      fetch.Layer = "tribal"
	VTD         fetch.Layer = "vtd"
	PostalCodes fetch.Layer = "postal-codes"
	Medicare    fetch.Layer = "medicare"
	Business    fetch.Layer = "business"
	Streets     fetch.Layer = "streets"
	Points      fetch.Layer = "points"
)

// Compared are the layers of areas that codes are compared with.
var Compared = [...]fetch.Layer{Census, Districts, Schools, PUMA, Urban, Tribal, VTD}
