package acs

import (
	"slices"
	"strings"
)

// The builder adds up each published row by these identities. A sum that is off means columns
// that are shifted or a file that is damaged, which no other check finds: every number alone
// is plausible.

// addUp lists the totals whose parts add up, exactly in every published row. By default
// the parts are the counts whose labels are one level below the total's. Names replace
// them; a name with a minus is excluded.
var addUp = []struct {
	profile Profile
	total   string
	parts   string
}{
	{Demographic, "sex_and_age.total_population", "male female"},
	{Demographic, "sex_and_age.total_population", "age_under_5 age_5_to_9 age_10_to_14 age_15_to_19 age_20_to_24 age_25_to_34 age_35_to_44" +
		" age_45_to_54 age_55_to_59 age_60_to_64 age_65_to_74 age_75_to_84 age_85_plus"},
	{Demographic, "sex_and_age.age_18_plus", ""},
	{Demographic, "sex_and_age.age_65_plus", ""},
	{Demographic, "race.total_population", "one_race two_or_more_races"},
	{Demographic, "race.one_race", ""},
	{Demographic, "race.asian", ""},
	{Demographic, "race.nhpi", ""},
	{Demographic, "hispanic_or_latino.total_population", ""},
	{Demographic, "hispanic_or_latino.hispanic", ""},
	{Demographic, "hispanic_or_latino.not_hispanic", ""},
	{Demographic, "hispanic_or_latino.not_hispanic_two_plus_races", ""},
	{Demographic, "citizen_voting_age.total", ""},
	{Social, "households.total_households", "family_households nonfamily_households"},
	{Social, "households.total_households", "married_couple cohabiting_couple male_householder female_householder"},
	{Social, "relationship.population_in_households", ""},
	{Social, "marital_status.males_15_plus", ""},
	{Social, "marital_status.females_15_plus", ""},
	{Social, "school_enrollment.enrolled_3_plus", ""},
	{Social, "education.population_25_plus", "-high_school_or_higher -bachelors_or_higher"},
	{Social, "residence.population_1_plus", ""},
	{Social, "residence.different_house", ""},
	{Social, "residence.different_house_in_us", ""},
	{Social, "residence.different_county", ""},
	{Social, "place_of_birth.total_population", ""},
	{Social, "place_of_birth.native", ""},
	{Social, "place_of_birth.born_in_united_states", ""},
	{Social, "citizenship.foreign_born_population", ""},
	{Social, "year_of_entry.born_outside_us", ""},
	{Social, "year_of_entry.native", ""},
	{Social, "year_of_entry.foreign_born", ""},
	{Social, "world_region.foreign_born_excluding_at_sea", ""},
	{Social, "language.population_5_plus", "english_only other_than_english"},
	{Economic, "employment.population_16_plus", ""},
	{Economic, "employment.in_labor_force", ""},
	{Economic, "employment.civilian_labor_force", ""},
	{Economic, "commuting.workers_16_plus", ""},
	{Economic, "occupation.civilian_employed_16_plus", ""},
	{Economic, "industry.civilian_employed_16_plus", ""},
	{Economic, "class_of_worker.civilian_employed_16_plus", ""},
	{Economic, "income.total_households", "-with_earnings -with_social_security -with_retirement_income -with_ssi -with_cash_public_assistance -with_snap"},
	{Economic, "income.families", ""},
	{Economic, "health_insurance.civilian_population", ""},
	{Economic, "health_insurance.age_18_to_64", ""},
	{Economic, "health_insurance.age_18_to_64_in_labor_force", ""},
	{Economic, "health_insurance.age_18_to_64_employed", ""},
	{Economic, "health_insurance.age_18_to_64_unemployed", ""},
	{Economic, "health_insurance.age_18_to_64_not_in_labor_force", ""},
	{Economic, "health_insurance.age_19_to_64", ""},
	{Economic, "health_insurance.age_19_to_64_in_labor_force", ""},
	{Economic, "health_insurance.age_19_to_64_employed", ""},
	{Economic, "health_insurance.age_19_to_64_unemployed", ""},
	{Economic, "health_insurance.age_19_to_64_not_in_labor_force", ""},
	{Housing, "occupancy.total_housing_units", ""},
	{Housing, "structure.total_housing_units", ""},
	{Housing, "year_built.total_housing_units", ""},
	{Housing, "rooms.total_housing_units", ""},
	{Housing, "bedrooms.total_housing_units", ""},
	{Housing, "tenure.occupied_housing_units", ""},
	{Housing, "year_moved_in.occupied_housing_units", ""},
	{Housing, "vehicles.occupied_housing_units", ""},
	{Housing, "heating_fuel.occupied_housing_units", ""},
	{Housing, "occupants_per_room.occupied_housing_units", ""},
	{Housing, "value.owner_occupied_units", ""},
	{Housing, "mortgage.owner_occupied_units", ""},
	{Housing, "owner_costs.with_mortgage", ""},
	{Housing, "owner_costs.without_mortgage", ""},
	{Housing, "owner_costs_pct.with_mortgage", "-with_mortgage_not_computed"},
	{Housing, "owner_costs_pct.without_mortgage", "-without_mortgage_not_computed"},
	{Housing, "rent.occupied_units_paying_rent", "-no_rent_paid"},
	{Housing, "rent_pct.occupied_units_paying_rent", "-not_computed"},
}

