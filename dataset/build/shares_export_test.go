package build

import "github.com/postgeo/postgeo/dataset"

// ZonesOf returns the time zones of a country.
var ZonesOf = zonesOf

// RuleZones returns the time zones that the rules give codes of a country.
func RuleZones(country dataset.Country) []string {
	var zones []string
	if country == dataset.CA {
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

// Agree returns the zone that a code whose row is in the given zone, "" none,
// is left with when its area has the shares, in tenths of a percent, and
// whether the report says that the row gave way.
func Agree(zones []string, tenths []int, row string) (primary string, changed bool) {
	b := &builder{report: &Report{}}
	b.tables.zoneIDs = map[dataset.Zone]dataset.ZoneID{}
	add := func(name string) dataset.ZoneID {
		z := dataset.Zone{Name: name}
		if b.tables.zoneIDs[z] == 0 && name != "" {
			b.tables.zones = append(b.tables.zones, z)
			b.tables.zoneIDs[z] = dataset.ZoneID(len(b.tables.zones))
		}
		return b.tables.zoneIDs[z]
	}
	var shares zoneShares
	for i, name := range zones {
		add(name)
		shares = append(shares, zoneShare{name, tenths[i]})
	}
	id := b.agree(shares, add(row), dataset.ZIP(43901))
	if id != 0 {
		primary = b.tables.zones[id-1].Name
	}
	return primary, len(b.report.Rules) > 0
}
