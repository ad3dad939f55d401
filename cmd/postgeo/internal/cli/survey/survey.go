// Package survey holds the commands of the American Community Survey.
package survey

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

// Command returns "postgeo acs".
func Command() *cobra.Command {
	about := func(name, short, long string) command.About {
		return command.About{Name: name, Short: short, Long: long}
	}
	return command.Group("acs", "The survey", "Query the American Community Survey: series, sums, comparisons.",
		command.New(about("fields", operation.Fields.Summary, ""), (*fieldsOptions).run, "postgeo acs fields median income", "fields about the median income"),
		command.New(about("profile", operation.Profile.Summary,
			"json writes the published year block of /v2/zip. The other formats write a row for each field, with its coefficient of variation. Medians have the median of the distribution."), (*profileOptions).run,
			"postgeo acs profile 90210 --profile economic", "with margins of error"),
		command.New(about("series", operation.Series.Summary,
			"The formats json and jsonl write a line of years for each area and field, with notes on comparability. Other formats have a row for each year. Without --year all years of the dataset are written; those without a figure have empty cells and a status."), (*seriesOptions).run,
			"postgeo acs series 90210 10001 --field economic.income.median_household_income --dollars newest", "in dollars of one year"),
		command.New(about("aggregate", operation.Aggregate.Summary,
			"Counts are summed, medians and means weighted, percentages and rates recomputed from the sums. Margins of error follow from those of the areas: their basis is sum for whole areas, upper_bound if shares, weights or quotients are involved. A weighted median comes with the median of its distribution. Without --year the newest year of the dataset is written. A single area by its code has its published figures."), (*aggregateOptions).run,
			"postgeo acs aggregate --codes 90210,90211 --field demographic.sex_and_age.total_population", "two ZIP Codes together",
			"postgeo acs aggregate --around 90210 --radius 5 --field economic.income.median_household_income", "a circle of 5 miles"),
		command.New(about("compare", "Test whether two areas or two years differ.",
			"Two areas are compared in one year, one area in two years. A difference is significant at 90, 95 or 99 percent if it is at least 1.645, 1.96 or 2.576 standard errors. For one area in years whose periods overlap, the error of the difference allows for the common part of the samples. Amounts of money of two years need --dollars."), (*compareOptions).run,
			"postgeo acs compare 90210 10001 --field economic.income.median_household_income", "whether two areas differ"),
	)
}

type fieldsOptions struct {
	operation.FieldsInput
	command.Format
}

func (o *fieldsOptions) run(c *command.Call) error {
	r, err := o.Run(c.Context, nil)
	if err == nil && len(r.Fields) == 0 {
		c.Missing(`not found: no field matches`)
	}
	if err != nil || len(r.Fields) == 0 {
		return err
	}
	return command.Rows(c, command.View{All: output.Columns[operation.Field](), Summary: command.Paths("field", "kind", "years", "label"), Array: true}, r.Fields)
}

// figureOptions are the flags that choose and compute figures.
type figureOptions struct {
	operation.FigureParams
	Extras bool `help:"Include fields that are not part of the interface."`
}

func (o *figureOptions) params() operation.FigureParams {
	p := o.FigureParams
	p.Extras = o.Extras
	return p
}

// usage turns errors about fields and years into usage errors.
func usage(err error) error {
	e := envelope.AsFailure(err)
	switch {
	case e == nil || e.Op != "survey":
		return err
	case e.Param == "fields":
		return command.Usage(`%s: %s`, "--field", e.Detail)
	case e.Param == "dollars":
		_, years, _ := strings.Cut(e.Detail, "no price index")
		return command.Usage("%s", "no price index"+years)
	default:
		return command.Usage("%s", e.Detail)
	}
}

// checkSurvey returns an error if the dataset has no tables of the survey.
func checkSurvey(c *command.Call) error {
	for _, level := range [...]acs.Level{acs.ZCTA, acs.Tract} {
		if years, err := c.DB.ACSYears(c.Context, level); err != nil || len(years) > 0 {
			return err
		}
	}
	return command.Failure(`%s has no tables of the American Community Survey; add them with 'postgeo dataset build --acs PATH'`, command.FileName(c.Path))
}

