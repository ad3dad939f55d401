package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/function"
)

// TestGoldenFunctions checks complete responses to warehouses.
func TestGoldenFunctions(t *testing.T) {
	db := openDB(t)
	bigQuery := func(name, calls string) *http.Request {
		return post("/v2/functions/bigquery/"+name, `{"requestId":"124ab1c","caller":"//bigquery.googleapis.com/projects/p/jobs/j","sessionUser":"a@example.com","userDefinedContext":{},"calls":`+calls+`}`)
	}
	snowflake := func(name, data string) *http.Request {
		return post("/v2/functions/snowflake/"+name, `{"data":`+data+`}`)
	}
	tests := map[string]*http.Request{
		"functions-bigquery":          bigQuery("zip_county", `[["90210"],["10001"],["99999"],["x"],[null],[" k1a "]]`),
		"functions-bigquery-zeros":    bigQuery("zip_state", `[[9012],[90210],["9012"],[501],[12]]`),
		"functions-bigquery-object":   bigQuery("zip_lookup", `[["90210"],["99999"]]`),
		"functions-bigquery-point":    bigQuery("point_zip", `[[34.1,-118.415],["34.1","-118.415"],[91,0],[null,null]]`),
		"functions-bigquery-distance": bigQuery("geo_distance", `[["90210","10001"],["90210",null]]`),
		"functions-bigquery-geocode":  bigQuery("geocode", `[["400 N Sample Dr, Beverly Hills, CA 90210"],["400 N Sample Dr","Beverly Hills","CA","90210"]]`),
		"functions-snowflake":         snowflake("zip_city", `[[0,"90210"],[1,"99999"],[2,null]]`),
		"functions-snowflake-object":  snowflake("find_place", `[[7,"Beverly Hills, CA"]]`),

		"error-functions-name":      bigQuery("zip_moon", `[["90210"]]`),
		"error-functions-missing":   post("/v2/functions/bigquery/zip_city", `{"data":[["90210"]]}`),
		"error-functions-empty":     bigQuery("zip_city", `[]`),
		"error-functions-arguments": bigQuery("point_zip", `[["90210"]]`),
		"error-functions-many":      bigQuery("zip_city", `[["90210","10001"]]`),
		"error-functions-row":       bigQuery("zip_city", `["90210"]`),
		"error-functions-cell":      bigQuery("zip_city", `[[{"a":1}]]`),
		"error-functions-number":    snowflake("zip_city", `[[]]`),
		"error-functions-too-large": snowflake("zip_city", repeat(`[0,"90210"]`, 1001)),
		"error-functions-method":    get("/v2/functions/bigquery/zip_city"),
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			golden(t, name, dump(t, do(newServer(t, db), r)))
		})
	}
}

// TestFunctionCredits checks that a request costs the sum of its rows, with the key in
// the query next to the Authorization header of the warehouse.
func TestFunctionCredits(t *testing.T) {
	for _, tt := range []struct {
		name, rows string
		spent      int
	}{
		{"zip_city", `[["90210"],["90210"],["99999"],["x"],[null],["902101234"]]`, 5},
		{"zip_state", `[[9012],["9012"],[12]]`, 1}, // numbers have no zeros; text keeps its own
		{"point_zip", `[[34.1,-118.415],[0,0]]`, 4},
		{"zip_city", `[["90210.0"],["9.021E+04"],["'90210"]]`, 0}, // refused, as in every route
		{"geo_distance", `[["90210","10001"]]`, 1},
		{"geo_distance", `[["90210","x"],["90210",null],["90210"]]`, 0},
		{"find_place", `[["Beverly Hills, CA"]]`, 1},
	} {
		b := rich()
		s := newServer(t, openDB(t), withAccounts(t, b))
		r := post("/v2/functions/bigquery/"+tt.name+"?key="+key("paid"), `{"calls":`+tt.rows+`}`)
		r.Header.Set("Authorization", "Bearer of BigQuery")
		resp := do(s, r)
		text, spent := readAll(t, resp), 1000-b.available()
		if resp.StatusCode != http.StatusOK || spent != tt.spent || b.calls() != "reserve settle" {
			t.Errorf("%s: status %d, %d credits, want %d: %s", tt.name, resp.StatusCode, spent, tt.spent, text)
		}
		if tt.spent == 0 && strings.Trim(text, "\n") != `{"replies":[null,null,null]}` {
			t.Errorf("%s answers without a price: %s", tt.name, text)
		}
	}
}

// TestEveryFunction checks that warehouses reach every function, in batches of a thousand.
func TestEveryFunction(t *testing.T) {
	s := newServer(t, openDB(t))
	for _, f := range function.All() {
		row := "[0" + strings.Repeat(`,"90210"`, len(f.Arguments)) + "]"
		resp := do(s, post("/v2/functions/snowflake/"+f.Name, `{"data":`+repeat(row, 1000)+`}`))
		var got struct {
			Data [][]any `json:"data"`
		}
		if err := json.Unmarshal([]byte(readAll(t, resp)), &got); err != nil || resp.StatusCode != http.StatusOK || len(got.Data) != 1000 {
			t.Errorf("%s: status %d, %d rows, %v", f.Name, resp.StatusCode, len(got.Data), err)
		}
	}
}
