package query

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

type lookupOptions struct {
	Codes []string `arg:"" join:"codes" is:"code" help:"ZIP (90210), ZIP+4 (90210-1234), FSA (K1A), postal code (K1A0B1) or latitude,longitude; three digits (902) count the people of all ZIP Codes that begin so; - reads codes from standard input, one per line."`
	Full  bool     `help:"Full records (the default)."`
	Quick bool     `help:"Quick records: identity, place and location only. A postal code that is not in the dataset gets its FSA."`
	operation.LookupParams

	command.Data
	command.GeoFormat

	extra *enrich.Enricher // columns beyond those of records
}

func (o *lookupOptions) run(c *command.Call) error {
	if o.Full && o.Quick {
		return command.UsageOf("postgeo lookup", `--full and --quick exclude each other`)
	}
	v, err := o.view(c)
	if err != nil {
		return err
	}
	return c.Each(v, c.Inputs(o.Codes), codeInput, func(code string) (any, []envelope.Notice, error) {
		item, notices, err := o.lookup(c, code)
		if err == nil && o.extra != nil {
			item, err = o.enriched(c, code, item)
		}
		return item, notices, err
	})
}

// lookup looks up one code. With several codes, items repeat their input.
func (o *lookupOptions) lookup(c *command.Call, code string) (item any, notices []envelope.Notice, err error) {
	var input *envelope.Input
	if c.Several {
		input = &envelope.Input{Code: code}
	}
	place := operation.Place{Code: code}
	switch {
	case operation.IsZIP3(code):
		r, err := (&operation.ZIP3Input{Code: code}).Run(c.Context, c.DB)
		if err == nil {
			r.Input = input
		}
		return r, nil, err
	case o.Quick:
		r, err := (&operation.QuickInput{Place: place, LookupParams: o.LookupParams}).Run(c.Context, c.DB)
		if err != nil {
			return nil, nil, err
		}
		r.Input = input
		return r, r.Notices, nil
	default:
		r, err := (&operation.LookupInput{Place: place, LookupParams: o.LookupParams}).Run(c.Context, c.DB)
		if err != nil {
			return nil, nil, err
		}
		r.Input = input
		return r, r.Notices, nil
	}
}

// view returns the columns of the records with the included enrichments.
func (o *lookupOptions) view(c *command.Call) (v command.View, err error) {
	full, unknown := o.Options(operation.LastYear(c.Context, c.DB, acs.ZCTA))
	if err := checkInclude(operation.Lookup, unknown); err != nil {
		return v, err
	}
	include := full.Include
	v = command.View{Array: len(o.Codes) > 1 || slices.Contains(o.Codes, "-"), All: output.Columns[lookup.Record]()}
	switch {
	case !slices.ContainsFunc(o.Codes, func(code string) bool { return !operation.IsZIP3(code) }):
		v.All = inputs(output.Columns[lookup.ZIP3](), "code")
		return v, nil
	case o.Quick:
		v.All = output.Columns[lookup.QuickRecord]()
	}
	v.All = inputs(included(v.All, full.Flags(), ""), "code")
	if v.All, err = replace(v.All, "acs", func() ([]output.Column, error) {
		years, err := c.DB.ACSYears(c.Context, acs.ZCTA)
		return surveyColumns(include.ACS, years), err
	}); err != nil {
		return v, err
	}
	v.All, _ = replace(v.All, "layers", func() ([]output.Column, error) { return layerColumns(include.Layers), nil })
	if v.Array {
		v.Summary = slices.Concat(command.Columns("code", "code", "type", "code_type"), command.Paths("city", "state", "county"),
			command.Columns("class", "classification_name", "lat", "location.lat", "lon", "location.lon"))
		for _, name := range include.Layers {
			v.Summary = append(v.Summary, command.Columns(name, "layers."+name+".areas.1.name")...)
		}
	}
	err = o.addExtra(c, &v)
	return v, err
}

// addExtra adds the chosen columns that are fields of package enrich. They are computed for
// each code apart from its record, so only those that the record lacks are.
func (o *lookupOptions) addExtra(c *command.Call, v *command.View) (err error) {
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
	o.extra, err = enrich.New(c.DB, enrich.Options{Kind: enrich.Code, Kinds: []enrich.Kind{enrich.Coordinates}, Add: paths, AsOf: time.Time(o.AsOf), Plan: o.Plan})
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
	values, _, err := o.extra.RowBy(c.Context, []enrich.Key{{Kind: kind, Text: code}}, nil)
	if err != nil {
		return nil, err
	}
	row := output.Row{{Value: record}}
	for i, column := range o.extra.Columns() {
		row = append(row, output.Cell{Name: column.Path, Value: values[i]})
	}
	return row, nil
}

// surveyColumns returns columns for each figure of the tags, and for whether the
// year was published. years lists the years of the dataset, newest first.
func surveyColumns(tags []acs.Tag, years []int) []output.Column {
	var paths []string
	add := func(path string) {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for _, tag := range tags {
		year := tag.Year
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
			if year <= acs.LastYear && !slices.Contains(f.StableYears(), year) {
				continue
			}
			path := block + "." + f.Key()
			if f.Kind != acs.PercentOnly {
				paths = append(paths, path+".est", path+".moe")
			}
			if f.Denominator != "" || f.Kind == acs.PercentOnly {
				paths = append(paths, path+".pct", path+".pct_moe")
			}
		}
	}
	return command.Paths(paths...)
}
