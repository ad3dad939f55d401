package builder_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// TestUSPS checks the additions of the postal service's products.
func TestUSPS(t *testing.T) {
	w := newWorld(t)
	w.supplied("43901", "STANDARD", "0", "Other Name", "Alias", "OH", "Birch County", "", 40.01, -83.01)
	w.supplied("43601", "STANDARD", "1", "Revived", "", "OH", "Birch County", "", 40.01, -83.01)
	o := builder.Options{
		USPSCityState: w.file("ctystate.txt", header(129),
			cityState("43901", "Z11111", " ", "AMBERTON HEIGHTS", "N", "N", "Z22222", "MC AMBER", "Y", "OH", "901"),
			cityState("43901", "Z22222", " ", "MC AMBER", "P", "Y", "Z22222", "MC AMBER", "Y", "OH", "901"),
			cityState("43901", "Z33333", " ", "O BIRCH", "N", "Y", "Z22222", "MC AMBER", "Y", "OH", "903"),
			cityState("43601", "Z44444", "U", "FIRM", "P", "Y", "Z44444", "FIRM", "N", "OH", "903"),
			cityState("43602", "Z55555", "P", "NEWTOWN", "B", "Y", "Z55555", "NEWTOWN", "N", "OH", "903"),
		),
		USPSDeliveryStats: w.file("delstat.txt", header(309),
			deliveries("43901", map[int]int{22: 5, 27: 2, 42: 1, 82: 100, 102: 7, 142: 3}),
			deliveries("43901", map[int]int{87: 50}),
			deliveries("43999", map[int]int{87: 50}),
		),
		USPSZIP4: w.file("zip4.txt", header(182),
			zip4("43601", "0001", "0001", "FIRM", "B"),
			zip4("43901", "1001", "1001", "MAIN", "B"),
			zip4("43901", "1001", "1001", "OLD MAIN", "A"),
			zip4("43901", "1002", "1005", "OAK", "B"),
			zip4("43901", "12ND", "12ND", "BRIDGE", "B"),
			zip4("43999", "1001", "1001", "NOWHERE", "B"),
		),
		ZIP4Points: w.file("points.csv", record("zip,plus4,lat,lon\n43600,0001,40,-83\n43901,1001,40.5,-83.5\n43901,1003,95,-83\n43998,0001,40,-83\n")),
	}
	b := w.buildWith(o)
	row, d := b.zip("43901")
	if row.City != "McAmber" || b.county(row.County) != "39901" || row.MultiCounty != store.Yes || row.Class != store.General {
		t.Errorf("43901 is %+v", row)
	}
	want := &store.ZIPDetail{
		FacilityCode: "P", CityDelivery: "Y", ZIP4Count: new(int32(5)),
		DeliveryPoints: &store.DeliveryPoints{TotalActive: 168, Business: 8, Residential: 157, POBox: 8},
		Aliases:        []store.CityAlias{{City: "Amberton Heights", MailingName: "N"}, {City: "O'Birch", MailingName: "Y"}},
	}
	d.Quality = store.Quality{}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("43901 (-want +got):\n%s", diff)
	}
	if row, _ := b.zip("43601"); row.Class != store.Unique || row.City != "Firm" {
		t.Errorf("43601, which the product lists, is %+v", row)
	}
	if row, d := b.zip("43602"); row.Class != store.POBox || row.City != "Newtown" || d.ZIP4Count != nil {
		t.Errorf("43602 is %+v with %v ZIP+4 Codes", row, d.ZIP4Count)
	}
	zip, _ := postcode.ParseZIP("43901")
	records, err := b.ZIP4(context.Background(), zip, 1001)
	if err != nil || len(records) != 2 || records[0].Street != "MAIN" || !records[1].Alternate || records[0].Location != geo.MustLatLng(40.5, -83.5) {
		t.Errorf("43901-1001 is %+v, %v", records, err)
	}
	for reason, want := range map[string]int64{
		"usps-zip4: unknown ZIP Code": 1, "usps-zip4: no delivery": 1, "usps-delivery-stats: unknown ZIP Code": 1,
		"zip4-points: bad": 1,
	} {
		if got := b.count(b.report.Refused, reason); got != want {
			t.Errorf("refused as %q: %d, want %d", reason, got, want)
		}
	}
}
