package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// toolNames are all tools.
var toolNames = []string{
	"acs_aggregate", "acs_compare", "acs_fields", "acs_profile", "acs_series", "areas_at", "assess_address", "auto_radius", "boundary_distance", "codes_in", "crosswalk", "dataset_info", "dataset_verify", "distance",
	"distance_batch", "distance_matrix", "geocode", "inside_polygon", "list_areas", "list_codes", "lookup", "lookup_batch", "match_address", "match_addresses", "nearest", "neighbors", "outline",
	"pairs_within", "parse_address", "quick_lookup", "radius", "radius_batch", "reverse", "suggest", "suggest_address", "zip3",
}

// TestPage checks that the documentation and the script of "make mcp" have every tool.
func TestPage(t *testing.T) {
	for file, form := range map[string]string{"docs/mcp.md": "`%s`", "scripts/mcp.mjs": " %s: {"} {
		text, err := os.ReadFile("../../../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range toolNames {
			if !strings.Contains(string(text), fmt.Sprintf(form, name)) {
				t.Errorf("%s lacks %s", file, name)
			}
		}
	}
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
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || !a.IdempotentHint || *a.DestructiveHint || *a.OpenWorldHint || a.Title == "" || len(tool.Description) < 40 {
			t.Errorf("%s: annotations %+v, title %q, description %q", tool.Name, a, a.Title, tool.Description)
		}
		data, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Type       string
			Properties map[string]struct {
				Description string
				Type        any
				AnyOf       []any
			}
			AdditionalProperties any
		}
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		if schema.Type != "object" || schema.AdditionalProperties == nil {
			t.Errorf("%s: schema %s", tool.Name, data)
		}
		for name, p := range schema.Properties {
			if _, simple := p.Type.(string); p.Description == "" || !simple && len(p.AnyOf) == 0 {
				t.Errorf("%s: argument %s is %+v", tool.Name, name, p)
			}
		}
	}
	if diff := cmp.Diff(toolNames, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

// What tools answer is what the library answers, byte for byte.
func TestAnswersOfTheLibrary(t *testing.T) {
	c := connect(t, tools.Options{})
	ctx, db := t.Context(), c.db
	timezone := lookup.Include{Timezone: true, Census: true}
	economic := lookup.Include{ACS: []acs.Tag{{Profile: acs.Economic, Year: 2019}}}
	county, _ := lookup.ParseLayer("county")
	const income = "economic.income.median_household_income"
	tests := []struct {
		tool, args string
		want       func() (any, error)
	}{
		{"quick_lookup", `{"code":"k1a0b1","include":"timezone"}`, func() (any, error) {
			return db.QuickLookup(ctx, "k1a0b1", lookup.QuickOptions{Timezone: true})
		}},
		{"lookup", `{"code":"34.0901,-118.4065","include":"timezone, census"}`, func() (any, error) {
			return db.Lookup(ctx, "34.0901,-118.4065", lookup.Options{Include: timezone})
		}},
		{"lookup", `{"code":"10001","include":["acs_economic_2019"]}`, func() (any, error) {
			return db.Lookup(ctx, "10001", lookup.Options{Include: economic})
		}},
		{"radius", `{"code":"90210","max":5,"min":"1","mode":"spatial","limit":3,"include":["timezone"]}`, func() (any, error) {
			return db.Radius(ctx, "90210", radius.Options{
				Max: 5, Min: 1, Mode: radius.Spatial, Limit: 3, Include: radius.Include{Timezone: true},
			})
		}},
		{"radius", `{"code":"90210","max":"auto"}`, func() (any, error) {
			return db.Radius(ctx, "90210", radius.Options{Auto: radius.Density, Limit: 50})
		}},
		{"nearest", `{"code":"90210","count":4,"max":100}`, func() (any, error) {
			return db.Nearest(ctx, "90210", radius.NearestOptions{Count: 4, Max: 100})
		}},
		{"suggest", `{"query":"springf","limit":5,"include":"place,zip","country":"US"}`, func() (any, error) {
			return db.Suggest(ctx, "springf", suggestions(t, 5, "US", "place", "zip"))
		}},
		{"distance", `{"from":"90210","to":"10001"}`, func() (any, error) { return db.Distance(ctx, "90210", "10001", radius.DistanceOptions{}) }},
		{"distance_matrix", `{"from":["90210","K1A"],"to":["10001"]}`, func() (any, error) {
			return db.DistanceMatrix(ctx, []string{"90210", "K1A"}, []string{"10001"}, radius.DistanceOptions{})
		}},
		{"distance_matrix", `{"from":["90210","10001"]}`, func() (any, error) {
			return db.DistanceMatrix(ctx, []string{"90210", "10001"}, []string{"90210", "10001"}, radius.DistanceOptions{})
		}},
		{"boundary_distance", `{"from":"34.1,-118.4","code":"90210"}`, func() (any, error) { return db.Boundary(ctx, "34.1,-118.4", "90210") }},
		{"neighbors", `{"code":"90210","tolerance":20}`, func() (any, error) {
			return db.Neighbors(ctx, "90210", lookup.NeighborOptions{Tolerance: 20})
		}},
		{"match_address", `{"address":"350 5th Ave, New York, NY 10118","include":"coordinates"}`, func() (any, error) {
			return db.MatchAddress(ctx, "350 5th Ave, New York, NY 10118", address.Options{Include: address.Include{Coordinates: true}})
		}},
		{"acs_series", `{"codes":["10001"],"fields":["economic.income.median_household_income"],"years":[2023,2024],"dollars":"newest"}`, func() (any, error) {
			lines, err := db.ACSSeries(ctx, []string{"10001"}, []string{income}, seriesOptions(acs.NewestDollars, 2023, 2024))
			return struct {
				Lines []acs.Line `json:"lines"`
			}{lines}, err
		}},
		{"acs_aggregate", `{"codes":["10001","90210"],"fields":["economic.income.median_household_income"],"years":[2024]}`, func() (any, error) {
			return db.ACSAggregate(ctx, postgeo.ACSAreas{Codes: []string{"10001", "90210"}}, []string{income}, seriesOptions(0, 2024))
		}},
		{"acs_aggregate", `{"code":"10001","max":2,"mode":"spatial","fields":["economic.income.median_household_income"],"years":[2024]}`, func() (any, error) {
			where := postgeo.ACSAreas{Center: "10001", Mode: radius.Spatial, Radius: radius.Options{Max: 2, Mode: radius.Spatial}}
			return db.ACSAggregate(ctx, where, []string{income}, seriesOptions(0, 2024))
		}},
		{"acs_compare", `{"code_a":"10001","year_a":2024,"year_b":2019,"field":"economic.income.median_household_income","dollars":2024}`, func() (any, error) {
			return db.CompareACS(ctx, postgeo.ACSSide{Area: "10001", Year: 2024}, postgeo.ACSSide{Area: "10001", Year: 2019}, income, false, acs.FigureOptions{Dollars: 2024})
		}},
		{"codes_in", `{"layer":"county","geoid":"06037","limit":5000}`, func() (any, error) {
			in, err := db.CodesIn(ctx, county, "06037", lookup.CodesInOptions{})
			return struct {
				*lookup.CodesIn
				Total int `json:"total"`
			}{in, len(in.Codes)}, err
		}},
	}
	for _, tt := range tests {
		t.Run(tt.tool, func(t *testing.T) {
			want, err := tt.want()
			if err != nil {
				t.Fatal(err)
			}
			text, err := envelope.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			got, failed := c.call(t, tt.tool, tt.args)
			if diff := cmp.Diff(string(text), got); diff != "" || failed {
				t.Errorf("%s (-want +got):\n%s", tt.args, diff)
			}
		})
	}
}

func seriesOptions(dollars int, years ...int) acs.SeriesOptions {
	return acs.SeriesOptions{FigureOptions: acs.FigureOptions{Dollars: dollars}, Years: years}
}

func suggestions(t *testing.T, limit int, country string, types ...string) suggest.Options {
	t.Helper()
	o := suggest.Options{Limit: limit, Country: country}
	if err := parseTypes(&o, types); err != nil {
		t.Fatal(err)
	}
	return o
}

// Answers in a shape of their own, by what has to stand in them.
func TestAnswers(t *testing.T) {
	c := connect(t, tools.Options{})
	tests := []struct {
		tool, args string
		want       string // a regular expression
	}{
		{"lookup_batch", `{"codes":["90210","99999",""," K1A "]}`, `^{"results":\[{"success":true,"input":{"code":"90210"},.*{"success":false,"input":{"code":"99999"},"error":{"code":"NOT_FOUND_ZIP","message":"Code 99999 not found.".*"VALIDATION_MISSING_PARAM".*"code":"K1A".*"batch":{"requested":4,"succeeded":2,"failed":2}}$`},
		{"lookup_batch", `{"codes":["90210"],"full":true,"include":["timezone","nonsense"]}`, `"zip_info".*"zones":.*"batch":{"requested":1,"succeeded":1,"failed":0},"notices":\[{"code":"VALIDATION_UNKNOWN_ENRICHMENT"`},
		{"lookup", `{"code":"90210","include":["nonsense"]}`, `"VALIDATION_UNKNOWN_ENRICHMENT","message":"Unknown enrichment flag\(s\) ignored: nonsense."`},
		{"radius", `{"code":"90210","max":5,"limit":2}`, `"RESULTS_CAPPED".*"summary":{"total_count":2,.*"total_available":`},
		{"auto_radius", `{"code":"90210","rule":"auto"}`, `^{"code":"90210","rule":"auto","miles":[0-9.]+}$`},
		{"inside_polygon", `{"polygon":` + square + `,"limit":3}`, `"message":"Showing 3 of .*"pct_inside":`},
		{"inside_polygon", `{"polygon":` + square + `,"mode":"centroid","include":"timezone"}`, `"mode":"centroid".*"timezone":`},
		{"pairs_within", `{"codes":["90210","10001","90077"],"max":10}`, `^{"pairs":\[{"from":"90210","to":"90077","miles":[0-9.]+,"km":[0-9.]+}\],"total":1}$`},
		{"pairs_within", `{"codes":["90210","90211","90077"],"max":100,"limit":1}`, `^{"pairs":\[{[^}]*}\],"total":3}$`},
		{"assess_address", `{"address":"200 Randolph St, Chicago, IL 60601","only":"action,reason,candidates.address"}`, `"action":"confirm","reason":"AMBIGUOUS","candidates":\[{"address":"200 [EW] RANDOLPH ST, CHICAGO IL 60601`},
		{"suggest_address", `{"query":"350 5th av","limit":1}`, `^{"suggestions":\[{"text":"350 5TH AVE, NEW YORK NY 10118","number":"350"`},
		{"parse_address", `{"address":"350 5th Ave Apt 3, New York, NY 10118"}`, `^{"success":true,"input":{"address":"350 5th Ave Apt 3, New York, NY 10118"},"kind":"street".*"number":"350"`},
		{"match_addresses", `{"addresses":["350 5th Ave, New York, NY 10118","1 Nowhere Rd, New York, NY 10118",""]}`, `"formatted_address":"350 5TH AVE.*"success":false,"input":{"address":"1 Nowhere Rd.*"batch":{"requested":3,"succeeded":1,"failed":2}`},
		{"areas_at", `{"latitude":34.1,"longitude":-118.4,"include":["cd"]}`, `^{"location":{"lat":34.1,"lon":-118.4},"congressional_district":{"current":.*"contains_point"`},
		{"areas_at", `{"latitude":34.1,"longitude":-118.4}`, `"census":.*"school_district":`},
		{"codes_in", `{"layer":"cd","geoid":"0604","limit":1}`, `"layer":"congressional_district".*"codes":\[{[^\]]*}\],"total":[0-9]+}$`},
		{"outline", `{"code":"90210"}`, `^{"type":"Feature","id":"90210","properties":{"source":"cb_[^"]*"},"geometry":{"type":"Polygon","coordinates":\[\[\[-118`},
		{"outline", `{"layer":"county","geoid":"06037"}`, `^{"type":"Feature","id":"06037","properties":{"area":{"layer":"county".*"geometry":{"type":"`},
		{"outline", `{"code":"09012"}`, `"geometry":null}$`},
		{"crosswalk", `{"from":"zip","to":"county","state":"CA","limit":2}`, `^{"from":"zip","to":"county","rows":\[{"from":"90001".*{"from":"90002".*\],"next_offset":2}$`},
		{"crosswalk", `{"from":"zip","to":"county","state":"CA","limit":500,"offset":100000}`, `^{"from":"zip","to":"county","rows":\[\]}$`},
		{"acs_profile", `{"code":"10001","profiles":["economic"],"years":[2023,2019]}`, `^{"code":"10001","code_type":"ZIP","city":"New York","state":"NY","acs":{"2023":.*"median_household_income":{"column":"DP03_0062E".*"2019":`},
		{"acs_profile", `{"code":"10001","profiles":["housing"]}`, `"acs":{"current":`},
		{"acs_aggregate", `{"polygon":` + square + `,"fields":["demographic.sex_and_age.total_population"],"years":[2024]}`, `^{"name":"polygon","geography_level":"zcta","areas":[0-9]+,"lines":\[{.*"year":2024`},
		{"acs_compare", `{"code_a":"10001","code_b":"90210","year_b":2024,"field":"economic.income.median_household_income"}`, `"difference":`},
		{"acs_compare", `{"code_a":"10001","code_b":"36061001500","year_a":2024,"field":"economic.income.median_household_income"}`, `"difference":`},
		{"acs_fields", `{"query":"median rent"}`, `"key":"housing\.`},
		{"acs_fields", `{"profile":"economic","section":"income","limit":1}`, `^{"fields":\[{[^}]*}\],"total":[0-9]+}$`},
		{"dataset_info", `{}`, `^{"version":"sample.*"sample":true.*"acs_years":\[2024,`},
		{"dataset_verify", `{}`, `^{"version":"sample[^}]*"intact":true}$`},
		{"list_codes", `{"kind":"ZIP","prefix":"902","limit":2}`, `^{"kind":"ZIP","codes":\["902..","902.."\],"more":true}$`},
		{"list_codes", `{"kind":"Postal","prefix":"k1a0","limit":5000}`, `^{"kind":"Postal","codes":\["K1A 0[^]]*\],"more":false}$`},
		{"list_codes", `{"kind":"Postal","after":"A1A 3N0","limit":2}`, `^{"kind":"Postal","codes":\["A1A 3N7","A1A 3P4"\],"more":true}$`},
		{"list_codes", `{"kind":"Postal","after":"a1a3n0","limit":2}`, `^{"kind":"Postal","codes":\["A1A 3N7","A1A 3P4"\],"more":true}$`},
		{"list_codes", `{"kind":"Postal","after":"A1A","limit":1}`, `^{"kind":"Postal","codes":\["A1A 3N0"\],"more":true}$`},
		{"list_codes", `{"kind":"FSA","after":"A1A 3N0","limit":1}`, `^{"kind":"FSA","codes":\["A1B"\],"more":true}$`},
		{"list_areas", `{"layer":"county","prefix":"06","limit":1}`, `^{"layer":"county","geoids":\["06..."\],"more":true}$`},
		{"list_areas", `{"layer":"county","after":"99999"}`, `^{"layer":"county","geoids":\[\],"more":false}$`},
		{"radius_batch", `{"codes":["90210","99999","10001"],"max":5,"limit":1}`, `"input":{"code":"90210"}.*"total_available":.*"success":false,"input":{"code":"99999"},"error":{"code":"NOT_FOUND_ZIP".*"batch":{"requested":3,"succeeded":2,"failed":1}}$`},
		{"distance_batch", `{"pairs":[{"from":"90210","to":"10001"},{"from":"90210","to":"99999"},{"from":"90210"}]}`, `^{"results":\[{"success":true,"input":{"from":"90210","to":"10001"}.*"NOT_FOUND_TO".*"VALIDATION_MISSING_PARAM".*"batch":{"requested":3,"succeeded":1,"failed":2}}$`},
		{"acs_profile", `{"code":"36061001500","profiles":["economic"]}`, `"acs":`},
		{"dataset_info", `null`, `^{"version":"sample`},
		{"quick_lookup", `{"code":"90210","include":null}`, `"city":"Beverly Hills"`},
	}
	for _, tt := range tests {
		t.Run(tt.tool, func(t *testing.T) {
			got, failed := c.call(t, tt.tool, tt.args)
			if failed || !regexp.MustCompile(tt.want).MatchString(got) {
				t.Errorf("%s: want %s, got %.3000s", tt.args, tt.want, got)
			}
		})
	}
}

// Pages of a crosswalk are its rows, each once.
func TestCrosswalkPages(t *testing.T) {
	c := connect(t, tools.Options{})
	type page struct {
		Rows []json.RawMessage `json:"rows"`
		Next int               `json:"next_offset"`
	}
	var whole, parts page
	text, _ := c.call(t, "crosswalk", `{"from":"zip","to":"county","state":"NY","limit":500}`)
	if err := json.Unmarshal([]byte(text), &whole); err != nil || whole.Next != 0 || len(whole.Rows) < 20 {
		t.Fatalf("%d rows, next %d, %v", len(whole.Rows), whole.Next, err)
	}
	for next := 0; ; {
		args, _ := json.Marshal(map[string]any{"from": "zip", "to": "county", "state": "NY", "limit": 7, "offset": next})
		text, _ := c.call(t, "crosswalk", string(args))
		var p page
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		parts.Rows = append(parts.Rows, p.Rows...)
		if next = p.Next; next == 0 {
			break
		}
	}
	same := func(a, b json.RawMessage) bool { return string(a) == string(b) }
	if !slices.EqualFunc(whole.Rows, parts.Rows, same) {
		t.Errorf("%d rows at once, %d in pages, not the same", len(whole.Rows), len(parts.Rows))
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
		"postgeo://acs/fields": `^{"fields":\[{"key":"demographic\..*"total":528}$`,
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

// Calls beyond the slots wait, and give up with their time; a panic is an error.
func TestWork(t *testing.T) {
	work := tools.Work(nil, 1, time.Minute)
	_, err := work(t.Context(), func(context.Context) ([]byte, error) { panic("on purpose") })
	if err == nil || !strings.Contains(err.Error(), "panic: on purpose") {
		t.Errorf("a panic gives %v", err)
	}
	_, err = work(t.Context(), func(ctx context.Context) ([]byte, error) {
		busy, cancel := context.WithCancel(ctx)
		cancel()
		return work(busy, func(context.Context) ([]byte, error) { return nil, errors.New("worked without a slot") })
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a call without a slot gives %v", err)
	}
}

// Every value that a schema lists for an argument is taken.
func TestEnums(t *testing.T) {
	c := connect(t, tools.Options{})
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	others := map[string]string{ // the arguments that a tool needs besides
		"radius": `"code":"90210","max":5`, "auto_radius": `"code":"90210"`, "nearest": `"code":"90210"`, "inside_polygon": `"polygon":` + square,
		"suggest": `"query":"new"`, "codes_in": `"geoid":"06037"`, "crosswalk": `"from":"zip","to":"county","limit":1`, "acs_fields": `"limit":1`, "list_areas": `"limit":1`, "list_codes": `"limit":1`,
		"radius_batch":  `"codes":["90210"],"max":5`,
		"acs_aggregate": `"code":"90210","max":5,"fields":["economic.income.median_household_income"]`,
	}
	tried := 0
	for _, tool := range list.Tools {
		data, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]struct{ Enum []string }
		}
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		for name, property := range schema.Properties {
			rest, ok := others[tool.Name]
			if !ok && len(property.Enum) > 0 {
				t.Errorf("%s lists values of %s that are not tried", tool.Name, name)
				continue
			}
			for _, value := range property.Enum {
				tried++
				args := `{"` + name + `":"` + value + `",` + rest + `}`
				if text, failed := c.call(t, tool.Name, args); failed && strings.Contains(text, "VALIDATION_") {
					t.Errorf("%s %s: %s", tool.Name, args, text)
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("%d values were tried", tried)
	}
}
