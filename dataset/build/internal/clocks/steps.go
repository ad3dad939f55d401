package clocks

import (
	"github.com/postgeo/postgeo/dataset/build/internal/catalogue"
	"github.com/postgeo/postgeo/dataset/build/internal/plan"
)

// Steps returns the steps that decide time zones.
func Steps() []plan.Step {
	return []plan.Step{
		{Name: "clock rules", Sources: []string{catalogue.Clocks}, Do: &clocks{}},
		{Name: "time zones: shares", Sources: []string{catalogue.ZoneOutlines, catalogue.ZCTAAreas, catalogue.FSAAreas}, Do: &zoneShares{}},
		{Name: "time zones", Sources: []string{catalogue.ZoneOutlines}, Do: &zones{}},
		{Name: "time zones: agreement with outlines", Do: &agreement{}},
	}
}
