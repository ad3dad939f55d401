package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
)

// acsCmd is "postgeo acs".
type acsCmd struct {
	Fields    acsFieldsCmd    `cmd:"" help:"List the fields of the survey."`
	Profile   acsProfileCmd   `cmd:"" help:"Show the profiles of a ZIP Code or tract with margins of error."`
	Series    acsSeriesCmd    `cmd:"" help:"Follow fields of ZIP Codes or tracts over the years, as rows or as a chart."`
	Aggregate acsAggregateCmd `cmd:"" help:"Work fields out over several areas together: codes, a polygon or a circle."`
	Compare   acsCompareCmd   `cmd:"" help:"Test whether two areas or two years differ."`
}

// surveyFlags say which figures of the survey are wanted, and how they are
// worked out.
type surveyFlags struct {
	Dollars       string `help:"Bring amounts of money to the dollars of this year; newest is the newest year of the dataset. Default: dollars of each figure's own year." placeholder:"YEAR"`
	Interpolation string `help:"How medians are found in the counts of a distribution: linear or pareto." enum:"linear,pareto" default:"linear" placeholder:"METHOD"`
	Bridged       bool   `help:"Also take years in which a field was worded differently."`
	Extras        bool   `help:"Also take fields that are not part of the interface."`
}

// options reads the flags.
func (f *surveyFlags) options() (o acs.FigureOptions, err error) {
	o.Options = acs.Options{Bridged: f.Bridged, Extras: f.Extras}
	o.Interpolation, _ = acs.ParseInterpolation(f.Interpolation)
	switch {
	case f.Dollars == "newest":
		o.Dollars = acs.NewestDollars
	case f.Dollars != "":
		if o.Dollars, err = strconv.Atoi(f.Dollars); err != nil || o.Dollars <= 0 {
			return o, wrongUse("--dollars is %q; expected a year, or newest", f.Dollars)
		}
	}
	return o, nil
}

// surveyError makes wrong use of what cannot be asked for.
func surveyError(err error) error {
	e := fault.As(err)
	switch {
	case e == nil || e.Op != "survey" && e.Op != "chart":
		return mapError(err)
	case e.Param == "fields":
		return wrongUse("--field: %s", e.Detail)
	case e.Param == "Dollars":
		return wrongUse("%s", e.Detail[strings.Index(e.Detail, "no price index"):])
	default:
		return wrongUse("%s", e.Detail)
	}
}

// A lineFlags chooses how lines of years are written.
type lineFlags struct {
	Field []string `required:"" help:"Full name of a field, e.g. economic.income.median_household_income; 'postgeo acs fields' lists them." placeholder:"NAME"`
	Year  []int    `help:"Last of the five years of a figure." placeholder:"YEAR"`
	Wide  bool     `help:"Write a row for each area and field, with columns for each year; default is a row for each year."`
	SVG   string   `help:"Draw the series as a chart into this file too." placeholder:"FILE" type:"path" name:"svg"`
	Pct   bool     `help:"Draw percentages, of fields that have both." name:"pct"`

	surveyFlags
	dataFlag
	formatFlag
}

// A textRow is a row of text under its header, as an item.
type textRow struct{ header, cells []string }

// AppendJSON implements [envelope.Appender]. Empty cells are left out.
func (r *textRow) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, '{')
	for i, h := range r.header {
		if r.cells[i] == "" {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(envelope.AppendString(dst, h), ':')
		dst = envelope.AppendString(dst, r.cells[i])
	}
	return append(dst, '}'), nil
}

// MarshalJSON implements [encoding/json.Marshaler].
func (r *textRow) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// A lineWriter writes lines as they become known, in the format of the flags.
type lineWriter struct {
	*lineFlags
	env    *Env
	layout acs.Layout
	opts   output.Options
	w      *output.Writer
	chart  []acs.Line // those to draw
	empty  int        // areas without any figure
	asked  int        // years
}

// writer makes the writer of lines over some years; array says that JSON is a
// list of lines.
func (f *lineFlags) writer(env *Env, years []int, array bool) (*lineWriter, error) {
	if f.SVG == "-" {
		return nil, wrongUse("--svg names no file; standard output is for the figures")
	}
	fields, err := acs.ParseFields(f.Field...)
	if err != nil {
		return nil, surveyError(err)
	}
	lw := &lineWriter{lineFlags: f, env: env, asked: len(years)}
	if f.Wide {
		lw.layout = acs.Wide
	}
	var sample []acs.Line // what decides the columns
	for _, field := range fields {
		l := acs.Line{Field: field.Key()}
		for _, y := range years {
			l.Points = append(l.Points, acs.Figure{Year: y})
		}
		sample = append(sample, l)
	}
	var v view
	for _, h := range acs.Rows(sample, lw.layout)[0] {
		v.all = append(v.all, output.PathColumn(h))
	}
	v.summary = v.all
	if lw.layout == acs.Long {
		v.summary = summaryOfLines(fields)
	}
	if lw.opts, err = f.formatFlag.options(env, v); err != nil {
		return nil, err
	}
	lw.opts.Array = array
	lw.w = output.NewWriter(env.Stdout, lw.opts)
	return lw, nil
}

