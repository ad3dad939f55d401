package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
)

// Budgets of a model's context, in bytes of JSON.
const (
	maxCoreList    = 16 << 10 // the tools that are offered by default
	maxList        = 44 << 10 // all tools
	maxSchemasList = 196 << 10
	maxDatasetInfo = 2 << 10
)

// coreTools are offered by default.
var coreTools = []string{
	"acs_profile", "areas_at", "codes_in", "dataset_info", "distance", "lookup", "match_address", "nearest", "radius", "suggest",
}

func TestLists(t *testing.T) {
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	tests := []struct {
		name  string
		opt   tools.Options
		names []string
		most  int
	}{
		{"default", tools.Options{}, coreTools, maxCoreList},
		{"all", tools.Options{Tools: []string{tools.AllTools}}, toolNames, maxList},
		{"all with schemas", tools.Options{Tools: []string{tools.AllTools}, Structured: true}, toolNames, maxSchemasList},
		{"some", tools.Options{Tools: []string{"lookup", "crosswalk"}}, []string{"crosswalk", "lookup"}, maxCoreList},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, err := session(t, db, tt.opt).ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range list.Tools {
				names = append(names, tool.Name)
				if (tool.OutputSchema != nil) != tt.opt.Structured {
					t.Errorf("%s: output schema %v", tool.Name, tool.OutputSchema)
				}
			}
			if diff := cmp.Diff(tt.names, names); diff != "" {
				t.Errorf("tools (-want +got):\n%s", diff)
			}
			all, err := json.Marshal(list)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d tools, %d bytes", len(list.Tools), len(all))
			if len(all) > tt.most {
				t.Errorf("the list has %d bytes; expected at most %d", len(all), tt.most)
			}
		})
	}
}

func TestDatasetInfoIsShort(t *testing.T) {
	c := connect(t, tools.Options{})
	short, _ := c.call(t, "dataset_info", `{}`)
	full, _ := c.call(t, "dataset_info", `{"sources":true}`)
	if len(short) > maxDatasetInfo || strings.Contains(short, `"sources":[`) || !strings.Contains(full, `"sources":[`) || !strings.Contains(full, `"gaps":[`) {
		t.Errorf("%d bytes: %s\nwith sources: %.300s", len(short), short, full)
	}
}

// Every declared output schema is an object with members.
func TestOutputSchemas(t *testing.T) {
	list, err := connect(t, tools.Options{}).structured.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		data, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var root struct {
			Type       string
			Properties map[string]any
		}
		if err := json.Unmarshal(data, &root); err != nil || root.Type != "object" || len(root.Properties) == 0 {
			t.Errorf("%s: %v, %.300s", tool.Name, err, data)
		}
	}
}

// Members are chosen by their paths, in the order of the answer.
func TestOnly(t *testing.T) {
	c := connect(t, tools.Options{})
	tests := []struct {
		tool, args, want string
	}{
		{"lookup", `{"code":"90210","only":"state, city"}`, `{"success":true,"city":"Beverly Hills","state":"CA"}`},
		{"lookup", `{"code":"90210","only":["location.lat"]}`, `{"success":true,"location":{"lat":34.1}}`},
		{"lookup", `{"code":"90210","only":["location","location.lat"]}`, `{"success":true,"location":{"lat":34.1,"lon":-118.415}}`},
		{"lookup", `{"code":"90210","only":["location.lat","location"]}`, `{"success":true,"location":{"lat":34.1,"lon":-118.415}}`},
		{"lookup", `{"code":"90210","include":"acs_economic_2019","only":"acs.2019.year"}`, `{"success":true,"acs":{"2019":{"year":2019}}}`},
		{"lookup", `{"code":"k1a0b1","only":"elevation.m"}`, `{"success":true,"notices":[{"code":"INPUT_NORMALIZED","message":"Input 'k1a0b1' was normalized to 'K1A 0B1'.","class":"input"}]}`},
		{"lookup_batch", `{"codes":["90210","99999"],"only":"results.city"}`, `{"results":[{"success":true,"input":{"code":"90210"},"city":"Beverly Hills"},{"success":false,"input":{"code":"99999"},"error":{"code":"NOT_FOUND_ZIP","message":"Code 99999 not found.","url":"https://github.com/postgeo/postgeo"}}],"batch":{"requested":2,"succeeded":1,"failed":1}}`},
		{"suggest", `{"query":"beverly hills","limit":2,"only":"matches.name"}`, `{"success":true,"matches":[{"name":"Beverly Hills"}]}`},
		{"codes_in", `{"layer":"county","geoid":"06037","limit":1,"only":["codes.code","area.name"]}`, `{"area":{"name":"Los Angeles County"},"codes":[{"code":"`},
	}
	for _, tt := range tests {
		got, failed := c.call(t, tt.tool, tt.args)
		if failed || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s:\n got %.600s\nwant %s", tt.tool, tt.args, got, tt.want)
		}
	}
}

// A chosen part of a large answer is returned though all of it would not be.
func TestOnlyOfTooMuch(t *testing.T) {
	c := connect(t, tools.Options{MaxResult: 2_000})
	const search = `{"code":"90210","max":50,"limit":40`
	if got, failed := c.call(t, "radius", search+`}`); !failed || !strings.HasPrefix(got, "BAD_REQUEST: The result has more than the 2000 bytes") {
		t.Errorf("everything: %.200s", got)
	}
	if got, failed := c.call(t, "radius", search+`,"only":"matches.code"}`); failed || strings.Count(got, `"code"`) < 10 {
		t.Errorf("codes: %.200s", got)
	}
}
