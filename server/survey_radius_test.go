package server_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/radius"
)

// searchAnswer is what the tests below look at of an answer.
type searchAnswer struct {
	Results []struct {
		Search struct {
			AutoMode string `json:"auto_mode"`
		} `json:"search"`
		Matches []json.RawMessage `json:"matches"`
		Stats   json.RawMessage   `json:"stats"`
		Notices []surveyNotice    `json:"notices"`
	} `json:"results"`
	Meta struct {
		Credits struct {
			Used      int `json:"used"`
			Breakdown struct {
				Base        int            `json:"base"`
				Enrichments map[string]int `json:"enrichments"`
			} `json:"breakdown"`
		} `json:"credits"`
		Notices []surveyNotice `json:"notices"`
	} `json:"meta"`
}

func askSearch(t *testing.T, h http.Handler, r *http.Request) searchAnswer {
	t.Helper()
	resp := do(h, r)
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	heldToContract(t, resp, body)
	var a searchAnswer
	if err := json.Unmarshal(body, &a); err != nil || len(a.Results) == 0 {
		t.Fatalf("%v: %.300s", err, body)
	}
	return a
}

// TestSurveyOfSearches checks the years, the cost and the notices.
func TestSurveyOfSearches(t *testing.T) {
	h := newServer(t, sampletest.Open(t))
	for _, test := range []struct {
		name, query string
		years       string
		used, base  int
		charged     string
		notices     string
	}{
		{"newest first", "code=98101&max=10&include=acs_social_2012,acs_social,acs_social_2024,acs_housing_2023", "2024 2023 2012", 4, 1, "acs_housing_2023 acs_social acs_social_2012", ""},
		{"spatial, two circles of miles", "code=98101&max=60&mode=spatial&include=acs_economic,timezone", "2024", 6, 2, "acs_economic timezone", ""},
		{"limit", "code=98101&max=10&limit=1&include=acs_economic", "2024", 2, 1, "acs_economic", "RESULTS_CAPPED"},
		{"commute", "code=98101&max=auto-commute&include=acs_economic", "2024", 3, 1, "acs_economic auto_radius", ""},
		{"Canada", "code=M5V&max=1&include=acs_economic,acs_social_2012,census", "", 1, 1, "", "ENRICHMENT_UNAVAILABLE"},
		{"unknown", "code=98101&max=1&include=acs_economic_2010,acs_weather", "", 1, 1, "", "VALIDATION_UNKNOWN_ENRICHMENT"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := askSearch(t, h, get("/v2/radius?"+test.query))
			var stats radius.Stats
			if raw := a.Results[0].Stats; raw != nil {
				if err := json.Unmarshal(raw, &stats); err != nil {
					t.Fatal(err)
				}
				again, err := encode.Append(nil, stats)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(raw), string(again)); diff != "" {
					t.Errorf("read and written again (-want +got):\n%s", diff)
				}
			}
			var years, notices []string
			for i := range stats.ACS {
				years = append(years, strconv.Itoa(stats.ACS[i].Year))
			}
			for _, n := range append(a.Results[0].Notices, a.Meta.Notices...) {
				notices = append(notices, n.Code)
			}
			credits := a.Meta.Credits
			charged := strings.Join(slices.Sorted(maps.Keys(credits.Breakdown.Enrichments)), " ")
			if got := strings.Join(years, " "); got != test.years {
				t.Errorf("years %q, want %q", got, test.years)
			}
			if credits.Used != test.used || credits.Breakdown.Base != test.base || charged != test.charged {
				t.Errorf("%d credits of base %d for %q, want %d of %d for %q", credits.Used, credits.Breakdown.Base, charged, test.used, test.base, test.charged)
			}
			if got := strings.Join(notices, " "); got != test.notices {
				t.Errorf("notices %q, want %q", got, test.notices)
			}
		})
	}
}
