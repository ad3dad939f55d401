package cli_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
)

// fieldTable lists the fields of the interface by the number of years in which
// they are served; of those that are served in every year, their number by
// section.
func fieldTable(*testing.T) string {
	const all = acs.LastYear - acs.FirstYear + 1
	byYears := make([][]*acs.Field, all+1)
	for _, f := range acs.Fields(acs.Query{Served: true}) {
		n := len(f.StableYears())
		byYears[n] = append(byYears[n], f)
	}
	var b strings.Builder
	b.WriteString("\n| years | fields | which |\n|---:|---:|---|\n")
	for n := all; n >= 0; n-- {
		if len(byYears[n]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %d | %d | %s |\n", n, len(byYears[n]), which(byYears[n], n == all))
	}
	return b.String() + "\n"
}

// which names fields by section, or numbers them.
func which(fields []*acs.Field, number bool) string {
	var parts []string
	for i := 0; i < len(fields); {
		k := i
		var names []string
		for k < len(fields) && fields[k].Profile == fields[i].Profile && fields[k].Section == fields[i].Section {
			name := "`" + fields[k].Name + "`"
			if years := fields[k].StableYears(); !number && len(years) > 0 {
				name += fmt.Sprintf(" (%d–%d)", years[0], years[len(years)-1])
			}
			names = append(names, name)
			k++
		}
		section := fields[i].Profile.String() + "." + fields[i].Section
		if number {
			parts = append(parts, fmt.Sprintf("%s %d", section, k-i))
		} else {
			parts = append(parts, section+": "+strings.Join(names, ", "))
		}
		i = k
	}
	return strings.Join(parts, "; ")
}

// Tables of records have a column for each figure that was asked for.
func TestLookupSurveyColumns(t *testing.T) {
	r := world{}.run("lookup", "10001", "90210", "09012", "--include", "acs_demographic_2012,acs_economic", "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(r.stdout)).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v: %v", len(rows), err, r)
	}
	at := map[string]int{}
	for i, h := range rows[0] {
		at[h] = i
	}
	for _, column := range []string{
		"acs.current.year", "acs.2012.published", "acs.2012.demographic.sex_and_age.total_population.est",
		"acs.current.economic.income.median_household_income.moe", "acs.current.economic.poverty.people.pct",
	} {
		i, ok := at[column]
		if !ok {
			t.Errorf("no column %s", column)
			continue
		}
		if rows[1][i] == "" || rows[2][i] == "" || rows[3][i] != "" {
			t.Errorf("%s: %q %q %q; expected figures of the two codes that have a ZCTA", column, rows[1][i], rows[2][i], rows[3][i])
		}
	}
	for _, column := range []string{"acs", "acs.2012.demographic.sex_and_age.sex_ratio.est", "acs.current.economic.poverty.people.est", "acs.current.economic.income.families.pct"} {
		if _, ok := at[column]; ok {
			t.Errorf("there is a column %s, which nothing can fill", column)
		}
	}
}
