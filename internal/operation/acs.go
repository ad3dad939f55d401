package operation

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// Profile returns survey profiles of an area.
var Profile = define((*ProfileInput).Run, Operation{
	Name: "acs_profile", Command: "acs profile", Absent: "zip includes profiles",
	Summary: "Show the profiles of a ZIP Code or tract with margins of error.",
	Detail:  "Profiles are five-year estimates of the American Community Survey for the census area of the code. null is a figure that was not published.",
})

// ProfileInput is the input of [Profile].
type ProfileInput struct {
	Code     string   `required:"" is:"code" help:"US ZIP, a ZIP+4 or latitude,longitude in one, or a census tract by its eleven digits."`
	Profiles []string `required:"" size:"4" values:"demographic,social,economic,housing" help:"Profiles, each of about a hundred fields or more."`
	Years    []int    `size:"20" help:"Years of the five-year estimates, 2011 or later. Default: the newest of the dataset."`
}

// Echo returns the input as failed items repeat it.
func (in *ProfileInput) Echo() envelope.Input { return envelope.Input{Code: in.Code} }

// A ProfileResult holds the profiles of a code.
type ProfileResult struct {
	Code     string               `json:"code"`
	CodeType lookup.CodeType      `json:"code_type,omitzero"` // not of a tract
	City     string               `json:"city,omitzero"`
	State    string               `json:"state,omitzero"`
	ACS      acs.Years[acs.Block] `json:"acs,omitzero"`
	Notices  []envelope.Notice    `json:"notices,omitempty"`
}

// Run reads the profiles.
func (in *ProfileInput) Run(ctx context.Context, db DB) (*ProfileResult, error) {
	tags, err := in.tags(LastYear(ctx, db, acs.ZCTA))
	if err != nil {
		return nil, err
	}
	if isTract(in.Code) {
		return tractProfile(ctx, db, in.Code, tags)
	}
	r, err := db.Lookup(ctx, in.Code, lookup.Options{Include: lookup.Include{ACS: tags}})
	if err != nil {
		return nil, err
	}
	return &ProfileResult{Code: r.Code, CodeType: r.CodeType, City: r.City, State: r.State, ACS: r.ACS, Notices: r.Notices}, nil
}

// tags returns the profiles and years, each once.
func (in *ProfileInput) tags(last int) (tags []acs.Tag, err error) {
	years := in.Years
	if len(years) == 0 {
		years = []int{0}
	}
	for _, name := range in.Profiles {
		p, ok := acs.ParseProfile(name)
		if !ok {
			return nil, &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "profiles", Range: "a list of demographic, social, economic and housing"}
		}
		for _, year := range years {
			if len(in.Years) > 0 && (year < acs.FirstYear || year > last) {
				return nil, &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "years", Range: fmt.Sprintf("a list of years from %d to %d", acs.FirstYear, last)}
			}
			if tag := (acs.Tag{Profile: p, Year: year}); !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	return tags, nil
}

// isTract reports whether a code is the GEOID of a census tract: two digits of the state,
// three of the county and six of the tract.
func isTract(code string) bool {
	return len(code) == 11 && strings.Trim(code, "0123456789") == ""
}

func tractProfile(ctx context.Context, db DB, geoid string, tags []acs.Tag) (*ProfileResult, error) {
	r, err := db.ACSProfile(ctx, geoid, tags, acs.Options{})
	if err != nil {
		return nil, err
	}
	out := &ProfileResult{Code: geoid, ACS: r.Years}
	if len(r.Unavailable) > 0 {
		var flags []string
		for _, tag := range r.Unavailable {
			flags = append(flags, tag.Flag(acs.Tract))
		}
		out.Notices = []envelope.Notice{notice.UnavailableEnrichments(flags)}
	}
	return out, nil
}

// Dollars is the year of amounts of money.
type Dollars int

// Numeric marks a type of numbers and texts.
func (Dollars) Numeric() {}

// UnmarshalText reads a year or "newest".
func (d *Dollars) UnmarshalText(text []byte) error {
	if string(text) == "newest" {
		*d = acs.NewestDollars
		return nil
	}
	year, err := strconv.Atoi(string(text))
	if err != nil || year <= 0 {
		return &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "dollars", Input: string(text), Range: "a year, or newest"}
	}
	*d = Dollars(year)
	return nil
}

// FigureParams are the parameters that figures of the survey share.
type FigureParams struct {
	Dollars Dollars `placeholder:"YEAR" help:"Convert amounts of money to the dollars of this year; newest is the newest year of the dataset. Default: dollars of each figure's own year."`
	Bridged bool    `help:"Include years with another definition of a field."`

	Extras bool // include fields that are not part of the interface
}

// Figures returns the options of figures.
func (in *FigureParams) Figures() acs.FigureOptions {
	return acs.FigureOptions{Dollars: int(in.Dollars), Options: acs.Options{Bridged: in.Bridged, Extras: in.Extras}}
}

