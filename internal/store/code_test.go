package store_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

// TestCodeText turns every possible code into text and back, in order.
func TestCodeText(t *testing.T) {
	last := ""
	next := func(s string) {
		t.Helper()
		if s <= last {
			t.Errorf("%q does not come after %q", s, last)
		}
		last = s
	}
	for z := range store.ZIP(store.NumZIPs) {
		next(z.String())
		if got, ok := store.ParseZIP(z.String()); !ok || got != z {
			t.Errorf("ParseZIP(%q) = %d, %t; want %d", z.String(), got, ok, z)
		}
	}
	last = ""
	for p := range store.Plus4(10000) {
		next(p.String())
		if got, ok := store.ParsePlus4(p.String()); !ok || got != p {
			t.Errorf("ParsePlus4(%q) = %d, %t; want %d", p.String(), got, ok, p)
		}
	}
	last = ""
	for f := range store.FSA(store.NumFSAs) {
		next(f.String())
		if got, ok := store.ParseFSA(f.String()); !ok || got != f {
			t.Errorf("ParseFSA(%q) = %d, %t; want %d", f.String(), got, ok, f)
		}
	}
	last = ""
	for p := store.PostalCode(0); p < store.NumPostalCodes; p += 97 {
		next(p.String())
		got, ok := store.ParsePostalCode(p.String())
		short, okShort := store.ParsePostalCode(strings.ReplaceAll(p.String(), " ", ""))
		if !ok || got != p || !okShort || short != p {
			t.Errorf("ParsePostalCode(%q) = %d, %t, without the space %d, %t; want %d", p.String(), got, ok, short, okShort, p)
		}
		if want := p.String()[:3]; p.FSA().String() != want {
			t.Errorf("%s has the FSA %s, want %s", p, p.FSA(), want)
		}
	}
}

func TestCodeRefused(t *testing.T) {
	for _, s := range []string{"", "9021", "902100", "9021a", " 90210", "90210-1234", "９０２１０", "-9021", "90/10", "90:10"} {
		if z, ok := store.ParseZIP(s); ok {
			t.Errorf("ParseZIP(%q) = %s", s, z)
		}
	}
	for _, s := range []string{"", "123", "12345", "12a4", "+123"} {
		if p, ok := store.ParsePlus4(s); ok {
			t.Errorf("ParsePlus4(%q) = %s", s, p)
		}
	}
	for _, s := range []string{"", "K1", "K1A0", "k1a", "KAA", "11A", "K11", "K1é", "@1A", "K1["} {
		if f, ok := store.ParseFSA(s); ok {
			t.Errorf("ParseFSA(%q) = %s", s, f)
		}
	}
	for _, s := range []string{"", "K1A", "K1A 0B", "K1A-0B1", "K1A  0B1", "k1a 0b1", "K1A 0BB", "K1A AB1", "K1A 001", "K1A0B1 ", "K1 A0B1"} {
		if p, ok := store.ParsePostalCode(s); ok {
			t.Errorf("ParsePostalCode(%q) = %s", s, p)
		}
	}
}

func FuzzParseCode(f *testing.F) {
	for _, s := range []string{"90210", "1234", "K1A", "K1A 0B1", "K1A0B1", "", "é", "99999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if z, ok := store.ParseZIP(s); ok && (z.String() != s || z >= store.NumZIPs) {
			t.Errorf("ParseZIP(%q) = %s", s, z)
		}
		if p, ok := store.ParsePlus4(s); ok && (p.String() != s || p > 9999) {
			t.Errorf("ParsePlus4(%q) = %s", s, p)
		}
		if c, ok := store.ParseFSA(s); ok && (c.String() != s || c >= store.NumFSAs) {
			t.Errorf("ParseFSA(%q) = %s", s, c)
		}
		if p, ok := store.ParsePostalCode(s); ok && (p >= store.NumPostalCodes ||
			strings.ReplaceAll(p.String(), " ", "") != strings.Replace(s, " ", "", 1)) {
			t.Errorf("ParsePostalCode(%q) = %s", s, p)
		}
	})
}

func TestNames(t *testing.T) {
	for class, want := range map[store.Class]string{
		store.General: "General", store.POBox: "PO Box", store.Military: "Military", store.Unique: "Unique", 0: "", 'X': "",
	} {
		if got := class.Name(); got != want {
			t.Errorf("Class(%q).Name() = %q, want %q", byte(class), got, want)
		}
	}
	for country, want := range map[store.Country]string{store.US: "US", store.CA: "CA", 0: "", 9: ""} {
		if got := country.String(); got != want {
			t.Errorf("Country(%d) = %q, want %q", country, got, want)
		}
	}
	for tri, want := range map[store.Tri]string{store.Unknown: "unknown", store.No: "no", store.Yes: "yes", 9: ""} {
		if got := tri.String(); got != want {
			t.Errorf("Tri(%d) = %q, want %q", uint8(tri), got, want)
		}
		if got, want := tri.Known(), want == "no" || want == "yes"; got != want {
			t.Errorf("Tri(%d).Known() = %t, want %t", uint8(tri), got, want)
		}
	}
	for op, want := range map[store.Op]string{
		store.Added: "added", store.Removed: "removed", store.Changed: "changed", 9: "Op(9)",
	} {
		if got := op.String(); got != want {
			t.Errorf("Op(%d) = %q, want %q", uint8(op), got, want)
		}
	}
}
