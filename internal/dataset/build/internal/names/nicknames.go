package names

import (
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/namekey"
)

// nicknamed are other names of well-known things, reviewed by hand. They are
// nicknames of cities, abbreviations that are not the Postal Service's, and
// names in the other language of Canada. A place is the best known of its name
// in the state.
var nicknamed = []struct {
	kind        dataset.EntityKind
	name, state string
	others      []string
}{
	{dataset.EntityPlace, "New York", "NY", []string{"NYC", "New York City", "Big Apple", "The Big Apple", "NY City"}},
	{dataset.EntityPlace, "Los Angeles", "CA", []string{"LA", "City of Angels"}},
	{dataset.EntityPlace, "San Francisco", "CA", []string{"SF", "San Fran", "Frisco"}},
	{dataset.EntityPlace, "Chicago", "IL", []string{"Chi-Town", "Windy City", "The Windy City"}},
	{dataset.EntityPlace, "Philadelphia", "PA", []string{"Philly", "Phila"}},
	{dataset.EntityPlace, "Washington", "DC", []string{"DC", "Washington DC"}},
	{dataset.EntityPlace, "Las Vegas", "NV", []string{"Vegas", "Sin City"}},
	{dataset.EntityPlace, "New Orleans", "LA", []string{"NOLA", "The Big Easy", "Big Easy"}},
	{dataset.EntityPlace, "Atlanta", "GA", []string{"ATL"}},
	{dataset.EntityPlace, "Detroit", "MI", []string{"Motor City", "Motown"}},
	{dataset.EntityPlace, "Salt Lake City", "UT", []string{"SLC", "Salt Lake"}},
	{dataset.EntityPlace, "Oklahoma City", "OK", []string{"OKC"}},
	{dataset.EntityPlace, "Indianapolis", "IN", []string{"Indy"}},
	{dataset.EntityPlace, "Jacksonville", "FL", []string{"Jax"}},
	{dataset.EntityPlace, "Albuquerque", "NM", []string{"ABQ", "Burque"}},
	{dataset.EntityPlace, "Kansas City", "MO", []string{"KC", "KCMO"}},
	{dataset.EntityPlace, "Kansas City", "KS", []string{"KCK"}},
	{dataset.EntityPlace, "San Antonio", "TX", []string{"SATX", "San Antone"}},
	{dataset.EntityPlace, "Fort Worth", "TX", []string{"FTW", "Cowtown"}},
	{dataset.EntityPlace, "Houston", "TX", []string{"H-Town"}},
	{dataset.EntityPlace, "Austin", "TX", []string{"ATX"}},
	{dataset.EntityPlace, "Corpus Christi", "TX", []string{"Corpus"}},
	{dataset.EntityPlace, "Fort Lauderdale", "FL", []string{"Fort Liquordale"}},
	{dataset.EntityPlace, "Miami", "FL", []string{"Magic City"}},
	{dataset.EntityPlace, "Pittsburgh", "PA", []string{"Steel City", "PGH"}},
	{dataset.EntityPlace, "Portland", "OR", []string{"PDX", "Rose City", "City of Roses"}},
	{dataset.EntityPlace, "Seattle", "WA", []string{"Emerald City"}},
	{dataset.EntityPlace, "Denver", "CO", []string{"Mile High City"}},
	{dataset.EntityPlace, "Phoenix", "AZ", []string{"PHX", "Valley of the Sun"}},
	{dataset.EntityPlace, "San Bernardino", "CA", []string{"San Berdoo"}},
	{dataset.EntityPlace, "Sacramento", "CA", []string{"Sac", "Sactown"}},
	{dataset.EntityPlace, "South San Francisco", "CA", []string{"SSF", "South City"}},
	{dataset.EntityPlace, "Nashville", "TN", []string{"Music City"}},
	{dataset.EntityPlace, "Memphis", "TN", []string{"Bluff City"}},
	{dataset.EntityPlace, "Minneapolis", "MN", []string{"Mpls"}},
	{dataset.EntityPlace, "Milwaukee", "WI", []string{"MKE", "Brew City"}},
	{dataset.EntityPlace, "Boston", "MA", []string{"Beantown", "Bean Town"}},
	{dataset.EntityPlace, "Baltimore", "MD", []string{"Charm City", "B-More"}},
	{dataset.EntityPlace, "Cincinnati", "OH", []string{"Cincy", "Queen City"}},
	{dataset.EntityPlace, "Cleveland", "OH", []string{"CLE"}},
	{dataset.EntityPlace, "Charlotte", "NC", []string{"CLT"}},
	{dataset.EntityPlace, "Virginia Beach", "VA", []string{"VA Beach"}},
	{dataset.EntityPlace, "Richmond", "VA", []string{"RVA"}},
	{dataset.EntityPlace, "Buffalo", "NY", []string{"Nickel City"}},
	{dataset.EntityPlace, "Honolulu", "HI", []string{"HNL", "Urban Honolulu"}},
	{dataset.EntityPlace, "St. Louis", "MO", []string{"STL", "Gateway City"}},
	{dataset.EntityPlace, "Toronto", "ON", []string{"The 6ix", "Hogtown", "T.O.", "City of Toronto"}},
	{dataset.EntityPlace, "Montréal", "QC", []string{"MTL", "Ville de Montréal"}},
	{dataset.EntityPlace, "Québec", "QC", []string{"Quebec City", "Ville de Québec", "QC City"}},
	{dataset.EntityPlace, "Winnipeg", "MB", []string{"Peg City", "The Peg", "Wpg"}},
	{dataset.EntityPlace, "Calgary", "AB", []string{"Cowtown", "YYC"}},
	{dataset.EntityPlace, "Edmonton", "AB", []string{"YEG"}},
	{dataset.EntityPlace, "Vancouver", "BC", []string{"Van", "YVR"}},
	{dataset.EntityPlace, "Ottawa", "ON", []string{"YOW"}},
	{dataset.EntityPlace, "Hamilton", "ON", []string{"The Hammer"}},
	{dataset.EntityPlace, "Saskatoon", "SK", []string{"Stoon"}},
	{dataset.EntityPlace, "Mississauga", "ON", []string{"Sauga"}},
	{dataset.EntityPlace, "St. John's", "NL", []string{"Saint John's Newfoundland"}},
	{dataset.EntityPlace, "Halifax", "NS", []string{"HRM", "Halifax Regional Municipality"}},
	{dataset.EntityCity, "Brooklyn", "NY", []string{"BKLYN"}},
	{dataset.EntityCity, "Bronx", "NY", []string{"The Bronx"}},
	{dataset.EntityCounty, "New York County", "NY", []string{"Manhattan"}},
	{dataset.EntityCounty, "Kings County", "NY", []string{"Brooklyn"}},
	{dataset.EntityCounty, "Richmond County", "NY", []string{"Staten Island"}},
	{dataset.EntityCounty, "Queens County", "NY", []string{"Queens"}},
	{dataset.EntityCounty, "Bronx County", "NY", []string{"The Bronx"}},
	{dataset.EntityCounty, "Miami-Dade County", "FL", []string{"Dade County", "Dade"}},
	{dataset.EntityCBSA, "Dallas-Fort Worth-Arlington, TX", "TX", []string{"DFW", "Metroplex", "Dallas Metroplex"}},
	{dataset.EntityCBSA, "Minneapolis-St. Paul-Bloomington, MN-WI", "MN", []string{"Twin Cities"}},
	{dataset.EntityCBSA, "New York-Newark-Jersey City, NY-NJ", "NY", []string{"Tri-State Area", "Greater New York"}},
	{dataset.EntityCBSA, "San Francisco-Oakland-Fremont, CA", "CA", []string{"Bay Area", "SF Bay Area", "San Francisco Bay Area"}},
	{dataset.EntityCBSA, "Washington-Arlington-Alexandria, DC-VA-MD-WV", "DC", []string{"DMV", "National Capital Region"}},
	{dataset.EntityCBSA, "Virginia Beach-Chesapeake-Norfolk, VA-NC", "VA", []string{"Hampton Roads", "Tidewater"}},
	{dataset.EntityCBSA, "Riverside-San Bernardino-Ontario, CA", "CA", []string{"Inland Empire"}},
	{dataset.EntityCBSA, "Raleigh-Cary, NC", "NC", []string{"Research Triangle", "The Triangle"}},
	{dataset.EntityCBSA, "Davenport-Moline-Rock Island, IA-IL", "IA", []string{"Quad Cities"}},
	{dataset.EntityDistrict, "Los Angeles Unified School District", "CA", []string{"LAUSD"}},
	{dataset.EntityDistrict, "Houston Independent School District", "TX", []string{"HISD"}},
	{dataset.EntityDistrict, "Dallas Independent School District", "TX", []string{"DISD"}},
	{dataset.EntityDistrict, "Austin Independent School District", "TX", []string{"AISD"}},
	{dataset.EntityDistrict, "Fort Worth Independent School District", "TX", []string{"FWISD"}},
	{dataset.EntityDistrict, "Round Rock Independent School District", "TX", []string{"RRISD"}},
	{dataset.EntityDistrict, "Cypress-Fairbanks Independent School District", "TX", []string{"Cy-Fair ISD", "CFISD", "Cy Fair"}},
	{dataset.EntityDistrict, "San Francisco Unified School District", "CA", []string{"SFUSD"}},
	{dataset.EntityDistrict, "San Diego City Unified School District", "CA", []string{"SDUSD", "San Diego Unified School District"}},
	{dataset.EntityDistrict, "Chicago Public School District 299", "IL", []string{"CPS"}},
	{dataset.EntityDistrict, "Clark County School District", "NV", []string{"CCSD"}},
	{dataset.EntityDistrict, "Dade County School District", "FL", []string{"Miami-Dade County Public Schools", "Miami-Dade Schools"}},
	{dataset.EntityDistrict, "Charlotte-Mecklenburg Schools", "NC", []string{"CMS"}},
	{dataset.EntityDistrict, "Jefferson County School District R-1", "CO", []string{"Jeffco", "Jeffco Public Schools"}},
	{dataset.EntityState, "Alabama", "AL", []string{"Ala"}},
	{dataset.EntityState, "Arizona", "AZ", []string{"Ariz"}},
	{dataset.EntityState, "Arkansas", "AR", []string{"Ark"}},
	{dataset.EntityState, "California", "CA", []string{"Calif", "Cali", "Golden State"}},
	{dataset.EntityState, "Colorado", "CO", []string{"Colo"}},
	{dataset.EntityState, "Connecticut", "CT", []string{"Conn"}},
	{dataset.EntityState, "Delaware", "DE", []string{"Del"}},
	{dataset.EntityState, "District of Columbia", "DC", []string{"Washington DC"}},
	{dataset.EntityState, "Florida", "FL", []string{"Fla"}},
	{dataset.EntityState, "Illinois", "IL", []string{"Ill"}},
	{dataset.EntityState, "Indiana", "IN", []string{"Ind"}},
	{dataset.EntityState, "Kansas", "KS", []string{"Kans", "Kan"}},
	{dataset.EntityState, "Massachusetts", "MA", []string{"Mass"}},
	{dataset.EntityState, "Michigan", "MI", []string{"Mich"}},
	{dataset.EntityState, "Minnesota", "MN", []string{"Minn"}},
	{dataset.EntityState, "Mississippi", "MS", []string{"Miss"}},
	{dataset.EntityState, "Montana", "MT", []string{"Mont"}},
	{dataset.EntityState, "Nebraska", "NE", []string{"Nebr", "Neb"}},
	{dataset.EntityState, "Nevada", "NV", []string{"Nev"}},
	{dataset.EntityState, "New Mexico", "NM", []string{"N Mex"}},
	{dataset.EntityState, "North Carolina", "NC", []string{"N Car"}},
	{dataset.EntityState, "North Dakota", "ND", []string{"N Dak"}},
	{dataset.EntityState, "Oklahoma", "OK", []string{"Okla"}},
	{dataset.EntityState, "Oregon", "OR", []string{"Ore", "Oreg"}},
	{dataset.EntityState, "Pennsylvania", "PA", []string{"Penna", "Penn"}},
	{dataset.EntityState, "Puerto Rico", "PR", []string{"Commonwealth of Puerto Rico"}},
	{dataset.EntityState, "South Carolina", "SC", []string{"S Car"}},
	{dataset.EntityState, "South Dakota", "SD", []string{"S Dak"}},
	{dataset.EntityState, "Tennessee", "TN", []string{"Tenn"}},
	{dataset.EntityState, "Texas", "TX", []string{"Tex", "Lone Star State"}},
	{dataset.EntityState, "Washington", "WA", []string{"Wash"}},
	{dataset.EntityState, "West Virginia", "WV", []string{"W Va"}},
	{dataset.EntityState, "Wisconsin", "WI", []string{"Wis", "Wisc"}},
	{dataset.EntityState, "Wyoming", "WY", []string{"Wyo"}},
	{dataset.EntityState, "Alberta", "AB", []string{"Alta"}},
	{dataset.EntityState, "British Columbia", "BC", []string{"Colombie-Britannique", "Beautiful British Columbia"}},
	{dataset.EntityState, "New Brunswick", "NB", []string{"Nouveau-Brunswick"}},
	{dataset.EntityState, "Newfoundland and Labrador", "NL", []string{"Labrador", "Nfld", "Terre-Neuve-et-Labrador", "Terre-Neuve"}},
	{dataset.EntityState, "Northwest Territories", "NT", []string{"NWT", "Territoires du Nord-Ouest"}},
	{dataset.EntityState, "Nova Scotia", "NS", []string{"Nouvelle-Écosse"}},
	{dataset.EntityState, "Ontario", "ON", []string{"Ont"}},
	{dataset.EntityState, "Prince Edward Island", "PE", []string{"PEI", "Île-du-Prince-Édouard"}},
	{dataset.EntityState, "Quebec", "QC", []string{"Québec", "PQ", "Que", "La belle province"}},
	{dataset.EntityState, "Saskatchewan", "SK", []string{"Sask"}},
	{dataset.EntityState, "Yukon", "YT", []string{"Yukon Territory"}},
}

