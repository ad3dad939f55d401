package clocks

import "github.com/postgeo/postgeo/internal/store"

// Tenths rounds parts of a whole.
var Tenths = tenths

// RuleZones returns the time zones that the rules give codes of a country.
func RuleZones(country store.Country) []string {
	var zones []string
	if country == store.CA {
		for _, r := range provinceZones {
			zones = append(zones, r.zone)
		}
		return zones
	}
	for _, zone := range stateZones {
		zones = append(zones, zone)
	}
	for _, r := range countyZones {
		zones = append(zones, r.zone)
	}
	for _, r := range zipZones {
		zones = append(zones, r.zone)
	}
	return append(zones, "America/Adak", "America/Nome", "America/Anchorage") // of alaskaZone
}