// held lists the years whose published tables were checked: the identities hold
// in every row. Another year has the same identity if its parts are the same. No whole
// tables of the other years were at hand; an identity that does not hold there would refuse
// a correct file.
var held = [...][]int{
	Demographic: {2013, 2015, 2016, 2017, 2021, 2022},
	Social:      {2015, 2021},
	Economic:    {2015, 2021, 2022},
	Housing:     {2015, 2021},
}

// broken reports identities that do not hold although the parts look like it. Until 2018,
// unmarried partners are among the nonrelatives (DP02_0022 and DP02_0023 of 2015), and the
// label of the registry, that of later tables, puts them beside these.
func broken(total string, year int) bool {
	return year == 2015 && total == "relationship.population_in_households"
}

// identities returns the totals of a table of a profile and year, each with its parts after
// it, by their positions among the columns.
func (r *registry) identities(p Profile, year int, columns []*Field) (list [][]int) {
	for _, rule := range addUp {
		if rule.profile != p {
			continue
		}
		parts := r.parts(p, rule.total, rule.parts, year)
		for _, y := range held[p] {
			if !broken(rule.total, y) && len(parts) > 1 && slices.Equal(parts, r.parts(p, rule.total, rule.parts, y)) {
				total, _ := r.find(p.String() + "." + rule.total)
				sum := []int{slices.Index(columns, &r.fields[total])}
				for _, f := range parts {
					sum = append(sum, slices.Index(columns, f))
				}
				list = append(list, sum)
				break
			}
		}
	}
	return list
}

// parts returns the parts of a total that have a column in the year, or nil if
// the total or a named part has none.
func (r *registry) parts(p Profile, total, names string, year int) []*Field {
	at, ok := r.find(p.String() + "." + total)
	if !ok || r.fields[at].Number(year) == 0 {
		return nil
	}
	t := &r.fields[at]
	var named, excluded []string
	for _, n := range strings.Fields(names) {
		if rest, ok := strings.CutPrefix(n, "-"); ok {
			excluded = append(excluded, rest)
		} else {
			named = append(named, n)
		}
	}
	var list []*Field
	for i := range r.fields {
		f := &r.fields[i]
		switch {
		case f.Profile != p || f.Section != t.Section || f.Number(year) == 0 || f.Kind != Count:
		case named != nil:
			if slices.Contains(named, f.Name) {
				list = append(list, f)
			}
		// A "_detail" is a second printing of the same count further down the table.
		case slices.Contains(excluded, f.Name) || strings.HasSuffix(f.Name, "_detail"):
		case strings.HasPrefix(f.Label, t.Label+"!!") && !strings.Contains(f.Label[len(t.Label)+2:], "!!"):
			list = append(list, f)
		}
	}
	if named != nil && len(list) != len(named) {
		return nil
	}
	return list
}
