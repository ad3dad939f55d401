package draft

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// addDistricts makes entities of school districts. Their files are read again, because
// outlines of a layer are released once codes were compared with it. Districts overlap
// (elementary and secondary), so that the people of a ZIP count for each district around
// its point.
func (b *names) addDistricts() {
	byID := map[string]*Entity{}
	for _, f := range catalog.Layer(store.LayerSchoolDistrict).Files {
		b.readAreas(f.Source, func(r source.AreaRow) error {
			const idDigits = 7
			ref, err := strconv.ParseUint(r.ID, 10, 32)
			if err != nil || len(r.ID) != idDigits || b.States.ByFIPS[r.ID[:2]] == 0 {
				return refused("school district of an unknown state", r.Record, r.ID)
			}
			if r.Name == "" || byID[r.ID] != nil {
				return refused("school district without a name or twice", r.Record, r.ID)
			}
			e := Entity{
				Entity: store.Entity{
					Kind: store.EntityDistrict, Name: r.Name, State: b.States.ByFIPS[r.ID[:2]], Ref: uint32(ref), Population: store.NoPopulation,
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
		b.districtsWithoutOutline(byID)
	}
	for _, z := range b.ZIPs.List {
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

// districtsWithoutOutline makes entities of the school districts in the list of state
// codes that no file of outlines holds. They take the place of the city in their names,
// else of their county. The list has no names, so that they are made of the identifiers
// of Open Civic Data.
func (b *names) districtsWithoutOutline(byID map[string]*Entity) {
	counties := map[[2]string]store.CountyID{}
	for i, c := range b.Counties.List {
		counties[[2]string{b.States.Abbr(c.State), namekey.Of(bareCounty(c.Name))}] = store.CountyID(i + 1)
	}
	read(b.Draft, catalog.SchoolIDs, source.SchoolIDs, func(r source.SchoolIDRow) error {
		state := b.States.ByFIPS[r.LEA[:2]]
		name, place, county := districtOfDivision(r.Division, r.StateID)
		if byID[r.LEA] != nil || state == 0 || name == "" {
			return nil
		}
		abbr := b.States.Abbr(state)
		ref, _ := strconv.ParseUint(r.LEA, 10, 32) // its reader has looked at the digits
		e := Entity{
			Entity: store.Entity{Kind: store.EntityDistrict, Name: name, State: state, Ref: uint32(ref), Population: store.NoPopulation},
			weight: districtWeight, residents: 1,
		}
		if city := b.postalCities[[2]string{abbr, namekey.Of(place)}]; city != nil {
			e.Location, e.County, e.residents = city.Location, city.County, city.residents
		} else if id, ok := counties[[2]string{abbr, namekey.Of(county)}]; ok {
			e.Location, e.County = b.Counties.At[b.Counties.FIPS(id)], id
		}
		byID[r.LEA] = b.entity(e, districtNames(name)...)
		return nil
	})
}

// districtKinds are the last words of the districts among the agencies of the
// list, with their meanings.
var districtKinds = map[string]string{
	"district": "District", "dist": "District", "sd": "School District", "isd": "Independent School District", "usd": "Unified School District",
	"cisd": "Consolidated Independent School District", "csd": "Consolidated School District", "unified": "Unified", "schools": "Schools", "schs": "Schools",
}

// spelledOut are words that the list shortens, in all names of Virginia's
// districts among others.
var spelledOut = map[string]string{"co": "county", "co.": "county", "pblc": "public", "sch": "school", "jt": "joint"}

// noDistricts are words of agencies that run schools and have no territory.
var noDistricts = []string{
	"charter", "academy", "virtual", "online", "cs", "pcs", "boces", "roe", "coop", "cooperative", "dept", "department", "juvenile",
	"correction", "corrections", "services", "center", "rop", "vocational", "technical", "technology", "career", "tech", "detention", "deaf", "blind",
}

// kansasNumber is the code of a unified district in Kansas, whose last three
// digits are its number. The list leaves the kind out of their names.
var kansasNumber = regexp.MustCompile(`^D0([0-9]{3})$`)

// districtOfDivision returns the name of the school district of a division, the
// place in its name, and its county. For
// ".../state:id/county:ada/school_district:boise_independent_district" these
// are Boise Independent District, Boise and Ada. The name is "" unless the
// division is a district with a territory.
func districtOfDivision(division, stateID string) (name, place, county string) {
	path, slug, ok := strings.Cut(division, "/school_district:")
	if !ok {
		return "", "", ""
	}
	words := strings.FieldsFunc(slug, func(r rune) bool { return r == '_' || r == '~' })
	if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(noDistricts, w) }) {
		return "", "", ""
	}
	if last := path[strings.LastIndexByte(path, '/')+1:]; !strings.HasPrefix(last, "state:") {
		_, county, _ = strings.Cut(last, ":")
		county = titled(strings.Split(county, "_"))
	}
	for i, w := range words {
		if full, ok := spelledOut[w]; ok {
			words[i] = full
		}
	}
	kind, known := districtKinds[words[len(words)-1]]
	if known {
		words = words[:len(words)-1]
	}
	number := kansasNumber.FindStringSubmatch(stateID)
	switch {
	case len(words) == 0:
		return "", "", ""
	case number != nil && strings.Contains(path, "/state:ks"):
		kind = "Unified School District " + number[1]
	case !known:
		return "", "", ""
	}
	name = titled(words) + " " + kind
	for len(words) > 1 && slices.Contains(districtWords, titled(words[len(words)-1:])) {
		words = words[:len(words)-1]
	}
	return name, titled(words), county
}

// titled writes words with capitals, those after a hyphen too.
func titled(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if w == "of" || w == "and" || w == "the" {
			b.WriteString(w)
			continue
		}
		start := true
		for _, r := range w {
			if start {
				b.WriteString(strings.ToUpper(string(r)))
			} else {
				b.WriteRune(r)
			}
			start = r == '-'
		}
	}
	return b.String()
}
