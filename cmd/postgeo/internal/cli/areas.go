package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// needAreas says that a dataset has no areas of codes where a question is about
// them.
func needAreas(db *postgeo.DB, path, what string) error {
	if db.SpatialIndexLoaded() {
		return nil
	}
	return fmt.Errorf("dataset: %s has no areas of ZIP Codes or FSAs, which %s; build one that has with 'postgeo dataset build --layers boundaries'", fileName(path), what)
}

// parseLayer reads the name of a layer.
func parseLayer(name string) (postgeo.LayerID, error) {
	if id, ok := postgeo.ParseLayer(name); ok {
		return id, nil
	}
	names := make([]string, 0, len(dataset.LayerIDs()))
	for _, id := range dataset.LayerIDs() {
		names = append(names, id.String())
	}
	if near := nearName(strings.ToLower(name), names); near != "" {
		return 0, wrongUse("there is no layer %q; did you mean %s?", name, near)
	}
	return 0, wrongUse("there is no layer %q; choose from %s", name, strings.Join(names, ", "))
}

// layerByDigits says of what kind of area a code of so many digits is, where
// all of a kind have that many.
var layerByDigits = map[int]string{4: "cd", 5: "county", 7: "place", 10: "cousub", 11: "tract", 12: "bg"}

// missingArea says what to give for an area of which only one word was given.
func missingArea(word string) error {
	reason := fmt.Sprintf("give a kind of area and the code of one, not only %q", word)
	_, isLayer := postgeo.ParseLayer(word)
	switch kind := layerByDigits[len(word)]; {
	case isLayer:
		reason += ", such as county 06037; 'postgeo suggest' finds codes by names"
	case digits.MatchString(word) && kind != "":
		reason += fmt.Sprintf(": 'postgeo codes-in %s %s'", kind, word)
	default:
		reason += fmt.Sprintf(": 'postgeo codes-in county%s'", shownWords([]string{word}))
	}
	return &usageError{reason: reason, command: "postgeo codes-in"}
}

// suggestedTypes are what suggestions call layers whose areas they find.
var suggestedTypes = map[postgeo.LayerID]suggest.Type{
	dataset.LayerCounty: suggest.County, dataset.LayerPlace: suggest.Place, dataset.LayerCBSA: suggest.CBSA, dataset.LayerSchoolDistrict: suggest.SchoolDistrict,
}

// areaHint says what may have been meant by a code that no area of a layer has:
// one whose leading zeros are lost, or a name; else how codes of the layer look.
func areaHint(ctx context.Context, db *postgeo.DB, err error) string {
	missing := fault.As(err)
	if missing == nil || missing.Kind != fault.NotFound || missing.Thing != fault.Area {
		return ""
	}
	given, example := strings.TrimSpace(missing.Input), ""
	layer, _ := postgeo.ParseLayer(missing.Layer)
	for id, err := range db.AreaIDs(layer) {
		if err != nil || ctx.Err() != nil {
			return ""
		}
		if example == "" {
			example = id
		}
		if given != "" && strings.HasPrefix(id, "0") && strings.TrimLeft(id, "0") == given {
			return fmt.Sprintf("did you mean %s? Leading zeros are part of the code", id)
		}
	}
	if kind, ok := suggestedTypes[layer]; ok && nameLike.MatchString(given) {
		found, err := db.Suggest(ctx, given, postgeo.SuggestOptions{Include: suggest.TypesOf(kind), Limit: 3})
		if err == nil && len(found.Matches) > 0 {
			var names []string
			for i := range found.Matches {
				m := &found.Matches[i]
				names = append(names, fmt.Sprintf("%s (%s)", m.GEOID, joinText(m.Name, ", ", m.State)))
			}
			return "did you mean " + strings.Join(names, " or ") + "?"
		}
	}
	if example == "" {
		return ""
	}
	return fmt.Sprintf("codes of this layer look like %s; 'postgeo suggest' and 'postgeo lookup --include census,cd,state_leg,school_district' find them", example)
}

// failedArea tells that an area was not found, and what may have been meant. It
// returns other errors.
func failedArea(ctx context.Context, env *Env, db *postgeo.DB, err error) error {
	if !errors.Is(err, postgeo.ErrNotFound) {
		return err
	}
	env.say("%s", explain(err))
	if h := areaHint(ctx, db, err); h != "" {
		env.say("hint: %s", h)
	}
	return errReported
}
