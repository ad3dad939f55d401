package codes

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/spelling"
)

// zipNames gives each ZIP its city and aliases in proper case. It takes the
// preferred name of the City State product, else of the user's table, else
// GeoNames' place, else the crosswalk's. The city of a military ZIP is the kind
// of its post office (APO, FPO, DPO). The user's acceptable names are aliases
// for the last line of an address.
type zipNames struct {
	*plan.Env
	Gazetteer *draft.Gazetteer
	ZIPs      *draft.ZIPs `reads:"class" writes:"name"`
}

func (b *zipNames) Run(context.Context) error {
	for _, z := range b.ZIPs.List {
		name := z.RawName()
		if z.Row.Class == dataset.Military {
			z.Row.City = militaryCity(name)
			continue
		}
		z.Row.City = b.Gazetteer.Spelling.Spell(z.State, name)
		if z.Row.City != name {
			b.Applied("spelling of a city", name+" → "+z.Row.City)
		}
		z.Detail.Aliases = b.aliases(z)
	}
	return nil
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

func (b *zipNames) aliases(z *draft.ZIP) []dataset.CityAlias {
	var aliases []dataset.CityAlias
	seen := map[string]bool{spelling.Fold(z.Row.City): true}
	add := func(name, mailing string) {
		name = b.Gazetteer.Spelling.Spell(z.State, name)
		if key := spelling.Fold(name); key != "" && !seen[key] {
			seen[key] = true
			aliases = append(aliases, dataset.CityAlias{City: name, MailingName: mailing})
		}
	}
	if len(z.CityState) > 0 {
		for _, r := range z.CityState {
			mailing := "N"
			if r.Mailing {
				mailing = "Y"
			}
			add(r.Name, mailing)
		}
		return aliases
	}
	if z.Supplied != nil {
		for _, name := range z.Supplied.Acceptable {
			add(name, "Y")
		}
	}
	return aliases
}
