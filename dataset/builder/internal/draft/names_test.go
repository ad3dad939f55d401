package draft_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/internal/namekey"
)

func TestDistrictNames(t *testing.T) {
	tests := []struct {
		full string
		want []string // among others
	}{
		{"Houston Independent School District", []string{"Houston ISD", "Houston Public Schools", "Houston School District"}},
		{"Palo Alto Unified School District", []string{"Palo Alto USD", "Palo Alto Unified"}},
		{"Chicago Public School District 299", []string{"Chicago Public Schools", "Chicago 299"}},
		{"Cherry Creek School District 5", []string{"Cherry Creek Schools", "Cherry Creek 5"}},
		{"Poudre School District R-1", []string{"Poudre School District"}},
		{"Scarsdale Union Free School District", []string{"Scarsdale UFSD"}},
		{"Milwaukee School District", []string{"Milwaukee Schools", "Milwaukee Public Schools"}},
	}
	for _, tt := range tests {
		got := draft.DistrictNames(tt.full)
		for _, want := range tt.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s is also called %q; want %q among them", tt.full, got, want)
			}
		}
		if bare, _, _ := strings.Cut(tt.full, " "); slices.Contains(got, bare) {
			t.Errorf("%s is also called %q; want no name of a place among them", tt.full, got)
		}
	}
}

func TestDistrictOfDivision(t *testing.T) {
	const ks, id, tx = "ocd-division/country:us/state:ks/county:", "ocd-division/country:us/state:id/county:", "ocd-division/country:us/state:tx/county:"
	tests := []struct{ division, stateID, name, place, county string }{
		{id + "ada/school_district:boise_independent_district", "001", "Boise Independent District", "Boise", "Ada"},
		{id + "caribou/school_district:soda_springs_joint_district", "150", "Soda Springs Joint District", "Soda Springs", "Caribou"},
		{ks + "sedgwick/school_district:wichita", "D0259", "Wichita Unified School District 259", "Wichita", "Sedgwick"},
		{ks + "washington/school_district:washington_co._schools", "D0108", "Washington County Unified School District 108", "Washington County", "Washington"},
		{ks + "butler/school_district:remington-whitewater", "D0206", "Remington-Whitewater Unified School District 206", "Remington-Whitewater", "Butler"},
		{"ocd-division/country:us/state:va/county:fairfax/school_district:fairfax_co_pblc_schs", "029", "Fairfax County Public Schools", "Fairfax County", "Fairfax"},
		{tx + "bexar/school_district:northside_isd", "015915", "Northside Independent School District", "Northside", "Bexar"},
		{tx + "bexar/school_district:school_of_science_charter_district", "1", "", "", ""},
		{tx + "bexar/school_district:por_vida", "1", "", "", ""},
		{tx + "bexar/school_district:isd", "1", "", "", ""},
		{tx + "bexar", "1", "", "", ""},
	}
	for _, tt := range tests {
		name, place, county := draft.DivisionNames(tt.division, tt.stateID)
		if diff := cmp.Diff([]string{tt.name, tt.place, tt.county}, []string{name, place, county}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.division, diff)
		}
	}
}

func TestInFull(t *testing.T) {
	for raw, want := range map[string]string{
		"N Bridgton": "North Bridgton", "Wilkes Barre Pa S&DC": "Wilkes Barre", "Colorado Spgs": "Colorado Springs", "College Sta": "College Station",
		"Sta Clara": "Sta Clara", "St. Louis": "St. Louis", "W": "W", "AMF": "AMF", "Washington": "Washington", "No Name": "No Name",
	} {
		if got := draft.InFull(raw, "PA"); got != want {
			t.Errorf("%s in full is %q; want %q", raw, got, want)
		}
	}
}

func TestAbbreviates(t *testing.T) {
	tests := []struct {
		short, full string
		want        bool
	}{
		{"Rcho Sta Marg", "Rancho Santa Margarita", true},
		{"Winchestr Center", "Winchester Center", true},
		{"Christiansbrg", "Christiansburg", true},
		{"City of Wilkes Barre", "Wilkes Barre", true},
		{"Glen", "Glendale", false},
		{"Old Bridge", "Old Bridgeton Park", false},
		{"New Haven", "New Heaven", true},
		{"West Haven", "East Havenport", false},
		{"Winchester Center", "Winchestr Ctr", false},
	}
	for _, tt := range tests {
		if got := draft.Abbreviates(tt.short, tt.full); got != tt.want {
			t.Errorf("%s abbreviates %s: %t; want %t", tt.short, tt.full, got, tt.want)
		}
	}
}

// TestPlainName checks names of places without their legal description.
func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{
		"Elm city": "Elm", "Elm City city": "Elm City", "Elm City": "Elm City", "Elm CDP": "Elm", "Elm charter township": "Elm",
		"Elm-Oak metropolitan government (balance)": "Elm-Oak", "Elm zona urbana": "Elm", "Elm city and borough": "Elm", "town": "town", "Elm UT": "Elm",
	} {
		if got := draft.PlainName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// TestLettersLoseTheirAccents compares the table of package namekey with Unicode's
// decompositions, which only the builder links.
func TestLettersLoseTheirAccents(t *testing.T) {
	for r := rune(0xC0); r < 0x180; r++ {
		plain, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		if plain >= utf8.RuneSelf || !unicode.IsLetter(plain) {
			continue // transcribed, not decomposed
		}
		if got, want := string(namekey.Fold(nil, string(r))), strings.ToLower(string(plain)); got != want {
			t.Errorf("Fold(%q) = %q; want %q", r, got, want)
		}
	}
}

// FuzzSpell checks that spelling keeps the letters and is idempotent.
func FuzzSpell(f *testing.F) {
	for _, s := range []string{"MC LEAN", "O FALLON", "Isle Of The Winds", "WINSTON-ELM", "St Elmo", "É", "Mc", "d d d", "O o", "mcA"} {
		f.Add(s)
	}
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(unicode.ToUpper(r))
			}
			return -1
		}, s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if strings.ToValidUTF8(name, "") != name {
			t.Skip("readers give valid text only")
		}
		name = strings.ToUpper(name) // as postal products write
		once := spell(name, "McLean city", "O'Fallon", "Winston-Elm")
		for _, r := range name {
			if r > unicode.MaxLatin1 {
				return // letters beyond Latin need not keep their number in another case
			}
		}
		if draft.Fold(name) != "" && letters(draft.Fold(once)) != letters(draft.Fold(name)) {
			t.Errorf("%q became %q", name, once)
		}
		if twice := spell(once, "McLean city", "O'Fallon", "Winston-Elm"); twice != once {
			t.Errorf("%q became %q and then %q", name, once, twice)
		}
	})
}

// spell spells a name in a state that has the known names.
func spell(name string, known ...string) string {
	var s draft.Speller
	for _, k := range known {
		s.Learn("OH", k)
	}
	return s.Spell("OH", name)
}
