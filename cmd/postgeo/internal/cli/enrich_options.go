package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
)

// optionFlags are the flags of what package enrich calls options. Those of
// several options begin alike.
var optionFlags = map[string]string{
	"DistanceTo": "--distance-to", "Radius": "--within", "Places": "--nearest-from", "Areas": "--areas-from", "Nearest": "--nearest-", "BoundaryOf": "--boundary-of",
	"Address": "--address", "Text": "--text", "Suggest": "--text-", "Suggest.Proximity": "--text-near",
}

// wrong makes wrong use of errors about names and options.
func (c *enrichCmd) wrong(err error) error {
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
			return wrongUse("%s; 'postgeo enrich --list-fields --word WORD' lists those with a word", text)
		}
	case errors.As(err, &column), errors.As(err, &keys):
		text = strings.TrimPrefix(err.Error(), "table: ")
	default:
		return err
	}
	return &usageError{reason: text, command: "postgeo enrich"}
}

// optionError makes wrong use of an option that is refused.
func optionError(e *enrich.OptionError) error {
	flag := optionFlags[e.Option]
	var failure envelope.Failure
	param := fault.As(e.Err)
	switch {
	case param != nil && param.Kind == fault.InvalidParam && param.Op == "suggest":
		return wrongUse("%s%s is %q; expected %s", flag, strings.ToLower(param.Param), param.Input, param.Range)
	case param != nil && param.Kind == fault.InvalidParam:
		return wrongUse("%s: %s is %q; expected %s", strings.TrimSuffix(flag, "-"), strings.ToLower(param.Param), param.Input, expected(param))
	case errors.As(e.Err, &failure):
		return wrongUse("%s is %q: %s", flag, e.Given, failure.ContractMessage())
	default:
		return wrongUse("%s is %q: %v", flag, e.Given, e.Err)
	}
}

// unused tells of flags that no field asks for.
func (c *enrichCmd) unused(env *Env, columns []enrich.Column) {
	for _, f := range []struct {
		flag  string
		given bool
		root  string
	}{
		{"--distance-to", c.DistanceTo != "", "distance"},
		{"--distance-column", len(c.DistanceColumn) > 0, "distance"},
		{"--within", c.Within > 0, "radius"},
		{"--boundary-of", c.BoundaryOf != "", "boundary"},
		{"--nearest-from", c.NearestFrom != "", "nearest_place"},
		{"--areas-from", c.AreasFrom != "", "in_area"},
	} {
		if f.given && !slices.ContainsFunc(columns, func(col enrich.Column) bool { return col.Path == f.root || strings.HasPrefix(col.Path, f.root+".") }) {
			env.say("note: %s is given and no field of %s is; add some with --add, --list-fields %[2]s lists them", f.flag, f.root)
		}
	}
}
