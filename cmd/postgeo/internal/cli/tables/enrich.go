package tables

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

type enrichOptions struct {
	Input  string `arg:"" optional:"" help:"Table to read; - is standard input. Default: standard input." default:"-"`
	Output string `help:"File to write; - is standard output." short:"o" default:"-" placeholder:"FILE"`

	Add        []string `help:"Fields to add, by their paths (city,county_fips,census.tract.geoid); NAME=PATH names the column. --list-fields lists them." short:"a" placeholder:"PATH"`
	ListFields bool     `help:"List the fields that can be added, or those with the word <input> in their path or description."`

	keyColumns `group:"Columns of the keys, found by their names if none is set"`

	From      table.Format `help:"Format of the input: csv, tsv, ndjson, parquet or xlsx. Default: by the file extension, else by the first bytes." placeholder:"FORMAT"`
	To        table.Format `help:"Format of the output. Default: by the file extension, else the format of the input." placeholder:"FORMAT"`
	Sheet     string       `help:"Sheet of an Excel file. Default: the first." placeholder:"NAME"`
	Delimiter delimiter    `help:"Delimiter of csv and tsv, such as ';', '|' or tab. Default: tab for tsv; for csv the comma, semicolon, tab or bar that the header has most of." placeholder:"CHAR"`
	Encoding  encoding     `help:"Encoding of text: utf-8, utf-16le, utf-16be or windows-1252. Output is in UTF-8. Default: by the first bytes." placeholder:"NAME"`
	HeaderRow int          `help:"Row with the names of the columns, from 1. Default: the first row with text, or one below titles that names a code, a coordinate or an address." placeholder:"N" least:"1"`
	NoHeader  bool         `help:"The table has no header; columns are named 1, 2 …"`
	Lenient   bool         `help:"Accept rows with too few or too many cells."`

	RestoreZeros bool   `default:"true" help:"Restore codes that a spreadsheet converted to numbers: 501 is 00501, 6103.0 is 06103. --restore-zeros=false refuses them."`
	StatusColumn string `help:"Name of the column for the status of each row." default:"postgeo_status" placeholder:"NAME"`
	ReasonColumn string `help:"Name of the column for the reason of the status." default:"postgeo_reason" placeholder:"NAME"`
	Strict       bool   `help:"Exit with 1 if any row was not answered, instead of only if none was."`

	Within    operation.Miles `help:"Miles of the radius fields around each row." placeholder:"MILES"`
	Spatial   bool            `help:"With --within: search by areas, not locations."`
	AreasFrom string          `help:"GeoJSON feature collection of polygons, such as your sales territories, for the in_area fields." placeholder:"FILE"`

	operation.Plans
	nearestOptions

	Overwrite bool `help:"Replace an existing output."`
	Quiet     bool `help:"No progress and no summary." short:"q"`

	command.ClockedData
	command.Format
}

// keyColumns are the flags that name the columns of the keys.
type keyColumns struct {
	Code    string   `help:"Column of ZIP, ZIP+4, FSA or postal codes." placeholder:"NAME"`
	Lat     string   `help:"Column of latitudes." placeholder:"NAME"`
	Lon     string   `help:"Column of longitudes." placeholder:"NAME"`
	Address []string `help:"Columns of a US address, joined in the given order; or its fields, as in street=NAME,zip=NAME. The fields are street, unit, city, state, zip and country." placeholder:"NAME"`
	Country string   `help:"Column of countries. Rows of others than the US and Canada are invalid. Default: found by its name, such as country or pays." placeholder:"NAME"`
	Key     []string `help:"Instead: a key as zip, lat,lon, city,state, address=street,city,state, coordinates=y,x or city=town,prov. Several need --try-next." whole:"true" placeholder:"KEY"`
	TryNext bool     `help:"Several --key, the preferred one first: a row that lacks a key or has no match uses the next one."`
}

// Offline implements [command.Offline].
func (o *enrichOptions) Offline() bool { return o.ListFields }

