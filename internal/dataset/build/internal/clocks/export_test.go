package clocks

import (
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
)

// Tenths rounds parts of a whole.
var Tenths = tenths

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

// Agree compares the zone of a code, "" for none, with the shares of its area
// in tenths of a percent. It returns the final zone and whether the code's own
// gave way.
func Agree(zones []string, tenths []int, row string) (primary string, changed bool) {
	table := &draft.Zones{IDs: map[dataset.Zone]dataset.ZoneID{}}
	add := func(name string) dataset.ZoneID {
		z := dataset.Zone{Name: name}
		if table.IDs[z] == 0 && name != "" {
			table.List = append(table.List, z)
			table.IDs[z] = dataset.ZoneID(len(table.List))
		}
		return table.IDs[z]
	}
	var shares draft.ZoneParts
	for i, name := range zones {
		add(name)
		shares = append(shares, draft.ZonePart{Zone: name, Tenths: tenths[i]})
	}
	id, gave := agree(table, shares, add(row))
	if id != 0 {
		primary = table.List[id-1].Name
	}
	return primary, gave != ""
}