// summaryOfLines returns the columns of a table for people.
func summaryOfLines(fields []*acs.Field) []output.Column {
	estimate, percent, median := false, false, false
	for _, f := range fields {
		estimate = estimate || f.Kind != acs.PercentOnly
		percent = percent || f.Kind == acs.PercentOnly || f.Denominator != ""
		median = median || f.Kind == acs.Median
	}
	columns := []output.Column{output.PathColumn("area")}
	if len(fields) > 1 {
		columns = append(columns, output.PathColumn("field"))
	}
	columns = append(columns, output.PathColumn("year"))
	add := func(on bool, header, path string) {
		if on {
			columns = append(columns, output.Column{Header: header, Paths: []string{path}})
		}
	}
	add(estimate, "estimate", "est")
	add(estimate, "± moe", "moe")
	add(percent, "%", "pct")
	add(percent, "± %", "pct_moe")
	add(true, "cv %", "cv_pct")
	add(true, "reliability", "reliability")
	add(median, "of brackets", "bracket_median")
	add(median, "± of brackets", "bracket_moe")
	add(true, "status", "status")
	return columns
}

// write writes the lines of an area, or of several together.
func (w *lineWriter) write(lines []acs.Line) error {
	w.look(lines)
	if w.opts.Format == output.JSON || w.opts.Format == output.JSONL {
		for i := range lines {
			if err := w.w.Write(&lines[i]); err != nil {
				return err
			}
		}
		return nil
	}
	rows := acs.Rows(lines, w.layout)
	status := slices.Index(rows[0], "status")
	for _, cells := range rows[1:] {
		if status >= 0 && people(w.opts.Format) && cells[status] == acs.Available.String() {
			cells[status] = ""
		}
		if err := w.w.Write(&textRow{rows[0], cells}); err != nil {
			return err
		}
	}
	return nil
}

// look keeps lines for the chart, and tells on standard error what rows have
// no room for.
func (w *lineWriter) look(lines []acs.Line) {
	if w.SVG != "" {
		w.chart = append(w.chart, lines...)
	}
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
		if w.empty++; w.empty <= maxReports {
			w.env.say("not found: %s has no figure of %s in these years", lines[0].Area, strings.Join(w.Field, ", "))
		}
	}
	if people(w.opts.Format) && w.asked > 1 {
		for _, n := range notes {
			w.env.say("note: %s: %s", lines[0].Area, n)
		}
	}
}

// close ends the rows and draws the chart. path is the dataset's.
func (w *lineWriter) close(db *postgeo.DB, path string) error {
	if err := w.w.Close(); err != nil {
		return err
	}
	if w.SVG != "" {
		chart, err := postgeo.SurveyChart(w.chart, postgeo.ChartOptions{Percent: w.Pct, Attribution: attribution(db.Info())})
		if err != nil {
			return surveyError(err)
		}
		data, err := chart.Append(nil)
		if err != nil {
			return surveyError(err)
		}
		if err := replaceFile(w.env, w.SVG, data, path); err != nil {
			return err
		}
	}
	if w.empty > 0 {
		return errReported
	}
	return nil
}

// openSurvey opens a dataset that has tables of the survey.
func (f dataFlag) openSurvey(env *Env) (db *postgeo.DB, path string, err error) {
	db, path, err = f.open(env)
	if err == nil && len(db.ACSYears())+len(db.ACSTractYears()) == 0 {
		err = errors.Join(fmt.Errorf("%s holds no tables of the American Community Survey; 'postgeo dataset build --acs PATH' takes them", path), db.Close())
	}
	return db, path, err
}

// surveyYears returns the years that the dataset holds of the level of some
// areas, ascending.
func surveyYears(db *postgeo.DB, areas []string) []int {
	years := db.ACSYears()
	if len(areas) > 0 {
		if level, _, err := acs.ParseArea(areas[0]); err == nil && level == dataset.ACSTract {
			years = db.ACSTractYears()
		}
	}
	slices.Sort(years)
	return years
}