func (o *enrichOptions) run(c *command.Call) error {
	if o.ListFields {
		return command.Rows(c, command.Table(output.Columns[enrich.Field]()), o.fields())
	}
	// Everything that can be wrong is checked before the first row is read, and nothing is
	// written before that: an hour of rows must not end in a misspelled option.
	named, _, err := table.FormatOf(o.Output)
	if err != nil {
		return command.Usage("%s", command.Bare(err))
	}
	if err := enrich.Check(c.DB, o.Add); err != nil {
		return reason(err)
	}
	if err := command.CheckOutput(c.Env, o.Output, o.Input, c.Path, o.NearestFrom, o.AreasFrom); err != nil {
		return err
	}
	if o.Output != "-" { // the temporary file is removed
		defer c.UntilStopped()()
	}
	reading, stop := context.WithCancel(c.Context) // ends a read of a silent stream; see RunOptions.Stop
	defer stop()
	src, err := command.OpenTable(reading, c.Env, o.Input, table.Input{
		HeaderRow: o.HeaderRow, NoHeader: o.NoHeader, Lenient: o.Lenient, Sheet: o.Sheet, Format: o.From, Encoding: string(o.Encoding), Delimiter: byte(o.Delimiter),
	})
	if e := (*table.Error)(nil); errors.As(err, &e) && slices.Contains(e.Options, "Sheet") {
		return command.Usage(`invalid --sheet %q: %s`, o.Sheet, command.Bare(e))
	}
	if err != nil {
		return err
	}
	defer src.Close()
	var keys table.Keys
	for _, kind := range o.preferred() {
		keys, err = src.FindKeys(table.Names{Code: o.Code, Lat: o.Lat, Lon: o.Lon, Address: o.Address, Country: o.Country, Keys: o.Key, TryNext: o.TryNext, Prefer: kind})
		if err == nil {
			break
		}
	}
	if of := (*table.Error)(nil); errors.As(err, &of) && slices.Contains(of.Options, "Code") {
		of.Reason += `. Use --code NAME, --lat NAME --lon NAME, --address NAME,... or --key city,state`
		if slices.Contains(of.Options, "NoHeader") {
			of.Reason += `, after --no-header`
		}
	}
	if err != nil {
		return reason(err)
	}
	// The outlines of a nation, which coordinates load, need not be doubled. The small heap of
	// codes would be collected too often: a million rows took 0.28 instead of 0.22 s.
	if c.Getenv("GOGC") == "" && keys.Kind == enrich.Coordinates {
		defer debug.SetGCPercent(debug.SetGCPercent(50))
	}
	opt := enrich.Options{Kind: keys.Kind, Kinds: keys.Kinds(), Add: o.Add, RestoreZeros: o.RestoreZeros, AsOf: time.Time(o.AsOf), Plan: o.Plan, Nearest: o.nearest()}
	opt.Radius.Max = geo.Miles(o.Within)
	if o.Spatial {
		opt.Radius.Mode = radius.Spatial
	}
	if opt.Places, err = o.places(c, o.RestoreZeros, o.Lenient); err != nil {
		return reason(err)
	}
	if opt.Areas, err = areasFrom(c, o.AreasFrom); err != nil {
		return err
	}
	e, err := enrich.New(c.DB, opt)
	if err != nil {
		return reason(err)
	}
	out := table.Output{Status: o.StatusColumn, Reason: o.ReasonColumn, NeutralizeFormulas: o.NeutralizeFormulas, Format: cmp.Or(o.To, named)}
	job, err := table.NewJob(src, e, keys, out)
	switch format := cmp.Or(out.Format, src.Format); {
	case err != nil:
		return reason(err)
	case o.Output != "-" && exists(o.Output) && !o.Overwrite:
		return command.Failure(fileExists, o.Output)
	case o.Output == "-" && c.StdoutTerminal && format.Binary():
		return command.Usage(binaryTerminal, format)
	}
	return o.work(c, src, job, &keys, table.RunOptions{Stop: stop})
}

// An encoding is that of the text of a table, and a delimiter that of its cells.
type (
	encoding  string
	delimiter byte
)

func expected(what string) error {
	return &envelope.Failure{Kind: envelope.KindInvalidParam, Range: what}
}

// UnmarshalText reads the name of an encoding.
func (e *encoding) UnmarshalText(text []byte) error {
	parsed, err := table.ParseEncoding(string(text))
	if *e = encoding(parsed); err != nil {
		return expected(`utf-8, utf-16le, utf-16be or windows-1252`)
	}
	return nil
}

// UnmarshalText reads a character, or tab. "" is the default.
func (d *delimiter) UnmarshalText(text []byte) error {
	switch {
	case len(text) == 0:
	case string(text) == "tab" || string(text) == `\t`:
		*d = '\t'
	case len(text) == 1 && !bytes.ContainsAny(text, "\"\r\n"):
		*d = delimiter(text[0])
	default:
		return expected(`one character such as ';' or '|', or tab`)
	}
	return nil
}

