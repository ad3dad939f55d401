package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// surveyAnswer is what the tests below look at of an answer.
type surveyAnswer struct {
	Success bool `json:"success"`
	Results []struct {
		ACS     json.RawMessage `json:"acs"`
		Notices []surveyNotice  `json:"notices"`
	} `json:"results"`
	Meta struct {
		Credits struct {
			Breakdown struct {
				Base        int            `json:"base"`
				Enrichments map[string]int `json:"enrichments"`
			} `json:"breakdown"`
		} `json:"credits"`
		Notices []surveyNotice `json:"notices"`
	} `json:"meta"`
}

type surveyNotice struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// TestSurvey requests blocks of the survey in every way. It checks the years,
// the keys, the cost and the notices.
func TestSurvey(t *testing.T) {
	h := newServer(t, sampletest.Open(t))
	for _, test := range []struct {
		name, code, include string
		years               string // keys with their profiles
		charged             string
		notices             string
	}{
		{"newest year twice", "10001", "acs_economic,ACS-Economic-2024,acs_economic", "2024:economic", "acs_economic", ""},
		{
			"newest first", "10001", "acs_social_2011,acs_social_2019,acs_housing_2011,acs_demographic", "2024:demographic 2019:social 2011:social+housing",
			"acs_demographic acs_housing_2011 acs_social_2011 acs_social_2019", "",
		},
		{
			"unknown", "10001", "acs_demographic_,acs_social_2010,acs_social_2025,acs_weather,acs_social", "2024:social", "acs_social",
			"VALIDATION_UNKNOWN_ENRICHMENT acs_demographic_, acs_social_2010, acs_social_2025, acs_weather",
		},
		{"published since 2020", "77002", "acs_social,acs_social_2019,acs_housing_2019,acs_social_2020", "2024:social 2020:social 2019:social+housing", "acs_social acs_social_2020", ""},
		{"no ZCTA", "09012", "acs_social,acs_social_2011", "", "", "ENRICHMENT_UNAVAILABLE acs_social, acs_social_2011"},
		{"point only", "10008", "acs_social", "", "", "ENRICHMENT_UNAVAILABLE acs_social"},
		{"Canada", "K1A", "acs_social,acs_housing_2015", "", "", "ENRICHMENT_UNAVAILABLE acs_social, acs_housing_2015"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := askSurvey(t, h, test.code, test.include)
			if got.years != test.years {
				t.Errorf("years  %s\nwant   %s", got.years, test.years)
			}
			if got.charged != test.charged {
				t.Errorf("charged %s\nwant    %s", got.charged, test.charged)
			}
			if got.notices != test.notices {
				t.Errorf("notices %s\nwant    %s", got.notices, test.notices)
			}
		})
	}
}

type surveySummary struct{ years, charged, notices string }

func askSurvey(t *testing.T, h http.Handler, code, include string) surveySummary {
	t.Helper()
	resp := do(h, get("/v2/zip?"+url.Values{"code": {code}, "include": {include}}.Encode()))
	body, err := io.ReadAll(resp.Body)
	check(t, err)
	heldToContract(t, resp, body)
	var a surveyAnswer
	if err := json.Unmarshal(body, &a); err != nil || !a.Success || len(a.Results) != 1 {
		t.Fatalf("%v: %.500s", err, body)
	}
	var years acs.Years[acs.Block]
	if raw := a.Results[0].ACS; raw != nil {
		check(t, json.Unmarshal(raw, &years))
	}
	var s surveySummary
	for i := range years {
		var names []string
		for _, p := range acs.AllProfiles() {
			if slices.Contains(years[i].Requested, p) {
				names = append(names, p.String())
			}
		}
		s.years += " " + strconv.Itoa(years[i].Year) + ":" + strings.Join(names, "+")
	}
	s.years = strings.TrimSpace(s.years)
	var flags []string
	for f, n := range a.Meta.Credits.Breakdown.Enrichments {
		if n != 1 {
			t.Errorf("%s costs %d", f, n)
		}
		flags = append(flags, f)
	}
	s.charged = strings.Join(slices.Sorted(slices.Values(flags)), " ")
	for _, n := range append(a.Meta.Notices, a.Results[0].Notices...) {
		_, list, _ := strings.Cut(n.Message, ": ")
		s.notices += n.Code + " " + strings.TrimSuffix(list, ".")
	}
	return s
}

// A year without publications for a ZCTA has nulls.
func TestSurveyUnpublished(t *testing.T) {
	resp := do(newServer(t, sampletest.Open(t)), get("/v2/zip?code=77002&include=acs_housing_2019,acs_social_2019"))
	body, err := io.ReadAll(resp.Body)
	check(t, err)
	heldToContract(t, resp, body)
	var a surveyAnswer
	if err := json.Unmarshal(body, &a); err != nil || len(a.Results) != 1 {
		t.Fatalf("%v: %.500s", err, body)
	}
	want := `{"2019":{"source":"sample: invented figures in the form of the American Community Survey","product":"ACS 5-Year Estimates Data Profiles",` +
		`"year":2019,"vintage":"2015-2019","geo_id":"8600000US77002","geography_level":"zcta",` +
		`"tables":{"demographic":"DP05","social":"DP02","economic":"DP03","housing":"DP04"},` +
		`"published":false,"note":"No data was published for ZCTA 77002 in the 2015-2019 estimates.","social":null,"housing":null}}`
	if diff := cmp.Diff(want, string(a.Results[0].ACS)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(a.Meta.Credits.Breakdown.Enrichments) != 0 || a.Meta.Credits.Breakdown.Base != 1 {
		t.Errorf("charged %+v", a.Meta.Credits.Breakdown)
	}
}
