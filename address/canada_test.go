package address_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
)

// TestCanada reads English and French forms: number | street | unit | station |
// city | province | postal code.
func TestCanada(t *testing.T) {
	tests := []struct{ text, want string }{
		{"12-345 Main St, Ottawa ON K1A 0B1", "345|MAIN ST|# 12||OTTAWA|ON|K1A 0B1"},
		{"12 - 345 Main Street, Ottawa, Ontario, Canada", "345|MAIN ST|# 12||OTTAWA|ON|"},
		{"#12-345 Main St W, Hamilton, ON L8P1A1", "345|MAIN ST W|# 12||HAMILTON|ON|L8P 1A1"},
		{"B-345 Main St, Ottawa ON K1A0B1", "345|MAIN ST|# B||OTTAWA|ON|K1A 0B1"},
		{"345 main street unit 12 toronto on m5v 2t6", "345|MAIN ST|UNIT 12||TORONTO|ON|M5V 2T6"},
		{"345 King St W Suite 500, Toronto ON M5V 1K4", "345|KING ST W|SUITE 500||TORONTO|ON|M5V 1K4"},
		{"123 4th Ave SW, Calgary, Alberta T2P 2V6", "123|4TH AVE SW|||CALGARY|AB|T2P 2V6"},
		{"24 Sussex Dr, Ottawa, ON", "24|SUSSEX DR|||OTTAWA|ON|"},
		{"123 4th Avenue SW, Calgary AB T2P 2V6", "123|4TH AVE SW|||CALGARY|AB|T2P 2V6"},
		{"12 Park Avenue W, Toronto ON M5R 2E4", "12|PARK AVE W|||TORONTO|ON|M5R 2E4"},
		{"12 Avenue Rd, Toronto ON M5R 2E4", "12|AVENUE RD|||TORONTO|ON|M5R 2E4"},
		{"12 Bow Valley Close NW, Calgary AB T3B 1A1", "12|BOW VALLEY CLOSE NW|||CALGARY|AB|T3B 1A1"},
		{"123 Highway 7, Markham ON L3R 1A1", "123|HIGHWAY 7|||MARKHAM|ON|L3R 1A1"},
		{"123, rue Principale Ouest, app. 4, Gatineau (Québec) J8X 1A1", "123|RUE PRINCIPALE O|APP 4||GATINEAU|QC|J8X 1A1"},
		{"123 rue Sainte-Catherine O, Montréal QC H3B 1A1", "123|RUE SAINTE CATHERINE O|||MONTREAL|QC|H3B 1A1"},
		{"123 rue St-Denis bureau 200, Montréal, Québec H2X 3K8, Canada", "123|RUE ST DENIS|BUREAU 200||MONTREAL|QC|H2X 3K8"},
		{"4-123 boul. René-Lévesque Est, Québec QC G1R 2B3", "123|BOUL RENE LEVESQUE E|# 4||QUEBEC|QC|G1R 2B3"},
		{"1000 chemin de la Côte-des-Neiges, Montréal, QC", "1000|CH DE LA COTE DES NEIGES|||MONTREAL|QC|"},
		{"55 av. du Parc, unité 7, Laval QC H7N 1A1", "55|AV DU PARC|UNITÉ 7||LAVAL|QC|H7N 1A1"},
		{"12 place Ville-Marie, 2e étage, Montréal QC H3B 2E3", "12|PLACE VILLE MARIE|FL 2||MONTREAL|QC|H3B 2E3"},
		{"123 rue Principale Nord Gatineau QC J8X 1A1", "123|RUE PRINCIPALE N|||GATINEAU|QC|J8X 1A1"},
		{"123 rue Principale gatineau qc", "123|RUE PRINCIPALE|||GATINEAU|QC|"},
		{"123 1re Avenue, Québec QC G1L 3H1", "123|1RE AV|||QUEBEC|QC|G1L 3H1"},
		{"123 2e Rue, Rimouski QC G5L 1A1", "123|2E RUE|||RIMOUSKI|QC|G5L 1A1"},
		{"RR 2, Picton ON K0K 2T0", "|RR 2|||PICTON|ON|K0K 2T0"},
		{"RR 2 STN MAIN, Picton ON K0K 2T0", "|RR 2||STN MAIN|PICTON|ON|K0K 2T0"},
		{"R.R. #2 Stn Main Picton Ontario K0K 2T0", "|RR 2||STN MAIN|PICTON|ON|K0K 2T0"},
		{"PO BOX 123 STN A, Toronto ON M5W 1A1", "123|PO BOX||STN A|TORONTO|ON|M5W 1A1"},
		{"PO Box 123 Stn A Toronto ON M5W 1A1", "123|PO BOX||STN A|TORONTO|ON|M5W 1A1"},
		{"CP 123 SUCC A, Montréal QC H3C 1A1", "123|PO BOX||SUCC A|MONTREAL|QC|H3C 1A1"},
		{"C.P. 123, succ. Centre-Ville, Montréal (QC) H3C 1A1", "123|PO BOX||SUCC CENTRE VILLE|MONTREAL|QC|H3C 1A1"},
		{"Case postale 99, Baie-Comeau, Québec", "99|PO BOX|||BAIE COMEAU|QC|"},
		{"Poste restante, Gatineau QC J8X 1A1", "|GENERAL DELIVERY|||GATINEAU|QC|J8X 1A1"},
		{"Poste restante succ B, Québec, QC G1K 7A1", "|GENERAL DELIVERY||SUCC B|QUEBEC|QC|G1K 7A1"},
		{"GD Stn Main, Iqaluit NU X0A 0H0", "|GENERAL DELIVERY||STN MAIN|IQALUIT|NU|X0A 0H0"},
		{"10 Water St, St. John's, Newfoundland and Labrador A1C 1A1", "10|WATER ST|||ST JOHNS|NL|A1C 1A1"},
		{"10 rue Water, Moncton, Nouveau-Brunswick E1C 1A1", "10|RUE WATER|||MONCTON|NB|E1C 1A1"},
		{"10 Kent St, Charlottetown, Î.-P.-É. C1A 1M4", "10|KENT ST|||CHARLOTTETOWN|PE|C1A 1M4"},
		{"10 Government St, Victoria, British Columbia", "10|GOVERNMENT ST|||VICTORIA|BC|"},
	}
	for _, tt := range tests {
		p, err := address.Parse(tt.text)
		check(t, err)
		a := &p[0]
		got := strings.Join([]string{a.Number, a.Line(), a.Secondary.String(), a.Station, a.City, a.State, a.ZIP}, "|")
		if diff := cmp.Diff(tt.want+" CA", got+" "+a.Country); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestNotCanada keeps US addresses with words of Canadian ones.
func TestNotCanada(t *testing.T) {
	for _, text := range []string{
		"12 Elm St, Ontario, CA 91761", "12 Elm St, Ontario, OR", "12 Highway 61 NB", "100 Main St Apt AB", "12 Quebec St, Denver, CO 80220",
		"12 Ontario", "12 Elm St NB", "12 Canada Rd, Ely, MN", "12-34 Main St, Queens, NY",
	} {
		p, err := address.Parse(text)
		check(t, err)
		if a := &p[0]; a.Country == "CA" {
			t.Errorf("%q is Canadian: %+v", text, a)
		}
	}
}

// TestCanadaUnavailable requires that Canadian addresses are never denied.
func TestCanadaUnavailable(t *testing.T) {
	m := everyday(t)
	for _, text := range []string{"12-345 Main St, Ottawa ON K1A 0B1", "123 rue Principale, Gatineau, Québec", "CP 123 SUCC A, Montréal QC"} {
		if _, err := m.Match(t.Context(), text, address.Options{}); !errors.Is(err, envelope.ErrUnavailable) {
			t.Errorf("%q: %v, want unavailable", text, err)
		}
	}
}
