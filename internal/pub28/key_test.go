package pub28_test

import (
	"fmt"
	"testing"

	"github.com/postgeo/postgeo/internal/pub28"
)

// TestKey verifies that spellings of one name share a key, and that no two of the
// lines do.
func TestKey(t *testing.T) {
	same := [][]string{
		{"MOUNT PLEASANT", "MT PLEASANT", "MNT PLEASANT", "MOUNTPLEASANT"},
		{"FIFTH", "5TH", "5"},
		{"TWENTY EIGHTH", "28TH", "TWENTYEIGHTH", "28"},
		{"STILL HARBOR", "STILLHARBOR", "STILL HBR"},
		{"GREAT BRIDGE", "GREAT BRG", "GRT BRIDGE"},
		{"SAINT JAMES", "ST JAMES", "SAINTJAMES"},
		{"FORT HUNT", "FT HUNT"},
		{"OLD GEORGE WASHINGTON", "OLD GEO WASHINGTON"},
		{"COUNTY ROAD 12", "CR 12", "CO RD 12", "COUNTY HWY 12", "COUNTRY ROAD 12"},
		{"US HIGHWAY 41", "US 41", "US HWY 41", "U S HIGHWAY 41", "US ROUTE 41"},
		{"STATE ROUTE 20", "SR 20", "ST RT 20", "STATE HWY 20"},
		{"KY HIGHWAY 440", "KENTUCKY 440", "KY 440", "KENTUCKY HWY 440"},
		{"NC HIGHWAY 5", "NORTH CAROLINA 5", "NC 5", "NC HWY 5"},
		{"INTERSTATE 35", "I 35", "IH 35"},
		{"FM 1960", "FARM TO MARKET 1960", "FARM TO MARKET ROAD 1960"},
		{"AVENUE H", "AVE H"},
		{"DR MARTIN LUTHER KING", "DOCTOR MARTIN LUTHER KING"},
		{"NORTH FORK", "N FORK", "NORTHFORK"},
		{"N"},
		{"E"},
		{"SECOND CREEK", "2ND CREEK", "2ND CRK"},
		{"LAKE", "LK"},
	}
	seen := map[string]string{}
	for _, names := range same {
		want := pub28.Key(names[0])
		if other, ok := seen[want]; ok || want == "" {
			t.Errorf("Key(%q) = %q, which is %q's too", names[0], want, other)
		}
		seen[want] = names[0]
		for _, name := range names[1:] {
			if got := pub28.Key(name); got != want {
				t.Errorf("Key(%q) = %q, want %q as of %q", name, got, want, names[0])
			}
		}
	}
}

// TestKeyOfKey verifies that a key is its own key, unless it looks like an
// abbreviation.
func FuzzKey(f *testing.F) {
	for _, s := range []string{"", "MT PLEASANT", "US 41 SW", "TWENTY EIGHTH", "  A  B ", "N", "\xff\x00", "KENTUCKY", "FM", "99999999999TH"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		key := pub28.Key(name)
		for _, c := range []byte(key) {
			if (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
				t.Errorf("Key(%q) = %q holds %q", name, key, c)
			}
		}
		if got := string(pub28.AppendKey([]byte("x"), name)); got != "x"+key {
			t.Errorf("AppendKey(%q) = %q, Key %q", name, got, key)
		}
	})
}

