package address_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
)

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
