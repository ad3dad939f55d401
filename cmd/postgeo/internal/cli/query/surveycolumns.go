package query

import (
	"strconv"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

// surveyColumns returns columns for each figure of the tags, and for whether the
// year was published. years lists the years of the dataset, newest first.
func surveyColumns(tags []acs.Tag, years []int) []output.Column {
	var columns []output.Column
	seen := map[string]bool{}
	add := func(path string) {
		if !seen[path] {
			seen[path] = true
			columns = append(columns, output.PathColumn(path))
		}
	}
	for _, tag := range tags {
		year := int(tag.Year)
		if year == 0 && len(years) > 0 {
			year = years[0]
		}
		block := "acs." + strconv.Itoa(year)
		if len(years) == 0 || year == years[0] {
			block = "acs.current"
		}
		add(block + ".year")
		add(block + ".published")
		for _, f := range acs.Fields(acs.Query{Profile: tag.Profile, Served: true}) {
			if year <= acs.LastYear && !f.Stable(year) {
				continue
			}
			path := block + "." + f.Key()
			if f.Kind != acs.PercentOnly {
				add(path + ".est")
				add(path + ".moe")
			}
			if f.Denominator != "" || f.Kind == acs.PercentOnly {
				add(path + ".pct")
				add(path + ".pct_moe")
			}
		}
	}
	return columns
}
