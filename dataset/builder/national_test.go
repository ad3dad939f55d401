package builder_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// few reports more exceptions than a rule may have, with some examples.
func few(t *testing.T, what string, found []string, most int) {
	t.Helper()
	t.Logf("%d %s: %v", len(found), what, found[:min(len(found), 12)])
	if len(found) > most {
		t.Errorf("%d %s, want at most %d", len(found), what, most)
	}
}

// TestNationalPoints checks that general ZIP Codes and FSAs lie within their own
// outlines, so that their point resolves to them. Postal codes lie near theirs.
func TestNationalPoints(t *testing.T) {
	b := openNational(t)
	var zips, fsas, far, none []string
	for row := range b.ZIPs() {
		if !row.Location.IsValid() && row.Class != store.Military {
			none = append(none, row.ZIP.String())
		}
		if _, ok := b.ZIPAreas().Find(row.ZIP); !ok {
			continue
		}
		if in, _ := b.ZIPAreas().Containing(row.Location); in != row.ZIP {
			zips = append(zips, row.ZIP.String())
		}
	}
	for row := range b.FSAs() {
		if _, ok := b.FSAAreas().Find(row.FSA); !ok {
			continue
		}
		if in, _ := b.FSAAreas().Containing(row.Location); in != row.FSA {
			fsas = append(fsas, row.FSA.String())
		}
	}
	for row := range b.PostalCodes() {
		i, outlined := b.FSAAreas().Find(row.Code.FSA())
		if !outlined || slices.Contains(b.FSAAreas().Index().AppendAround(nil, row.Location), i) {
			continue
		}
		if d, ok := b.FSAAreas().Index().DistanceToBoundary(i, row.Location); ok && d.Miles() > 30 {
			far = append(far, row.Code.String())
		}
	}
	few(t, "general ZIP Codes outside their outlines", zips, 0)
	few(t, "FSAs outside their outlines", fsas, 0)
	few(t, "postal codes more than 30 miles from their FSA", far, 0)
	few(t, "ZIP Codes without a point", none, 18) // parcel returns and plants that no list places
}

// TestNationalDisputes checks counties of record about which the ZIP table and
// GeoNames disagree. The residents decide, else the table does.
func TestNationalDisputes(t *testing.T) {
	b := openNational(t)
	people := b.residentsByCounty()
	var residents, table []string
	for row := range b.ZIPs() {
		_, detail := b.zip(row.ZIP.String())
		named := map[string]string{}
		for _, c := range detail.Quality.Counties {
			named[c.Source] = c.FIPS
		}
		zip, other, record := named["zip-database"], named["geonames-us"], b.county(row.County)
		if zip == "" || other == "" || zip == other {
			continue
		}
		if home, all := most(people[row.ZIP]); named["residents"] == "" && record != zip && row.Class == store.General {
			table = append(table, row.ZIP.String())
		} else if all > 0 && record != home && named["residents"] == home {
			residents = append(residents, row.ZIP.String())
		}
	}
	few(t, "disputed counties against most residents", residents, 0)
	few(t, "disputed counties without residents against the ZIP table", table, 0)
}

// TestNationalSeveralCounties checks that a ZIP Code with 1 % of its people in a
// second county lies in several.
func TestNationalSeveralCounties(t *testing.T) {
	b := openNational(t)
	var denied []string
	for zip, counts := range b.residentsByCounty() {
		row, _ := b.ZIP(zip)
		_, all := most(counts)
		delete(counts, b.county(row.County))
		if second, _ := most(counts); row.MultiCounty == store.No && second != "" && counts[second]*100 >= all {
			denied = append(denied, zip.String())
		}
	}
	slices.Sort(denied)
	few(t, "ZIP Codes said to lie in one county with 1 % of their people in another", denied, 0)
}

// TestNationalAreaCodes checks that every overlay of the table is in ZIP Codes, that
// all ZIP Codes with the code below have it, and that neighbors' codes are left out.
func TestNationalAreaCodes(t *testing.T) {
	b := openNational(t)
	list := draft.SharedCodes()
	zips := map[uint16]int{}
	var lack, none []string
	for row := range b.ZIPs() {
		_, detail := b.zip(row.ZIP.String())
		for _, c := range detail.AreaCodes {
			zips[c]++
		}
		for _, c := range list {
			if !slices.Contains(detail.AreaCodes, c.Code) && slices.ContainsFunc(c.Overlays, func(o uint16) bool { return slices.Contains(detail.AreaCodes, o) }) {
				lack = append(lack, fmt.Sprintf("%s %d", row.ZIP, c.Code))
			}
		}
		if len(detail.AreaCodes) == 0 && row.Class != store.Military {
			none = append(none, row.ZIP.String())
		}
	}
	few(t, "ZIP Codes that lack an overlay", lack, 0)
	few(t, "ZIP Codes without an area code", none, 30)
	for _, c := range list {
		if zips[c.Code] < 10 {
			t.Errorf("%d ZIP Codes have %d", zips[c.Code], c.Code)
		}
	}
}

