package builder_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
)

// most returns the county with most people and the number of people in all
// counties.
func most(counts map[string]int64) (best string, all int64) {
	for fips, n := range counts {
		all += n
		if n > counts[best] || n == counts[best] && fips < best {
			best = fips
		}
	}
	return best, all
}

// residentsByCounty returns the people of the census of 2020 inside each ZIP's
// outline, by county.
func (b *built) residentsByCounty() map[postcode.ZIP]map[string]int64 {
	b.t.Helper()
	file := format.File{Path: filepath.Join(nationalMirror, "www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt.gz")}
	people := map[postcode.ZIP]map[string]int64{}
	for r, err := range source.BlockGroupCenters(file) {
		if errors.Is(err, os.ErrNotExist) {
			b.t.Skip(err)
		}
		if err != nil {
			b.t.Fatal(err)
		}
		zip, ok := b.ZIPAreas().Containing(r.Location)
		if !ok {
			continue
		}
		fips := r.GEOID[:5]
		if _, known := b.CountyByFIPS(fips); !known { // of before 2022 in Connecticut
			id, _ := b.CountyAreas().Containing(r.Location)
			fips = b.county(id)
		}
		if people[zip] == nil {
			people[zip] = map[string]int64{}
		}
		people[zip][fips] += r.People
	}
	return people
}

// TestNationalCountyOfRecord checks counties of record that a review of the
// national dataset found to be wrong. It also checks that nearly all people live in the
// county of record of most people of their ZIP, and polling places are in it.
func TestNationalCountyOfRecord(t *testing.T) {
	b := openNational(t)
	for code, want := range map[string]string{
		"75287": "48121", // Denton; 0.0 % of it is in Dallas County
		"23059": "51087", // Henrico
		"43110": "39049", // Franklin
		"80011": "08005", // Arapahoe
		"60133": "17031", // Cook
		"42223": "21047", // Christian, Kentucky, though a third live in Tennessee
		"06103": "09110", // Capitol Planning Region
	} {
		if row, _ := b.zip(code); b.county(row.County) != want {
			t.Errorf("%s is in county %s, want %s", code, b.county(row.County), want)
		}
	}
	for row := range b.ZIPs() {
		if row.County != 0 && b.County(row.County).State != row.State {
			t.Errorf("%s is in %s, and its county in another state", row.ZIP, b.State(row.State).Abbr)
		}
	}
	zips, same, people, agree := 0, 0, 0, 0
	for zip, counts := range b.residentsByCounty() {
		row, _ := b.ZIP(zip)
		home, all := most(counts)
		if all == 0 {
			continue
		}
		zips++
		people += int(all)
		if b.county(row.County) == home {
			same++
			agree += int(all)
		}
	}
	share := float64(agree) / float64(people)
	if share < 0.998 {
		t.Errorf("%.5f of people, want at least 0.998", share)
	}
	compared, alike := b.placesInCounty()
	agreement := func(part, all int) string { return fmt.Sprintf("%.2f %%", 100*float64(part)/float64(all)) }
	scoretest.Hold(t, "national", scoretest.Table{
		Title: "counties", Columns: []string{"county of record compared with", ">number", ">agreement"},
		Rows: [][]any{
			{"county with most residents, ZIP Codes with outlines", zips, agreement(same, zips)},
			{"the same, by people", people, agreement(agree, people)},
			{"county of polling places in 16 states, ZIP Codes", compared, agreement(alike, compared)},
		},
	})
}

var zipAtEnd = regexp.MustCompile(`\b(\d{5})(?:-\d{4})?\s*$`)

// placesInCounty compares counties of record with those of the polling places of 16
// states. ZIPs have at least four places, two thirds of them in one county. It returns
// the number of ZIPs, and of those in the same county.
func (b *built) placesInCounty() (zips, same int) {
	t := b.t
	t.Helper()
	names := map[[2]string]string{}
	for _, c := range b.Counties() {
		names[[2]string{b.State(c.State).Abbr, draft.CountyName(c.Name)}] = c.FIPS
	}
	places := map[postcode.ZIP]map[string]int64{}
	for _, r := range gzippedRows(t, filepath.Join(filepath.Dir(nationalMirror), "address", "polling_2018_raw.csv.gz")) {
		zip := zipAtEnd.FindStringSubmatch(r[3])
		fips := names[[2]string{r[0], draft.CountyName(r[1])}]
		if zip == nil || fips == "" {
			continue
		}
		code := zipOf(t, zip[1])
		if places[code] == nil {
			places[code] = map[string]int64{}
		}
		places[code][fips]++
	}
	const least = 4
	for zip, counts := range places {
		row, ok := b.ZIP(zip)
		home, all := most(counts)
		if !ok || all < least || counts[home]*3 < all*2 {
			continue
		}
		zips++
		if b.county(row.County) == home {
			same++
		} else {
			t.Logf("%s is in %s, its places in %v", zip, b.county(row.County), counts)
		}
	}
	share := float64(same) / float64(zips)
	if zips < 2000 || share < 0.996 {
		t.Errorf("%.4f of %d ZIPs, want at least 0.996 of 2,000", share, zips)
	}
	return zips, same
}
