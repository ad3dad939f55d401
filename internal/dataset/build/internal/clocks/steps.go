package clocks

import (
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
)

// Steps returns the steps that decide time zones.
func Steps() []plan.Step {
	return []plan.Step{
		{Name: "clock rules", Sources: []string{catalog.Clocks}, Do: &clocks{}},
		{Name: "time zones: shares", Sources: []string{catalog.ZoneOutlines, catalog.ZCTAAreas, catalog.FSAAreas}, Do: &zoneShares{}},
		{Name: "time zones", Sources: []string{catalog.ZoneOutlines}, Do: &zones{}},
		{Name: "time zones: agreement with outlines", Do: &agreement{}},
	}
}