// LineParams are the parameters of fields over the years.
type LineParams struct {
	Fields []string `required:"" flag:"field" size:"20" placeholder:"NAME" help:"Full name of a field, such as economic.income.median_household_income; acs fields lists them."`
	Years  []int    `flag:"year" size:"20" placeholder:"YEAR" help:"Last of the five years of a figure."`
}

// Options returns the options of a series.
func (in *LineParams) Options(figures acs.FigureOptions) acs.SeriesOptions {
	return acs.SeriesOptions{FigureOptions: figures, Years: in.Years}
}

// Series follows fields over the years.
var Series = define((*SeriesInput).Run, Operation{
	Name: "acs_series", Command: "acs series", Absent: "not part of the contract",
	Summary: "Follow fields of ZIP Codes or tracts over the years.",
	Detail:  "Figures have margins of error, and lines notes on the comparability of the years. Without years all of the dataset are returned.",
})

// SeriesInput is the input of [Series].
type SeriesInput struct {
	Codes []string `required:"" chars:"11" size:"50" help:"ZIP Codes, or census tracts by their eleven digits."`
	LineParams
	FigureParams
}

// A SeriesResult holds a line for each field of each area.
type SeriesResult struct {
	Lines []acs.Line `json:"lines"`
}

// Run reads the lines.
func (in *SeriesInput) Run(ctx context.Context, db DB) (*SeriesResult, error) {
	lines, err := db.ACSSeries(ctx, in.Codes, in.Fields, in.Options(in.Figures()))
	if err != nil {
		return nil, err
	}
	return &SeriesResult{Lines: lines}, nil
}

// Aggregate computes fields of several areas together.
var Aggregate = define((*AggregateInput).Run, Operation{
	Name: "acs_aggregate", Command: "acs aggregate", Absent: "radius includes sums",
	Summary: "Compute fields of several areas together: codes, a polygon or a circle.",
	Detail:  "Figures have margins of error and the covered share of people; medians are interpolated.",
})

// AggregateInput is the input of [Aggregate].
type AggregateInput struct {
	Codes   []string        `chars:"11" size:"500" help:"ZIP Codes, or census tracts by their eleven digits, each counted once and in full. Polygon and code are alternatives."`
	Polygon json.RawMessage `help:"GeoJSON geometry of type Polygon or MultiPolygon."`
	Code    string          `is:"code" help:"Center of a circle: any code, or latitude,longitude."`
	Max     Reach           `help:"Radius of the circle in miles, or auto or auto-commute."`
	Mode    radius.Mode     `values:"centroid,spatial" default:"centroid" help:"centroid counts ZIP Codes in full if their point is inside, spatial counts each by the share of its area."`
	LineParams
	FigureParams

	Outline orb.MultiPolygon // parsed, in place of Polygon
}

// Echo returns the input as failed items repeat it.
func (in *AggregateInput) Echo() envelope.Input { return envelope.Input{Code: in.Code} }

// Run computes the figures.
func (in *AggregateInput) Run(ctx context.Context, db DB) (_ *acs.Combined, err error) {
	where := radius.Areas{Codes: in.Codes, Center: in.Code, Mode: in.Mode}
	where.Radius.Mode = in.Mode
	if in.Outline != nil {
		where.Polygon = in.Outline
	}
	if in.Polygon != nil {
		if where.Polygon, err = geojson.ParsePolygons(in.Polygon); err != nil {
			return nil, NotPolygon(err)
		}
	}
	if in.Code == "" && in.Max != (Reach{}) {
		return nil, &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "max", Range: "absent without code, the center of the circle"}
	}
	where.Radius.Max, where.Radius.Auto = in.Max.Miles, in.Max.Auto
	return db.ACSAggregate(ctx, where, in.Fields, in.Options(in.Figures()))
}

// Compare tests whether two figures differ.
var Compare = define((*CompareInput).Run, Operation{
	Name: "acs_compare", Command: "acs compare", Absent: "not part of the contract",
	Summary: "Test whether a field differs between two areas, or two years of one area, by more than sampling explains.",
	Detail:  "The levels are 90, 95 and 99 percent.",
})

// CompareInput is the input of [Compare].
type CompareInput struct {
	CodeA string `required:"" chars:"11" help:"ZIP Code, or census tract by its eleven digits."`
	CodeB string `chars:"11" help:"Second area. Default: the same area, in another year."`
	YearA int    `help:"Last of the five years of the first side. Default: the newest of the dataset."`
	YearB int    `help:"Last of the five years of the second side."`
	CompareParams
	FigureParams
}

// CompareParams select the compared values.
type CompareParams struct {
	Field   string `required:"" placeholder:"NAME" help:"Full name of a field; acs fields lists them."`
	Percent bool   `flag:"pct" help:"Compare percentages of a field that has them."`
}