func TestInRange(t *testing.T) {
	tests := []struct {
		number, low, high string
		oddEven           byte
		want              pub28.Fit
	}{
		{"101", "0000000101", "0000000199", 'O', pub28.Inside},
		{"102", "0000000101", "0000000199", 'O', pub28.Outside},
		{"201", "0000000101", "0000000199", 'O', pub28.Outside},
		{"99", "0000000101", "0000000199", 'O', pub28.Outside},
		{"1010", "0000000101", "0000000199", 'B', pub28.Outside},
		{"5515A", "5501", "5599", 'O', pub28.Stem},
		{"5516A", "5501", "5599", 'O', pub28.Outside},
		{"5515 1/2", "5501", "5599", 'O', pub28.Stem},
		{"5515A", "5515A", "5515F", 'O', pub28.Inside},
		{"5515G", "5515A", "5515F", 'B', pub28.Outside},
		{"5515", "5515A", "5515F", 'B', pub28.Outside},
		{"912-914", "900", "998", 'E', pub28.Stem},
		{"912-1014", "900", "998", 'E', pub28.Outside},
		{"914-912", "900", "998", 'E', pub28.Outside},
		{"92-10", "92-01", "92-99", 'B', pub28.Inside},
		{"93-10", "92-01", "92-99", 'B', pub28.Outside},
		{"N6W23001", "N6W23000", "N6W23998", 'B', pub28.Inside},
		{"N7W23001", "N6W23000", "N6W23998", 'B', pub28.Outside},
		{"B", "A", "F", 'B', pub28.Inside},
		{"G", "A", "F", 'B', pub28.Outside},
		{"AA", "A", "F", 'B', pub28.Outside},
		{"4B", "4A", "4F", 'B', pub28.Inside},
		{"0145", "-0145", "-0145", 'B', pub28.Inside},
		{"", "", "", ' ', pub28.Inside},
		{"1", "", "", ' ', pub28.Outside},
		{"", "1", "9", ' ', pub28.Outside},
		{"0", "0000000000", "0000000004", 'E', pub28.Inside},
		{"99999999999999999999", "1", "9999999999", 'B', pub28.Outside},
	}
	for _, tt := range tests {
		if got := pub28.InRange(tt.number, tt.low, tt.high, tt.oddEven); got != tt.want {
			t.Errorf("InRange(%q, %q, %q, %q) = %d, want %d", tt.number, tt.low, tt.high, tt.oddEven, got, tt.want)
		}
	}
}

func FuzzInRange(f *testing.F) {
	f.Add("5515A", "5501", "5599", byte('O'))
	f.Add("", "\xff", "-", byte(0))
	f.Fuzz(func(t *testing.T, number, low, high string, oddEven byte) {
		if number != "" && low != "" && pub28.Trim(low) == pub28.Trim(high) && pub28.Trim(number) == pub28.Trim(low) &&
			pub28.InRange(number, low, high, 'B') != pub28.Inside && pub28.Trim(low) != "" {
			t.Errorf("%q is outside of itself", number)
		}
		if fit := pub28.InRange(number, low, high, oddEven); fit > pub28.Inside {
			t.Errorf("InRange(%q, %q, %q, %q) = %d", number, low, high, oddEven, fit)
		}
	})
}

func TestWords(t *testing.T) {
	for word, want := range map[string]string{"AVENU": "AVE", "STREET": "ST", "PLACE": "PL", "PARKWAY": "PKWY", "CROSSING": "XING", "ARCH": "", "MAIN": ""} {
		if got, ok := pub28.Suffix(word); got != want || ok != (want != "") {
			t.Errorf("Suffix(%q) = %q, %t; want %q", word, got, ok, want)
		}
	}
	for word, want := range map[string]string{"CALIF": "CA", "NEW YORK": "NY", "AE": "AE", "PUERTO RICO": "PR", "XX": ""} {
		if got := pub28.State(word); got != want {
			t.Errorf("State(%q) = %q, want %q", word, got, want)
		}
	}
	if abbr, ranged, ok := pub28.Unit("SUITE"); abbr != "STE" || !ranged || !ok {
		t.Errorf("Unit(SUITE) = %q, %t, %t", abbr, ranged, ok)
	}
	if !pub28.Agree("N", "NE") || pub28.Agree("N", "S") || pub28.Agree("NE", "NW") || pub28.Agree("", "N") || !pub28.Agree("", "") {
		t.Error("Agree mixes up directions")
	}
	if n, words := pub28.Ordinal("TWENTY", "EIGHTH"); n != 28 || words != 2 {
		t.Errorf("Ordinal(TWENTY, EIGHTH) = %d, %d", n, words)
	}
	if pub28.Cardinal("TEN") != "10" || pub28.Cardinal("ONE") != "1" || pub28.Cardinal("NONE") != "" {
		t.Error("Cardinal does not count")
	}
}

func ExampleKey() {
	fmt.Println(pub28.Key("MT PLEASANT"), pub28.Key("CR 12"), pub28.Key("TWENTY EIGHTH"))
	// Output: MOUNTPLEASANT COUNTYROAD12 28
}
