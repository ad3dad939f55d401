package tools_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
	"github.com/postgeo/postgeo/internal/operation"
)

// operations are the methods of the library with the tools that call them, or
// in brackets with why there is none.
var operations = map[string]string{
	"ACSYears":           "dataset_info",
	"Apportion":          "(values of a table, divided by the shares of crosswalk)",
	"AreaIDs":            "list_areas",
	"AreaIDsIn":          "(for drawing)",
	"OwnLayers":          "(names of layers in flags)",
	"AreaIDsAt":          "(for many points; a model sends one to areas_at)",
	"AreaOutline":        "outline",
	"AutoRadius":         "auto_radius",
	"Boundary":           "boundary_distance",
	"Close":              "(of who opened the dataset)",
	"Codes":              "list_codes",
	"CodesIn":            "codes_in",
	"CompareACS":         "acs_compare",
	"Crosswalk":          "crosswalk",
	"Distance":           "distance distance_batch",
	"DistanceMatrix":     "distance_matrix",
	"FamiliesAt":         "areas_at",
	"Geocode":            "geocode",
	"GeocodeBatch":       "geocode",
	"InPolygon":          "inside_polygon",
	"Info":               "dataset_info",
	"LastACSYear":        "dataset_info",
	"Lookup":             "lookup",
	"LookupBatch":        "lookup_batch",
	"MatchAddress":       "match_address",
	"MatchAddressBatch":  "match_addresses",
	"MatchAddressFields": "(a model writes an address on one line)",
	"SuggestAddress":     "suggest_address",
	"Moved":              "(of who opened the dataset)",
	"Nearest":            "nearest",
	"Neighbors":          "neighbors",
	"CodeOutline":        "outline",
	"CodeOutlineSource":  "outline",
	"PairsWithin":        "pairs_within",
	"Ping":               "dataset_verify",
	"Prepare":            "(makes later questions fast, and answers none)",
	"QuickLookup":        "quick_lookup",
	"QuickLookupBatch":   "lookup_batch",
	"Radius":             "radius",
	"RadiusBatch":        "radius_batch",
	"Reverse":            "reverse",
	"Snapshot":           "(of who opened the dataset)",
	"HasAreas":           "(a state of the process)",
	"StateOutlines":      "(for drawing)",
	"StateOutlinesIn":    "(for drawing)",
	"Suggest":            "suggest",
	"ACSAggregate":       "acs_aggregate",
	"ACSProfile":         "acs_profile",
	"ACSSeries":          "acs_series",
	"Swap":               "(of who opened the dataset)",
	"Verify":             "dataset_verify",
	"ZIP3":               "zip3",
	"VerifyPages":        "(for the health of a server)",
}

// Every operation of the library has a tool, or a reason for none.
func TestOperations(t *testing.T) {
	db := reflect.TypeFor[*postgeo.DB]()
	for i := range db.NumMethod() {
		name := db.Method(i).Name
		said, ok := operations[name]
		if !ok {
			t.Errorf("no tool answers %s, and no reason is given", name)
			continue
		}
		if strings.HasPrefix(said, "(") {
			continue
		}
		for tool := range strings.FieldsSeq(said) {
			if !slices.Contains(toolNames, tool) {
				t.Errorf("%s: there is no tool %s", name, tool)
			}
		}
	}
	if len(operations) != db.NumMethod() {
		t.Errorf("%d operations are listed, the library has %d", len(operations), db.NumMethod())
	}
}

// forMaps are operations of maps. Models have outline, codes_in and acs_aggregate.
var forMaps = []string{"outlines", "area", "figures"}

// TestDescribed checks that a tool offers every described operation, with all its
// parameters.
func TestDescribed(t *testing.T) {
	list, err := connect(t, tools.Options{}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range operation.All() {
		i := slices.IndexFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == o.Name })
		if i < 0 {
			if !slices.Contains(forMaps, o.Name) {
				t.Errorf("no tool offers %s", o.Name)
			}
			continue
		}
		text, err := json.Marshal(list.Tools[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range o.Params {
			if !strings.Contains(string(text), strconv.Quote(p.Name)+":{") {
				t.Errorf("%s has no argument %s", o.Name, p.Name)
			}
		}
	}
}

// TestPlantedOperation makes a tool of an invented operation.
func TestPlantedOperation(t *testing.T) {
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := tools.Planted().Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name":"echo_code"`, `"description":"Repeat a code several times. The result has no use."`, `"maximum":5`, `Known: upper.`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the list has no %s: %s", want, text)
		}
	}
	for args, want := range map[string]string{
		`{"code":"k1a","times":3,"include":"upper"}`: `{"codes":["K1A","K1A","K1A"]}`,
		`{"code":"k1a"}`:           `{"codes":["k1a","k1a"]}`,
		`{"zip":"k1a"}`:            "VALIDATION_MISSING_PARAM: Parameter 'code' is required. Did you mean 'code' instead of 'zip'?",
		`{"code":"k1a","times":6}`: "VALIDATION_INVALID_PARAM: Parameter 'times' must be a whole number from 1 to 5.",
	} {
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo_code", Arguments: json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Content[0].(*mcp.TextContent).Text; got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}