// alsoNamed are names that are as good as the official ones.
var alsoNamed = []struct {
	kind               dataset.EntityKind
	name, state, other string
}{
	{dataset.EntityPlace, "Greater Sudbury", "ON", "Sudbury"},
	{dataset.EntityState, "Newfoundland and Labrador", "NL", "Newfoundland"},
	{dataset.EntityCounty, "Los Angeles County", "CA", "LA County"},
}

// capitals are much better known than their number of residents suggests:
// people mean them, and not the state, by their name alone.
var capitals = map[[2]string]float64{{"washington", "DC"}: 16}

// nickname gives well-known entities their other names.
func (b *names) nickname() {
	type key struct {
		kind        dataset.EntityKind
		name, state string
	}
	best := map[key]*Entity{}
	abbr := func(e *Entity) string {
		if e.State == 0 {
			return ""
		}
		return b.States.Abbr(e.State)
	}
	for _, e := range b.Entities.List {
		k := key{e.Kind, namekey.Of(e.Name), abbr(e)}
		if other := best[k]; other == nil || e.prominence() > other.prominence() {
			best[k] = e
		}
	}
	for _, n := range nicknamed {
		if e := best[key{n.kind, namekey.Of(n.name), n.state}]; e != nil {
			e.alias(n.others...)
		} else if n.kind == dataset.EntityPlace {
			if e := best[key{dataset.EntityCity, namekey.Of(n.name), n.state}]; e != nil {
				e.alias(n.others...)
			}
		}
	}
	for _, n := range alsoNamed {
		if e := best[key{n.kind, namekey.Of(n.name), n.state}]; e != nil {
			e.own(n.other)
		}
	}
	for k, times := range capitals {
		for _, kind := range []dataset.EntityKind{dataset.EntityPlace, dataset.EntityCity} {
			if e := best[key{kind, k[0], k[1]}]; e != nil {
				e.weight *= times
			}
		}
	}
}
