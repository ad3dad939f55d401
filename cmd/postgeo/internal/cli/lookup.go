package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// lookupCmd is "postgeo lookup".
type lookupCmd struct {
	Codes   []string `arg:"" join:"codes" help:"ZIP (90210), ZIP+4 (90210-1234), FSA (K1A), postal code (K1A0B1) or latitude,longitude; - reads codes from standard input, one a line."`
	Full    bool     `help:"Full records (the default)." xor:"record"`
	Quick   bool     `help:"Quick records: identity, place and point only. A postal code that the dataset lacks is answered by its FSA." xor:"record"`
	Include []string `help:"Enrichments to add: timezone, census, cd, state_leg, school_district, demographics, medicare, quality, acs_{profile}[_{year}]." placeholder:"FLAG" short:"i"`

	clockedDataFlag
	geoFormatFlag
}

// Run looks up the codes in their order and writes what it finds.
func (c *lookupCmd) Run(ctx context.Context, env *Env) error {
	several := len(c.Codes) > 1 || slices.Contains(c.Codes, "-")
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	include, unknown := lookup.ParseIncludeUntil(c.Include, db.LastACSYear())
	if len(unknown) > 0 {
		return wrongUse("--include has no %q; this version knows %s", unknown[0], strings.Join(lookupFlags, ", "))
	}
	opts, err := c.options(env, c.view(db, include, several))
	if err != nil {
		return err
	}

	f := &featurer{db: db}
	opts.Feature = f.feature
	w := output.NewWriter(env.Stdout, opts)
	fails := failures{env: env, several: several, sample: path == ""}
	q := inquiry{
		opts: opts, fails: &fails, input: func(code string) envelope.Input { return envelope.Input{Code: code} },
		one: func(ctx context.Context, code string) (any, []envelope.Notice, error) {
			return c.lookup(ctx, db, code, include, several)
		},
	}
	if err := errors.Join(q.answer(ctx, w, inputCodes(c.Codes, env.Stdin, w.Flush)), f.err); err != nil {
		return err
	}
	return fails.result()
}

// knownFlags are the enrichments of everything but lookups.
var knownFlags = []string{"timezone"}

// lookupFlags are the enrichments of lookups.
var lookupFlags = []string{"timezone", "census", "cd", "state_leg", "school_district", "demographics", "medicare", "quality", "acs_{profile}", "acs_{profile}_{year}"}

// lookup answers one code. Items of several carry their input.
func (c *lookupCmd) lookup(ctx context.Context, db *postgeo.DB, code string, include lookup.Include, several bool) (item any, notices []envelope.Notice, err error) {
	var input *envelope.Input
	if several {
		input = &envelope.Input{Code: code}
	}
	if c.Quick {
		r, err := db.QuickLookup(ctx, code, postgeo.QuickLookupOptions{Timezone: include.Timezone})
		if err != nil {
			return nil, nil, err
		}
		r.Input = input
		return r, r.Notices, nil
	}
	r, err := db.Lookup(ctx, code, postgeo.LookupOptions{Include: include})
	if err != nil {
		return nil, nil, err
	}
	r.Input = input
	return r, r.Notices, nil
}

// view returns the columns of the records that are asked for. Columns of
// enrichments that are not are left out.
func (c *lookupCmd) view(db *postgeo.DB, include lookup.Include, several bool) view {
	v := view{array: several}
	if c.Quick {
		v.all = output.Columns[lookup.QuickRecord]()
	} else {
		v.all = output.Columns[lookup.Record]()
	}
	v.all = slices.DeleteFunc(v.all, func(col output.Column) bool {
		return !asked(include, col.Header) ||
			strings.HasPrefix(col.Header, "input.") && (col.Header != "input.code")
	})
	if i := slices.IndexFunc(v.all, func(col output.Column) bool { return col.Header == "acs" }); i >= 0 {
		v.all = slices.Replace(v.all, i, i+1, surveyColumns(include.ACS, db.ACSYears())...)
	}
	if several {
		v.summary = []output.Column{
			output.PathColumn("code"),
			{Header: "type", Paths: []string{"code_type"}},
			output.PathColumn("city"),
			output.PathColumn("state"),
			output.PathColumn("county"),
			{Header: "class", Paths: []string{"classification_name"}},
			{Header: "lat", Paths: []string{"location.lat"}},
			{Header: "lon", Paths: []string{"location.lon"}},
		}
		v.summary = append(v.summary, enrichmentColumns(include)...)
	}
	return v
}

// enrichmentColumns are what a table of several records shows of enrichments:
// of lists the first entry, which is the largest.
func enrichmentColumns(include lookup.Include) []output.Column {
	var columns []output.Column
	add := func(asked bool, header string, paths ...string) {
		if asked {
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
	add(include.Demographics, "people", "demographics.population.estimate", "demographics.population.total")
	add(include.Medicare, "ssa", "medicare.ssa_state_county_code")
	add(include.Medicare, "rating area", "medicare.rating_area_id")
	add(include.Quality, "outline ratio", "quality.outline_area_ratio")
	return columns
}

// asked reports whether a column is of an enrichment that was asked for, or of
// none.
func asked(include lookup.Include, header string) bool {
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

// people reports whether a format is read by people, who see failures on
// standard error only.
func people(f output.Format) bool { return f == output.Table || f == output.Markdown }
