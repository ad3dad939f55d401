package namekey_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/namekey"
)

func ExampleOf() {
	fmt.Println(namekey.Of("St. Louis"))
	fmt.Println(namekey.Of("Coeur d’Alene"))
	fmt.Println(namekey.Of("TROIS-RIVIÈRES"))
	// Output:
	// saint louis
	// coeur dalene
	// trois rivieres
}

func ExampleKeys() {
	fmt.Println(strings.Join(namekey.Keys("St. Johns"), ", "))
	// Output: saint johns, saintjohns, stjohns
}

func TestFold(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"  Chicago  ", "chicago"},
		{"New\tYork \n City", "new york city"},
		{"Winston-Salem", "winston salem"},
		{"Scranton--Wilkes-Barre, PA", "scranton wilkes barre pa"},
		{"O'Fallon", "ofallon"},
		{"Coeur d’Alene", "coeur dalene"},
		{"Prince George's", "prince georges"},
		{"ʻEwa", "ewa"},
		{"D.C.", "dc"},
		{"d. c.", "d c"},
		{"L.A", "la"},
		{"St.Louis", "st louis"},
		{"N.Carolina", "n carolina"},
		{"No.1", "no 1"},
		{"U.S.A.", "usa"},
		{"Portugal Cove-St. Philip's", "portugal cove st philips"},
		{"Town & Country", "town and country"},
		{"A&M", "a and m"},
		{"&", "and"},
		{"Montréal", "montreal"},
		{"Montre\u0301al", "montreal"},
		{"La Cañada Flintridge", "la canada flintridge"},
		{"Ærø Straße Łódź", "aero strasse lodz"},
		{"ＮＥＷ　ＹＯＲＫ", "new york"},
		{"90210–1234", "90210 1234"},
		{"Москва", "москва"},
		{"New\u200bark", "newark"},
		{"\xff\xfea\xffb", "a b"},
		{"\ufffd", ""},
		{"!?*()\"%_;--", ""},
		{"3×4", "3 4"},
	}
	for _, tt := range tests {
		if got := string(namekey.Fold(nil, tt.text)); got != tt.want {
			t.Errorf("Fold(%q) = %q; want %q", tt.text, got, tt.want)
		}
	}
	if got := string(namekey.Fold([]byte("x"), " y")); got != "xy" {
		t.Errorf("Fold(x, y) = %q; want the prefix unchanged", got)
	}
}

func TestOf(t *testing.T) {
	tests := []struct{ name, want string }{
		{"Saint Louis", "saint louis"},
		{"ST LOUIS", "saint louis"},
		{"Sault Ste. Marie", "sault sainte marie"},
		{"Ft. Worth", "fort worth"},
		{"Mt Pleasant", "mount pleasant"},
		{"N Las Vegas", "north las vegas"},
		{"Niagara-on-the-Lake", "niagara on the lake"},
		{"Cole Harbour", "cole harbor"},
		{"Ne Plus Ultra", "northeast plus ultra"},
		{"California", "california"},
	}
	for _, tt := range tests {
		if got := namekey.Of(tt.name); got != tt.want {
			t.Errorf("Of(%q) = %q; want %q", tt.name, got, tt.want)
		}
		if again := namekey.Of(namekey.Of(tt.name)); again != tt.want {
			t.Errorf("Of(Of(%q)) = %q; want %q", tt.name, again, tt.want)
		}
	}
}

func TestBare(t *testing.T) {
	for name, want := range map[string]string{
		"City of Dallas": "dallas", "Ville de Laval": "laval", "Town of the Pines": "the pines",
		"Dallas": "dallas", "City of": "city of", "Isle of Wight": "isle of wight", "Rutland Town": "rutland", "Town": "town",
	} {
		if got := namekey.Bare(namekey.Of(name)); got != want {
			t.Errorf("Bare(%q) = %q; want %q", name, got, want)
		}
	}
}

func TestKeys(t *testing.T) {
	tests := []struct {
		name string
		want []string
	}{
		{"Chicago", []string{"chicago"}},
		{"McAllen", []string{"mcallen"}},
		{"De Soto", []string{"de soto", "desoto"}},
		{"St. Paul", []string{"saint paul", "saintpaul", "stpaul"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, namekey.Keys(tt.name)); diff != "" {
			t.Errorf("Keys(%q) (-want +got):\n%s", tt.name, diff)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"St. Louis", "D.C.", "Montréal", "\xff.a.", "a&b", "ＡＢ", "ʻEwa", "é.b.c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := string(namekey.Fold(nil, s))
		if !utf8.ValidString(got) {
			t.Errorf("Fold(%q) = %q is not UTF-8", s, got)
		}
		if strings.Contains(got, "  ") || strings.TrimSpace(got) != got {
			t.Errorf("Fold(%q) = %q has stray spaces", s, got)
		}
		if again := string(namekey.Fold(nil, got)); again != got {
			t.Errorf("Fold(Fold(%q)) = %q; want %q", s, again, got)
		}
	})
}
