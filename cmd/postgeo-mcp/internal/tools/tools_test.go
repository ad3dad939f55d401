package tools_test

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// A client is a session with a server of the sample, in memory.
type client struct {
	*mcp.ClientSession
	db *postgeo.DB
}

func connect(t testing.TB, opt tools.Options) client {
	t.Helper()
	db := sampletest.Open(t)
	t.Cleanup(func() { _ = db.Close() })
	server, err := tools.New(db, opt)
	check(t, err)
	ours, theirs := mcp.NewInMemoryTransports()
	ctx := context.WithoutCancel(t.Context()) // the client disconnects in a cleanup
	_, err = server.Connect(ctx, ours, nil)
	check(t, err)
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, theirs, nil)
	check(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return client{s, db}
}

// call calls a tool with arguments in JSON and returns the text of the result.
func (c client) call(t testing.TB, tool, args string) (text string, isError bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	text = r.Content[0].(*mcp.TextContent).Text
	if plain.Clean(text) != text {
		t.Errorf("%s %s: the text has hidden characters: %q", tool, args, text)
	}
	if !r.IsError {
		return text, false
	}
	failed, err := json.Marshal(r.Meta[tools.FailedItem])
	var item struct {
		Error struct{ Code, Message, URL string }
	}
	if err != nil || json.Unmarshal(failed, &item) != nil || plain.Line(item.Error.Code+": "+item.Error.Message) != text || item.Error.URL == "" {
		t.Errorf("%s %s: text %q, item %s, %v", tool, args, text, failed, err)
	}
	return text, true
}

// calls are arguments for each tool.
var calls = map[string]string{
	"lookup": `{"code":"90210","include":["timezone","census"]}`, "suggest": `{"query":"spring"}`, "match_address": `{"address":"350 5th Ave, New York, NY 10118"}`,
	"geocode": `{"address":"350 5th Ave, New York, NY 10118"}`, "reverse": `{"point":"40.7484,-73.9857"}`, "radius": `{"code":"90210","max":5,"mode":"spatial"}`, "nearest": `{"code":"90210","count":3}`,
	"inside_polygon": `{"polygon":` + square + `}`, "distance": `{"from":"90210","to":"10001"}`, "codes_in": `{"layer":"county","geoid":"06037"}`,
	"crosswalk": `{"from":"zip","to":"county","state":"CA","limit":3}`, "acs_profile": `{"code":"10001","profiles":["economic"]}`,
	"acs_series": `{"codes":["10001"],"fields":["economic.income.median_household_income"]}`, "dataset_info": `{"sources":true}`,
}

// square is a polygon in Los Angeles.
const square = `{"type":"Polygon","coordinates":[[[-118.5,34.0],[-118.3,34.0],[-118.3,34.2],[-118.5,34.2],[-118.5,34.0]]]}`

// Every tool says that it only reads, and describes itself and each argument.
func TestDeclarations(t *testing.T) {
	c := connect(t, tools.Options{Version: "v1.2.3"})
	if got := c.InitializeResult(); got.ServerInfo.Version != "v1.2.3" || !strings.Contains(got.Instructions, "dataset_info") {
		t.Errorf("server %+v, instructions %q", got.ServerInfo, got.Instructions)
	}
	list, err := c.ListTools(t.Context(), nil)
	check(t, err)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || !a.IdempotentHint || *a.DestructiveHint || *a.OpenWorldHint || a.Title == "" || len(tool.Description) < 40 {
			t.Errorf("%s: annotations %+v, title %q, description %q", tool.Name, a, a.Title, tool.Description)
		}
		data, err := json.Marshal(tool.InputSchema)
		check(t, err)
		var schema struct {
			Type       string
			Properties map[string]struct {
				Description string
				Type        any
				AnyOf       []any
			}
			AdditionalProperties any
		}
		check(t, json.Unmarshal(data, &schema))
		if schema.Type != "object" || schema.AdditionalProperties == nil {
			t.Errorf("%s: schema %s", tool.Name, data)
		}
		for name, p := range schema.Properties {
			if _, simple := p.Type.(string); p.Description == "" || !simple && len(p.AnyOf) == 0 {
				t.Errorf("%s: argument %s is %+v", tool.Name, name, p)
			}
		}
	}
	if data, err := json.Marshal(list); err != nil || len(names) != 14 || len(data) > 40_000 {
		t.Errorf("%d tools in %d bytes, error %v; want 14 in 40,000", len(names), len(data), err)
	}
}

