package query

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// layerByDigits maps a number of digits to the layer whose IDs have that many.
var layerByDigits = map[int]string{4: "cd", 5: "county", 7: "place", 10: "cousub", 11: "tract", 12: "bg"}

// missingArea returns the error for an area that is given by one word only.
func missingArea(word string) error {
	const name = "postgeo codes-in"
	if _, isLayer := lookup.ParseLayer(word); isLayer {
		return command.UsageOf(name, `missing code of an area: %q is a layer, such as in county 06037; to find codes by name, run 'postgeo suggest'`, word)
	}
	layer := layerByDigits[len(word)]
	if layer == "" || !command.Digits.MatchString(word) {
		layer = "county"
	}
	return command.UsageOf(name, `missing layer of %q: 'postgeo codes-in %s%s'`, word, layer, command.ShownWords(word))
}

// suggestedTypes maps layers to the types of their areas in suggestions.
var suggestedTypes = map[lookup.Layer]suggest.Type{
	lookup.LayerCounty: suggest.County, lookup.LayerPlace: suggest.Place, lookup.LayerCBSA: suggest.CBSA, lookup.LayerSchoolDistrict: suggest.SchoolDistrict,
}

// areaHint returns the remedy for an unknown ID of an area. It is the ID with its
// leading zeros, the ID of a name, or an example.
func areaHint(c *command.Call, err error) string {
	missing := fault.As(err)
	if missing == nil || missing.Kind != fault.NotFound || missing.Thing != fault.Area {
		return ""
	}
	given, example := strings.TrimSpace(missing.Input), ""
	layer, _ := lookup.ParseLayer(missing.Layer)
	if _, former := store.FormerCountyOf(given); former && layer == lookup.LayerCounty {
		return "" // the error names its successors
	}
	for id, err := range c.DB.AreaIDs(c.Context, layer) {
		if err != nil || c.Context.Err() != nil {
			return ""
		}
		example = cmp.Or(example, id)
		if given != "" && strings.HasPrefix(id, "0") && strings.TrimLeft(id, "0") == given {
			return fmt.Sprintf(`did you mean %s? Leading zeros are part of the code`, id)
		}
	}
	if kind, ok := suggestedTypes[layer]; ok && command.NameLike.MatchString(given) {
		found, err := c.DB.Suggest(c.Context, given, suggest.Options{Include: []suggest.Type{kind}, Limit: 3})
		if err == nil && len(found.Matches) > 0 {
			var names []string
			for i := range found.Matches {
				m := &found.Matches[i]
				names = append(names, fmt.Sprintf("%s (%s)", m.GEOID, command.JoinText(m.Name, ", ", m.State)))
			}
			return fmt.Sprintf(`did you mean %s?`, strings.Join(names, " or "))
		}
	}
	if example == "" {
		return ""
	}
	if layer.IsNamed() || layer.IsOwn() {
		return fmt.Sprintf(`IDs in this layer look like %s; find them with 'postgeo lookup --include %s'`, example, layer)
	}
	return fmt.Sprintf(`IDs in this layer look like %s; find them with 'postgeo suggest' or 'postgeo lookup --include census,cd,state_leg,school_district'`, example)
}

// failArea reports that an area was not found, with a hint. It returns other
// errors.
func failArea(c *command.Call, err error) error {
	if !errors.Is(err, postgeo.ErrNotFound) {
		return err
	}
	c.Missing("%s", command.Explain(err))
	if h := areaHint(c, err); h != "" {
		c.Report(`hint: %s`, h)
	}
	return nil
}
