package catalog_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

func load(t *testing.T, text string) (*catalog.Catalog, error) {
	t.Helper()
	path := ""
	if text != "" {
		path = filepath.Join(t.TempDir(), "mine.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return catalog.Load(path)
}

// TestOlderFiles checks the files that a build reads from a mirror without the newest.
func TestOlderFiles(t *testing.T) {
	for _, tt := range []struct {
		source fetch.Source
		want   [][4]string // vintage, file, title and note
	}{
		{catalog.BuiltIn().Source("gazetteer-zcta"), [][4]string{{"2025", "2025_Gaz_zcta_national.zip", "Gazetteer, ZIP Code Tabulation Areas"}}},
		{catalog.BuiltIn().Source("zbp"), [][4]string{{"2020", "zbp20totals.zip", "ZIP Code Business Patterns 2020, totals"}}},
		{catalog.BuiltIn().Source("ssa-counties"), [][4]string{{"2017", "cbsatocountycrosswalk.csv", catalog.BuiltIn().Source("ssa-counties").Title, "counties of before 2019 in Alaska and of before 2022 in Connecticut"}}},
		{catalog.BuiltIn().Segments("30059"), [][4]string{
			{"2024", "tl_2024_30059_addrfeat.zip", "TIGER/Line, street segments of county 30059"},
			{"2021", "tl_2021_30059_addrfeat.zip", "TIGER/Line, street segments of county 30059"},
			{"2014", "tl_2014_30059_addrfeat.zip", "TIGER/Line, street segments of county 30059"},
		}},
		{catalog.BuiltIn().Source("geonames-us"), nil},
	} {
		var got [][4]string
		for _, s := range tt.source.Older {
			got = append(got, [4]string{s.Vintage, filepath.Base(s.URL), s.Title, s.Note})
			if s.Usual != tt.source.Vintage || s.ID != tt.source.ID || s.License == "" {
				t.Errorf("%s is %+v, want it marked as in place of %s", s.Vintage, s, tt.source.Vintage)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.source.ID, diff)
		}
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
			{"id": "timezones", "url": "https://example.org/2027a.zip", "vintage": "2027a", "older": []}
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
	if s := c.Source("timezones"); s.URL != "https://example.org/2027a.zip" || s.Vintage != "2027a" || s.Older != nil {
		t.Errorf("time zones %+v", s)
	}
}

// TestFaults gives documents that are refused.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ document, want string }{
		{"{\n\"sources\": [\n}", "mine.json:3: invalid character"},
		{`{"sources":[{"id":"x"}]}`, `unknown source "x"; this program reads: geonames-us, `},
		{`{"sources":[{"title":"x"}]}`, "source 1 has no id"},
		{`{"sources":[{"id":"timezones"},{"id":"timezones"}]}`, `source "timezones" is there twice`},
		{`{"sources":[{"id":"timezones","editon":"2027a"}]}`, `source "timezones": json: unknown field "editon"`},
		{`{"sources":[{"id":"timezones","format":"PDF"}]}`, `unknown format "PDF"; known formats: text, shapefile`},
		{`{"sources":[{"id":"timezones","url":"ftp://a/b"}]}`, `"ftp://a/b" is not a plain https address`},
		{`{"sources":[{"id":"timezones","url":"https://a/{month}"}]}`, `"https://a/{month}" is not a plain https address`},
		{`{"sources":[{"id":"timezones","edition":"2027a"}]}`, `unknown field "edition"`},
		{`{"sources":[{"id":"timezones","older":[{"url":"https://a/b"}]}]}`, "an older file needs an address and a vintage"},
		{`{"sources":[{"id":"timezones","older":[{"url":"ftp://a/b","vintage":"1"}]}]}`, `"ftp://a/b" is not a plain https address`},
		{`{"sources":[{"id":"timezones","layers":["sea"]}]}`, `unknown layer "sea"`},
		{`{"sources":[{"id":"timezones","layers":[],"size":0,"title":""}]}`, "timezones: title: it is missing"},
		{`{"sources":[{"id":"timezones","redistribution":"perhaps"}]}`, `redistribution: "perhaps", expected one of public-domain, attribution`},
		{`{"sources":[{"id":"timezones","publisher":"me"}]}`, `"me" is not one of publishers`},
	} {
		if _, err := load(t, tt.document); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.document, err, tt.want)
		}
	}
	if _, err := catalog.Load(filepath.Join(t.TempDir(), "absent.json")); err == nil {
		t.Error("no error for a file that does not exist")
	}
}