// yearsOf returns, after [checkSurvey], the years that the dataset has for the level of some
// areas, ascending.
func yearsOf(c *command.Call, areas []string) ([]int, error) {
	if err := checkSurvey(c); err != nil {
		return nil, err
	}
	level := acs.ZCTA
	if len(areas) > 0 {
		if l, _, err := acs.ParseArea(areas[0]); err == nil {
			level = l
		}
	}
	years, err := c.DB.ACSYears(c.Context, level)
	slices.Sort(years)
	return years, err
}

type seriesOptions struct {
	Areas []string `arg:"" join:"codes" name:"area" help:"ZIP Codes, or census tracts by their eleven digits; - reads them from standard input, one per line."`

	lineOptions
}

func (o *seriesOptions) run(c *command.Call) error {
	years, err := yearsOf(c, o.Areas)
	if err != nil {
		return err
	}
	if len(o.Years) > 0 {
		years = o.Years
	}
	if err := o.view(c, years, true); err != nil {
		return err
	}
	for area, err := range c.Inputs(o.Areas) {
		if err != nil {
			return err
		}
		r, err := (&operation.SeriesInput{Codes: []string{area}, LineParams: o.LineParams, FigureParams: o.params()}).Run(c.Context, c.DB)
		if err != nil {
			return usage(err)
		}
		if err := o.write(c, r.Lines); err != nil {
			return err
		}
	}
	return nil
}

type aggregateOptions struct {
	Codes   []string        `help:"ZIP Codes, or census tracts by their eleven digits." placeholder:"CODE"`
	Polygon string          `help:"GeoJSON file with one polygon or multipolygon; - is standard input." placeholder:"FILE"`
	Around  string          `help:"Center of a circle: a code or latitude,longitude." placeholder:"CENTER"`
	Max     operation.Reach `flag:"radius" help:"Miles around the center: at most 250, or 500 in centroid mode; or auto, or auto-commute." placeholder:"MILES"`
	Mode    radius.Mode     `help:"spatial counts ZIP Codes by the share of their area inside, centroid fully if their location is inside." default:"spatial" placeholder:"MODE"`

	lineOptions
}

func (o *aggregateOptions) run(c *command.Call) error {
	ways := 0
	for _, given := range [...]bool{len(o.Codes) > 0, o.Polygon != "", o.Around != ""} {
		if given {
			ways++
		}
	}
	in := operation.AggregateInput{Codes: o.Codes, Code: o.Around, Max: o.Max, Mode: o.Mode, FigureParams: o.params()}
	var err error
	switch {
	case ways != 1:
		return command.Usage(`missing areas; use --codes, or --polygon, or --around with --radius`)
	case (o.Around != "") != (o.Max != (operation.Reach{})):
		return command.Usage(`--around and --radius must be used together`)
	case o.Polygon != "":
		in.Outline, err = command.ReadPolygon(o.Polygon, c.Stdin)
	}
	if err != nil {
		return err
	}
	years, err := yearsOf(c, o.Codes)
	if err != nil {
		return err
	}
	if len(o.Years) > 0 {
		years = o.Years
	} else if len(years) > 0 {
		years = years[len(years)-1:]
	}
	if err := o.view(c, years, false); err != nil {
		return err
	}
	in.LineParams = o.LineParams
	a, err := in.Run(c.Context, c.DB)
	if o.Around != "" && (errors.Is(err, postgeo.ErrNotFound) || errors.Is(err, postgeo.ErrInvalidCode)) {
		return c.Refuse(command.View{All: lineColumns}, in.Echo(), err)
	}
	if err != nil {
		return usage(err)
	}
	if c.People() && len(a.Lines) > 0 {
		for i := range a.Lines[0].Points {
			p := &a.Lines[0].Points[i]
			covered := ""
			if p.Covered.IsNumber() {
				covered = fmt.Sprintf(`, with %s %% of the people`, strings.TrimSuffix(p.Covered.String(), ".0"))
			}
			c.Report(`note: %s, %d: %d of %d areas have figures%s`, a.Name, p.Year, p.With, p.With+p.Without, covered)
		}
	}
	if c.Output.Format == output.JSON { // one object with the lines in it
		o.look(c, a.Lines)
		return c.Write(a)
	}
	return o.write(c, a.Lines)
}

