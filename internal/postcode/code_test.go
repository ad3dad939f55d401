package postcode_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/postcode"
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
	for z := range postcode.ZIP(postcode.NumZIPs) {
		next(z.String())
		if got, ok := postcode.ParseZIP(z.String()); !ok || got != z {
			t.Errorf("ParseZIP(%q) = %d, %t; want %d", z.String(), got, ok, z)
		}
	}
	last = ""
	for p := range postcode.Plus4(10000) {
		next(p.String())
		if got, ok := postcode.ParsePlus4(p.String()); !ok || got != p {
			t.Errorf("ParsePlus4(%q) = %d, %t; want %d", p.String(), got, ok, p)
		}
	}
	last = ""
	for f := range postcode.FSA(postcode.NumFSAs) {
		next(f.String())
		if got, ok := postcode.ParseFSA(f.String()); !ok || got != f {
			t.Errorf("ParseFSA(%q) = %d, %t; want %d", f.String(), got, ok, f)
		}
	}
	last = ""
	for p := postcode.PostalCode(0); p < postcode.NumPostalCodes; p += 97 {
		next(p.String())
		got, ok := postcode.ParsePostalCode(p.String())
		short, okShort := postcode.ParsePostalCode(strings.ReplaceAll(p.String(), " ", ""))
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
		if z, ok := postcode.ParseZIP(s); ok {
			t.Errorf("ParseZIP(%q) = %s", s, z)
		}
	}
	for _, s := range []string{"", "123", "12345", "12a4", "+123"} {
		if p, ok := postcode.ParsePlus4(s); ok {
			t.Errorf("ParsePlus4(%q) = %s", s, p)
		}
	}
	for _, s := range []string{"", "K1", "K1A0", "k1a", "KAA", "11A", "K11", "K1é", "@1A", "K1["} {
		if f, ok := postcode.ParseFSA(s); ok {
			t.Errorf("ParseFSA(%q) = %s", s, f)
		}
	}
	for _, s := range []string{"", "K1A", "K1A 0B", "K1A-0B1", "K1A  0B1", "k1a 0b1", "K1A 0BB", "K1A AB1", "K1A 001", "K1A0B1 ", "K1 A0B1"} {
		if p, ok := postcode.ParsePostalCode(s); ok {
			t.Errorf("ParsePostalCode(%q) = %s", s, p)
		}
	}
}

func FuzzParseCode(f *testing.F) {
	for _, s := range []string{"90210", "1234", "K1A", "K1A 0B1", "K1A0B1", "", "é", "99999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if z, ok := postcode.ParseZIP(s); ok && (z.String() != s || z >= postcode.NumZIPs) {
			t.Errorf("ParseZIP(%q) = %s", s, z)
		}
		if p, ok := postcode.ParsePlus4(s); ok && (p.String() != s || p > 9999) {
			t.Errorf("ParsePlus4(%q) = %s", s, p)
		}
		if c, ok := postcode.ParseFSA(s); ok && (c.String() != s || c >= postcode.NumFSAs) {
			t.Errorf("ParseFSA(%q) = %s", s, c)
		}
		if p, ok := postcode.ParsePostalCode(s); ok && (p >= postcode.NumPostalCodes ||
			strings.ReplaceAll(p.String(), " ", "") != strings.Replace(s, " ", "", 1)) {
			t.Errorf("ParsePostalCode(%q) = %s", s, p)
		}
	})
}
