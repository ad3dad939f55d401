package tables

import (
	"errors"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/fault"
)

// optionFlags maps the options of package enrich to flags. Flags of an option with
// several parts have a common beginning.
var optionFlags = map[string]string{
	"DistanceTo": "--distance-to", "Radius": "--within", "Places": "--nearest-from", "Areas": "--areas-from", "Nearest": "--nearest-", "BoundaryOf": "--boundary-of",
	"Address": "--address", "Text": "--text", "Suggest": "--text-", "Suggest.Proximity": "--text-near",
}

// reason makes a usage error of an error about a name or an option.
func reason(err error) error {
	var field *enrich.FieldError
	var column *table.ColumnError
	var keys *table.KeyError
	var option *enrich.OptionError
	var text string
	switch {
	case errors.As(err, &option):
		return optionError(option)
	case errors.As(err, &field):
		var names []string
		for option, flag := range optionFlags {
			names = append(names, "("+option+")", "("+flag+")")
		}
		text = strings.NewReplacer(names...).Replace(strings.TrimPrefix(err.Error(), "enrich: "))
		if len(field.Near) > 0 {
			return command.Usage(message.SearchFields, text)
		}
	case errors.As(err, &column), errors.As(err, &keys):
		text = strings.TrimPrefix(err.Error(), "table: ")
	default:
		return err
	}
	return command.UsageOf("postgeo enrich", "%s", text)
}

// optionError makes a usage error of a refused option.
func optionError(e *enrich.OptionError) error {
	flag := optionFlags[e.Option]
	var failure envelope.Failure
	param := fault.As(e.Err)
	switch {
	case param != nil && param.Kind == fault.InvalidParam && param.Op == "suggest":
		return command.Usage(message.InvalidValue, flag+strings.ToLower(param.Param), param.Input, param.Range)
	case param != nil && param.Kind == fault.InvalidParam:
		return command.Usage(message.InvalidValue, strings.TrimSuffix(flag, "-")+": "+strings.ToLower(param.Param), param.Input, command.Expected(param))
	case envelope.AsFailure(e.Err, &failure):
		return command.Usage(message.OptionReason, flag, e.Given, failure.ContractMessage())
	default:
		return command.Usage(message.OptionReason, flag, e.Given, e.Err.Error())
	}
}

// unused reports flags without a field.
func (o *enrichOptions) unused(env *command.Env, columns []enrich.Column) {
	for _, f := range []struct {
		flag  string
		given bool
		root  string
	}{
		{"--distance-to", o.DistanceTo != "", "distance"},
		{"--distance-column", len(o.DistanceColumn) > 0, "distance"},
		{"--within", o.Within > 0, "radius"},
		{"--boundary-of", o.BoundaryOf != "", "boundary"},
		{"--nearest-from", o.NearestFrom != "", "nearest_place"},
		{"--areas-from", o.AreasFrom != "", "in_area"},
	} {
		if f.given && !slices.ContainsFunc(columns, func(col enrich.Column) bool { return col.Path == f.root || strings.HasPrefix(col.Path, f.root+".") }) {
			env.Report(message.UnusedFlag, f.flag, f.root)
		}
	}
}
