package layers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// A Request is a layer or a plan of districts that the user adds, and its file.
type Request struct {
	Name    string // of the layer without prefix, or the ID of the plan
	File    string
	Base    store.LayerID // layer of the plan; 0 for an own layer
	Plan    store.Plan    // without states
	States  []string      // letters of the states that the plan covers; nil: those of its areas
	Keep    []Kept        // states that keep the districts of another plan
	Columns source.LayerColumns
	Title   string
	License string
}

// A Kept is a state that keeps the districts of another plan.
type Kept struct{ State, Plan, Evidence string }

// planLayers are the layers that can have several plans, by their short names.
var planLayers = map[string]store.LayerID{
	"cd": store.LayerCongressionalDistrict, "sldu": store.LayerStateUpper, "sldl": store.LayerStateLower, "fed": store.LayerFederalDistrict,
}

// ParsePlan reads NAME=FILE,layer=cd,from=2027-01-03 with the options to, states,
// keep, evidence, id, name, title and license.
func ParsePlan(text string) (Request, error) {
	r, options, err := parse(text, "layer", "from", "to", "states", "keep", "evidence", "id", "name", "title", "license")
	if err != nil {
		return r, err
	}
	r.Base = planLayers[options["layer"]]
	r.Plan = store.Plan{ID: strings.ToLower(r.Name), Name: cmp.Or(r.Title, r.Name), From: options["from"], To: options["to"], Evidence: options["evidence"]}
	if r.Base == 0 {
		return r, fmt.Errorf("%q lacks layer=cd, sldu, sldl or fed", text)
	}
	if _, err := time.Parse(time.DateOnly, r.Plan.From); err != nil {
		return r, fmt.Errorf("%q lacks from=YYYY-MM-DD, the first day of the plan", text)
	}
	if _, err := time.Parse(time.DateOnly, r.Plan.To); r.Plan.To != "" && err != nil {
		return r, fmt.Errorf("%q has to=%s; expected YYYY-MM-DD", text, r.Plan.To)
	}
	r.States = strings.FieldsFunc(strings.ToUpper(options["states"]), func(c rune) bool { return c == ',' || c == '+' || c == ' ' })
	for _, k := range strings.Split(options["keep"], "+") {
		state, rest, _ := strings.Cut(k, ":")
		plan, evidence, ok := strings.Cut(rest, ":")
		switch {
		case k == "":
		case !ok:
			return r, fmt.Errorf("%q has keep=%s; expected STATE:PLAN:EVIDENCE", text, k)
		default:
			r.Keep = append(r.Keep, Kept{strings.ToUpper(state), strings.ToLower(plan), evidence})
		}
	}
	return r, nil
}

// ParseLayer reads NAME=FILE with the options id, name, title and license.
func ParseLayer(text string) (Request, error) {
	r, _, err := parse(text, "id", "name", "title", "license")
	if err != nil {
		return r, err
	}
	if _, ok := store.OwnLayer(r.Name); !ok {
		return r, fmt.Errorf("%q is not the name of a layer; expected at most %d lower-case letters, digits and underscores", r.Name, store.MaxOwnName)
	}
	return r, nil
}

// parse splits NAME=FILE,option=value. A part without a known option continues the
// one before, so that values may have commas.
func parse(text string, known ...string) (Request, map[string]string, error) {
	name, rest, ok := strings.Cut(text, "=")
	parts := strings.Split(rest, ",")
	r, options, last := Request{Name: strings.TrimSpace(name), File: parts[0]}, map[string]string{}, ""
	for _, part := range parts[1:] {
		key, value, assigned := strings.Cut(part, "=")
		switch key = strings.TrimSpace(key); {
		case assigned && slices.Contains(known, key):
			last = key
			options[key] = value
		case assigned && !strings.ContainsAny(key, " /:\\"):
			return r, nil, fmt.Errorf("%q has the option %q; known options: %s", text, key, strings.Join(known, ", "))
		case last == "":
			r.File += "," + part
		default:
			options[last] += "," + part
		}
	}
	if !ok || r.Name == "" || r.File == "" {
		return r, nil, fmt.Errorf("%q is not of the form NAME=FILE", text)
	}
	r.Columns = source.LayerColumns{ID: options["id"], Name: options["name"]}
	r.Title, r.License = options["title"], options["license"]
	return r, options, nil
}
