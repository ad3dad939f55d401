package geocode

import "strings"

// The classes of numbered highways.
const (
	anyHighway = iota + 1
	federalHighway
	stateHighway
	countyHighway
)

// highway returns the class and the number of a highway, such as ROUTE100A and
// VTROUTE100A. The number is "" for other keys.
func highway(key string) (class int, number string) {
	i := strings.IndexAny(key, "0123456789")
	if i < 0 {
		return 0, ""
	}
	owner, ok := strings.CutSuffix(key[:i], "HIGHWAY")
	if !ok {
		owner, ok = strings.CutSuffix(owner, "ROUTE")
	}
	switch {
	case !ok:
		return 0, ""
	case owner == "":
		class = anyHighway
	case owner == "US":
		class = federalHighway
	case owner == "COUNTY":
		class = countyHighway
	case owner == "STATE", len(owner) == 2:
		class = stateHighway
	default:
		return 0, ""
	}
	return class, key[i:]
}
