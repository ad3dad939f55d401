// Command tradearea prints the demographic profile of two trade areas around a
// site, as a Markdown table. The figures of the American Community Survey are for
// the people within three and within ten miles. Each ZIP Code counts by its share
// inside the circle, as if its people lived evenly over its area.
//
//	go run ./examples/tradearea 98101
//	go run ./examples/tradearea -miles 1,5,25 47.61,-122.33
package main

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/examples/internal/input"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

// keys are the fields of the profile; FieldByKey has their labels.
var keys = []string{
	"demographic.sex_and_age.total_population",
	"demographic.sex_and_age.median_age",
	"demographic.sex_and_age.age_under_18",
	"demographic.sex_and_age.age_65_plus",
	"social.households.total_households",
	"economic.income.median_household_income",
	"economic.commuting.mean_travel_time_minutes",
	"housing.tenure.owner_occupied",
}

func main() {
	miles := flag.String("miles", "3,10", "radii, separated by commas")
	flag.Parse()
	rings, err := readRings(*miles)
	if err == nil {
		err = run(context.Background(), os.Stdout, cmp.Or(strings.Join(flag.Args(), " "), "98101"), rings...)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readRings(list string) ([]geo.Miles, error) {
	var rings []geo.Miles
	for text := range strings.SplitSeq(list, ",") {
		miles, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return nil, fmt.Errorf("-miles has %q; expected numbers separated by commas, e.g. 3,10", text)
		}
		rings = append(rings, geo.Miles(miles))
	}
	return rings, nil
}

func run(ctx context.Context, w io.Writer, site string, rings ...geo.Miles) error {
	db, err := input.Dataset()
	if err != nil {
		return err
	}
	defer db.Close()

	var areas []*acs.Aggregate
	for _, miles := range rings {
		a, err := profile(ctx, db, site, miles)
		if err != nil {
			return err
		}
		areas = append(areas, a)
	}
	out := bufio.NewWriter(w)
	first := areas[0]
	fmt.Fprintf(out, "%s, %s (%s)\n\n", first.Product, acs.Vintage(first.Year), first.Source)
	fmt.Fprint(out, "| |")
	for i, miles := range rings {
		// Codes without figures are missing in the sums, so readers need their share.
		fmt.Fprintf(out, " within %g miles, %.0f %% of codes |", float64(miles), areas[i].CoveragePercent())
	}
	fmt.Fprintf(out, "\n|---|%s\n", strings.Repeat("---|", len(rings)))
	for _, key := range keys {
		f := acs.MustField(key)
		// Labels are paths, such as "SEX AND AGE!!Total population!!Under 18 years". LabelIn
		// also names the year of the dollars.
		parts := strings.Split(f.LabelIn(first.Year), "!!")
		fmt.Fprintf(out, "| %s |", parts[len(parts)-1])
		for _, a := range areas {
			fmt.Fprintf(out, " %s |", cell(a.Metric(f)))
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// profile sums the newest survey up over a circle.
func profile(ctx context.Context, db *postgeo.DB, site string, miles geo.Miles) (*acs.Aggregate, error) {
	r, err := db.Radius(ctx, site, radius.Options{
		Max:  miles,
		Mode: radius.Spatial,
		Include: radius.Include{ACS: []acs.Tag{
			// without a year, the newest of the dataset
			{Profile: acs.Demographic}, {Profile: acs.Social}, {Profile: acs.Economic}, {Profile: acs.Housing},
		}},
	})
	if err != nil {
		return nil, err
	}
	if r.Stats == nil || len(r.Stats.ACS) == 0 {
		return nil, fmt.Errorf("no figures of the survey within %g miles of %s", float64(miles), site)
	}
	return &r.Stats.ACS[0], nil
}

// cell writes an estimate, and its share of the universe if it has one. A figure that the
// Census Bureau withholds is not a number, and never 0. Values print as published, so there
// is no format for them.
func cell(m acs.Metric) string {
	switch {
	case !m.Estimate.IsNumber():
		return "–"
	case m.Percent.IsNumber():
		return fmt.Sprintf("%s (%s %%)", m.Estimate, m.Percent)
	}
	return m.Estimate.String()
}
