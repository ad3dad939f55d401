package synth

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// Parts of town, county and street names.
var (
	nameStarts = []string{
		"Alder", "Amber", "Ash", "Bay", "Beaver", "Birch", "Black", "Blue", "Bright", "Brook", "Cedar", "Clear", "Cold", "Copper",
		"Crane", "Deer", "Eagle", "East", "Elk", "Elm", "Fair", "Fern", "Flint", "Fox", "Gold", "Granite", "Green", "Hazel", "Heron",
		"High", "Iron", "Juniper", "Kings", "Lake", "Laurel", "Lime", "Maple", "Meadow", "Mill", "Moss", "North", "Oak", "Otter",
		"Pine", "Quail", "Red", "River", "Rock", "Salt", "Sand", "Silver", "South", "Spring", "Stone", "Summer", "Swan", "Thorn",
		"Timber", "Walnut", "West", "White", "Wild", "Willow", "Winter", "Wolf",
	}
	nameEnds = []string{
		"borough", "bridge", "brook", "burg", "bury", "cliff", "crest", "dale", "field", "ford", "gate", "grove", "ham", "haven",
		"hill", "hollow", "hurst", "land", "ley", "mere", "mont", "port", "ridge", "shore", "side", "stead", "ton", "vale", "view",
		"ville", "water", "well", "wick", "wood", "worth",
	}
	frenchSaints = []string{
		"Agathe", "Alphonse", "Ambroise", "Benoît", "Cécile", "Clément", "Éloi", "Émilie", "Étienne", "Félix", "François", "Gédéon",
		"Geneviève", "Hélène", "Hénédine", "Irénée", "Jérôme", "Léonard", "Mathieu", "Noël", "Rémi", "Théodore", "Urbain", "Zénon",
	}
	spanishParts = []string{
		"Peña", "Añasca", "Cañada", "Bayamoncito", "Río Bravo", "Luquí", "Mayagua", "Ríosa", "Sabana", "Vega Hermosa", "Yaucal", "Las Marías del Sur",
	}
	// oddNames have accents and apostrophes. Every country has them.
	oddNames      = []string{"O'Hara Falls", "Prince Edmund's", "Coeur d'Argent", "Doña Luz", "Niña Blanca", "L'Étang", "St. Swithin", "Winston-Marlow"}
	streetWords   = []string{"MAIN", "PARK", "OAK", "PINE", "MAPLE", "CEDAR", "ELM", "WASHINGTON", "LAKE", "HILL", "WALNUT", "SPRING", "NORTH", "RIDGE", "CHURCH", "WILLOW", "MILL", "SUNSET", "RAILROAD", "JACKSON", "CHERRY", "RIVER", "MEADOW", "FOREST", "HIGHLAND", "JEFFERSON", "SYCAMORE", "DOGWOOD", "LINCOLN", "CHESTNUT", "FRANKLIN", "SPRUCE", "HICKORY", "LAUREL", "MADISON", "ADAMS", "POPLAR", "VALLEY", "ASPEN", "COLLEGE"}
	streetTypes   = []string{"ST", "AVE", "DR", "RD", "LN", "CT", "BLVD", "PL", "WAY", "CIR", "TER", "PKWY"}
	urbanizations = []string{"LAS FLORES", "JARDINES DEL SUR", "VILLA SERENA", "LOMAS ALTAS", "ALTURAS DEL RIO", "EL PARAISO"}
	directionals  = []string{"", "", "", "N", "S", "E", "W"}
	firmWords     = []string{"ACME", "SUMMIT", "PIONEER", "LIBERTY", "KEYSTONE", "HARBOR", "BEACON", "STERLING", "ATLAS", "CASCADE"}
	firmEnds      = []string{"INSURANCE", "FOODS", "SUPPLY CO", "HOLDINGS", "UNIVERSITY", "MEDICAL CENTER", "BANK", "LABORATORIES"}
)

// A namer makes unique names.
type namer struct {
	rng  *rand.Rand
	seen map[string]int
}

func newNamer(rng *rand.Rand) *namer { return &namer{rng: rng, seen: map[string]int{}} }

// town returns a name that is unique in the state or province.
func (n *namer) town(state string) string {
	for range 8 {
		if name := n.draw(state); n.claim(state, name) {
			return name
		}
	}
	for i := 2; ; i++ { // all combinations are used: number them
		name := fmt.Sprintf("%s %s", n.draw(state), strings.ToLower(pub28.FormatOrdinal(i+n.rng.IntN(400))))
		if n.claim(state, name) {
			return name
		}
	}
}

func (n *namer) claim(state, name string) bool {
	key := state + "|" + name
	if n.seen[key] > 0 {
		return false
	}
	n.seen[key]++
	return true
}

func (n *namer) draw(state string) string {
	switch state {
	case "QC":
		s := frenchSaints[n.rng.IntN(len(frenchSaints))]
		t := frenchSaints[n.rng.IntN(len(frenchSaints))]
		if n.rng.IntN(2) == 0 || s == t {
			return "Saint-" + s
		}
		return "Saint-" + s + "-de-" + t
	case "PR":
		if n.rng.IntN(2) == 0 {
			return spanishParts[n.rng.IntN(len(spanishParts))]
		}
	}
	name := nameStarts[n.rng.IntN(len(nameStarts))] + nameEnds[n.rng.IntN(len(nameEnds))]
	switch n.rng.IntN(12) {
	case 0:
		return name + " Springs"
	case 1:
		return "Fort " + name
	case 2:
		return "New " + name
	case 3:
		return name + " Heights"
	default:
		return name
	}
}
