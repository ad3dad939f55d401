package codes

import (
	"slices"
	"strings"
)

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