// Run compares.
func (in *CompareInput) Run(ctx context.Context, db DB) (*acs.Comparison, error) {
	a, b := acs.Side{Area: in.CodeA, Year: in.YearA}, acs.Side{Area: in.CodeB, Year: in.YearB}
	b.Area = cmp.Or(b.Area, a.Area)
	// Amounts are in the dollars of their year, so that inflation would look like a difference.
	if f, ok := acs.FieldByKey(in.Field); ok && f.Dollars() && yearOf(ctx, db, a) != yearOf(ctx, db, b) && in.Dollars == 0 {
		return nil, &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "dollars", Range: "a year or newest where amounts of money of two years are compared"}
	}
	return db.ACSCompare(ctx, a, b, in.Field, in.Percent, in.Figures())
}

// yearOf returns the year of a side. The default is the newest.
func yearOf(ctx context.Context, db DB, side acs.Side) int {
	level := acs.ZCTA
	if isTract(side.Area) {
		level = acs.Tract
	}
	years, err := db.ACSYears(ctx, level)
	if side.Year != 0 || err != nil || len(years) == 0 {
		return side.Year
	}
	return years[0]
}

// Fields finds fields of the survey.
var Fields = define((*FieldsInput).Run, Operation{
	Name: "acs_fields", Command: "acs fields", Absent: "postgeo acs fields lists them",
	Summary: "List the fields of the survey.",
	Detail:  "Fields have a key, a label, a kind and their comparable years.",
})

// FieldsInput is the input of [Fields]. The zero value selects all.
type FieldsInput struct {
	Query   string   `arg:"" optional:"" name:"word" join:"text" help:"Words that all occur in the key or the label, such as median rent."`
	Profile string   `values:"demographic,social,economic,housing" placeholder:"PROFILE" help:"Profile of the fields: demographic, social, economic or housing."`
	Section string   `placeholder:"NAME" help:"Section of the fields, such as income."`
	Kind    acs.Kind `placeholder:"KIND" help:"Kind: count, median, mean, rate, ratio or percent_only."`
	Year    int      `placeholder:"YEAR" help:"Only fields in the table of this year."`
	Extras  bool     `help:"Also fields that are not part of the interface."`
}

// A Field describes a field.
type Field struct {
	Field       string   `json:"field"` // profile.section.name, as in acs.current.*
	Kind        acs.Kind `json:"kind"`
	Label       string   `json:"label"`
	Universe    string   `json:"universe,omitzero"`    // the total of its people or households
	Denominator string   `json:"denominator,omitzero"` // of its percentage
	Weight      string   `json:"weight,omitzero"`      // in an aggregate
	Dollars     bool     `json:"dollars"`
	Core        bool     `json:"core"`  // a field of the interface
	Years       string   `json:"years"` // that serve it
	Note        string   `json:"note,omitzero"`
}

// A FieldsResult holds fields.
type FieldsResult struct {
	Fields []Field `json:"fields"`
}

// Run searches the catalog. It needs no dataset.
func (in *FieldsInput) Run(context.Context, DB) (*FieldsResult, error) {
	invalid := func(param, given, expected string) error {
		return &envelope.Failure{Kind: envelope.KindInvalidParam, Param: param, Input: given, Range: expected}
	}
	q := acs.Query{Section: in.Section, Kind: in.Kind, Year: in.Year, Text: in.Query, Served: !in.Extras}
	if p, ok := acs.ParseProfile(in.Profile); ok {
		q.Profile = p
	} else if in.Profile != "" {
		return nil, invalid("profile", in.Profile, "demographic, social, economic or housing")
	}
	var sections []string
	var kinds []acs.Kind
	for _, f := range acs.Fields(acs.Query{}) {
		if !slices.Contains(sections, f.Section) {
			sections = append(sections, f.Section)
		}
		kinds = append(kinds, f.Kind)
	}
	switch {
	case in.Kind != "" && !slices.Contains(kinds, in.Kind):
		return nil, invalid("kind", string(in.Kind), "count, median, mean, rate, ratio or percent_only")
	case in.Section != "" && !slices.Contains(sections, in.Section):
		return nil, invalid("section", in.Section, "one of "+strings.Join(sections, ", "))
	}
	out := &FieldsResult{Fields: []Field{}}
	for _, f := range acs.Fields(q) {
		row := Field{
			Field: f.Key(), Kind: f.Kind, Label: f.LabelIn(0), Denominator: f.Denominator, Weight: f.Weight, Dollars: f.Dollars(), Core: f.Core,
			Years: Spans(f.StableYears()), Note: f.Note,
		}
		if u := acs.UniverseOf(f); u != nil && u != f {
			row.Universe = u.Key()
		}
		out.Fields = append(out.Fields, row)
	}
	return out, nil
}

// Spans writes ascending years as spans: "2011-2013, 2015-2024".
func Spans(years []int) string {
	var spans []string
	for i, y := range years {
		if first := strconv.Itoa(y); i == 0 || years[i-1] != y-1 {
			spans = append(spans, first)
		} else {
			begin, _, _ := strings.Cut(spans[len(spans)-1], "-")
			spans[len(spans)-1] = begin + "-" + first
		}
	}
	return strings.Join(spans, ", ")
}