// TestThreeDigits looks up the population of three digits (decision D82).
func TestThreeDigits(t *testing.T) {
	c := connect(t, tools.Options{})
	if text, failed := c.call(t, "lookup", `{"code":"902"}`); failed || !strings.Contains(text, `"code":"902"`) || !strings.Contains(text, `"safe_harbor":`) {
		t.Errorf("902: %s", text)
	}
	if text, failed := c.call(t, "lookup", `{"code":"999"}`); !failed || !strings.HasPrefix(text, "NOT_FOUND_ZIP") {
		t.Errorf("999: %s", text)
	}
}

// TestResults compares the result of each tool with that of its operation, and looks for
// the tool in the documentation.
func TestResults(t *testing.T) {
	c := connect(t, tools.Options{MaxResult: tools.MostResult})
	page, err := os.ReadFile("../../../../docs/mcp.md")
	check(t, err)
	for name, args := range calls {
		text, failed := c.call(t, name, args)
		if failed && name != "reverse" && name != "geocode" || !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("%s, described %v: %.300s", name, strings.Contains(string(page), name), text)
		}
		if o := operation.Find(operation.All(), name); o != nil && !failed && name != "radius" && name != "inside_polygon" && name != "codes_in" { // which have other limits
			want, err := o.Call(t.Context(), c.db, []byte(args))
			check(t, err)
			if data, err := encode.Marshal(want); err != nil || string(data) != text {
				t.Errorf("%s: %.300s, want %.300s", name, text, data)
			}
		}
	}
	if text, failed := c.call(t, "radius", `{"code":"Beverly Hills, CA","max":2,"only":"matches.code,matches.location.lat,summary"}`); failed || !regexp.MustCompile(`^\{"matches":\[\{"code":"90209","location":\{"lat":34\.\d+\}\}.*"success":true,"summary":\{`).MatchString(text) {
		t.Errorf("only: %.300s", text)
	}
}

// TestFailures checks the messages of calls that fail.
func TestFailures(t *testing.T) {
	c := connect(t, tools.Options{})
	table, err := os.ReadFile("testdata/failures.txt")
	check(t, err)
	calls := 0
	for line := range strings.Lines(strings.ReplaceAll(string(table), "{9*51}", strings.Repeat("9", 51))) {
		call, want, found := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if !found || want == "" {
			if line[0] != '#' {
				t.Errorf("%s: no text is expected", line)
			}
			continue
		}
		calls++
		tool, args, _ := strings.Cut(call, " ")
		if got, failed := c.call(t, tool, args); !failed || !strings.HasPrefix(got, want) {
			t.Errorf("%.200s:\n got %.500s\nwant %s…", call, got, want)
		}
	}
	if calls == 0 {
		t.Error("testdata/failures.txt has no calls")
	}
	if r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "drop_tables"}); err == nil {
		t.Errorf("an unknown tool gives %+v", r)
	}
	if got, failed := connect(t, tools.Options{Timeout: time.Nanosecond}).call(t, "lookup", `{"code":"90210"}`); !failed || !strings.HasPrefix(got, "SERVICE_UNAVAILABLE: The request took too long.") {
		t.Errorf("without time: %s", got)
	}
	if got, failed := connect(t, tools.Options{MaxResult: 100}).call(t, "lookup", `{"code":"90210"}`); !failed || !strings.HasPrefix(got, "BAD_REQUEST: The result has more than the 100 bytes") {
		t.Errorf("without room: %s", got)
	}
	check(t, c.db.Close())
	if got, failed := c.call(t, "lookup", `{"code":"90210"}`); !failed || !strings.HasPrefix(got, "SERVICE_UNAVAILABLE: ") {
		t.Errorf("after Close: %s", got)
	}
}

func TestResources(t *testing.T) {
	c := connect(t, tools.Options{})
	list, err := c.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 2 {
		t.Fatalf("%d resources, %v", len(list.Resources), err)
	}
	want := map[string]string{
		"postgeo://dataset":    `^{"version":"sample`,
		"postgeo://acs/fields": `^{"fields":\[{"field":"demographic\..*"}\]}$`,
	}
	for _, r := range list.Resources {
		got, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || len(got.Contents) != 1 {
			t.Fatalf("%s: %v", r.URI, err)
		}
		content := got.Contents[0]
		if !regexp.MustCompile(want[r.URI]).MatchString(content.Text) || content.MIMEType != "application/json" || content.URI != r.URI {
			t.Errorf("%s (%s): %.300s", content.URI, content.MIMEType, content.Text)
		}
	}
	if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "postgeo://other"}); err == nil {
		t.Error("an unknown resource was read")
	}
}

var check = checktest.Check
