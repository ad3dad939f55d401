package build

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo/dataset"
)

// deriveZIPNames gives each ZIP its city and aliases in proper case: the
// preferred name of the City State product, else of the user's table, else
// GeoNames' place, else the crosswalk's. A military ZIP's city is the kind of
// its post office alone (APO, FPO, DPO). The user's acceptable names are aliases
// that may stand on the last line of an address.
func deriveZIPNames(_ context.Context, b *builder) error {
	for _, z := range b.tables.zips {
		name := z.rawName()
		if z.row.Class == dataset.Military {
			z.row.City = militaryCity(name)
			continue
		}
		z.row.City = b.tables.spelling.spell(z.state, name)
		if z.row.City != name {
			b.report.applied("spelling of a city", name+" → "+z.row.City)
		}
		z.detail.Aliases = b.aliases(z)
	}
	return nil
}

// rawName returns the city's name as the source has it that knows best.
func (z *zipDraft) rawName() string {
	switch p := z.preferred(); {
	case p != nil && p.LastLineName != "":
		return p.LastLineName
	case p != nil:
		return p.Name
	case z.supplied != nil:
		return z.supplied.City
	case z.geoNames != nil:
		return z.geoNames.Place
	case z.uds != nil:
		for _, t := range territoryCounties {
			if t.city != "" && t.low <= z.row.ZIP && z.row.ZIP <= t.high {
				return t.city
			}
		}
		return z.uds.City
	default:
		return ""
	}
}

// militaryCity returns APO, FPO or DPO, the first word of the name.
func militaryCity(name string) string {
	first, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(name)), " ")
	switch first {
	case "FPO", "DPO":
		return first
	default:
		return "APO"
	}
}

func (b *builder) aliases(z *zipDraft) []dataset.CityAlias {
	var aliases []dataset.CityAlias
	seen := map[string]bool{fold(z.row.City): true}
	add := func(name, mailing string) {
		name = b.tables.spelling.spell(z.state, name)
		if key := fold(name); key != "" && !seen[key] {
			seen[key] = true
			aliases = append(aliases, dataset.CityAlias{City: name, MailingName: mailing})
		}
	}
	if len(z.cityState) > 0 {
		for _, r := range z.cityState {
			mailing := "N"
			if r.Mailing {
				mailing = "Y"
			}
			add(r.Name, mailing)
		}
		return aliases
	}
	if z.supplied != nil {
		for _, name := range z.supplied.Acceptable {
			add(name, "Y")
		}
	}
	return aliases
}
