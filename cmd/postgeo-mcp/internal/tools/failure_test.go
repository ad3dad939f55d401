package tools_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
	"github.com/postgeo/postgeo/lookup/suggest"
)

func parseTypes(o *suggest.Options, types []string) (err error) {
	o.Include, err = suggest.ParseTypes(types)
	return err
}

// Failures are told in the interface's sentences.
func TestFailures(t *testing.T) {
	c := connect(t, tools.Options{})
	many := func(n int, v string) string { return strings.TrimSuffix(strings.Repeat(v+",", n), ",") }
	tests := []struct{ tool, args, want string }{
		{"lookup", `{}`, "VALIDATION_MISSING_PARAM: Parameter 'code' is required."},
		{"lookup", `{"zip":"90210"}`, "VALIDATION_MISSING_PARAM: Parameter 'code' is required. Did you mean 'code' instead of 'zip'?"},
		{"lookup", `{"code":null}`, "VALIDATION_MISSING_PARAM: Parameter 'code' is required."},
		{"lookup", `{"code":" "}`, "VALIDATION_INVALID_PARAM: Parameter 'code' must not be empty."},
		{"lookup", `{"code":90210}`, "VALIDATION_INVALID_REQUEST: Field 'code' must be a string."},
		{"lookup", `{"code":"90210","included":[]}`, `VALIDATION_INVALID_PARAM: Unknown argument "included". Did you mean "include"?`},
		{"lookup", `{"code":"90210","include":[1]}`, "VALIDATION_INVALID_REQUEST: Field 'include' must be a list or a string."},
		{"lookup", `{"code":"9021"}`, "VALIDATION_INVALID_ZIP: Invalid ZIP code format: '9021'. Expected 5 digits, or ZIP+4 as 12345-6789."},
		{"lookup", `{"code":"` + strings.Repeat("9", 51) + `"}`, "VALIDATION_INPUT_TOO_LONG: Parameter 'code' may have at most 50 characters."},
		{"lookup", `{"code":"99999"}`, "NOT_FOUND_ZIP: ZIP code 99999 not found."},
		{"lookup", `{"code":"91,0"}`, "VALIDATION_INVALID_COORDINATES: Invalid coordinates: '91,0'. Expected latitude,longitude in decimal degrees, latitude -90 to 90 and longitude -180 to 180."},
		{"quick_lookup", `{"code":"90210","timezone":true}`, `VALIDATION_INVALID_PARAM: Unknown argument "timezone". Did you mean "include"?`},
		{"lookup_batch", `{"codes":["90210"],"full":"yes"}`, "VALIDATION_INVALID_REQUEST: Field 'full' must be true or false."},
		{"lookup_batch", `{"codes":[]}`, "VALIDATION_INVALID_PARAM: Parameter 'codes' must not be empty."},
		{"lookup_batch", `{"codes":[` + many(101, `"90210"`) + `]}`, "VALIDATION_BATCH_TOO_LARGE: Field 'codes' may have at most 100 items. Divide it into several requests."},
		{"lookup_batch", `{"codes":"90210"}`, "VALIDATION_INVALID_REQUEST: Field 'codes' must be a list."},
		{"lookup_batch", `{"codes":[` + many(100, `"10001"`) + `],"full":true,"include":"acs_social,acs_economic,acs_housing"}`, "BAD_REQUEST: The result has more than the 65536 bytes that a tool may return. Request less: fewer codes, flags, years or rows, or some members by only."},
		{"lookup", `{"code":"90210","only":"cite"}`, "VALIDATION_INVALID_PARAM: Parameter 'only' names \"cite\", which the answer does not have; it has success, input, error, notices, country, code, "},
		{"radius", `{"code":"90210","max":5,"only":["matches.place"]}`, "VALIDATION_INVALID_PARAM: Parameter 'only' names \"place\", which matches does not have; it has country, code, "},
		{"lookup", `{"code":"90210","only":["city.name"]}`, "VALIDATION_INVALID_PARAM: Parameter 'only' names \"name\", which city does not have; there is nothing in it to choose."},
		{"lookup", `{"code":"90210","only":["."]}`, "VALIDATION_INVALID_PARAM: Parameter 'only' names \"\", which the answer does not have; it has "},
		{"list_codes", `{"kind":"ZIP+4"}`, "VALIDATION_INVALID_PARAM: Parameter 'kind' must be one of ZIP, FSA, Postal."},
		{"list_areas", `{"layer":"county","limit":5001}`, "VALIDATION_INVALID_PARAM: Parameter 'limit' must be a whole number from 1 to 5000."},
		{"radius_batch", `{"codes":["90210"],"max":"far"}`, "VALIDATION_INVALID_PARAM: Parameter 'max' must be "},
		{"radius", `{"code":"90210"}`, "VALIDATION_MISSING_PARAM: Parameter 'max' is required."},
		{"radius", `{"code":"90210","max":true}`, "VALIDATION_INVALID_REQUEST: Field 'max' must be a number or a string."},
		{"radius", `{"code":"90210","max":501}`, "VALIDATION_INVALID_PARAM: Parameter 'max' must be above 0 and at most 500 miles in centroid mode, or auto or auto-commute."},
		{"radius", `{"code":"90210","max":5,"min":6}`, "VALIDATION_INVALID_PARAM: Parameter 'min' must be at least 0 miles and below max."},
		{"radius", `{"code":"90210","max":5,"mode":"other"}`, "VALIDATION_INVALID_PARAM: Invalid mode: 'other'. Valid values: centroid, spatial"},
		{"radius", `{"code":"90210","max":5,"limit":0}`, "VALIDATION_INVALID_PARAM: Parameter 'limit' must be a whole number from 1 to 500."},
		{"radius", `{"code":"90210","max":5,"limit":1.5}`, "VALIDATION_INVALID_PARAM: Parameter 'limit' must be a whole number from 1 to 500."},
		{"radius", `{"code":"90210","max":5,"limit":"many"}`, "VALIDATION_INVALID_REQUEST: Field 'limit' must be a whole number."},
		{"radius", `{"code":"99999","max":5}`, "NOT_FOUND_ZIP: Center code '99999' not found."},
		{"quick_lookup", `{"code":"90210","at":"soon"}`, "VALIDATION_INVALID_PARAM: Parameter 'at' must be a time in RFC 3339 form, such as 2027-01-31T12:00:00Z."},
		{"auto_radius", `{"code":"90210","rule":"7"}`, "VALIDATION_INVALID_PARAM: Parameter 'rule' must be auto or auto-commute."},
		{"nearest", `{"code":"90210","max":"auto"}`, "VALIDATION_INVALID_PARAM: Parameter 'max' must be a number of miles above 0."},
		{"inside_polygon", `{"polygon":{"type":"Point","coordinates":[0,0]}}`, "VALIDATION_INVALID_PARAM: Parameter 'polygon' must be a GeoJSON geometry of type Polygon or MultiPolygon: the geometry has the type \"Point\", expected a Polygon or MultiPolygon."},
		{"inside_polygon", `{"polygon":{}}`, "VALIDATION_INVALID_PARAM: Parameter 'polygon' must be a GeoJSON geometry of type Polygon or MultiPolygon: the geometry has no type."},
		{"inside_polygon", `{"polygon":7}`, "VALIDATION_INVALID_PARAM: Parameter 'polygon' must be a GeoJSON geometry of type Polygon or MultiPolygon: a JSON number, expected an object."},
		{"inside_polygon", `{"polygon":{"type":"Polygon","coordinates":[[[-125],[-114],[-114,42],[-125,42],[-125]]]}}`, "VALIDATION_INVALID_PARAM: Parameter 'polygon' must be a GeoJSON geometry of type Polygon or MultiPolygon: the position \"[-125]\" has fewer than two numbers, expected longitude and latitude."},
		{"acs_aggregate", `{"polygon":{"type":"Polygon","coordinates":[[[-125],[-114],[-114,42],[-125]]]},"fields":["social.households.total_households"]}`, "VALIDATION_INVALID_PARAM: Parameter 'polygon' must be a GeoJSON geometry of type Polygon or MultiPolygon: the position \"[-125]\" has fewer than two numbers"},
		{"distance", `{"origin":"90210","to":"10001"}`, "VALIDATION_MISSING_PARAM: Parameter 'from' is required. Did you mean 'from' instead of 'origin'?"},
		{"distance", `{"from":"90210","to":"99999"}`, "NOT_FOUND_TO: Code '99999' not found in any boundary table"},
		{"distance_matrix", `{"from":[` + many(51, `"90210"`) + `]}`, "VALIDATION_BATCH_TOO_LARGE: Field 'from' may have at most 50 items. Divide it into several requests."},
		{"pairs_within", `{"codes":["90210"],"max":"auto"}`, "VALIDATION_INVALID_PARAM: Parameter 'max' must be a number of miles above 0."},
		{"suggest", `{"query":"x","limit":51}`, "VALIDATION_INVALID_PARAM: Parameter 'limit' must be a whole number from 1 to 50."},
		{"match_address", `{"address":"1 Nowhere Rd, New York, NY 10118"}`, "NOT_FOUND: "},
		{"match_address", `{"addr":"x"}`, "VALIDATION_MISSING_PARAM: Parameter 'address' is required. Did you mean 'address' instead of 'addr'?"},
		{"match_address", `{"address":"5"}`, "VALIDATION_INPUT_TOO_SHORT: "},
		{"parse_address", `{"address":"` + strings.Repeat("5 ", 300) + `"}`, "VALIDATION_INPUT_TOO_LONG: "},
		{"areas_at", `{"latitude":91,"longitude":0}`, "VALIDATION_INVALID_PARAM: Parameter 'latitude' must be a number from -90 to 90."},
		{"codes_in", `{"layer":"county","geoid":"99999"}`, `NOT_FOUND: The layer county has no area "99999".`},
		{"codes_in", `{"layer":"planet","geoid":"3"}`, "VALIDATION_INVALID_PARAM: Parameter 'layer' must be one of county, "},
		{"outline", `{}`, "VALIDATION_MISSING_PARAM: Parameter 'code' is required."},
		{"outline", `{"layer":"county"}`, "VALIDATION_MISSING_PARAM: Parameter 'geoid' is required."},
		{"outline", `{"code":"90210","layer":"county"}`, "VALIDATION_INVALID_PARAM: Parameter 'code' must be absent when layer and geoid are given."},
		{"crosswalk", `{"from":"zip","to":"county","state":"ZZ"}`, "VALIDATION_INVALID_PARAM: Parameter 'state' must be two letters of a state"},
		{"crosswalk", `{"from":"fsa","to":"census_division","weight":"people"}`, "BAD_REQUEST: No people of fsa: Statistics Canada's people of dissemination areas are not in the dataset"},
		{"acs_profile", `{"code":"10001","profiles":["political"]}`, "VALIDATION_INVALID_PARAM: Parameter 'profiles' must be a list of demographic, social, economic and housing."},
		{"acs_profile", `{"code":"10001","profiles":["social"],"years":[1990]}`, "VALIDATION_INVALID_PARAM: Parameter 'years' must be a list of years from 2011 to 2024."},
		{"acs_profile", `{"code":"10001","profiles":["social"],"years":[67555]}`, "VALIDATION_INVALID_PARAM: Parameter 'years' must be a list of years from 2011 to 2024."},
		{"acs_fields", `{"profile":"political"}`, "VALIDATION_INVALID_PARAM: Parameter 'profile' must be demographic, social, economic or housing."},
		{"acs_series", `{"codes":["1"],"fields":["social.households.total_households"]}`, `VALIDATION_INVALID_PARAM: Invalid area: "1"; expected the 5 digits of a US ZIP Code or the 11 of a census tract.`},
		{"acs_series", `{"codes":["10001"],"fields":["x"]}`, `VALIDATION_INVALID_PARAM: Unknown field: "x"; expected a full name such as economic.income.`},
		{"acs_series", `{"codes":["10001"],"fields":["economic.income.median_houshold_income"]}`, `VALIDATION_INVALID_PARAM: Unknown field: "economic.income.median_houshold_income"; did you mean `},
		{"acs_series", `{"codes":["10001"],"fields":["economic.income.median_household_income"],"dollars":1850}`, "VALIDATION_INVALID_PARAM: Area 10001: "},
		{"acs_series", `{"codes":["10001"],"fields":["economic.income.median_household_income"],"dollars":"old"}`, "VALIDATION_INVALID_PARAM: Parameter 'dollars' must be a year, or newest."},
		{"acs_aggregate", `{"fields":["economic.income.median_household_income"]}`, "VALIDATION_INVALID_PARAM: Invalid areas of the survey: 0 of codes, polygon and center are given; give one of them."},
		{"acs_aggregate", `{"codes":["10001"],"max":2,"fields":["economic.income.median_household_income"]}`, "VALIDATION_INVALID_PARAM: Parameter 'max' must be absent without code"},
		{"acs_aggregate", `{"code":"99999","max":2,"fields":["economic.income.median_household_income"]}`, "NOT_FOUND_ZIP: Center code '99999' not found."},
		{"acs_compare", `{"code_a":"10001","year_b":2019,"field":"economic.income.median_household_income"}`, "VALIDATION_INVALID_PARAM: Parameter 'dollars' must be a year or newest where amounts of money of two years are compared."},
		{"dataset_info", `{"verbose":true}`, `VALIDATION_INVALID_PARAM: Unknown argument "verbose"; expected only, sources.`},
		{"dataset_verify", `{"verbose":true}`, `VALIDATION_INVALID_PARAM: Unknown argument "verbose"; this tool takes none.`},
		{"radius", `{"code":"90210","max":5,"radius":5}`, `VALIDATION_INVALID_PARAM: Unknown argument "radius". Did you mean "max"?`},
		{"areas_at", `{"lat":34,"lon":-118}`, "VALIDATION_MISSING_PARAM: Parameter 'latitude' is required. Did you mean 'latitude' instead of 'lat'?"},
		{"areas_at", `{"latitude":34,"lng":-118}`, "VALIDATION_MISSING_PARAM: Parameter 'longitude' is required. Did you mean 'longitude' instead of 'lng'?"},
		{"suggest", `{"q":"spring"}`, "VALIDATION_MISSING_PARAM: Parameter 'query' is required. Did you mean 'query' instead of 'q'?"},
		{"suggest", `{"querry":"spring"}`, "VALIDATION_MISSING_PARAM: Parameter 'query' is required. Did you mean 'query' instead of 'querry'?"},
		{"acs_series", `{"areas":["10001"],"fields":["x"]}`, "VALIDATION_MISSING_PARAM: Parameter 'codes' is required. Did you mean 'codes' instead of 'areas'?"},
		{"dataset_info", `{"source":true}`, `VALIDATION_INVALID_PARAM: Unknown argument "source". Did you mean "sources"?`},
		{"dataset_info", `[]`, "VALIDATION_INVALID_REQUEST: Field 'arguments' must be a JSON object."},
	}
	for _, tt := range tests {
		t.Run(tt.tool, func(t *testing.T) {
			got, failed := c.call(t, tt.tool, tt.args)
			if !failed || !strings.HasPrefix(got, tt.want) {
				t.Errorf("%.200s:\n got %.500s\nwant %s…", tt.args, got, tt.want)
			}
		})
	}
	if c.log.Len() > 0 {
		t.Errorf("logged although callers can mend it: %s", c.log)
	}
}

