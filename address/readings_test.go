package address_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/pub28"
)

var update = flag.Bool("update", false, "write the tables of testdata again")

// TestReadings compares the likeliest readings of texts and of addresses in parts.
func TestReadings(t *testing.T) {
	lookuptest.Table(t, "readings.txt", *update, func(text string) string {
		var p []address.Address
		var err error
		if f := strings.Split(text, " | "); len(f) == 6 {
			p, err = address.ParseFields(address.Fields{Street: f[0], Unit: f[1], City: f[2], State: f[3], ZIP: f[4], Country: f[5]})
		} else {
			p, err = address.Parse(text)
		}
		check(t, err)
		return reading(&p[0])
	})
}

// reading returns the parts of a reading with their names.
func reading(a *address.Address) string {
	var parts []string
	for _, part := range [...][2]string{
		{"to", a.Recipient},
		{"attention", a.Attention},
		{"urbanization", a.Urbanization},
		{"number", a.Number},
		{"direction", a.PreDirectional},
		{"kind", a.PreType},
		{"street", a.Street},
		{"suffix", a.Suffix},
		{"behind", a.PostDirectional},
		{"unit", a.Secondary.String()},
		{"building", a.Building.String()},
		{"mailbox", a.Mailbox},
		{"station", a.Station},
		{"cross", a.Cross},
		{"city", a.City},
		{"state", a.State},
		{"zip", a.ZIP},
		{"plus4", a.Plus4},
		{"country", a.Country},
		{"unused", strings.Join(a.Unused, " + ")},
	} {
		if part[1] != "" {
			parts = append(parts, part[0]+" "+part[1])
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}

// TestFurtherReadings verifies that the further readings include those that only a
// dataset can confirm.
func TestFurtherReadings(t *testing.T) {
	for text, want := range map[string]string{"5515 A Reading Ave, Ely, MN": "5515|A READING|AVE", "100 East Rd 5B, Ely, MN": "100|EAST|RD"} {
		p, err := address.Parse(text)
		check(t, err)
		if !slices.ContainsFunc(p, func(a address.Address) bool { return a.Number+"|"+a.Street+"|"+a.Suffix == want }) {
			t.Errorf("%q has no reading %q: %+v", text, want, p)
		}
	}
}

// TestNumbersFirst parses a text without letters before the rules have been used.
func TestNumbersFirst(t *testing.T) {
	if os.Getenv("NUMBERS_FIRST") != "" {
		_, _ = address.Parse("501")
		return
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNumbersFirst$")
	again.Env = append(os.Environ(), "NUMBERS_FIRST=1")
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestClean(t *testing.T) {
	tests := map[string]string{
		"  100  Main St.,\tEly\n": "100 MAIN ST., ELY",
		"Calle José Martí Nº 5":   "CALLE JOSE MARTI N 5",
		"O’Brien’s Rd":            "OBRIENS RD",
		"１００ Ｍａｉｎ":                "100 MAIN",
		"100–102 Main":            "100-102 MAIN",
		"...,,,":                  "",
		"Straße Ø Ł ŵ":            "STRASSE O L W",
		"% Jane":                  "C/O JANE",
		"a\x00b\x7fc":             "A B C",
		"a\xffb":                  "A B",
	}
	for in, want := range tests {
		if got := address.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range badInputs {
		f.Add(text)
	}
	f.Add("100 N.E. Main St. S.W. Apt 4-B, Ely, MN 55731-1234 USA")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := address.Parse(text)
		if err != nil {
			if address.Check(text) == nil {
				t.Errorf("Parse(%q): %v", text, err)
			}
			return
		}
		if n := len(p); n < 1 || n > address.MaxReadings {
			t.Errorf("Parse(%.40q): %d readings", text, n)
		}
		again, err := address.Parse(address.Clean(text))
		check(t, err)
		if diff := cmp.Diff(p[0].Reading(), again[0].Reading()); diff != "" {
			t.Errorf("%q reads otherwise once it is clean:\n%s", text, diff)
		}
	})
}

// TestRules requires that the name of each rule is unique and that the rule applies
// to its example.
func TestRules(t *testing.T) {
	rules := address.Rules()
	if len(rules) == 0 {
		t.Fatal("no rules")
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.Name] {
			t.Errorf("%s: several rules have this name", r.Name)
		}
		seen[r.Name] = true
		if !r.Applies() {
			t.Errorf("%s: doesn't apply to %q", r.Name, r.Example)
		}
	}
}

// TestLongFields refuses fields that are together too long.
func TestLongFields(t *testing.T) {
	if _, err := address.ParseFields(address.Fields{Street: strings.Repeat("x", 400)}); !errors.Is(err, envelope.ErrInvalidCode) {
		t.Errorf("a long street: %v", err)
	}
}

// FuzzFields requires that every address in parts has readings, and that the city
// is of its own field.
func FuzzFields(f *testing.F) {
	f.Add("101 N Aspen Dr (rear", "", "New York (Manhattan)", "NY", "10001", "")
	f.Add("12 Elm St 5", "(- 4", "(Ely", "MN)", "5573", "US")
	f.Add("PH1-345 rue St-Paul (", ") app 4", "Montr\xe9al", "QC", "h2x1y4", "Canada")
	f.Add("PO Box 12 (", "Box - ", "RR 2)", "((", "1-2", "(")
	f.Add("0", "", "0(1)0", "0", "0", "")
	m := world(f, "town").engine(f)
	f.Fuzz(func(t *testing.T, street, unit, city, state, zip, country string) {
		fields := address.Fields{Street: street, Unit: unit, City: city, State: state, ZIP: zip, Country: country}
		p, err := address.ParseFields(fields)
		if err != nil {
			if address.Check(fields.String()) == nil {
				t.Errorf("ParseFields(%+v): %v", fields, err)
			}
			return
		}
		own := pub28.Squeezed(address.Clean(city))
		before, inner, _ := strings.Cut(city, "(")
		_, after, _ := strings.Cut(inner, ")")
		outer := pub28.Squeezed(address.Clean(before + " " + after)) // a remark may stand within
		for _, a := range p {
			if name := pub28.Squeezed(a.City); !strings.Contains(own, name) && !strings.Contains(outer, name) {
				t.Errorf("ParseFields(%+v) has the city %q", fields, a.City)
			}
		}
		if _, err := m.MatchFields(context.Background(), fields, address.Options{}); err != nil && envelope.FaultOf(err) == nil {
			t.Errorf("MatchFields(%+v): %v", fields, err)
		}
	})
}

// TestFieldsLine writes fields on one line, without the empty ones.
func TestFieldsLine(t *testing.T) {
	for want, f := range map[string]address.Fields{
		"350 5th Ave, Ste 500, New York, NY 10118, US": {Street: "350 5th Ave", Unit: "Ste 500", City: "New York", State: "NY", ZIP: "10118", Country: "US"},
		"New York, 10118": {City: " New York ", ZIP: "10118"},
		"NY":              {State: "NY"},
		"":                {Unit: " "},
	} {
		if got := f.String(); got != want {
			t.Errorf("%+v: %q; want %q", f, got, want)
		}
	}
}

// TestMatchFields matches fields and requires that no field is read as part of
// another one.
func TestMatchFields(t *testing.T) {
	m := world(t, "everyday").engine(t)
	for _, tt := range []struct {
		fields address.Fields
		want   string
	}{
		{address.Fields{Street: "110 Broadway", Unit: "Fl 3", City: "New York", State: "NY", ZIP: "10006"}, "110 BROADWAY FL 3, NEW YORK NY 10006-1011"},
		{address.Fields{Street: "110 rt 9", City: "albany", State: "new york"}, "110 STATE ROUTE 9, ALBANY NY 12001-1004"},
		{address.Fields{Street: "110 High", City: "St C Portsmouth", State: "VA", ZIP: "23704"}, "110 HIGH ST, PORTSMOUTH VA 23704-1021"},
		{address.Fields{Street: "110 Ocean Blvd Long Beach", City: "Nowhere", State: "CA"}, "NOT_FOUND"},
		{address.Fields{Street: "110 Main", City: "Boise", Country: "Germany"}, "INSUFFICIENT_INPUT"},
		{address.Fields{Street: "110 Main", ZIP: "10115", Country: "Germany"}, "SERVICE_UNAVAILABLE"},
		{address.Fields{City: "Long Beach", State: "CA"}, "INSUFFICIENT_INPUT"},
	} {
		var got string
		if match, err := m.MatchFields(t.Context(), tt.fields, address.Options{}); err != nil {
			failure := envelope.FaultOf(err)
			if failure == nil {
				t.Fatal(err)
			}
			got = string(failure.Code)
		} else {
			got = match.Data.FormattedAddress
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.fields, diff)
		}
	}
}
