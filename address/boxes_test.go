package address_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
)

// TestCanadianBoxes reads every form of a box, a route and general delivery before every
// form of a station and of a last line.
func TestCanadianBoxes(t *testing.T) {
	type form struct{ typed, want string }
	deliveries := []form{
		{"PO Box 4126", "PO box|4126|PO BOX|"},
		{"P.O. Box 4126", "PO box|4126|PO BOX|"},
		{"PO BOX #4126", "PO box|4126|PO BOX|"},
		{"P O Box 4126", "PO box|4126|PO BOX|"},
		{"POBox4126", "PO box|4126|PO BOX|"},
		{"Post Office Box 4126", "PO box|4126|PO BOX|"},
		{"PO Box 4126.0", "PO box|4126|PO BOX|"},
		{"Box 12A", "PO box|12A|PO BOX|"},
		{"CP 4126", "PO box|4126|PO BOX|"},
		{"C.P. 4126", "PO box|4126|PO BOX|"},
		{"Case postale 4126", "PO box|4126|PO BOX|"},
		{"RR 1", "rural route||RR 1|"},
		{"RR#1", "rural route||RR 1|"},
		{"R.R. 1", "rural route||RR 1|"},
		{"R.R. #1", "rural route||RR 1|"},
		{"Rural Route 1", "rural route||RR 1|"},
		{"Route rurale 1", "rural route||RR 1|"},
		{"RR 1 Site 5 Comp 10", "rural route||RR 1|COMP 10"},
		{"Site 5 Comp 10 RR 1", "rural route||RR 1|COMP 10"},
		{"Comp 10, Site 5, RR 1", "rural route||RR 1|COMP 10"},
		{"RR 1 Site 5 Box 10", "rural route|10|RR 1|SITE 5"},
		{"RR 1 Box 10", "rural route|10|RR 1|"},
		{"SS 2", "rural route||SS 2|"},
		{"SS 2 Site 5 Comp 10", "rural route||SS 2|COMP 10"},
		{"MR 3", "rural route||MR 3|"},
		{"GD", "general delivery||GENERAL DELIVERY|"},
		{"General Delivery", "general delivery||GENERAL DELIVERY|"},
		{"Poste restante", "general delivery||GENERAL DELIVERY|"},
	}
	stations := []form{
		{"", ""},
		{" Stn A", "STN A"},
		{" Station Main", "STN MAIN"},
		{" STN TERMINAL", "STN TERMINAL"},
		{", Stn A", "STN A"},
		{" RPO Broadway", "RPO BROADWAY"},
		{" RPO SUMAS WAY", "RPO SUMAS WAY"},
		{" RPO Main St S", "RPO MAIN ST S"},
		{", RPO Sumas Way", "RPO SUMAS WAY"},
		{" Succ Centre-Ville", "SUCC CENTRE VILLE"},
		{", succ. A", "SUCC A"},
		{" CSP Laurier", "CSP LAURIER"},
	}
	places := []form{
		{", Abbotsford, BC", "ABBOTSFORD|BC|"},
		{" Abbotsford BC", "ABBOTSFORD|BC|"},
		{" ABBOTSFORD BC V2T 3Y5", "ABBOTSFORD|BC|V2T 3Y5"},
		{", Abbotsford BC V2T3Y5 Canada", "ABBOTSFORD|BC|V2T 3Y5"},
		{" Fort St. John BC", "FORT ST JOHN|BC|"},
		{" Vancouver, British Columbia", "VANCOUVER|BC|"},
		{" Red Deer AB", "RED DEER|AB|"},
		{", Gatineau (Québec) J8X 1A1", "GATINEAU|QC|J8X 1A1"},
	}
	for _, d := range deliveries {
		for _, s := range stations {
			for _, l := range places {
				text := d.typed + s.typed + l.typed
				p, err := address.Parse(text)
				check(t, err)
				a := &p[0]
				got := strings.Join([]string{a.Kind.String(), a.Number, a.Line(), a.Secondary.String(), a.Station, a.City, a.State, a.ZIP}, "|")
				if diff := cmp.Diff(d.want+"|"+s.want+"|"+l.want, got); diff != "" {
					t.Errorf("%q (-want +got):\n%s", text, diff)
				}
			}
		}
	}
}
