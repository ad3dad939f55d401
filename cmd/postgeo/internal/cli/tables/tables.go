// Package tables holds the commands that enrich and export tables.
package tables

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/envelope"
)

// group is the heading of the commands in the help.
const group = "Tables"

// Commands returns "postgeo enrich", "postgeo apportion" and "postgeo export".
func Commands() []*cobra.Command {
	return []*cobra.Command{
		command.New(command.About{
			Name: "enrich", Group: group, Short: "Add fields to every row of a table: CSV, TSV, NDJSON, Parquet or Excel.",
			Long: "Rows keep their order and their text. After the added columns come " +
				"postgeo_status (matched, fallback, empty, invalid, not_found, ambiguous, insufficient, unavailable, no_data) and postgeo_reason. Without --code, --lat and --lon, " +
				"or --address, the columns are found by their names. If rows have different keys, name each with --key, the preferred one first, and add --try-next.\n\n" +
				"--format and --columns apply to --list-fields; the table is written in the format of --to.\n\n" +
				"Exit codes: 0 rows were answered (with --strict all of them), 1 none was, or the run failed, 2 usage error.",
		}, (*enrichOptions).run,
			"postgeo enrich customers.csv --add state,county_fips,location.lat,location.lon -o out.csv", "columns by the codes of a table",
			"postgeo enrich customers.csv --add census.tract.geoid -o out.parquet", "convert to Parquet",
			"postgeo enrich mixed.csv --key zip --key lat,lon --try-next --add county_fips -o out.csv", "rows with a ZIP, or else coordinates",
			"postgeo enrich --list-fields income", "the available fields"),
		command.New(command.About{
			Name: "apportion", Group: group, Short: "Divide counts of codes or areas among other areas.",
			Long: "Counts are divided by the shares of 'postgeo crosswalk'. Whole numbers stay whole, and sums stay the same. An empty code has the part outside all areas.",
		}, (*apportionOptions).run,
			"postgeo apportion clients.csv zip county --key zip --count clients", "customers by ZIP Code as customers by county",
			"postgeo apportion tracts.csv tract cd --plan cd120 -f csv", "counts of census tracts for the next districts"),
		command.Group("export", group, "Write codes, the survey and areas as plain tables.",
			command.New(command.About{Name: "codes", Short: "Every ZIP, FSA and postal code with its identity."}, (*codesOptions).run,
				"postgeo export codes -o codes.parquet", "every code"),
			command.New(command.About{Name: "acs", Short: "The American Community Survey: a row for each area and year, a column for each field."}, (*surveyOptions).run,
				"postgeo export acs --year 2024 --moe -o acs2024.parquet", "a year of the survey, with margins"),
			command.New(command.About{Name: "areas", Short: "Areas with their outlines, as GeoParquet, GeoJSON or well-known binary in CSV."}, (*areasOptions).run,
				"postgeo export areas zip county -o areas.geojson", "outlines of ZIP Codes and counties"),
		),
	}
}

// optionFlags maps the options of package enrich to flags. Flags of an option with
// several parts have a common beginning.
var optionFlags = map[string]string{
	"Radius": "--within", "Places": "--nearest-from", "Areas": "--areas-from", "Address": "--address",
}

// reason makes a usage error of an error about a name or an option.
func reason(err error) error {
	var field *enrich.FieldError
	var of *table.Error
	var text string
	option := envelope.AsFailure(err)
	if option == nil || option.Kind != envelope.KindInvalidParam {
		option = &envelope.Failure{}
	}
	switch {
	case option.Op == "radius":
		return command.Usage(command.InvalidValue, optionFlags["Radius"]+": "+option.Param, option.Input, command.Expected(option))
	case option.Op == "nearest":
		return command.Usage(command.InvalidValue, "--nearest: "+option.Param, option.Input, command.Expected(option))
	case option.Param == "plan":
		return command.Usage(command.InvalidValue, "--plan", option.Input, option.Range)
	case errors.As(err, &field):
		text = field.Text(optionFlags[field.Option])
		if len(field.Near) > 0 {
			return command.Usage(`%s; to search, run 'postgeo enrich --list-fields WORD'`, text)
		}
	case errors.As(err, &of) && len(of.Columns) > 0 && len(of.Options) > 0:
		var flags []string
		for i, option := range of.Options {
			flags = append(flags, fmt.Sprintf("--%s-column %s_2", strings.ToLower(option), of.Columns[i]))
		}
		return command.Usage(`the table has %s already; name the new columns: %s`, strings.Join(of.Columns, ", "), strings.Join(flags, " "))
	case errors.As(err, &of) && of.Line == 0:
		text = command.Bare(err)
	default:
		return err
	}
	return command.UsageOf("postgeo enrich", "%s", text)
}