// An unknown tool is a failure of the protocol.
func TestUnknownTool(t *testing.T) {
	c := connect(t, tools.Options{})
	if r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "drop_tables"}); err == nil {
		t.Errorf("got %+v", r)
	}
}

// A closed dataset and a call without time are told apart from mistakes.
func TestUnavailable(t *testing.T) {
	c := connect(t, tools.Options{Timeout: time.Nanosecond})
	if got, failed := c.call(t, "lookup", `{"code":"90210"}`); !failed || !strings.HasPrefix(got, "SERVICE_UNAVAILABLE: The request took too long.") {
		t.Errorf("without time: %s", got)
	}
	c = connect(t, tools.Options{})
	if err := c.db.Close(); err != nil {
		t.Fatal(err)
	}
	if got, failed := c.call(t, "lookup", `{"code":"90210"}`); !failed || !strings.HasPrefix(got, "SERVICE_UNAVAILABLE: ") {
		t.Errorf("closed: %s", got)
	}
}

// Whatever the arguments are, a tool answers, within its bounds, and nothing
// goes wrong inside.
func FuzzCall(f *testing.F) {
	for i := range toolNames {
		f.Add(uint8(i), `{"code":"90210","max":5,"query":"a","address":"1 Main St, Springfield, IL","from":"1","to":"2","latitude":1,"longitude":2,"layer":"county","geoid":"06037"}`)
	}
	seeds := []string{
		`{"code":"90210"}`, `{"code":"90210","max":1e308}`, `{"code":"90210","max":"-0"}`, `{"code":"\u0000","include":["\ud800"]}`,
		`{"polygon":{"type":"Polygon","coordinates":[[]]}}`, `{"polygon":{"type":"MultiPolygon","coordinates":[[[[1e400,0]]]]}}`,
		`{"polygon":{"type":"Polygon","coordinates":[[[-118.5,34.0],[-118.3,34.2],[-118.3,34.0],[-118.5,34.2],[-118.5,34.0]]]}}`,
		`{"from":["90210","1,1"],"to":[]}`, `{"codes":[null,"x"],"max":3}`, `{"layer":"cd","geoid":"\n"}`, `{"from":"tract","to":"zip","offset":3}`,
		`{"code":"10001","profiles":["social"],"years":[2011]}`, `{"latitude":1e-320,"longitude":-0}`, `{"query":"\u202e","proximity":"::1"}`, `{"address":"` + strings.Repeat("é ", 200) + `"}`,
		`{"addresses":["",null]}`, `{"query":"%","limit":2}`, `{"rule":"auto","code":"0,0"}`, `{"code":"10001","max":3,"fields":["social.households.total_households"],"years":[-1,1e9]}`,
		`{"code_a":"10001","code_b":"36061000100","field":"housing.value.median","dollars":9e99}`, `{"codes":["",null],"fields":[""]}`, `{"code":"0,180","tolerance":1000}`,
	}
	for i := range toolNames {
		for _, s := range seeds {
			f.Add(uint8(i), s)
		}
	}
	c := connect(f, tools.Options{})
	f.Fuzz(func(t *testing.T, tool uint8, args string) {
		if !json.Valid([]byte(args)) {
			t.Skip("the transport refuses it")
		}
		text, failed := c.call(t, toolNames[int(tool)%len(toolNames)], args)
		if strings.HasPrefix(text, "INTERNAL_ERROR") || c.log.Len() > 0 {
			t.Errorf("%s: %s", args, c.log)
		}
		if !failed && len(text) > tools.DefaultMaxResult {
			t.Errorf("%d bytes", len(text))
		}
	})
}
