package address_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/pub28"
)

// TestForms writes addresses of the truth set in other ways that people have.
// None may become another record, and nearly all have to be found.
func TestForms(t *testing.T) {
	cases := truthLines[matchCase](t, "match_cases.jsonl.gz")
	m := truthFixture(t).engine(t)
	forms := map[string]func(num, street, city, zip string) string{
		"nocomma-unit":          func(n, s, c, z string) string { return fmt.Sprintf("%s %s apt 4b %s va %s", n, s, c, z) },
		"nocomma-pound":         func(n, s, c, z string) string { return fmt.Sprintf("%s %s #12 %s va %s", n, s, c, z) },
		"nocomma-nozip":         func(n, s, c, z string) string { return strings.ToLower(fmt.Sprintf("%s %s %s va", n, s, c)) },
		"nocomma-zip4":          func(n, s, c, z string) string { return fmt.Sprintf("%s %s %s VA %s-1234", n, s, c, z) },
		"nocomma-zip9":          func(n, s, c, z string) string { return fmt.Sprintf("%s %s %s VA %s1234", n, s, c, z) },
		"zip-before-state":      func(n, s, c, z string) string { return fmt.Sprintf("%s %s, %s %s VA", n, s, c, z) },
		"full-state":            func(n, s, c, z string) string { return fmt.Sprintf("%s %s, %s, Virginia %s, USA", n, s, c, z) },
		"recipient-inline":      func(n, s, c, z string) string { return fmt.Sprintf("Bob Jones %s %s, %s, VA %s", n, s, c, z) },
		"recipient-nocomma":     func(n, s, c, z string) string { return fmt.Sprintf("Dr Bob Jones %s %s %s VA %s", n, s, c, z) },
		"firm-suite":            func(n, s, c, z string) string { return fmt.Sprintf("Acme Co Suite 12, %s %s, %s VA %s", n, s, c, z) },
		"zip-only":              func(n, s, c, z string) string { return fmt.Sprintf("%s %s %s", n, s, z) },
		"zip-only-unit":         func(n, s, c, z string) string { return fmt.Sprintf("%s %s apt 3 %s", n, s, z) },
		"extra-name":            func(n, s, c, z string) string { return fmt.Sprintf("%s %s, Old Town, %s, VA %s", n, s, c, z) },
		"unit-first":            func(n, s, c, z string) string { return fmt.Sprintf("Apt 2, %s %s, %s, VA %s", n, s, c, z) },
		"floor":                 func(n, s, c, z string) string { return fmt.Sprintf("%s %s 2nd Floor, %s, VA %s", n, s, c, z) },
		"trailing-phone":        func(n, s, c, z string) string { return fmt.Sprintf("%s %s, %s, VA %s (703) 555-0100", n, s, c, z) },
		"suffix-dot":            func(n, s, c, z string) string { return fmt.Sprintf("%s  %s., %s., VA. %s.", n, s, c, z) },
		"county":                func(n, s, c, z string) string { return fmt.Sprintf("%s %s, %s, Fairfax County, VA %s", n, s, c, z) },
		"dash-unit":             func(n, s, c, z string) string { return fmt.Sprintf("%s %s - Unit 5, %s, VA %s", n, s, c, z) },
		"bare-unit":             func(n, s, c, z string) string { return fmt.Sprintf("%s %s 5B, %s, VA %s", n, s, c, z) },
		"words":                 func(n, s, c, z string) string { return fmt.Sprintf("%s %s %s VA %s", n, fullWords(s), c, z) },
		"city-misspelt-nocomma": func(n, s, c, z string) string { return fmt.Sprintf("%s %s %s VA %s", n, s, c[:2]+c[3:], z) },
		"no-state":              func(n, s, c, z string) string { return fmt.Sprintf("%s %s, %s %s", n, s, c, z) },
		"no-state-nocomma":      func(n, s, c, z string) string { return fmt.Sprintf("%s %s %s %s", n, s, c, z) },
	}
	towns := map[string]string{"22": "Alexandria", "233": "Chesapeake", "237": "Portsmouth"}
	streets := slices.DeleteFunc(cases, func(c matchCase) bool {
		return c.Outcome != "MATCH" || c.Number == "" || c.Street == "" || strings.HasPrefix(c.Category, "highrise") ||
			slices.Contains([]string{"po_box", "rural_route", "general_delivery"}, c.Category)
	})
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 9))
			missed := 0
			const n = 200
			for range n {
				c := streets[rng.IntN(len(streets))]
				town := towns[c.Zip[:3]]
				if town == "" {
					town = towns[c.Zip[:2]]
				}
				text := form(c.Number, c.Street, town, c.Zip)
				got, err := m.Match(t.Context(), text, address.Options{})
				var none *envelope.Failure
				switch {
				case errors.As(err, &none):
					missed++
					t.Logf("%q: %s", text, envelope.Links{}.Error(err).Code)
				case err != nil:
					t.Fatal(err)
				case got.Data.Components.ZIP != c.Zip || got.Data.Components.Plus4 != c.Plus4:
					t.Errorf("%q is %s, want %s %s-%s", text, got.Data.FormattedAddress, c.Street, c.Zip, c.Plus4)
				}
			}
			if missed > n/50 {
				t.Errorf("%d of %d were not found", missed, n)
			}
		})
	}
}

// fullWords writes suffixes in full.
func fullWords(s string) string {
	f := strings.Fields(s)
	for i := range f {
		if n := pub28.SuffixName(f[i]); n != "" && i > 0 {
			f[i] = n
		}
	}
	return strings.Join(f, " ")
}
