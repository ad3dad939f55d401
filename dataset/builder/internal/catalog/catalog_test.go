package catalog_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// TestOlderFiles checks the files that a build reads from a mirror without the newest.
func TestOlderFiles(t *testing.T) {
	for _, tt := range []struct {
		source fetch.Source
		want   [][4]string // vintage, file, title and note
	}{
		{catalog.Load(nil).Source("gazetteer-zcta"), [][4]string{{"2025", "2025_Gaz_zcta_national.zip", "Gazetteer, ZIP Code Tabulation Areas"}}},
		{catalog.Load(nil).Source("zbp"), [][4]string{{"2020", "zbp20totals.zip", "ZIP Code Business Patterns 2020, totals"}}},
		{catalog.Load(nil).Source("ssa-counties"), [][4]string{{"2017", "cbsatocountycrosswalk.csv", catalog.Load(nil).Source("ssa-counties").Title, "counties of before 2019 in Alaska and of before 2022 in Connecticut"}}},
		{catalog.Load(nil).Segments("30059"), [][4]string{
			{"2024", "tl_2024_30059_addrfeat.zip", "TIGER/Line, street segments of county 30059"},
			{"2021", "tl_2021_30059_addrfeat.zip", "TIGER/Line, street segments of county 30059"},
			{"2014", "tl_2014_30059_addrfeat.zip", "TIGER/Line, street segments of county 30059"},
		}},
		{catalog.Load(nil).Source("geonames-us"), nil},
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
	c, states := catalog.Load(nil), 0
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
		if s, entry := c.Find(id); (entry != "") != (want != "") || entry != "" && entry+" "+filepath.Base(s.URL) != want {
			t.Errorf("%s is a part of %q: %+v", id, entry, s)
		}
	}
}

// TestSources checks that the entries of the catalog are complete.
func TestSources(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range append(catalog.Load(nil).Described(), catalog.Load(nil).Segments("30059")) {
		wrong := map[string]bool{
			"is there twice":                   seen[s.ID],
			"lacks title, license or refresh":  s.Title == "" || s.License == "" || s.Refresh == "",
			"has no format":                    s.Format == "",
			"has no redistribution":            !slices.Contains([]string{"public-domain", "attribution", "share-alike", "restricted", "unknown"}, s.Redistribution),
			"feeds no field":                   len(s.Feeds) == 0,
			"lacks an address or layers":       !s.UserSupplied && (s.URL == "" || len(s.Layers) == 0 && s.ID != "tiger-streets-30059"),
			"lacks a size":                     !s.UserSupplied && !s.MirrorOnly && s.Size <= 0,
			"lacks a note about its origin":    (s.UserSupplied || s.MirrorOnly && s.Refresh != "superseded") && s.Note == "",
			"is of mirrors only and necessary": s.MirrorOnly && (s.UserSupplied || !s.Optional),
		}
		for _, of := range append(s.Older, s) {
			wrong["has an older file without vintage"] = wrong["has an older file without vintage"] || of.Usual != "" && of.Vintage == ""
			wrong["has a bad address"] = wrong["has a bad address"] || of.URL != "" && !address.MatchString(of.URL)
		}
		for _, l := range s.Layers {
			wrong["has an unknown layer"] = wrong["has an unknown layer"] || !slices.ContainsFunc(builder.Layers(), func(c builder.LayerInfo) bool { return c.Name == l })
		}
		for fault, is := range wrong {
			if is {
				t.Errorf("%s %s", s.ID, fault)
			}
		}
		seen[s.ID] = true
	}
}

var address = regexp.MustCompile(`^https://[a-z0-9.-]+/[^?{}]+$`)
