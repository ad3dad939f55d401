package catalog_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder/fetch"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
)

func load(t *testing.T, text string, editions ...string) (*catalog.Catalog, error) {
	t.Helper()
	path := ""
	if text != "" {
		path = filepath.Join(t.TempDir(), "mine.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return catalog.Load(path, editions)
}

// TestEditions checks addresses, vintages and the editions around the catalog's.
func TestEditions(t *testing.T) {
	type edition struct{ Edition, Vintage, File, Newer, Earlier string }
	names := func(list []fetch.Source) string {
		var all []string
		for _, s := range list {
			all = append(all, s.Edition)
		}
		return strings.Join(all, " ")
	}
	for _, tt := range []struct {
		id, document string
		chosen       []string
		want         edition
	}{
		{id: "gazetteer-zcta", want: edition{"2026", "2026", "2026_Gazetteer/2026_Gaz_zcta_national.zip", "2028 2027", "2025 2024 2023 2022 2021"}},
		{id: "gazetteer-zcta", chosen: []string{"gazetteer=2025"}, want: edition{"2025", "2025", "2025_Gazetteer/2025_Gaz_zcta_national.zip", "", ""}},
		{id: "timezones", chosen: []string{"timezones=2025b", "gazetteer=2025"}, want: edition{"2025b", "2025b", "2025b/timezones.geojson.zip", "", ""}},
		{id: "tz-database", document: `{"sources":[{"id":"tz-database","edition":"2026a","oldest":"2025i"}]}`, want: edition{"2026a", "2026a", "tags/2026.1.tar.gz", "2027b 2027a 2026e 2026d 2026c 2026b", "2025j 2025i"}},
		{id: "acs-b01003", want: edition{"2024", "2020-2024", "5YRData/acsdt5y2024-b01003.dat", "2026 2025", "2023 2022 2021"}},
		{id: "acs-b01003-older", want: edition{"2023", "2019-2023", "5YRData/acsdt5y2023-b01003.dat", "", ""}},
		{id: "nces-offices", want: edition{"2024", "school year 2024-25", "data/EDGE_GEOCODE_PUBLICLEA_2425.zip", "", ""}},
		{id: "delineation", chosen: []string{"delineation=2028"}, want: edition{"2028", "2028", "delineation-files/list1_2028.xlsx", "", ""}},
		{id: "statcan-lfsa", want: edition{"2021", "2021", "files-fichiers/lfsa000b21a_e.zip", "2031 2026", ""}},
		{id: "ssa-counties", want: edition{"2026", "2026", "2026/ssa_fips_state_county_2026.csv", "2028 2027", "2025 2024 2023 2022 2021 2020 2019 2018 2017"}},
		{id: "ssa-counties", chosen: []string{"ssa-counties=2017"}, want: edition{"2017", "2017", "cbsa-msa-fips-ssa-county-crosswalk/cbsatocountycrosswalk.csv", "", ""}},
		{id: "cb-states", document: `{"sources":[{"id":"cb-states","pinned":""}]}`, want: edition{"2024", "2024", "shp/cb_2024_us_state_500k.zip", "2026 2025", ""}},
		{id: "geonames-us", want: edition{"", "", "zip/US.zip", "", ""}},
	} {
		c, err := load(t, tt.document, tt.chosen...)
		if err != nil {
			t.Fatal(err)
		}
		s := c.Source(tt.id)
		parts := strings.Split(s.URL, "/")
		got := edition{s.Edition, s.Vintage, strings.Join(parts[len(parts)-2:], "/"), names(s.Newer), names(s.Earlier)}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", tt.id, tt.chosen, diff)
		}
		for _, other := range append(s.Newer, s.Earlier...) {
			if other.Usual != s.Edition || other.ID != s.ID || other.License == "" {
				t.Errorf("%s %s is %+v, want it marked as in place of %s", tt.id, other.Edition, other, s.Edition)
			}
		}
	}
	segments := catalog.BuiltIn().Segments("30059")
	if got := []string{segments.ID, segments.Title, filepath.Base(segments.URL), segments.Earlier[1].URL}; !cmp.Equal(got, []string{
		"tiger-streets-30059", "TIGER/Line, street segments of county 30059", "tl_2025_30059_addrfeat.zip",
		"https://www2.census.gov/geo/tiger/TIGER2023/ADDRFEAT/tl_2023_30059_addrfeat.zip",
	}) {
		t.Errorf("segments %q", got)
	}
}

func TestStateFiles(t *testing.T) {
	const puma = "https://www2.census.gov/geo/tiger/TIGER2024/PUMA20/tl_2024_"
	c, states := catalog.BuiltIn(), 0
	for _, s := range c.Files() {
		if strings.HasPrefix(s.ID, catalog.PUMAAreas+"-") {
			states++
			if fips := strings.TrimPrefix(s.ID, catalog.PUMAAreas+"-"); s.URL != puma+fips+"_puma20.zip" || s.Title != "TIGER/Line, Public Use Microdata Areas of state "+fips {
				t.Errorf("%+v", s)
			}
		}
		if strings.Contains(s.URL, "{") || s.ID == catalog.PUMAAreas {
			t.Errorf("%s is at %s", s.ID, s.URL)
		}
	}
	const all = 56 // with the District of Columbia and five islands
	if states != all {
		t.Errorf("%d states, want %d", states, all)
	}
	for _, s := range c.Described() {
		if s.ID == catalog.PUMAAreas && s.URL != puma+"SS_puma20.zip" {
			t.Errorf("a list has %+v", s)
		}
	}
	for id, want := range map[string]string{
		"tiger-puma-36": "tiger-puma tl_2024_36_puma20.zip", "tiger-vtd-02": "tiger-vtd tl_2020_02_vtd20.zip",
		"tiger-streets-30059": "tiger-streets tl_2025_30059_addrfeat.zip", "tiger-urban": "", "cb-states-36": "",
	} {
		if s, entry, ok := c.Part(id); ok != (want != "") || ok && entry+" "+filepath.Base(s.URL) != want {
			t.Errorf("%s is a part of %q: %+v", id, entry, s)
		}
	}
}

// TestChanges overrides fields of the built-in catalog.
func TestChanges(t *testing.T) {
	c, err := load(t, `{
		"publishers": {"us": {"license": "mine", "attribution": "me"}},
		"sources": [
			{"id": "geonames-us", "publisher": "us", "url": "https://mirror.example.org/US.zip", "layers": ["places"]},
			{"id": "timezones", "edition": "2027a"}
		]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := catalog.BuiltIn().Source("geonames-us")
	want.Redistribution = "unknown"
	want.URL, want.License, want.Attribution, want.Layers = "https://mirror.example.org/US.zip", "mine", "me", []fetch.Layer{catalog.Places}
	if diff := cmp.Diff(want, c.Source("geonames-us")); diff != "" {
		t.Errorf("source (-want +got):\n%s", diff)
	}
	if s := c.Source("timezones"); !strings.Contains(s.URL, "/2027a/") || s.Earlier[0].Edition != "2026j" {
		t.Errorf("time zones of %s before %s", s.URL, s.Earlier[0].Edition)
	}
}

// TestFaults gives documents and editions that are refused.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ document, edition, want string }{
		{"{\n\"sources\": [\n}", "", "mine.json:3: invalid character"},
		{`{"sources":[{"id":"x"}]}`, "", `unknown source "x"; this program reads: geonames-us, `},
		{`{"sources":[{"title":"x"}]}`, "", "source 1 has no id"},
		{`{"sources":[{"id":"timezones"},{"id":"timezones"}]}`, "", `source "timezones" is there twice`},
		{`{"sources":[{"id":"timezones","editon":"2027a"}]}`, "", `source "timezones": json: unknown field "editon"`},
		{`{"sources":[{"id":"timezones","format":"PDF"}]}`, "", `unknown format "PDF"; known formats: text, shapefile`},
		{`{"sources":[{"id":"timezones","edition":"27"}]}`, "", `timezones: edition: "27" is not a year or a year and a letter`},
		{`{"sources":[{"id":"timezones","edition":""}]}`, "", "the address has a placeholder and no edition"},
		{`{"sources":[{"id":"timezones","oldest":"2030a"}]}`, "", `timezones: oldest: "2030a" is not an edition before 2026d`},
		{`{"sources":[{"id":"timezones","url":"ftp://a/b"}]}`, "", `"ftp://a/b" is not a plain https address`},
		{`{"sources":[{"id":"timezones","url":"https://a/{month}"}]}`, "", "placeholder {month} is not {edition}"},
		{`{"sources":[{"id":"timezones","url":"https://a/{edition"}]}`, "", "has a brace that belongs to no placeholder"},
		{`{"sources":[{"id":"gazetteer-zcta","url":"https://a/{letter}"}]}`, "", "placeholder {letter} is not"},
		{`{"sources":[{"id":"timezones","layers":["sea"]}]}`, "", `unknown layer "sea"`},
		{`{"sources":[{"id":"timezones","layers":[],"size":0,"title":""}]}`, "", "timezones: title: it is missing"},
		{`{"sources":[{"id":"timezones","redistribution":"perhaps"}]}`, "", `redistribution: "perhaps", expected one of public-domain, attribution`},
		{`{"sources":[{"id":"timezones","publisher":"me"}]}`, "", `"me" is not one of publishers`},
		{"", "gazetteer", `edition "gazetteer": expected NAME=EDITION`},
		{"", "tiger-vtd=2022", "tiger-vtd has no editions"},
		{"", "gazetteer=2026a", "gazetteer-zcta: expected an edition such as 2026"},
		{"", "timezones=2026", "timezones: expected an edition such as 2026d"},
		{"", "geonames-us=2026", "geonames-us has no editions"},
		{"", "geonames=2026", `no source with editions is called "geonames"`},
	} {
		var editions []string
		if tt.edition != "" {
			editions = []string{tt.edition}
		}
		if _, err := load(t, tt.document, editions...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s%s: error %v, want %q", tt.document, tt.edition, err, tt.want)
		}
	}
	if _, err := catalog.Load(filepath.Join(t.TempDir(), "absent.json"), nil); err == nil {
		t.Error("no error for a file that does not exist")
	}
}
