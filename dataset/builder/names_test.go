package builder_test

import (
	"fmt"
	"testing"
)

// TestNames checks the spelling of cities.
func TestNames(t *testing.T) {
	w := newWorld(t)
	w.place("OH", "3990001", "DeKalb village")
	w.place("OH", "3990002", "La Grange CDP")
	w.place("OH", "3990003", "O'Hara city")
	w.place("OH", "3990004", "Lee's Crossing town")
	w.place("OH", "3990005", "Española city")
	w.place("OH", "3990006", "Port-au-Lac city")
	w.place("OH", "3990007", "St. Anne's Bay village")
	w.place("OH", "3990008", "McAster CDP")
	w.place("OH", "3990009", "Fond du Bois city")
	w.cousubs = append(w.cousubs, "OH|3990190001|x|x|LeRoy township|A|1|0|0|0|40|-83")
	tests := []struct{ given, want string }{
		{"Dekalb", "DeKalb"},
		{"DEKALB", "DeKalb"},
		{"La Grange", "La Grange"},
		{"Lagrange", "Lagrange"}, // other words: not the same name
		{"O Hara", "O'Hara"},
		{"Ohara", "O'Hara"},
		{"Lees Crossing", "Lee's Crossing"},
		{"Espanola", "Espanola"}, // the Postal Service has no accents
		{"Port Au Lac", "Port-au-Lac"},
		{"Saint Annes Bay", "Saint Anne's Bay"},
		{"Mc Aster", "McAster"},
		{"Fond Du Bois", "Fond du Bois"},
		{"Leroy", "LeRoy"},
		{"Mccomber", "McComber"}, // from here by rule, no place has the name
		{"Mc Comber", "McComber"},
		{"MACON FALLS", "Macon Falls"},
		{"Isle Of The Winds", "Isle of the Winds"},
		{"The Village", "The Village"},
		{"O Bannon", "O'Bannon"},
		{"D Arcy", "D'Arcy"},
		{"Round O", "Round O"},
		{"Jbphh", "JBPHH"},
		{"Elm Afb", "Elm AFB"},
		{"Fe Warren Afb", "FE Warren AFB"},
		{"St Elmo", "St. Elmo"},
		{"St. Elmo", "St. Elmo"},
		{"Elm St Univ", "Elm St Univ"},
		{"Village O The Elms", "Village O the Elms"},
		{"Macdill Afb", "MacDill AFB"},
		{"Saint Elmo", "Saint Elmo"},
		{"WINSTON-ELM", "Winston-Elm"},
		{"Coeur d'Elm", "Coeur d'Elm"},
		{"LaSalle Elm", "LaSalle Elm"},
	}
	for i, test := range tests {
		w.zip(fmt.Sprint(43100+i), test.given, "OH", "901", 40, -83)
	}
	b := w.build()
	for i, test := range tests {
		if row, _ := b.zip(fmt.Sprint(43100 + i)); row.City != test.want {
			t.Errorf("%q is spelt %q, want %q", test.given, row.City, test.want)
		}
	}
}

// TestFSANames checks the city of an FSA by its description.
func TestFSANames(t *testing.T) {
	tests := []struct{ code, place, province, want string }{
		{"R3Q", "Elmburg (Oak / Ash)", "MB", "Elmburg"},
		{"V3Q", "Elmburg North", "BC", "Elmburg"},
		{"T9Q", "Elmburg Park Northeast", "AB", "Elmburg Park"},
		{"T0Q", "Eastern Plains (St. Elm)", "AB", "St. Elm"},
		{"E3Q", "Elmburg South New Brunswick Provincial Government", "NB", "Elmburg"},
		{"A1Q", "St. Elm's Northwest Newfoundland & Labrador Provincial Government", "NL", "St. Elm's"},
		{"E2Q", "Elmburg, Oakburg", "NB", "Elmburg"},
		{"A1Z", "Conception Bay South", "NL", "Conception Bay South"},
		{"M5Q", "Old Elm (Oak)", "ON", "Toronto"},
		{"H2Q", "Plateau Elm", "QC", "Montreal"},
		{"H3Z", "Westmount East", "QC", "Westmount"},
		{"H7Q", "Elm-des-Rapides", "QC", "Laval"},
		{"R2Q", "East St. Elm", "MB", "East St. Elm"},
		{"J0Q", "Montérégie (Saint-Orme-Sur-Riviere)", "QC", "Saint-Orme-sur-Riviere"},
		{"J1Q", "Saint-Orme-D'Acton", "QC", "Saint-Orme-d'Acton"},
		{"G1Q", "St-Etienne-De-L'Orme", "QC", "Saint-Étienne-de-l'Orme"},
		{"G2Q", "Orme-a-la-Croix East", "QC", "Orme-à-la-Croix"},
		{"G3Q", "La Prairie", "QC", "La Prairie"},
		{"G4Q", "Le-Grand-Orme-Des", "QC", "Le-Grand-Orme-Des"},
		{"H9R", "Dollard-Des-Ormeaux East", "QC", "Dollard-des-Ormeaux"},
		{"H9Q", "Baie-D'Urfé", "QC", "Baie-D'Urfé"},
		{"K8Q", "Orme-De-Bois", "ON", "Orme-De-Bois"},
		{"N5Q", "Downtown Elmburg South & West", "ON", "Elmburg"},
	}
	w := newWorld(t)
	for _, test := range tests {
		w.fsa(test.code, test.place, test.province, 50, -90)
	}
	b := w.build()
	for _, test := range tests {
		if row, _ := b.fsa(test.code); row.City != test.want {
			t.Errorf("%s %q is %q, want %q", test.code, test.place, row.City, test.want)
		}
	}
}
