package address_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// metropolis is a city of four ZIPs in three finance areas, beside a suburb.
func metropolis(t testing.TB) *fixture {
	t.Helper()
	m := &fixture{}
	city := []store.CityName{
		{Name: "METROPOLIS", Abbreviation: "METROPLS", Mailing: true, Preferred: true, State: "NY", Facility: 'P'},
		{Name: "GOTHAM", State: "NY", Facility: 'N'},
	}
	for zip, area := range map[postcode.ZIP]string{10001: "331001", 10002: "331001", 10118: "331002", 10300: "331003"} {
		m.AddZIP(zip, store.General, area, city)
	}
	m.AddZIP(10500, store.General, "331004", []store.CityName{{Name: "SUBURB", Mailing: true, Preferred: true, State: "NY", Facility: 'P'}})
	for i, r := range []struct {
		zip                            postcode.ZIP
		pre, street, suffix, low, high string
	}{
		{10001, "", "5TH", "AVE", "2", "198"},
		{10118, "", "5TH", "AVE", "350", "350"},
		{10118, "", "CANAL", "ST", "100", "198"},
		{10300, "", "CANAL", "ST", "100", "198"},
		{10300, "", "HARBOR", "ST", "100", "198"},
		{10001, "N", "PEARL", "ST", "100", "198"},
		{10300, "", "PEARL", "ST", "100", "198"},
		{10500, "", "MEADOW", "LN", "100", "198"},
		{10500, "", "HARBOR", "ST", "300", "398"},
	} {
		m.AddRecord(store.StreetRecord{ZIP4Record: store.ZIP4Record{
			ZIP: r.zip, Low: postcode.Plus4(1000 + i), High: postcode.Plus4(1000 + i), RecordType: 'S', State: "NY", OddEven: 'E',
			PreDir: r.pre, Street: r.street, Suffix: r.suffix, AddrLow: r.low, AddrHigh: r.high,
		}})
	}
	return m
}

// TestMatchCity corrects a ZIP to another finance area of the same city if its
// street alone has exactly the given name.
func TestMatchCity(t *testing.T) {
	tests := []struct{ text, want string }{
		{"350 5th Ave, Metropolis, NY 10001", "350 5TH AVE, METROPOLIS NY 10118-1001 (medium) MATCHED ZIP_CORRECTED"},
		{"350 5th ave metropolis ny 10002", "350 5TH AVE, METROPOLIS NY 10118-1001 (medium) MATCHED ZIP_CORRECTED"},
		{"150 Harbor St, Gotham, NY 10001", "150 HARBOR ST, METROPOLIS NY 10300-1004 (medium) MATCHED ZIP_CORRECTED CITY_CORRECTED"},
		{"150 Harbor St, Metropls, NY 10118", "150 HARBOR ST, METROPOLIS NY 10300-1004 (medium) MATCHED ZIP_CORRECTED"},
		{"120 5th Ave, Metropolis, NY 10118", "120 5TH AVE, METROPOLIS NY 10001-1000 (medium) MATCHED ZIP_CORRECTED"},
		{"120 Canal St, Metropolis, NY 10001", "AMBIGUOUS"},
		{"120 Canal St, Metropolis, NY", "AMBIGUOUS"},
		{"120 Canal St, Metropolis, NY 10300", "120 CANAL ST, METROPOLIS NY 10300-1003 (high) MATCHED"},
		{"120 Canal St, Metropolis, NY 10001-1002", "120 CANAL ST, METROPOLIS NY 10118-1002 (medium) MATCHED ZIP_CORRECTED"},
		// A component in the given ZIP and the ZIP itself are one correction each.
		{"120 Pearl St, Metropolis, NY 10001", "AMBIGUOUS"},
		{"120 Pearl St, Metropolis, NY 10001-1005", "120 N PEARL ST, METROPOLIS NY 10001-1005 (medium) MATCHED STREET_CORRECTED"},
		{"120 Pearl St 10001", "120 N PEARL ST, METROPOLIS NY 10001-1005 (medium) MATCHED STREET_CORRECTED"},
		{"120 Pearl St, Suburb, NY 10001", "120 N PEARL ST, METROPOLIS NY 10001-1005 (medium) MATCHED CITY_CORRECTED STREET_CORRECTED"},
		{"122 Pearl St, Metropolis, NY 10300", "122 PEARL ST, METROPOLIS NY 10300-1006 (high) MATCHED"},
		{"120 N Pearl St, Metropolis, NY 10118", "120 N PEARL ST, METROPOLIS NY 10001-1005 (medium) MATCHED ZIP_CORRECTED"},
		{"120 Pearl, Metropolis, NY 10002", "SERVICE_UNAVAILABLE"}, // no records of that ZIP
		// Nothing but the ZIP may differ, and the given ZIP has to be the city's.
		{"350 5th St, Metropolis, NY 10001", "NOT_FOUND"},
		{"350 N 5th Ave, Metropolis, NY 10001", "NOT_FOUND"},
		{"150 Harbour St, Metropolis, NY 10001", "NOT_FOUND"},
		{"351 5th Ave, Metropolis, NY 10001", "NOT_FOUND"},
		{"999 5th Ave, Metropolis, NY 10001", "NOT_FOUND"},
		{"150 Nowhere St, Metropolis, NY 10001", "NOT_FOUND"},
		{"350 5th Ave 10001", "NOT_FOUND"},
		{"120 Meadow Ln, Metropolis, NY 10001", "NOT_FOUND"},
		{"320 Harbor St, Metropolis, NY 10001", "NOT_FOUND"},
	}
	m := metropolis(t).engine(t)
	outcomes(t, m, tests)
}