// TestNationalZoneOfThePoint checks that a code has the zone of the outline around its
// point. Where outlines of zones overlap, either is right.
func TestNationalZoneOfThePoint(t *testing.T) {
	b := openNational(t)
	var other []string
	check := func(code string, at geo.LatLng, zone store.ZoneID) {
		var around []string
		for _, i := range b.ZoneAreas().Index().AppendAround(nil, at) {
			around = append(around, b.Zone(b.ZoneAreas().Keys()[i]).Name)
		}
		if name := b.Zone(zone).Name; len(around) > 0 && !slices.Contains(around, name) {
			other = append(other, fmt.Sprintf("%s %s, not %v", code, name, around))
		}
	}
	for row := range b.ZIPs() {
		check(row.ZIP.String(), row.Location, row.Zone)
	}
	for row := range b.FSAs() {
		check(row.FSA.String(), row.Location, row.Zone)
	}
	few(t, "codes in another zone than their point", other, 0)
}

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

// TestNationalCountyOfRecord checks that nearly all people live in the county of record of
// most people of their ZIP, and that polling places are in it.
func TestNationalCountyOfRecord(t *testing.T) {
	b := openNational(t)
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

// TestNationalBoundaries compares the outlines of the whole country with areas
// that others have measured.
func TestNationalBoundaries(t *testing.T) {
	b := openNational(t)
	for _, n := range []struct {
		name      string
		got       int
		low, high int
	}{
		{"ZIPs", b.ZIPAreas().Len(), 25_900, 26_100},
		{"FSAs", b.FSAAreas().Len(), 1_610, 1_618},
		{"states and provinces", b.StateAreas().Len(), 69, 69},
		{"counties", b.CountyAreas().Len(), 3_222, 3_222},
		{"time zones", b.ZoneAreas().Len(), 50, 57},
	} {
		if n.got < n.low || n.got > n.high {
			t.Errorf("%d %s with outlines, want %d to %d", n.got, n.name, n.low, n.high)
		}
	}
	for _, z := range b.ZIPAreas().Keys() {
		if row, _ := b.ZIP(z); row.Class != store.General {
			t.Errorf("%s is a point, and has an outline", z)
		}
		sum := float32(0)
		for _, s := range b.ZoneShares(store.CodeOfZIP(z)) {
			sum += s.Percent
		}
		if math.Abs(float64(sum)-100) > 1e-3 {
			t.Errorf("the shares of %s add up to %v", z, sum)
		}
	}
}

// TestNationalPopulation checks a build from the mirror against figures of the
// Census Bureau.
func TestNationalPopulation(t *testing.T) {
	b := openNational(t)
	var zips, counties, places int64
	for z := range b.ZIPs() {
		n, _ := b.Population(store.CodeOfZIP(z.ZIP))
		zips += int64(n)
	}
	people := map[string]int32{}
	for i := range b.Entities().Len() {
		e := b.Entities().At(i)
		switch e.Kind {
		case store.EntityCounty:
			if b.State(e.State).Country == store.US {
				counties += int64(max(e.Population, 0))
			}
		case store.EntityPlace:
			if b.State(e.State).Country == store.US && e.Population != store.NoPopulation {
				places++
				people[e.Name+" "+b.State(e.State).Abbr] = e.Population
			}
		}
	}
	// 332,387,540 people of the states and 3,254,885 of Puerto Rico in counties.
	if counties != 335_642_425 {
		t.Errorf("%d people in counties, want 335,642,425", counties)
	}
	if zips < 330_000_000 || zips > 340_000_000 {
		t.Errorf("%d people in ZIPs, want 330 to 340 million", zips)
	}
	if places < 32_300 {
		t.Errorf("%d places with people, want 32,300 or more", places)
	}
	for name, want := range map[string]int32{"Los Angeles CA": 3_857_897, "Beverly Hills CA": 31_955} {
		if people[name] != want {
			t.Errorf("%s has %d people, want %d", name, people[name], want)
		}
	}
}
