package synth_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
)

// twoZIPs are facts that agree: two neighboring ZIPs of one county.
func twoZIPs() synth.Facts {
	zip := func(code dataset.ZIP, lat, lng float64) synth.ZIPFact {
		return synth.ZIPFact{Code: code, City: "Denver", County: "08031", Point: geo.MustLatLng(lat, lng), Class: store.General, HasArea: true}
	}
	return synth.Facts{
		Label:    "sample",
		Counties: []synth.CountyFact{{FIPS: "08031", Name: "Denver County", Zone: "America/Denver"}},
		Regions:  []synth.RegionFact{{Name: "denver", ZIPs: []synth.ZIPFact{zip(80202, 39.752, -104.995), zip(80203, 39.731, -104.982)}}},
	}
}

func TestFromFactsRefusesContradictions(t *testing.T) {
	if _, err := synth.FromFacts(twoZIPs()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		change func(*synth.Facts)
		want   string
	}{
		{"a ZIP twice", func(f *synth.Facts) { f.Regions[0].ZIPs[1].Code = 80202 }, "80202 is given twice"},
		{"two areas at one point", func(f *synth.Facts) { f.Regions[0].ZIPs[1].Point = f.Regions[0].ZIPs[0].Point }, "two areas have their point at"},
		{"unknown county", func(f *synth.Facts) { f.Regions[0].ZIPs[0].County = "08001" }, `county "08001" is unknown`},
		{"unknown second county", func(f *synth.Facts) { f.Regions[0].ZIPs[0].SecondCounty = "08005" }, `county "08005" is unknown`},
		{"unknown metro", func(f *synth.Facts) { f.Counties[0].CBSA = "19740" }, `unknown state, metropolitan area "19740"`},
		{"short county code", func(f *synth.Facts) { f.Counties[0].FIPS = "8" }, `county code "8"`},
		{"overlapping regions", func(f *synth.Facts) {
			f.Regions = append(f.Regions, synth.RegionFact{Name: "again", ZIPs: []synth.ZIPFact{f.Regions[0].ZIPs[0]}})
		}, "overlaps region denver"},
		{"point outside the box", func(f *synth.Facts) { f.Regions[0].Box = synth.Box{X0: 0, Y0: 0, X1: 1, Y1: 1} }, "lies outside the box"},
		{"no point", func(f *synth.Facts) { f.Regions[0].ZIPs[0].Point = geo.LatLng{} }, "80202 has no point"},
		{"empty region", func(f *synth.Facts) { f.Regions = append(f.Regions, synth.RegionFact{Name: "nowhere"}) }, "no code has an area"},
		{"unknown military state", func(f *synth.Facts) { f.Military = []synth.MilitaryFact{{Code: 9012, City: "APO", State: "AX"}} }, `state "AX"`},
		{"postal code without FSA", func(f *synth.Facts) { f.PostalCodes = []synth.PostalCodeFact{{Code: 5}} }, "unknown FSA"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := twoZIPs()
			test.change(&f)
			_, err := synth.FromFacts(f)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}
