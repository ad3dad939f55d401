package draft

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

func (b *names) addDistricts() {
	byFIPS := map[string]store.StateID{}
	for i, s := range b.States.List {
		if s.FIPS != "" {
			byFIPS[s.FIPS] = store.StateID(i + 1)
		}
	}
	byID := map[string]*Entity{}
	for _, id := range catalog.SchoolDistricts {
		if !b.has(id) {
			continue
		}
		read(b.Draft, id, source.CensusColumns.Areas, func(r source.AreaRow) error {
			const idDigits = 7
			ref, err := strconv.ParseUint(r.ID, 10, 32)
			if err != nil || len(r.ID) != idDigits || byFIPS[r.ID[:2]] == 0 {
				return refused("school district of an unknown state", r.Record, r.ID)
			}
			if r.Name == "" || byID[r.ID] != nil {
				return refused("school district without a name or twice", r.Record, r.ID)
			}
			e := Entity{
				Entity: store.Entity{
					Kind: store.EntityDistrict, Name: r.Name, State: byFIPS[r.ID[:2]], Ref: uint32(ref), Population: store.NoPopulation,
					Location: shape.PointWithin(r.Polygon), Box: shape.BoxAround(r.Polygon),
				},
				weight: districtWeight, residents: 1,
			}
			b.schoolAreas.add(r.ID, r.Polygon)
			byID[r.ID] = b.entity(e, districtNames(r.Name)...)
			return nil
		})
	}
	if len(byID) > 0 {
		b.districtsWithoutOutline(byFIPS, byID)
	}
	for _, z := range b.ZIPs.List { // how well known a district is: who lives in the ZIPs whose points it holds
		for _, id := range b.schoolAreas.at(z.Row.Location) {
			if e := byID[id]; e != nil {
				e.residents += b.residents[z.Row.ZIP]
			}
		}
	}
}

// districtWords mark a school district or its kind. People leave them out or
// type them in another order.
var districtWords = []string{
	"School", "Schools", "District", "Public", "Independent", "Unified", "Consolidated", "Community", "Unit", "Union", "Free", "Central", "Local",
	"Exempted", "Village", "Elementary", "High", "Joint", "Department", "of", "Education", "Township", "Area", "Regional", "Administrative",
}

// districtNumber is a number or letter and number that separates districts of
// the same name: "299", "R-1", "48J", "No. 5", "127-5".
var districtNumber = regexp.MustCompile(`^(?:No\.?|#?[0-9]+[A-Z]?(?:-[0-9A-Z]+)*|[A-Z]+-[0-9IVX]+[A-Z]?|RE-?[0-9A-Z]+)$`)

// districtNames returns the usual names of a district: its place with "ISD",
// "USD", "schools" or "school district", with and without its number. The place
// alone is not among them: people who type it mean the place, or with "new" and
// "south" another one.
func districtNames(full string) []string {
	words := strings.Fields(full)
	core := words
	var numbers []string
	for len(core) > 1 && districtNumber.MatchString(core[len(core)-1]) {
		numbers = slices.Insert(numbers, 0, core[len(core)-1])
		core = core[:len(core)-1]
	}
	kind := ""
	for len(core) > 1 && slices.Contains(districtWords, core[len(core)-1]) {
		switch core[len(core)-1] {
		case "Independent":
			kind = "ISD"
		case "Unified":
			kind = "USD"
		case "Free":
			kind = "UFSD"
		case "Central":
			kind = "CSD"
		case "Consolidated":
			kind = "CISD"
		}
		core = core[:len(core)-1]
	}
	bare := strings.Join(core, " ")
	names := []string{bare + " Public Schools", bare + " School District", bare + " Schools"}
	if kind != "" {
		names = append(names, bare+" "+kind)
	}
	if kind == "USD" {
		names = append(names, bare+" Unified School District", bare+" Unified")
	}
	if kind == "CISD" {
		names = append(names, bare+" ISD")
	}
	if city, ok := strings.CutSuffix(bare, " City"); ok {
		names = append(names, city+" Public Schools", city+" School District")
	}
	if len(numbers) > 0 {
		number := " " + strings.Join(numbers, " ")
		names = append(names, bare+number, bare+" School District"+number)
		if kind != "" {
			names = append(names, bare+" "+kind+number)
		}
	}
	return names
}
