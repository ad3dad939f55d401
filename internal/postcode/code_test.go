package postcode_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/postcode"
)

// TestCodeText turns every possible code into text and back, in order.
func TestCodeText(t *testing.T) {
	inOrder(t, postcode.NumZIPs, 1, postcode.ParseZIP)
	inOrder(t, 10_000, 1, postcode.ParsePlus4)
	inOrder(t, postcode.NumFSAs, 1, postcode.ParseFSA)
	inOrder(t, postcode.NumPostalCodes, 97, postcode.ParsePostalCode)
	for p := postcode.PostalCode(0); p < postcode.NumPostalCodes; p += 97 {
		if short, ok := postcode.ParsePostalCode(strings.ReplaceAll(p.String(), " ", "")); !ok || short != p {
			t.Errorf("%s without the space is %d, %t; want %d", p, short, ok, p)
		}
		if want := p.String()[:3]; p.FSA().String() != want {
			t.Errorf("%s has the FSA %s, want %s", p, p.FSA(), want)
		}
	}
}

// inOrder checks the texts of every so many codes.
func inOrder[T interface {
	~uint16 | ~uint32
	String() string
}](t *testing.T, codes, step T, parse func(string) (T, bool)) {
	t.Helper()
	last := ""
	for c := T(0); c < codes; c += step {
		text := c.String()
		if got, ok := parse(text); !ok || got != c || text <= last {
			t.Errorf("%q behind %q is read as %d, %t; want %d", text, last, got, ok, c)
		}
		last = text
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