type compareOptions struct {
	Areas []string `arg:"" join:"codes" name:"area" help:"One or two ZIP Codes, or census tracts by their eleven digits."`
	Year  []int    `help:"Last of the five years: one for two areas, both for one. Default: the newest of the dataset." placeholder:"YEAR"`
	operation.CompareParams

	figureOptions
	command.Data
	command.Format
}

func (o *compareOptions) run(c *command.Call) error {
	switch f, ok := acs.FieldByKey(o.Field); {
	case len(o.Areas) > 2 || len(o.Year) > 2:
		return command.Usage(`%d areas and %d years; a comparison has two sides`, len(o.Areas), len(o.Year))
	case len(o.Areas) == 2 && len(o.Year) == 2:
		return command.Usage(`two areas and two years; compare two areas in one year, or one area in two years`)
	case len(o.Areas) == 1 && len(o.Year) != 2:
		return command.Usage(`missing second area; for two years of %s, repeat --year`, o.Areas[0])
	case ok && f.Dollars() && len(o.Year) == 2 && o.Year[0] != o.Year[1] && o.Dollars == 0:
		return command.Usage(`%s of two years is in different dollars; use --dollars YEAR or --dollars newest`, o.Field)
	}
	if err := checkSurvey(c); err != nil {
		return err
	}
	in := operation.CompareInput{CodeA: o.Areas[0], CodeB: o.Areas[len(o.Areas)-1], CompareParams: o.CompareParams, FigureParams: o.params()}
	if len(o.Year) > 0 {
		in.YearA, in.YearB = o.Year[0], o.Year[len(o.Year)-1]
	}
	comparison, err := in.Run(c.Context, c.DB)
	switch {
	case errors.Is(err, acs.ErrNotComparable):
		c.Missing("%s", envelope.AsFailure(err).Detail)
		return nil
	case err != nil:
		return usage(err)
	}
	if c.People() {
		for _, n := range comparison.Notes {
			c.Report(`note: %s`, n)
		}
	}
	value, margin := "est", "moe"
	if f, ok := acs.FieldByKey(o.Field); o.Percent || ok && f.Kind == acs.PercentOnly {
		value, margin = "pct", "pct_moe"
	}
	v := command.View{All: output.Columns[acs.Comparison]()}
	for _, side := range [...]string{"a", "b"} {
		v.Summary = append(v.Summary, command.Columns(side+" year", side+".year", side, side+"."+value, "±", side+"."+margin)...)
	}
	v.Summary = append(v.Summary, command.Columns("b - a", "difference", "±", "difference_moe", "z", "z",
		"at 90 %", "significant_90", "at 95 %", "significant_95", "at 99 %", "significant_99")...)
	return command.Rows(c, v, []*acs.Comparison{comparison})
}

type profileOptions struct {
	Area    string   `arg:"" name:"area" help:"ZIP Code, or census tract by its eleven digits."`
	Profile []string `help:"Profiles: demographic, social, economic, housing. Default: all." placeholder:"PROFILE"`
	Year    int      `least:"1" most:"9999" help:"Last of the five years. Default: the newest of the dataset." placeholder:"YEAR"`

	figureOptions
	command.Data
	command.Format
}

func (o *profileOptions) run(c *command.Call) error {
	var profiles []acs.Profile
	for _, name := range o.Profile {
		p, ok := acs.ParseProfile(name)
		if !ok {
			return command.Usage(command.InvalidValue, "--profile", name, `demographic, social, economic or housing`)
		}
		profiles = append(profiles, p)
	}
	if all := acs.AllProfiles(); len(o.Profile) == 0 {
		profiles = all[:]
	}
	v := command.View{All: output.Columns[acs.Figure](), Summary: command.Columns("field", "field", "estimate", "est", "± moe", "moe", "%", "pct", "± %", "pct_moe",
		"cv %", "cv_pct", "reliability", "reliability", "of brackets", "bracket_median.est", "annotation", "annotation")}
	years, err := yearsOf(c, []string{o.Area})
	if err != nil {
		return err
	}
	year := o.Year
	if year == 0 && len(years) > 0 {
		year = years[len(years)-1]
	}
	var tags []acs.Tag
	var keys []string
	for _, p := range profiles {
		tags = append(tags, acs.Tag{Profile: p, Year: year})
		for _, f := range acs.Fields(acs.Query{Profile: p, Served: !o.Extras}) {
			keys = append(keys, f.Key())
		}
	}
	params := o.params()
	if c.Output.Format == output.JSON { // the year as it was published
		res, err := c.DB.ACSProfile(c.Context, o.Area, tags, params.Figures().Options)
		if err != nil {
			return usage(err)
		}
		if len(res.Delivered) == 0 {
			c.Missing(`not found: %s has no figure of %d`, o.Area, year)
		}
		return command.Row(c, &res.Years)
	}
	in := operation.SeriesInput{Codes: []string{o.Area}, LineParams: operation.LineParams{Fields: keys, Years: []int{year}}, FigureParams: params}
	r, err := in.Run(c.Context, c.DB)
	if err != nil {
		return usage(err)
	}
	var figures []acs.Figure
	found := false
	for i := range r.Lines {
		f := r.Lines[i].Points[0]
		if f.Status != acs.NotServed {
			figures = append(figures, f)
		}
		found = found || f.Status == acs.Available
	}
	if !found {
		c.Missing(`not found: %s has no figure of %d; the dataset has %s`, o.Area, year, operation.Spans(years))
		return nil
	}
	return command.Rows(c, v, figures)
}