// pathOf returns the path of NAME=PATH or PATH.
func pathOf(add string) string {
	if _, path, named := strings.Cut(add, "="); named {
		add = path
	}
	return strings.TrimSpace(add)
}

// preferred returns the kinds of keys that the fields require, the best first; "" is any.
func (o *enrichOptions) preferred() []enrich.Kind {
	adds := func(prefix string) bool {
		return slices.ContainsFunc(o.Add, func(a string) bool { return strings.HasPrefix(pathOf(a), prefix) })
	}
	switch {
	case adds("address"):
		return []enrich.Kind{enrich.Address}
	case adds("geocode"): // a city has a position too
		return []enrich.Kind{enrich.Address, enrich.City, ""}
	}
	return []enrich.Kind{""}
}

func (o *enrichOptions) work(c *command.Call, src *table.Source, job *table.Job, keys *table.Keys, opt table.RunOptions) error {
	ctx := c.Context
	var rows *progress.Display
	if !o.Quiet {
		if text := o.found(src); text != "" {
			c.Report(`reading %s`, text)
		}
		c.Report(`using %s`, keysFound(keys))
		if keys.Kind == enrich.Coordinates && slices.ContainsFunc(o.Add, func(a string) bool { p := pathOf(a); return p == "county" || p == "county_fips" }) {
			c.Report(`note: county and county_fips are those of the ZIP Code around a point; census.county.fips is the county of the point`)
		}
		rows = progress.New(c.Stderr, c.StderrTerminal, progress.Interval)
		rows.Rows(0, -1)
		opt.Progress = func(p table.Progress) { rows.Rows(p.Rows, p.Done) }
	}
	began := time.Now()
	var sum table.Summary
	run := func(w io.Writer) (err error) {
		sum, err = job.Run(ctx, w, opt)
		return err
	}
	var err error
	if o.Output == "-" {
		err = run(c.Table())
	} else {
		err = writeFile(o.Output, run)
	}
	if rows != nil {
		rows.Close()
		o.summary(c, &sum, time.Since(began))
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = ctx.Err()
	}
	switch {
	case err != nil:
		return command.Kind("table", err)
	case sum.Rows > 0 && sum.Answered() == 0, o.Strict && sum.Answered() < sum.Rows:
		return command.ErrReported
	default:
		return nil
	}
}

// found names the encoding and the delimiter that were found, if they are not the
// usual ones of the format, and the sheet of several.
func (o *enrichOptions) found(src *table.Source) string {
	var parts []string
	if name := src.Encoding; o.Encoding == "" && name != "" && name != "utf-8" {
		parts = append(parts, "text in "+name)
	}
	if d := src.Delimiter; o.Delimiter == 0 && src.Format == table.CSV && d != ',' {
		parts = append(parts, "cells divided by "+map[byte]string{';': "semicolons", '\t': "tabs", '|': "bars"}[d])
	}
	if n := len(src.Sheets); o.Sheet == "" && n > 1 {
		parts = append(parts, fmt.Sprintf("sheet %q of %d", src.Sheet, n))
	}
	return strings.Join(parts, ", ")
}

// summary reports the number of rows of each status.
func (o *enrichOptions) summary(c *command.Call, sum *table.Summary, took time.Duration) {
	var parts []string
	for _, s := range enrich.Statuses() {
		if n := sum.Statuses[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	text := ""
	if len(parts) > 0 {
		text = ": " + strings.Join(parts, ", ")
	}
	c.Report(`%d rows in %v%s`, sum.Rows, took.Round(10*time.Millisecond), text)
	if sum.Repaired > 0 {
		c.Report(`%d codes that a spreadsheet had changed were repaired; their reason is CODE_REPAIRED, CODE_ROUNDED or ZEROS_RESTORED`, sum.Repaired)
	}
	if c.Path == "" && sum.Answered() < sum.Rows {
		c.Report(command.SampleIsSmall)
	}
}

func (o *enrichOptions) fields() []enrich.Field {
	word := strings.ToLower(strings.TrimPrefix(o.Input, "-"))
	return slices.DeleteFunc(enrich.Catalog(), func(f enrich.Field) bool { return !strings.Contains(strings.ToLower(f.Path+" "+f.About), word) })
}

// keysFound names the columns of each key.
func keysFound(keys *table.Keys) string {
	var parts []string
	for _, k := range append([]table.Keys{*keys}, keys.Next...) {
		parts = append(parts, fmt.Sprintf(`%[2]s as the %[1]s`, k.Kind, strings.Join(k.Names, ", ")))
	}
	return strings.Join(parts, ", else ")
}
