package pub28_test

import (
	"os"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/pub28"
)

// TestKey verifies that spellings of one name share a key, and that no two lines of
// testdata/keys.txt do.
func TestKey(t *testing.T) {
	text, err := os.ReadFile("testdata/keys.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		names := strings.Split(line, ", ")
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

// TestInRange compares the fits of testdata/ranges.txt.
func TestInRange(t *testing.T) {
	lookuptest.Table(t, "ranges.txt", false, func(row string) string {
		f := strings.Split(row, "|")
		return map[pub28.Fit]string{pub28.Inside: "Inside", pub28.Stem: "Stem", pub28.Outside: "Outside"}[pub28.InRange(f[0], f[1], f[2], f[3][0])]
	})
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
	for name, want := range map[string]string{"MT PLEASANT": "MOUNTPLEASANT", "CR 12": "COUNTYROAD12", "TWENTY EIGHTH": "28"} {
		if got := pub28.Key(name); got != want {
			t.Errorf("Key(%q) = %q, want %q", name, got, want)
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
