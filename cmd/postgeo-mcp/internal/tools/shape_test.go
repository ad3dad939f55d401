package tools_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

const (
	people = `"fields":["demographic.sex_and_age.total_population"]`
	sea    = `{"type":"Polygon","coordinates":[[[-150,20],[-149,20],[-149,21],[-150,20]]]}`
)

// everyTool has calls of each tool, those included that find little or nothing.
var everyTool = map[string][]string{
	"quick_lookup":      {`{"code":"90210"}`, `{"code":"90210-1234","include":"timezone"}`, `{"code":"34.1,-118.4"}`},
	"lookup":            {`{"code":"90210"}`, `{"code":"90210","include":"timezone,census,cd,state_leg,school_district,medicare,demographics,acs_social,quality"}`, `{"code":"34.1,-118.4","include":["census","cd"]}`, `{"code":"90210","only":"code"}`},
	"lookup_batch":      {`{"codes":["90210","10001","x"]}`, `{"codes":["90210"],"full":true,"include":"timezone,census,acs_housing"}`},
	"radius":            {`{"code":"90210","max":5}`, `{"code":"34,-150","max":1,"mode":"spatial","include":"timezone,acs_social"}`, `{"code":"90210","max":"auto"}`, `{"code":"90210","max":"auto-commute"}`},
	"radius_batch":      {`{"codes":["90210","x"],"max":5}`, `{"codes":["34,-150"],"max":1,"mode":"spatial"}`},
	"auto_radius":       {`{"code":"90210","rule":"auto"}`, `{"code":"90210","rule":"auto-commute"}`},
	"nearest":           {`{"code":"90210"}`, `{"code":"34,-150","max":1,"mode":"spatial","include":"timezone"}`},
	"inside_polygon":    {`{"polygon":` + square + `}`, `{"polygon":` + sea + `}`, `{"polygon":` + sea + `,"mode":"centroid","include":"timezone"}`},
	"suggest":           {`{"query":"beverly"}`, `{"query":"zzzzqqqq"}`, `{"query":"9","include":"county","country":"CA"}`},
	"distance":          {`{"from":"90210","to":"34,-118"}`},
	"distance_batch":    {`{"pairs":[{"from":"90210","to":"0,0"},{"from":"x"}]}`},
	"distance_matrix":   {`{"from":["90210"]}`, `{"from":["90210"],"to":["0,0"]}`},
	"pairs_within":      {`{"codes":["90210","0,0"],"max":5}`, `{"codes":["90210"],"max":5}`},
	"boundary_distance": {`{"from":"34,-118","code":"90210"}`},
	"neighbors":         {`{"code":"90210"}`, `{"code":"90210","tolerance":1000}`},
	"zip3":              {`{"code":"902"}`, `{"code":"90210"}`},
	"match_address":     {`{"address":"350 5th Ave, New York, NY 10118","include":"coordinates"}`},
	"match_addresses":   {`{"addresses":["350 5th Ave, New York, NY 10118",""]}`},
	"geocode":           {`{"address":"350 5th Ave, New York, NY 10118"}`},
	"reverse":           {`{"point":"40.7,-73.9"}`},
	"assess_address":    {`{"address":"350 5th Ave, New York, NY 10118","candidates":3}`, `{"address":"200 Randolph St, Chicago, IL 60601"}`, `{"address":"nowhere at all"}`},
	"suggest_address":   {`{"query":"350 5th av","near":"10118"}`, `{"query":"zzzzqqqq"}`},
	"parse_address":     {`{"address":"350 5th Ave, New York, NY 10118"}`, `{"address":"nowhere at all"}`},
	"areas_at":          {`{"latitude":34.1,"longitude":-118.4}`, `{"latitude":0,"longitude":0,"include":"census,cd,state_leg,school_district"}`},
	"codes_in":          {`{"layer":"county","geoid":"06037"}`, `{"layer":"state","geoid":"CA"}`},
	"outline":           {`{"code":"90210"}`, `{"layer":"county","geoid":"06037"}`},
	"crosswalk":         {`{"from":"zip","to":"county"}`, `{"from":"county","to":"zip","offset":100000}`, `{"from":"tract","to":"zip","weight":"people","limit":3}`},
	"list_codes":        {`{"kind":"ZIP"}`, `{"kind":"Postal"}`, `{"kind":"FSA","after":"Z9Z"}`},
	"list_areas":        {`{"layer":"county"}`, `{"layer":"cd","after":"99999"}`},
	"acs_profile":       {`{"code":"90210","profiles":["social"]}`, `{"code":"10001","profiles":["housing","social"],"years":[2011,2024]}`},
	"acs_fields":        {`{"query":"rent","limit":2}`, `{"query":"zzzzqqqq"}`},
	"acs_series":        {`{"codes":["90210"],` + people + `}`, `{"codes":["99999","06037000000"],` + people + `}`, `{"codes":["90210"],` + people + `,"years":[2011]}`, `{"codes":["90210"],` + people + `,"years":[1990]}`, `{"codes":[],"fields":[]}`},
	"acs_aggregate":     {`{"codes":["90210"],` + people + `}`, `{"polygon":` + sea + `,` + people + `}`, `{"code":"34,-150","max":1,` + people + `}`, `{"polygon":` + sea + `,` + people + `,"years":[1990]}`, `{"codes":["90210"],"fields":[]}`},
	"acs_compare":       {`{"code_a":"90210","code_b":"10001","field":"demographic.sex_and_age.total_population"}`, `{"code_a":"90210","year_a":2011,"field":"demographic.sex_and_age.total_population"}`},
	"dataset_info":      {`{}`, `{"only":"version"}`},
	"dataset_verify":    {`{}`},
}

// TestEveryAnswerHasItsShape validates what each tool answers against the
// schema that it declares, from datasets with and without layers.
func TestEveryAnswerHasItsShape(t *testing.T) {
	bare, err := lookuptest.WriteBare(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	small, err := lookuptest.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() (*postgeo.DB, error){
		"sample":                       postgeo.OpenSample,
		"without layers":               func() (*postgeo.DB, error) { return postgeo.Open(bare) },
		"without survey and addresses": func() (*postgeo.DB, error) { return postgeo.Open(small) },
	} {
		t.Run(name, func(t *testing.T) {
			db, err := open()
			if err != nil {
				t.Fatal(err)
			}
			c := connectTo(t, db, tools.Options{})
			for _, tool := range toolNames {
				if len(everyTool[tool]) == 0 {
					t.Errorf("no call of %s", tool)
				}
				answered := 0
				for _, args := range everyTool[tool] {
					text, failed := c.call(t, tool, args) // validates the answer
					if strings.HasPrefix(text, "INTERNAL_ERROR") {
						t.Errorf("%s %s: %s", tool, args, c.log)
					}
					if !failed {
						answered++
					}
				}
				if name == "sample" && answered == 0 && tool != "reverse" { // the sample has no streets
					t.Errorf("no call of %s has an answer", tool)
				}
			}
		})
	}
}
