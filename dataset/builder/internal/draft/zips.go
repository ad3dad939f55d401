package draft

import (
	"cmp"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// listZIPs lists the existing ZIP Codes. GeoNames lists those of the states and,
// in separate files, of the territories. The UDS crosswalk adds territories
// without such a file. The user's zip_code_database.csv and City State product
// add their codes. A code that zip_code_database.csv marks as decommissioned is
// left out, unless the City State product lists it.
func (d *Draft) listZIPs() {
	d.ZIPs.At = map[postcode.ZIP]*ZIP{}
	d.readGeoNames()
	read(d, catalog.ZIPDatabase, source.ZIPDatabase, func(r source.ZIPDatabaseRow) error {
		z := d.draft(r.ZIP)
		if z.Supplied != nil {
			return refused("duplicate ZIP Code", r.Line, r.ZIP.String())
		}
		z.Supplied = &r
		return nil
	})
	read(d, catalog.USPSCityState, source.ReadCityState, func(r source.CityStateRow) error {
		z := d.draft(r.ZIP)
		z.CityState = append(z.CityState, r)
		return nil
	})
	d.readStreetAliases()
	d.readUDS()
	d.ZCTAs = map[string]source.GazetteerRow{}
	read(d, catalog.GazetteerZCTA, source.Gazetteer(5), func(r source.GazetteerRow) error {
		return once(d.ZCTAs, r.GEOID, r, "duplicate ZCTA", r.Line)
	})
	for _, z := range d.ZIPs.At {
		d.ZIPs.List = append(d.ZIPs.List, z)
	}
	slices.SortFunc(d.ZIPs.List, func(a, b *ZIP) int { return int(a.Row.ZIP) - int(b.Row.ZIP) })
	kept := d.ZIPs.List[:0]
	for _, z := range d.ZIPs.List {
		if z.Supplied != nil && z.Supplied.Decommissioned && z.Preferred() == nil {
			d.refuse(catalog.ZIPDatabase, "decommissioned", d.line(catalog.ZIPDatabase, z.Supplied.Line)+z.Row.ZIP.String())
			delete(d.ZIPs.At, z.Row.ZIP)
			continue
		}
		if !d.assignState(z) {
			of := z.listings()[0]
			d.refuse(of.source, "unknown state", d.line(of.source, of.line)+z.Row.ZIP.String())
			delete(d.ZIPs.At, z.Row.ZIP)
			continue
		}
		kept = append(kept, z)
	}
	d.ZIPs.List = kept
}

// draft returns the ZIP that sources add to, and makes it if it is new.
func (d *Draft) draft(zip postcode.ZIP) *ZIP {
	z := d.ZIPs.At[zip]
	if z == nil {
		z = &ZIP{Row: store.ZIPRow{ZIP: zip}}
		d.ZIPs.At[zip] = z
	}
	return z
}

// readGeoNames reads the files of the states and of the territories. Those of the
// territories name the territory's administration as state and county. The state is known
// by the file, and the county is left to guessCounties.
func (d *Draft) readGeoNames() {
	files := []struct{ id, territory string }{
		{catalog.GeoNamesUS, ""}, {catalog.GeoNamesPR, "PR"}, {catalog.GeoNamesGU, "GU"}, {catalog.GeoNamesVI, "VI"}, {catalog.GeoNamesAS, "AS"}, {catalog.GeoNamesMP, "MP"},
	}
	for _, f := range files {
		read(d, f.id, source.GeoNames, func(r source.GeoNamesRow) error {
			zip, ok := postcode.ParseZIP(r.Code)
			if !ok {
				return refused("not a ZIP Code", r.Line, r.Code)
			}
			z := d.draft(zip)
			if z.GeoNames != nil {
				return refused("duplicate ZIP Code, the first is kept", r.Line, r.Code+" "+r.Place)
			}
			if f.territory != "" {
				r.State, r.CountyCode = f.territory, ""
			}
			z.GeoNames = &r
			return nil
		})
	}
}

// udsTerritories are the states with separate files of GeoNames.
var udsTerritories = []string{"PR", "GU", "VI", "AS", "MP"}

// udsEditions are the editions of the crosswalk in reading order. Those of 2021
// and 2015 name ZCTAs of the same census, and the text is quicker to read.
var udsEditions = []string{catalog.UDS, catalog.UDSText, catalog.UDS2021}

// readUDS reads the editions of the crosswalk, and only one of them if a better
// list exists. A ZIP takes the first row that has it as a post office or large
// volume customer, else the first one. The crosswalk adds codes only in the
// territories, and only without a better list: in the states it names obsolete
// ones.
//
// ZIPs are added in the order of a map, which does not show: listZIPs sorts them.
func (d *Draft) readUDS() {
	betterList := d.has(catalog.ZIPDatabase) || d.has(catalog.USPSCityState)
	listed := map[postcode.ZIP]*UDSRow{}
	for _, edition := range udsEditions {
		if betterList && len(listed) > 0 {
			break
		}
		seen := map[postcode.ZIP]bool{}
		read(d, edition, source.UDS, func(r source.UDSRow) error {
			if have := listed[r.ZIP]; !seen[r.ZIP] && (have == nil || r.PostBoxes && !have.PostBoxes) {
				listed[r.ZIP] = &UDSRow{UDSRow: r, Edition: edition}
			}
			return once(seen, r.ZIP, true, "duplicate ZIP Code", r.Line)
		})
	}
	for zip, r := range listed {
		r.City = cmp.Or(islandOf(zip).City, r.City)
		if z := d.ZIPs.At[zip]; z != nil {
			z.UDS = r
		} else if slices.Contains(udsTerritories, r.State) && !betterList {
			d.draft(zip).UDS = r
		}
	}
}

// readStreetAliases reads the aliases of streets in the City State product.
func (d *Draft) readStreetAliases() {
	read(d, catalog.USPSCityState, source.ReadStreetAliases, func(r source.StreetAliasRow) error {
		z := d.ZIPs.At[r.ZIP]
		if z == nil {
			return refused("alias of a street of an unknown ZIP Code", r.Record, r.ZIP.String())
		}
		z.Aliases = append(z.Aliases, r.StreetAlias)
		return nil
	})
}

// A listing is the entry of a ZIP in a source.
type listing struct {
	source      string // identifier
	line        int
	name, state string // of the city
}

// listings returns the entries of a ZIP in its sources, the most reliable first. A listed
// ZIP has at least one. All territories of GeoNames count as geonames-us here: the
// identifier is for the report of refused ZIPs.
func (z *ZIP) listings() (list []listing) {
	if p := z.Preferred(); p != nil {
		list = append(list, listing{catalog.USPSCityState, p.Record, cmp.Or(p.LastLineName, p.Name), p.State})
	}
	if s := z.Supplied; s != nil {
		list = append(list, listing{catalog.ZIPDatabase, s.Line, s.City, s.State})
	}
	if g := z.GeoNames; g != nil {
		list = append(list, listing{catalog.GeoNamesUS, g.Line, g.Place, g.State})
	}
	if u := z.UDS; u != nil {
		list = append(list, listing{u.Edition, u.Line, u.City, u.State})
	}
	return list
}

// RawName returns the city's name in the best source.
func (z *ZIP) RawName() string { return z.listings()[0].name }

// assignState decides the state of a ZIP: for military ZIPs by its first three
// digits, as GeoNames often names the wrong one. Otherwise the City State
// product, the user's table, GeoNames and the crosswalk decide, in this order.
// It returns false for an unknown state.
func (d *Draft) assignState(z *ZIP) bool {
	listings := z.listings()
	if m := militaryState(z.Row.ZIP); m != "" {
		listings = slices.Insert(listings, 0, listing{state: m})
		if g := z.GeoNames; g != nil && g.State == "" && len(g.Place) > 4 && g.Place[4:] != m {
			d.applied("military state by the ZIP's first digits", z.Row.ZIP.String()+" "+g.Place)
		}
	}
	for _, p := range listings {
		if id := d.States.ID(store.US, p.state); id != 0 {
			z.State, z.Row.State = p.state, id
			return true
		}
	}
	return false
}

// A uniquePrefix is the first three digits of ZIPs that, without an area, all belong to
// one organization. This is an office of the federal or a state government, or a processing
// center of the Internal Revenue Service. Labeling list L002 marks them unique.
type uniquePrefix struct {
	Prefix string `col:"prefix" digits:"3"`
}

var uniquePrefixes = reviewedBy("unique_prefixes.csv", func(u uniquePrefix) string { return u.Prefix })

// Limits of the shapes of use, fitted to the types of a commercial table of 40,829 ZIP
// Codes. The types of the crosswalk alone agree with 91.5 % of that table, and together
// with the shapes of use with 93.3 %.
const (
	smallLand     = 1_000_000 // square meters of a ZCTA that need not be a delivery area
	fewFirms      = 50        // establishments below which a small ZCTA is not one
	loneFirms     = 1         // most establishments of a ZIP that a customer may have for itself
	largeCustomer = 100       // employees per establishment of a large customer
)

// Bases of a class other than the identifiers of sources.
const (
	byPrefix = "prefix"            // the first three digits
	inferred = store.ClassInferred // the shape of use
)

// classifyZIPs classifies the ZIPs and records the basis. A military prefix makes a
// ZIP military, regardless of any source. Otherwise the City State product
// decides, then the user's table, then the types of the crosswalk together with
// the shape of use. A ZIP under a unique prefix without a ZCTA, such as 20500
// (the White House), is unique. The City State product or a PO Box in the
// user's table overrides that.
func (d *Draft) classifyZIPs() {
	codes := map[[2]string]int{}
	for _, z := range d.ZIPs.List {
		codes[z.CityKey()]++
	}
	for _, z := range d.ZIPs.List {
		z.Row.Class, z.Detail.Quality.ClassBasis = d.classify(z, codes[z.CityKey()] > 1)
	}
}

// classify returns the class of a ZIP and its basis. Shared reports whether other
// ZIPs have the same city.
func (d *Draft) classify(z *ZIP, shared bool) (store.Class, string) {
	if militaryState(z.Row.ZIP) != "" {
		return store.Military, byPrefix
	}
	if p := z.Preferred(); p != nil {
		return p.Class, catalog.USPSCityState
	}
	zcta, hasZCTA := d.ZCTAs[z.Row.ZIP.String()]
	_, unique := uniquePrefixes()[z.Row.ZIP.String()[:3]]
	unique = unique && !hasZCTA
	switch {
	case unique && (z.Supplied == nil || z.Supplied.Class == store.General):
		d.applied("unique by prefix, no ZCTA", z.Row.ZIP.String())
		return store.Unique, byPrefix
	case z.Supplied != nil:
		return z.Supplied.Class, catalog.ZIPDatabase
	}
	return d.inferClass(z, shared, zcta.Land <= smallLand)
}

// inferClass classifies a ZIP by the crosswalk and by the shape of use. A ZIP
// with little or no land and few establishments is not a delivery area. It
// belongs to a single customer if its city has other ZIPs and it has hardly an
// establishment, or large ones. Otherwise it is a post office's boxes.
//
// Without counts of establishments, small land shows nothing: a ZCTA of a downtown block
// may be as small as that of a campus.
func (d *Draft) inferClass(z *ZIP, shared, small bool) (store.Class, string) {
	firms, counted := establishments(z), d.has(catalog.ZIPBusiness) || d.has(catalog.ZIPFlags)
	listed := z.UDS != nil
	boxes := listed && z.UDS.PostBoxes
	switch {
	case !boxes && !(small && counted && firms < fewFirms):
		if listed {
			return store.General, z.UDS.Edition
		}
		return store.General, inferred
	case shared && listed && !boxes:
		return store.Unique, inferred
	case shared && small && counted && (firms <= loneFirms || employees(z) >= largeCustomer*firms):
		return store.Unique, inferred
	case boxes:
		return store.POBox, z.UDS.Edition
	default:
		return store.POBox, inferred
	}
}

// nameZIPs gives each ZIP its city and aliases in proper case. It takes the
// preferred name of the City State product, else of the user's table, else
// GeoNames' place, else the crosswalk's. The city of a military ZIP is the kind
// of its post office (APO, FPO, DPO). The user's acceptable names are aliases
// for the last line of an address.
func (d *Draft) nameZIPs() {
	for _, z := range d.ZIPs.List {
		name := z.RawName()
		if z.Row.Class == store.Military {
			z.Row.City = militaryCity(name)
			continue
		}
		z.Row.City = d.Gazetteer.Spelling.Spell(z.State, name)
		if z.Row.City != name {
			d.applied("spelling of a city", name+" → "+z.Row.City)
		}
		z.Detail.Aliases = d.aliases(z)
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

// aliases returns the other city names of a ZIP, each once by its folded words. The City
// State product marks the ones that may stand on mail. If a ZIP has its records, they
// alone count.
func (d *Draft) aliases(z *ZIP) []store.CityAlias {
	var aliases []store.CityAlias
	seen := map[string]bool{Fold(z.Row.City): true}
	add := func(name, mailing string) {
		name = d.Gazetteer.Spelling.Spell(z.State, name)
		if key := Fold(name); key != "" && !seen[key] {
			seen[key] = true
			aliases = append(aliases, store.CityAlias{City: name, MailingName: mailing})
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
