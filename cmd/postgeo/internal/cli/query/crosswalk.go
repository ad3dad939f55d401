package query

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

type crosswalkOptions struct {
	operation.CrosswalkParams

	command.Data
	command.Format
}

func crosswalkCommand() *cobra.Command {
	return command.New(command.Spec[crosswalkOptions, lookup.CrosswalkRow]{
		Name: "crosswalk", Group: areas, Short: operation.Crosswalk.Summary,
		Long: operation.Crosswalk.Detail,
		Examples: command.Examples(
			"postgeo crosswalk zip county -f csv", "each ZIP Code with its counties, the largest part first",
			"postgeo crosswalk cd zip --state CA --weight people", "each district with its ZIP Codes, by residents",
			"postgeo crosswalk tract cd --plan cd120 --min-share 1", "census tracts and the districts of the 120th Congress",
		),
		View: func(o *crosswalkOptions, _ *command.Call) (command.View, error) {
			others := []string{"intersection_sq_mi"}
			if o.Weight == lookup.WeightArea || o.Weight == "" && isCode(o.From) != isCode(o.To) {
				others = []string{"people", "reason"}
			}
			return command.Table(slices.DeleteFunc(output.Columns[lookup.CrosswalkRow](), func(c output.Column) bool { return slices.Contains(others, c.Header) })), nil
		},
		Run: func(o *crosswalkOptions, c *command.Call) (command.Result, error) {
			return command.Stream(reported(o.All(c.Context, c.DB), c)), nil
		},
	})
}

// reported writes the numbers of ZIP Codes without pairs, by reason, after the rows.
func reported(rows iter.Seq2[lookup.CrosswalkRow, error], c *command.Call) iter.Seq2[lookup.CrosswalkRow, error] {
	return func(yield func(lookup.CrosswalkRow, error) bool) {
		reasons, total := map[string]int{}, 0
		for row, err := range rows {
			if row.Reason != "" {
				reasons[row.Reason]++
				total++
			}
			if !yield(row, err) {
				return
			}
		}
		if total == 0 {
			return
		}
		var list []string
		for _, reason := range slices.Sorted(maps.Keys(reasons)) {
			list = append(list, fmt.Sprintf("%d with %s", reasons[reason], reason))
		}
		c.Report(`note: %d ZIP Codes are in no area: %s`, total, strings.Join(list, ", "))
	}
}

// isCode reports whether the name is zip or fsa.
func isCode(name string) bool {
	return strings.EqualFold(name, "zip") || strings.EqualFold(name, "fsa")
}
