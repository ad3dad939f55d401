package dataset_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset"
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
	for z := range dataset.ZIP(dataset.NumZIPs) {
		next(z.String())
		if got, ok := dataset.ParseZIP(z.String()); !ok || got != z {
			t.Errorf("ParseZIP(%q) = %d, %t; want %d", z.String(), got, ok, z)
		}
	}
	last = ""
	for p := range dataset.Plus4(10000) {
		next(p.String())
		if got, ok := dataset.ParsePlus4(p.String()); !ok || got != p {
			t.Errorf("ParsePlus4(%q) = %d, %t; want %d", p.String(), got, ok, p)
		}
	}
	last = ""
	for f := range dataset.FSA(dataset.NumFSAs) {
		next(f.String())
		if got, ok := dataset.ParseFSA(f.String()); !ok || got != f {
			t.Errorf("ParseFSA(%q) = %d, %t; want %d", f.String(), got, ok, f)
		}
	}
	last = ""
	for p := dataset.PostalCode(0); p < dataset.NumPostalCodes; p += 97 {
		next(p.String())
		got, ok := dataset.ParsePostalCode(p.String())
		short, okShort := dataset.ParsePostalCode(strings.ReplaceAll(p.String(), " ", ""))
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
		if z, ok := dataset.ParseZIP(s); ok {
			t.Errorf("ParseZIP(%q) = %s", s, z)
		}
	}
	for _, s := range []string{"", "123", "12345", "12a4", "+123"} {
		if p, ok := dataset.ParsePlus4(s); ok {
			t.Errorf("ParsePlus4(%q) = %s", s, p)
		}
	}
	for _, s := range []string{"", "K1", "K1A0", "k1a", "KAA", "11A", "K11", "K1é", "@1A", "K1["} {
		if f, ok := dataset.ParseFSA(s); ok {
			t.Errorf("ParseFSA(%q) = %s", s, f)
		}
	}
	for _, s := range []string{"", "K1A", "K1A 0B", "K1A-0B1", "K1A  0B1", "k1a 0b1", "K1A 0BB", "K1A AB1", "K1A 001", "K1A0B1 ", "K1 A0B1"} {
		if p, ok := dataset.ParsePostalCode(s); ok {
			t.Errorf("ParsePostalCode(%q) = %s", s, p)
		}
	}
}

func FuzzParseCode(f *testing.F) {
	for _, s := range []string{"90210", "1234", "K1A", "K1A 0B1", "K1A0B1", "", "é", "99999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if z, ok := dataset.ParseZIP(s); ok && (z.String() != s || z >= dataset.NumZIPs) {
			t.Errorf("ParseZIP(%q) = %s", s, z)
		}
		if p, ok := dataset.ParsePlus4(s); ok && (p.String() != s || p > 9999) {
			t.Errorf("ParsePlus4(%q) = %s", s, p)
		}
		if c, ok := dataset.ParseFSA(s); ok && (c.String() != s || c >= dataset.NumFSAs) {
			t.Errorf("ParseFSA(%q) = %s", s, c)
		}
		if p, ok := dataset.ParsePostalCode(s); ok && (p >= dataset.NumPostalCodes ||
			strings.ReplaceAll(p.String(), " ", "") != strings.Replace(s, " ", "", 1)) {
			t.Errorf("ParsePostalCode(%q) = %s", s, p)
		}
	})
}
