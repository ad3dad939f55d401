package builder_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/geo"
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
	for code, want := range map[string]geo.LatLng{
		"93042": geo.MustLatLng(34.11, -119.11), // Point Mugu, not San Nicolas Island
		"96898": geo.MustLatLng(19.28, 166.64),  // Wake Island
		"96941": geo.MustLatLng(6.96, 158.21),   // Pohnpei
	} {
		if row, _ := b.zip(code); !row.Location.IsValid() || geo.Distance(row.Location, want).Miles() > 3 {
			t.Errorf("%s is at %v, want %v", code, row.Location, want)
		}
	}
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
	for code, want := range map[string]string{"57322": "46005", "68429": "31095"} {
		if row, _ := b.zip(code); b.county(row.County) != want {
			t.Errorf("%s is in county %s, want %s", code, b.county(row.County), want)
		}
	}
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
	for zip, want := range map[string][]uint16{
		"10001": {212, 332, 646, 917}, "11201": {347, 718, 917, 929}, "20001": {202, 771}, "02903": {401}, "33101": {305, 645, 786}, "98101": {206, 564}, "77002": {281, 346, 621, 713, 832},
	} {
		if _, detail := b.zip(zip); !slices.Equal(detail.AreaCodes, want) {
			t.Errorf("%s has %v, want %v", zip, detail.AreaCodes, want)
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
