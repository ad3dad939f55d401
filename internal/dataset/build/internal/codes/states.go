package codes

import (
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
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

// usState is a row of the table of states; division is 0 outside the fifty
// states and the District of Columbia.
type usState struct {
	abbr, name, fips string
	division         int
}

// usStates are the states, the District of Columbia, the territories, the
// freely associated states and the military "states" (Publication 28, appendix
// B). The Postal Service serves the associated states at domestic rates with
// ZIP Codes.
var usStates = []usState{
	{"AL", "Alabama", "01", 6},
	{"AK", "Alaska", "02", 9},
	{"AZ", "Arizona", "04", 8},
	{"AR", "Arkansas", "05", 7},
	{"CA", "California", "06", 9},
	{"CO", "Colorado", "08", 8},
	{"CT", "Connecticut", "09", 1},
	{"DE", "Delaware", "10", 5},
	{"DC", "District of Columbia", "11", 5},
	{"FL", "Florida", "12", 5},
	{"GA", "Georgia", "13", 5},
	{"HI", "Hawaii", "15", 9},
	{"ID", "Idaho", "16", 8},
	{"IL", "Illinois", "17", 3},
	{"IN", "Indiana", "18", 3},
	{"IA", "Iowa", "19", 4},
	{"KS", "Kansas", "20", 4},
	{"KY", "Kentucky", "21", 6},
	{"LA", "Louisiana", "22", 7},
	{"ME", "Maine", "23", 1},
	{"MD", "Maryland", "24", 5},
	{"MA", "Massachusetts", "25", 1},
	{"MI", "Michigan", "26", 3},
	{"MN", "Minnesota", "27", 4},
	{"MS", "Mississippi", "28", 6},
	{"MO", "Missouri", "29", 4},
	{"MT", "Montana", "30", 8},
	{"NE", "Nebraska", "31", 4},
	{"NV", "Nevada", "32", 8},
	{"NH", "New Hampshire", "33", 1},
	{"NJ", "New Jersey", "34", 2},
	{"NM", "New Mexico", "35", 8},
	{"NY", "New York", "36", 2},
	{"NC", "North Carolina", "37", 5},
	{"ND", "North Dakota", "38", 4},
	{"OH", "Ohio", "39", 3},
	{"OK", "Oklahoma", "40", 7},
	{"OR", "Oregon", "41", 9},
	{"PA", "Pennsylvania", "42", 2},
	{"RI", "Rhode Island", "44", 1},
	{"SC", "South Carolina", "45", 5},
	{"SD", "South Dakota", "46", 4},
	{"TN", "Tennessee", "47", 6},
	{"TX", "Texas", "48", 7},
	{"UT", "Utah", "49", 8},
	{"VT", "Vermont", "50", 1},
	{"VA", "Virginia", "51", 5},
	{"WA", "Washington", "53", 9},
	{"WV", "West Virginia", "54", 5},
	{"WI", "Wisconsin", "55", 3},
	{"WY", "Wyoming", "56", 8},
	{"AS", "American Samoa", "60", 0},
	{"FM", "Federated States of Micronesia", "64", 0},
	{"GU", "Guam", "66", 0},
	{"MH", "Marshall Islands", "68", 0},
	{"MP", "Northern Mariana Islands", "69", 0},
	{"PW", "Palau", "70", 0},
	{"PR", "Puerto Rico", "72", 0},
	{"VI", "U.S. Virgin Islands", "78", 0},
	{"AA", "Armed Forces Americas", "", 0},
	{"AE", "Armed Forces Europe", "", 0},
	{"AP", "Armed Forces Pacific", "", 0},
}

// canadianProvinces are the provinces and territories by their postal
// abbreviations, with Statistics Canada's numbers.
var canadianProvinces = []struct{ abbr, name, uid string }{
	{"AB", "Alberta", "48"},
	{"BC", "British Columbia", "59"},
	{"MB", "Manitoba", "46"},
	{"NB", "New Brunswick", "13"},
	{"NL", "Newfoundland and Labrador", "10"},
	{"NT", "Northwest Territories", "61"},
	{"NS", "Nova Scotia", "12"},
	{"NU", "Nunavut", "62"},
	{"ON", "Ontario", "35"},
	{"PE", "Prince Edward Island", "11"},
	{"QC", "Quebec", "24"},
	{"SK", "Saskatchewan", "47"},
	{"YT", "Yukon", "60"},
}

// states makes the table of states and provinces.
type states struct {
	*plan.Env
	States *draft.States `writes:"rows"`
}

func (b *states) Run(context.Context) error {
	for _, s := range usStates {
		b.States.Add(dataset.State{
			Country: dataset.US, Abbr: s.abbr, Name: s.name, FIPS: s.fips,
			Region: censusRegions[divisionRegion[s.division]], Division: censusDivisions[s.division],
		})
	}
	for _, p := range canadianProvinces {
		b.States.Provinces[p.uid] = b.States.Add(dataset.State{Country: dataset.CA, Abbr: p.abbr, Name: p.name})
	}
	return nil
}

// militaryState returns the military "state" of a ZIP by its first three
// digits, or "" for a civil ZIP. Prefix 340 is the Americas, 090 to 099 Europe,
// Africa, the Middle East and Canada, and 962 to 966 the Pacific. Source:
// Domestic Mail Manual, labeling list L002.
func militaryState(z dataset.ZIP) string {
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
