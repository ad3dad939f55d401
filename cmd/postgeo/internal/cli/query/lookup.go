package query

import (
	"errors"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/enrich"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

type lookupOptions struct {
	Codes []string `arg:"" join:"codes" is:"code" help:"ZIP (90210), ZIP+4 (90210-1234), FSA (K1A), postal code (K1A0B1) or latitude,longitude; three digits (902) count the people of all ZIP Codes that begin so; - reads codes from standard input, one per line."`
	Full  bool     `help:"Full records (the default)." xor:"record"`
	Quick bool     `help:"Quick records: identity, place and location only. A postal code that is not in the dataset gets its FSA." xor:"record"`
	operation.LookupParams

	command.Data
	command.GeoFormat

	full  lookup.Options
	extra *enrich.Enricher // columns beyond those of records
}

func lookupCommand() *cobra.Command {
	return command.New(command.Spec[lookupOptions, lookup.Record]{
		Name: "lookup", Group: codes, Short: operation.Lookup.Summary,
		Long: operation.Lookup.Detail + " --columns also takes the fields of postgeo enrich, such as nearest.code, with the enrichments that they need.",
		Examples: command.Examples(
			"postgeo lookup 90210", "everything about a ZIP Code",
			"postgeo lookup 90210 10001 K1A 0B1 --quick -f csv", "city, state and location of several codes",
			"postgeo lookup 34.09,-118.41 -i census,cd", "the code, tract and district around a point",
			"postgeo lookup - --quick -f csv < codes.txt", "codes in a file, one per line",
			"postgeo lookup 902", "the people of the ZIP Codes that begin so, and whether data without identities may name them",
		),
		View: (*lookupOptions).view,
		Run: func(o *lookupOptions, c *command.Call) (command.Result, error) {
			return c.Each(o.Codes, codeInput, func(code string) (any, []envelope.Notice, error) {
				item, notices, err := o.lookup(c, code)
				if err == nil && o.extra != nil {
					item, err = o.enriched(c, code, item)
				}
				return item, notices, err
			}), nil
		},
	})
}

// zip3 reports whether all codes are three digits, whose people are counted.
func (o *lookupOptions) zip3() bool {
	return !slices.ContainsFunc(o.Codes, func(code string) bool { return !lookup.IsZIP3(code) })
}

// lookup looks up one code. With several codes, items repeat their input.
func (o *lookupOptions) lookup(c *command.Call, code string) (item any, notices []envelope.Notice, err error) {
	var input *envelope.Input
	if c.Several {
		input = &envelope.Input{Code: code}
	}
	if lookup.IsZIP3(code) {
		r, err := c.DB.ZIP3(c.Context, code)
		if err != nil {
			return nil, nil, err
		}
		r.Input = input
		return r, nil, nil
	}
	if o.Quick {
		r, err := (&operation.QuickInput{Place: operation.Place{Code: code}, LookupParams: o.LookupParams}).Run(c.Context, c.DB)
		if err != nil {
			return nil, nil, err
		}
		r.Input = input
		return r, r.Notices, nil
	}
	r, err := (&operation.LookupInput{Place: operation.Place{Code: code}, LookupParams: o.LookupParams}).Run(c.Context, c.DB)
	if err != nil {
		return nil, nil, err
	}
	r.Input = input
	return r, r.Notices, nil
}

// view returns the columns of the records without those of enrichments that are
// not included.
func (o *lookupOptions) view(c *command.Call) (command.View, error) {
	var unknown []string
	if o.full, unknown = o.Options(c.DB.LastACSYear(c.Context, acs.ZCTA)); len(unknown) > 0 {
		return command.View{}, checkInclude(operation.Lookup, unknown)
	}
	several := len(o.Codes) > 1 || slices.Contains(o.Codes, "-")
	v := command.View{Array: several, All: output.Columns[lookup.Record]()}
	switch {
	case o.zip3():
		v.All = slices.DeleteFunc(output.Columns[lookup.ZIP3](), func(col output.Column) bool { return isOtherInput(col.Header, "code") })
		return v, nil
	case o.Quick:
		v.All = output.Columns[lookup.QuickRecord]()
	}
	v.All = slices.DeleteFunc(v.All, func(col output.Column) bool {
		return !included(o.full.Include, col.Header) || isOtherInput(col.Header, "code")
	})
	if i := slices.IndexFunc(v.All, func(col output.Column) bool { return col.Header == "acs" }); i >= 0 {
		years, err := c.DB.ACSYears(c.Context, acs.ZCTA)
		if err != nil {
			return command.View{}, err
		}
		v.All = slices.Replace(v.All, i, i+1, surveyColumns(o.full.Include.ACS, years)...)
	}
	if i := slices.IndexFunc(v.All, func(col output.Column) bool { return col.Header == "layers" }); i >= 0 {
		v.All = slices.Replace(v.All, i, i+1, layerColumns(o.full.Include.Layers)...)
	}
	if err := o.addExtra(c, &v); err != nil {
		return v, err
	}
	if several {
		v.Summary = append(slices.Concat(command.Columns("code", "code", "type", "code_type"), command.Paths("city", "state", "county"),
			command.Columns("class", "classification_name", "lat", "location.lat", "lon", "location.lon")), enrichmentColumns(o.full.Include)...)
	}
	return v, nil
}

// addExtra adds the chosen columns that are fields of package enrich.
func (o *lookupOptions) addExtra(c *command.Call, v *command.View) error {
	v.Similar = func(column string) []string {
		if e := (*enrich.FieldError)(nil); errors.As(enrich.Check(c.DB, []string{column}), &e) {
			return e.Near
		}
		return nil
	}
	var paths []string
	for _, column := range o.Columns {
		if _, unknown := output.Find(v.All, []string{column}); unknown != "" && enrich.Check(c.DB, []string{column}) == nil {
			paths = append(paths, column)
			v.All = append(v.All, output.PathColumn(column))
		}
	}
	if len(paths) == 0 {
		return nil
	}
	var err error
	o.extra, err = enrich.New(c.DB, enrich.Options{Kind: enrich.Code, Kinds: []enrich.Kind{enrich.Coordinates}, Add: paths, Plans: o.Plans.Options()})
	if e := (*enrich.FieldError)(nil); errors.As(err, &e) {
		return command.Usage("%s", e.Text("see postgeo enrich"))
	}
	return err
}

// enriched adds the values of the extra columns to a record.
func (o *lookupOptions) enriched(c *command.Call, code string, record any) (any, error) {
	kind := enrich.Code
	if parsed, err := lookup.ParseCode(code); err == nil && parsed.Type() == lookup.Coordinates {
		kind = enrich.Coordinates
	}
	values, _, err := o.extra.RowBy(c.Context, []enrich.Key{{Kind: kind, Text: code}}, "", nil)
	if err != nil {
		return nil, err
	}
	row := output.Row{{Value: record}}
	for i, column := range o.extra.Columns() {
		row = append(row, output.Cell{Name: column.Path, Value: values[i]})
	}
	return row, nil
}

// enrichmentColumns returns the columns of enrichments in a table of several
// records. Of a list they show the first entry, which is the largest.
func enrichmentColumns(include lookup.Include) []output.Column {
	var columns []output.Column
	add := func(included bool, header string, paths ...string) {
		if included {
			columns = append(columns, output.Column{Header: header, Paths: paths})
		}
	}
	add(include.Timezone, "timezone", "timezone.iana_name", "timezone.zones.1.iana_name")
	add(include.Census, "place", "census.current.place.1.name", "census.current.census_subdivision.1.name")
	add(include.Census, "tract", "census.current.tract.1.geoid")
	add(include.CongressionalDistrict, "district", "congressional_district.current.primary.geoid", "federal_electoral_district.current.districts.1.geoid")
	add(include.StateLegislative, "upper", "state_legislative.current.upper.1.geoid")
	add(include.StateLegislative, "lower", "state_legislative.current.lower.1.geoid")
	add(include.SchoolDistrict, "school district", "school_district.current.districts.1.name")
	for _, name := range include.Layers {
		add(true, name, "layers."+name+".areas.1.name")
	}
	add(include.Demographics, "people", "demographics.population.estimate", "demographics.population.total")
	add(include.Medicare, "ssa", "medicare.ssa_state_county_code")
	add(include.Medicare, "rating area", "medicare.rating_area_id")
	add(include.Quality, "outline ratio", "quality.outline_area_ratio")
	return columns
}

// layerColumns returns the columns of layers of the user.
func layerColumns(names []string) (columns []output.Column) {
	for _, name := range names {
		for _, member := range []string{"source", "basis", "areas"} {
			columns = append(columns, output.PathColumn("layers."+name+"."+member))
		}
	}
	return columns
}

// included reports whether a column is of an included enrichment, or of none.
func included(include lookup.Include, header string) bool {
	section, _, _ := strings.Cut(header, ".")
	switch section {
	case "timezone":
		return include.Timezone
	case "census":
		return include.Census
	case "congressional_district", "federal_electoral_district":
		return include.CongressionalDistrict
	case "state_legislative":
		return include.StateLegislative
	case "school_district":
		return include.SchoolDistrict
	case "layers":
		return len(include.Layers) > 0
	case "demographics":
		return include.Demographics
	case "medicare":
		return include.Medicare
	case "quality":
		return include.Quality
	case "acs":
		return len(include.ACS) > 0
	default:
		return true
	}
}
