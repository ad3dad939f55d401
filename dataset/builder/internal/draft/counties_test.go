package draft_test

import (
	"testing"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
)

// TestCountyName checks which names of counties are equal.
func TestCountyName(t *testing.T) {
	for _, same := range [][]string{
		{"Saint Elm County", "St. Elm County", "ST ELM COUNTY", "St. Elm"},
		{"Elm city", "Elm City", "City of Elm"},
		{"City and Borough of Elm", "Elm City and Borough", "Elm Borough"},
		{"Municipality of Elm", "Elm Municipality"},
		{"Doña Elm County", "Dona Elm County"},
		{"Prince Elm's County", "Prince Elms County"},
		{"LaElm Parish", "La Elm Parish"},
	} {
		for _, name := range same[1:] {
			if draft.CountyName(name) != draft.CountyName(same[0]) {
				t.Errorf("%q is %q, %q is %q, want the same", name, draft.CountyName(name), same[0], draft.CountyName(same[0]))
			}
		}
	}
	if draft.CountyName("Elm city") == draft.CountyName("Elm County") {
		t.Error("an independent city and the county of its name are one")
	}
}
