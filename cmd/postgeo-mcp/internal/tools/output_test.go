package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
)

// What a client takes in before it asks anything has its bounds.
const maxList = 160 << 10

// Every tool tells the shape of its answers, an object.
func TestOutputSchemas(t *testing.T) {
	c := connect(t, tools.Options{})
	list, err := c.ListTools(t.Context(), nil)
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
		if testing.Verbose() {
			in, _ := json.Marshal(tool.InputSchema)
			t.Logf("%-18s arguments %5d bytes, answers %5d", tool.Name, len(in), len(data))
		}
	}
	all, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tools, %d bytes", len(list.Tools), len(all))
	if len(all) > maxList {
		t.Errorf("the list of tools has %d bytes", len(all))
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
		{"suggest", `{"q":"beverly hills","limit":2,"only":"matches.name"}`, `{"success":true,"matches":[{"name":"Beverly Hills"}]}`},
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
