// Package query holds the commands that look up and search codes, addresses and
// areas.
package query

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

// Headings of the commands in the help.
const (
	codes = "Codes, places and addresses"
	areas = "Searches and areas"
)

// Commands returns the commands in the order of the help.
func Commands() []*cobra.Command {
	return []*cobra.Command{
		lookupCommand(), suggestCommand(), addressCommand(), geocodeCommand(), reverseCommand(), distanceCommand(),
		radiusCommand(), nearestCommand(), insideCommand(), codesInCommand(), neighborsCommand(), crosswalkCommand(), boundaryCommand(), mapCommand(),
	}
}

func codeInput(code string) envelope.Input { return envelope.Input{Code: code} }

func checkInclude(o *operation.Operation, unknown []string) error {
	if len(unknown) == 0 {
		return nil
	}
	known, flag := o.Param("include").Values, unknown[0]
	near := command.NearName(flag, known)
	if id, ok := lookup.ParseLayer(flag); ok {
		near = lookup.FamilyFlag(id)
	}
	if slices.Contains(known, near) {
		return command.Usage(`unknown enrichment %q in --include; did you mean %s?`, flag, near)
	}
	if slices.Contains(known, "census") {
		known = slices.Concat(known, lookup.NamedLayers(), []string{"layers.NAME"})
	}
	return command.Usage(`unknown enrichment %q in --include; available: %s`, flag, strings.Join(known, ", "))
}

// isOtherInput reports whether a column is a part of an item's input other than
// the given ones.
func isOtherInput(header string, shown ...string) bool {
	part, ok := strings.CutPrefix(header, "input.")
	return ok && !slices.Contains(shown, part)
}
