package tables

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/udf"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/foreign"
	"github.com/postgeo/postgeo/internal/function"
	"github.com/postgeo/postgeo/internal/operation"
)

type udfOptions struct {
	Add      []string `help:"Fields to return, by their paths, as in 'postgeo enrich'. One field is the result; several are cells of tsv and members of json." short:"a" placeholder:"PATH"`
	Function string   `help:"Function of the server and of 'postgeo sql', in place of --add and --key: zip_city, zip_county and others of docs/udf.md." placeholder:"NAME"`
	Key      string   `help:"Arguments of each row: a code; coordinates, as latitude and longitude; an address or a text of any number of cells." values:"code,coordinates,address,text" default:"code" placeholder:"KIND"`
	Protocol string   `help:"Format of the rows: tsv, with \\N for null; json, an object or a list per line; or arrow, streams, by the program postgeo-arrow." values:"tsv,json,arrow" default:"tsv" placeholder:"FORMAT"`
	Chunks   bool     `help:"A line with the number of rows precedes each chunk of rows (send_chunk_header of ClickHouse)."`
	Result   string   `help:"Member of the results in json, or column in arrow." default:"result" placeholder:"NAME"`
	Status   bool     `help:"Add the status and the reason of each row."`

	RestoreZeros bool `help:"Restore codes that lost leading zeros: 501 is 00501."`
	MaxRow       int  `help:"Maximum length of a row, in bytes." least:"64" most:"67108864" default:"1048576" placeholder:"BYTES"`
	Workers      int  `help:"Goroutines. Default: one for each processor." least:"1" most:"1024" placeholder:"N"`

	operation.Plans
	command.ClockedData

	kind   enrich.Kind
	named  *function.Function
	format udf.Format
}

func udfCommand() *command.Command {
	return command.New(command.Spec[udfOptions, enrich.Field]{
		Name: "udf", Group: group, Short: "Evaluate rows on stdin for functions of ClickHouse, Spark and others.",
		Long: "Each row has one result, in the same order. Results are written when no further row has arrived, until stdin ends. " +
			"Rows without a match have null. So do rows that cannot be read, which are counted on stderr at the end.",
		Examples: command.Examples(
			"postgeo udf --add county_fips", "county of each code on stdin",
			"postgeo udf --function zip_lookup --protocol json", "place of each code",
			"postgeo udf --key coordinates --protocol json --add city,census.tract.geoid", "several fields of coordinates",
		),
		Check: (*udfOptions).check,
		View: func(*udfOptions, *command.Call) (command.View, error) {
			return command.Table(output.Columns[enrich.Field]()), nil
		},
		Run: func(o *udfOptions, c *command.Call) (command.Result, error) { return command.Result{}, o.serve(c) },
	})
}

// arrow is the protocol of the program postgeo-arrow.
const arrow = "arrow"

// check reads the kind of the keys and the format of the rows.
func (o *udfOptions) check(*command.Env) error {
	var ok bool
	switch o.named = function.Named(o.Function); {
	case o.Function == "" && len(o.Add) == 0, o.Function != "" && len(o.Add) > 0:
		return command.Usage(message.AddOrFunction)
	case o.Function != "" && o.named == nil:
		return command.Usage(message.InvalidValue, "--function", o.Function, strings.ReplaceAll(function.Names(), ",", ", "))
	}
	if o.kind, ok = enrich.ParseKind(o.Key); !ok {
		return command.Usage(message.InvalidValue, "--key", o.Key, message.KeyKind)
	}
	if o.format, ok = udf.ParseFormat(o.Protocol); !ok && o.Protocol != arrow {
		return command.Usage(message.InvalidValue, "--protocol", o.Protocol, message.RowFormat)
	}
	return nil
}

func (o *udfOptions) serve(c *command.Call) error {
	f := udf.Function{Kind: o.kind, Format: o.format, Chunks: o.Chunks, Result: o.Result, Status: o.Status, MaxRow: o.MaxRow, Workers: o.Workers}
	opt := enrich.Options{Kind: o.kind, Add: o.Add}
	if o.named != nil {
		opt = o.named.Options()
		f.Kind, f.Split = o.named.Kind, o.named.Split
	}
	opt.RestoreZeros, opt.Plans = o.RestoreZeros, o.Options()
	var err error
	if f.Enricher, err = enrich.New(c.DB, opt); err != nil {
		return reason(err)
	}
	if o.Protocol == arrow {
		return o.serveArrow(c, opt)
	}
	ctx, stop := context.WithCancel(c.Context)
	defer stop()
	rows, err := f.Serve(ctx, command.Stoppable(ctx, c.Stdin), c.Table())
	if rows.Broken > 0 {
		c.Report(message.RowsBroken, rows.Broken, rows.Rows)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil // the end of the process, not a failure
	}
	return err
}

// arrowOptions are the options that [foreign.ParseOptions] reads.
type arrowOptions struct {
	Kind         string   `json:"kind"`
	Fields       []string `json:"fields"`
	Status       bool     `json:"status"`
	RestoreZeros bool     `json:"restore_zeros"`
	Pairs        bool     `json:"pairs"`
	envelope.PlansRequest
}

// serveArrow runs the program that evaluates streams of Arrow.
func (o *udfOptions) serveArrow(c *command.Call, opt enrich.Options) error {
	options, err := json.Marshal(arrowOptions{opt.Kind.String(), opt.Add, o.Status, opt.RestoreZeros, opt.DistanceToRow, o.EchoPlans()})
	if err != nil {
		return err
	}
	args := []string{"--data", cmp.Or(c.Path, foreign.Sample), "--result", o.Result, fmt.Sprintf("--chunks=%t", o.Chunks)}
	if !o.At.IsZero() {
		args = append(args, "--at", o.At.Format(time.RFC3339Nano))
	}
	var env []string
	if o.Workers > 0 {
		env = append(env, fmt.Sprint("GOMAXPROCS=", o.Workers))
	}
	return runProgram(c, "postgeo-arrow", message.NoArrow, append(args, string(options)), env...)
}
