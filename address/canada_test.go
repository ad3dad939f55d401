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
				got := strings.Join([]string{string(a.Kind), a.Number, a.Line(), a.Secondary.String(), a.Station, a.City, a.State, a.ZIP}, "|")
				if diff := cmp.Diff(d.want+"|"+s.want+"|"+l.want, got); diff != "" {
					t.Errorf("%q (-want +got):\n%s", text, diff)
				}
			}
		}
	}
}

// canadianStreets are streets as they are typed, with the street of the reading.
var canadianStreets = []struct{ typed, want string }{
	{"Main St", "MAIN ST"},
	{"Hastings St E", "HASTINGS ST E"},
	{"E 22nd Av", "E 22ND AVE"},
	{"E Hastings St", "E HASTINGS ST"},
	{"176 St", "176 ST"},
	{"102 Ave NW", "102 AVE NW"},
	{"8th Line", "8TH LINE"},
	{"Elm Close", "ELM CLOSE"},
	{"Lamey's Mill Rd", "LAMEYS MILL RD"},
	{"O Connor St", "O CONNOR ST"},
	{"St Clair Ave W", "ST CLAIR AVE W"},
	{"rue Principale", "RUE PRINCIPALE"},
	{"rue de la Montagne O", "RUE DE LA MONTAGNE O"},
	{"boul. St-Laurent", "BOUL ST LAURENT"},
	{"boul St Laurent Est", "BOUL ST LAURENT E"},
	{"rue Ste-Catherine Ouest", "RUE STE CATHERINE O"},
	{"chemin Ste-Foy", "CH STE FOY"},
	{"chemin de la Côte-Ste-Catherine", "CH DE LA COTE STE CATHERINE"},
	{"2e Rue", "2E RUE"},
}

// quebecStreets have kinds that only Quebec writes before the name.
var quebecStreets = []struct{ typed, want string }{
	{"av. St-Charles", "AV ST CHARLES"},
	{"Av St Charles", "AV ST CHARLES"},
	{"Place St-Henri", "PLACE ST HENRI"},
	{"boulevard St-Laurent", "BOUL ST LAURENT"},
	{"Blvd. St-Laurent", "BOUL ST LAURENT"},
	{"côte Ste-Catherine", "CÔTE STE CATHERINE"},
	{"promenade Ste-Rose", "PROM STE ROSE"},
	{"Ste. Catherine St W", "STE CATHERINE ST W"},
}

// TestCanadianUnits reads every form of a unit before or behind every form of a street.
func TestCanadianUnits(t *testing.T) {
	units := []struct{ before, behind, want string }{
		{"", "", ""},
		{"101-", "", "# 101"},
		{"4B-", "", "# 4B"},
		{"B4-", "", "# B4"},
		{"PH1-", "", "PH 1"},
		{"PH-", "", "PH"},
		{"TH3-", "", "# TH3"},
		{"G-", "", "# G"},
		{"1205A-", "", "# 1205A"},
		{"101 - ", "", "# 101"},
		{"4B - ", "", "# 4B"},
		{"4B – ", "", "# 4B"},
		{"PH1 - ", "", "PH 1"},
		{"#101-", "", "# 101"},
		{"# 4B - ", "", "# 4B"},
		{"Suite 101 - ", "", "SUITE 101"},
		{"Suite 101-", "", "SUITE 101"},
		{"Suite 101, ", "", "SUITE 101"},
		{"Ste. 101-", "", "SUITE 101"},
		{"Unit #5-", "", "UNIT 5"},
		{"Unit 5 - ", "", "UNIT 5"},
		{"Apt 4B-", "", "APT 4B"},
		{"app. 4-", "", "APP 4"},
		{"bureau 4 - ", "", "BUREAU 4"},
		{"101 ", "", "# 101"},
		{"101, ", "", "# 101"},
		{"101/", "", "# 101"},
		{"", " #101", "# 101"},
		{"", " Suite 101", "SUITE 101"},
		{"", ", Unit 4B", "UNIT 4B"},
		{"", ", PH1", "PH 1"},
		{"", " PH1", "PH 1"},
		{"", ", 4B", "# 4B"},
		{"", " - 101", "# 101"},
		{"", " app. 4", "APP 4"},
		{"", ", bureau 200", "BUREAU 200"},
		{"", " Ste 200", "SUITE 200"},
	}
	for _, place := range [...]string{", Kelowna, BC", " Kelowna BC V1Y 1A1", ", Gatineau, QC", " Gatineau QC", " Gatineau, QC J8X1A1"} {
		streets := canadianStreets
		city, state, zip := "KELOWNA", "BC", "V1Y 1A1"
		if strings.Contains(place, "QC") {
			streets = append(streets[:len(streets):len(streets)], quebecStreets...)
			city, state, zip = "GATINEAU", "QC", "J8X 1A1"
		}
		for _, street := range streets {
			for _, unit := range units {
				for _, number := range [...][2]string{{"6184", "6184"}, {"122", "122"}, {"1027.0", "1027"}} {
					if unit.behind != "" {
						a := parsedFields(t, address.Fields{Street: number[0] + " " + street.typed, Unit: unit.behind, City: city, State: state})
						if got := a.Number + "|" + a.Line() + "|" + a.Secondary.String(); got != number[1]+"|"+street.want+"|"+unit.want {
							t.Errorf("%s in parts, %s: %s", street.typed, unit.behind, got)
						}
					}
					a := parsedFields(t, address.Fields{Street: unit.before + number[0] + " " + street.typed + unit.behind, City: city, ZIP: zip})
					if got := a.Number + "|" + a.Line() + "|" + a.Secondary.String(); got != number[1]+"|"+street.want+"|"+unit.want {
						t.Errorf("%s%s%s in a field: %s", unit.before, street.typed, unit.behind, got)
					}
					text := unit.before + number[0] + " " + street.typed + unit.behind + place
					p, err := address.Parse(text)
					check(t, err)
					a = &p[0]
					got := [...]string{a.Number, a.Line(), a.Secondary.String(), a.City, a.State}
					if diff := cmp.Diff([...]string{number[1], street.want, unit.want, city, state}, got); diff != "" {
						t.Errorf("%q (-want +got):\n%s", text, diff)
					}
				}
			}
		}
	}
}

func parsedFields(t *testing.T, f address.Fields) *address.Address {
	t.Helper()
	p, err := address.ParseFields(f)
	check(t, err)
	return &p[0]
}
