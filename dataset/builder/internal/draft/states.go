package draft

import (
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// Census regions and divisions, in the order of their numbers.
var (
	censusRegions   = []string{"", "Northeast", "Midwest", "South", "West"}
	censusDivisions = []string{
		"", "New England", "Middle Atlantic", "East North Central", "West North Central", "South Atlantic",
		"East South Central", "West South Central", "Mountain", "Pacific",
	}
	divisionRegion = []int{0, 1, 1, 2, 2, 3, 3, 3, 4, 4}
)

// ListStates lists the states and provinces.
func (d *Draft) ListStates(_ context.Context) error {
	for _, s := range pub28.States() {
		d.States.Add(store.State{
			Country: store.US, Abbr: s.Abbr, Name: s.Name, FIPS: s.FIPS,
			Region: censusRegions[divisionRegion[s.Division]], Division: censusDivisions[s.Division],
		})
	}
	for _, p := range pub28.Provinces() {
		d.States.Provinces[p.FIPS] = d.States.Add(store.State{Country: store.CA, Abbr: p.Abbr, Name: p.Name})
	}
	return nil
}

// militaryState returns the military "state" of a ZIP by its first three
// digits, or "" for a civil ZIP. Prefix 340 is the Americas, 090 to 099 Europe,
// Africa, the Middle East and Canada, and 962 to 966 the Pacific. Source:
// Domestic Mail Manual, labeling list L002.
func militaryState(z postcode.ZIP) string {
	switch prefix := z / 100; {
	case prefix == 340:
		return "AA"
	case prefix >= 90 && prefix <= 99:
		return "AE"
	case prefix >= 962 && prefix <= 966:
		return "AP"
	default:
		return ""
	}
}

// particles are words in small letters within a French name.
var particles = []string{"a", "à", "au", "aux", "de", "des", "du", "en", "et", "la", "le", "les", "lès", "sous", "sur"}

// bearsCapital are names that keep the capital of a particle.
var bearsCapital = []string{"Baie-D'Urfé"}

// frenchName writes the name of a place in Quebec as the place does, whose
// particles GeoNames often has with capitals: "Saint-Antoine-Sur-Richelieu"
// becomes "Saint-Antoine-sur-Richelieu", "Saint-Nazaire-D'Acton"
// "Saint-Nazaire-d'Acton". A particle that begins the name or ends it stays.
// "St-" is written out, and "Etienne" and "a la" take their accents.
func frenchName(name string) string {
	if slices.Contains(bearsCapital, name) {
		return name
	}
	words := strings.Split(name, " ")
	for i, word := range words {
		parts := strings.Split(word, "-")
		for j, p := range parts {
			within := j > 0 && j < len(parts)-1
			switch small := strings.ToLower(p); {
			case within && slices.Contains(particles, small):
				parts[j] = small
			case j > 0 && (strings.HasPrefix(p, "D'") || strings.HasPrefix(p, "L'")):
				parts[j] = strings.ToLower(p[:1]) + p[1:]
			case j == 0 && len(parts) > 1 && p == "St":
				parts[j] = "Saint"
			case j == 0 && len(parts) > 1 && p == "Ste":
				parts[j] = "Sainte"
			case p == "Etienne":
				parts[j] = "Étienne"
			}
			if within && parts[j] == "a" {
				parts[j] = "à"
			}
		}
		words[i] = strings.Join(parts, "-")
	}
	return strings.Join(words, " ")
}