// lineOptions are the flags of commands that write lines of years.
type lineOptions struct {
	operation.LineParams

	figureOptions
	command.Data
	command.Format
}

// view sets the columns of lines over some years.
func (o *lineOptions) view(c *command.Call, years []int, several bool) error {
	fields, err := acs.ParseFields(o.Fields...)
	if err != nil {
		return usage(err)
	}
	o.Years = years
	return c.View(command.View{All: lineColumns, Summary: summaryOfLines(fields), Array: several})
}

// lineColumns are the columns of a row for each year.
var lineColumns = slices.Concat(command.Paths("area", "field", "year", "vintage", "status", "column", "est", "moe", "pct", "pct_moe", "annotation", "moe_basis", "cv_pct", "reliability", "dollars"),
	command.Columns("bracket_median", "bracket_median.est", "bracket_moe", "bracket_median.moe"), command.Paths("areas_with_data", "areas_without_data", "population_covered_pct"))

func summaryOfLines(fields []*acs.Field) []output.Column {
	estimate, percent, median := false, false, false
	for _, f := range fields {
		estimate = estimate || f.Kind != acs.PercentOnly
		percent = percent || f.Kind == acs.PercentOnly || f.Denominator != ""
		median = median || f.Kind == acs.Median
	}
	var columns []output.Column
	add := func(on bool, header, path string) {
		if on {
			columns = append(columns, command.Columns(header, path)...)
		}
	}
	add(true, "area", "area")
	add(len(fields) > 1, "field", "field")
	add(true, "year", "year")
	add(estimate, "estimate", "est")
	add(estimate, "± moe", "moe")
	add(percent, "%", "pct")
	add(percent, "± %", "pct_moe")
	add(true, "cv %", "cv_pct")
	add(true, "reliability", "reliability")
	add(median, "of brackets", "bracket_median.est")
	add(median, "± of brackets", "bracket_median.moe")
	add(true, "status", "status")
	return columns
}

// write writes lines: in JSON and JSONL the lines, else their rows.
func (o *lineOptions) write(c *command.Call, lines []acs.Line) error {
	o.look(c, lines)
	if f := c.Output.Format; f == output.JSON || f == output.JSONL {
		return command.More(c, lines)
	}
	for i := range lines {
		for _, f := range lines[i].Points {
			if c.People() && f.Status == acs.Available {
				f.Status = ""
			}
			if err := c.Write(output.Row{output.Named("area", lines[i].Area), {Value: f}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// look reports notes that rows have no room for.
func (o *lineOptions) look(c *command.Call, lines []acs.Line) {
	found := false
	var notes []string
	for i := range lines {
		found = found || slices.ContainsFunc(lines[i].Points, func(f acs.Figure) bool { return f.Status == acs.Available })
		for _, n := range lines[i].Notes {
			if !slices.Contains(notes, n) {
				notes = append(notes, n)
			}
		}
	}
	if !found {
		c.MissingOfMany(`not found: %s has no figure of %s in these years`, lines[0].Area, strings.Join(o.Fields, ", "))
	}
	if c.People() && len(o.Years) > 1 {
		for _, n := range notes {
			c.Report(`note: %s: %s`, lines[0].Area, n)
		}
	}
}