// TestCityNames finds the ZIP Codes of city names that no ZIP Code prefers:
// acceptable names, and places and county subdivisions that overlap it.
func TestCityNames(t *testing.T) {
	f := &fixture{}
	for i, z := range []postcode.ZIP{90201, 90270} {
		f.AddZIP(z, store.General, "", []store.CityName{{Name: []string{"BELL GARDENS", "MAYWOOD"}[i], Mailing: true, Preferred: true, State: "CA"}})
		f.AddRecord(store.StreetRecord{ZIP4Record: store.ZIP4Record{
			ZIP: z, Low: 1000, High: 1000, RecordType: 'S', State: "CA", OddEven: 'B', Street: []string{"PINE", "SLAUSON"}[i], Suffix: "AVE", AddrLow: "6200", AddrHigh: "6298",
		}})
	}
	f.more = func(w *store.Writer) {
		check(t, w.AddEntity(store.Entity{Kind: store.EntityCity, Name: "Bell", State: 1, Twin: -1, Population: store.NoPopulation, ZIPs: []postcode.ZIP{90201}},
			store.EntityNames{Own: []string{"bell"}}))
		for _, z := range []postcode.ZIP{90270, 90201} { // two towns of one name
			check(t, w.AddEntity(store.Entity{Kind: store.EntityCity, Name: "Walnut", State: 1, Twin: -1, Population: store.NoPopulation, ZIPs: []postcode.ZIP{z}},
				store.EntityNames{Own: []string{"walnut"}}))
		}
		check(t, w.SetLayer(store.LayerData{
			Info:  store.LayerInfo{ID: store.LayerPlace, Source: "test", Vintage: "2024"},
			Areas: []store.LayerArea{{GEOID: "0600001", Name: "Cudahy Park city", State: 1}},
		}))
		check(t, w.AddOverlaps(store.CodeOfZIP(90270), store.CodeOverlaps{Layers: []store.LayerOverlaps{{Layer: store.LayerPlace, Overlaps: []store.Overlap{{Area: 0}}}}}))
	}
	m := f.engine(t)
	outcomes(t, m, []struct{ text, want string }{
		{"6250 Pine Ave, Bell, CA", "6250 PINE AVE, BELL GARDENS CA 90201-1000 (high) MATCHED CITY_CORRECTED"},
		{"6250 pine ave bell ca", "6250 PINE AVE, BELL GARDENS CA 90201-1000 (high) MATCHED CITY_CORRECTED"},
		{"6250 Slauson Ave, Cudahy Park, CA", "6250 SLAUSON AVE, MAYWOOD CA 90270-1000 (high) MATCHED CITY_CORRECTED"},
		{"6250 Slauson Ave, Bell, CA", "NOT_FOUND"},
		{"6250 Slauson Ave, Walnut, CA", "6250 SLAUSON AVE, MAYWOOD CA 90270-1000 (high) MATCHED CITY_CORRECTED"},
		{"6250 Pine Ave, Walnut, CA", "6250 PINE AVE, BELL GARDENS CA 90201-1000 (high) MATCHED CITY_CORRECTED"},
		{"6250 Pine Ave, Nowhere, CA", "NOT_FOUND"},
		{"6250 Pine Ave, Albany, NY", "SERVICE_UNAVAILABLE"},
		{"6250 Pine Ave 10001", "SERVICE_UNAVAILABLE"},
	})
}
