// Package query holds the commands that look up and search codes, addresses and
// areas.
package query

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/store"
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
		near = familyFlag(id)
	}
	if slices.Contains(known, near) {
		return command.Usage(`unknown enrichment %q in --include; did you mean %s?`, flag, near)
	}
	if slices.Contains(known, "census") {
		known = slices.Concat(known, store.NamedLayers(), []string{"layers.NAME"})
	}
	return command.Usage(`unknown enrichment %q in --include; available: %s`, flag, strings.Join(known, ", "))
}

// familyFlag returns the flag of the family that has the areas of a layer.
func familyFlag(layer lookup.Layer) string {
	switch layer {
	case lookup.LayerCongressionalDistrict, lookup.LayerFederalDistrict:
		return "cd"
	case lookup.LayerStateUpper, lookup.LayerStateLower:
		return "state_leg"
	case lookup.LayerSchoolDistrict:
		return "school_district"
	default:
	}
	if slices.Contains(store.NamedLayers(), string(layer)) {
		return string(layer)
	}
	return "census"
}

// enrichments are the flags of the members of records that are not always there.
var enrichments = map[string]string{
	"timezone": "timezone", "census": "census", "congressional_district": "cd", "federal_electoral_district": "cd", "state_legislative": "state_leg",
	"school_district": "school_district", "layers": anyLayer, "demographics": "demographics", "medicare": "medicare", "quality": "quality", "acs": "acs_",
}

// anyLayer keeps the columns of layers, whatever flags include.
const anyLayer = "layers."

// included returns the columns of the members that flags include. within is the member
// that holds them, with a dot, or "".
func included(columns []output.Column, flags []string, within string) []output.Column {
	return slices.DeleteFunc(columns, func(c output.Column) bool {
		member, ok := strings.CutPrefix(c.Header, within)
		member, _, _ = strings.Cut(member, ".")
		needed, optional := enrichments[member]
		return ok && optional && !slices.ContainsFunc(flags, func(flag string) bool {
			return flag == needed || (needed == anyLayer || needed == "acs_") && strings.HasPrefix(flag, needed)
		})
	})
}

// inputs returns the columns of items whose input has only the given parts.
func inputs(columns []output.Column, shown ...string) []output.Column {
	return slices.DeleteFunc(columns, func(c output.Column) bool {
		part, ok := strings.CutPrefix(c.Header, "input.")
		return ok && !slices.Contains(shown, part)
	})
}

// replace replaces a column by others, if it is there.
func replace(columns []output.Column, header string, others func() ([]output.Column, error)) ([]output.Column, error) {
	i := slices.IndexFunc(columns, func(c output.Column) bool { return c.Header == header })
	if i < 0 {
		return columns, nil
	}
	by, err := others()
	return slices.Replace(columns, i, i+1, by...), err
}

// layerColumns returns the columns of layers of the user.
func layerColumns(names []string) (columns []output.Column) {
	for _, name := range names {
		columns = append(columns, command.Paths("layers."+name+".source", "layers."+name+".basis", "layers."+name+".areas")...)
	}
	return columns
}

func lastTractYear(c *command.Call) int {
	if c.DB == nil {
		return acs.LastYear
	}
	return c.DB.LastACSYear(c.Context, acs.Tract)
}
