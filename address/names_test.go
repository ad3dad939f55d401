package address_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// TestNames matches every street of the sample and of the shared data, typed in
// full with a number, city and state. At most 0.05 % may be missed, and none may
// become another street.
func TestNames(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	t.Run("sample", func(t *testing.T) {
		d := lookuptest.Sample(t)
		matchNames(t, d)
	})
	t.Run("Virginia", func(t *testing.T) { matchNames(t, truthFixture(t).dataset(t)) })
}

// A nameCase is a street of a ZIP Code with one of its numbers.
type nameCase struct {
	record store.StreetRecord
	number string
	city   string
}

// nameCases returns the streets of a dataset, each once per ZIP Code.
func nameCases(t *testing.T, d *store.Dataset) []nameCase {
	t.Helper()
	var list []nameCase
	for z := range d.StreetZIPs() {
		row, _ := d.ZIP(z)
		seen := map[[4]string]bool{}
		for r, err := range d.StreetRecords(t.Context(), z) {
			check(t, err)
			name := [4]string{r.PreDir, r.Street, r.Suffix, r.PostDir}
			number := pub28.Trim(r.AddrLow)
			if r.RecordType != 'S' || r.Alternate || number == "" || seen[name] {
				continue
			}
			seen[name] = true
			list = append(list, nameCase{r, number, row.City})
		}
	}
	return list
}

func (c *nameCase) line() string {
	return strings.Join(strings.Fields(strings.Join([]string{c.number, c.record.PreDir, c.record.Street, c.record.Suffix, c.record.PostDir}, " ")), " ")
}

// matchNames writes the streets of a dataset in several forms and matches them.
func matchNames(t *testing.T, d *store.Dataset) {
	t.Helper()
	m := engineOn(t, d)
	forms := []struct {
		name string
		text func(c *nameCase) string
	}{
		{"full", func(c *nameCase) string {
			return c.line() + ", " + c.city + ", " + c.record.State + " " + c.record.ZIP.String()
		}},
		{"no ZIP", func(c *nameCase) string { return c.line() + ", " + c.city + ", " + c.record.State }},
		{"lower case", func(c *nameCase) string {
			return strings.ToLower(c.line() + ", " + c.city + ", " + c.record.State + " " + c.record.ZIP.String())
		}},
		{"no commas", func(c *nameCase) string {
			return c.line() + " " + c.city + " " + c.record.State + " " + c.record.ZIP.String()
		}},
		{"no commas, no ZIP", func(c *nameCase) string { return c.line() + " " + c.city + " " + c.record.State }},
	}
	cases := nameCases(t, d)
	for _, form := range forms {
		missed, ambiguous, wrong := 0, 0, 0
		for i := range cases {
			c := &cases[i]
			text := form.text(c)
			got, err := m.Match(t.Context(), text, address.Options{})
			switch {
			case errors.Is(err, envelope.ErrAmbiguous):
				ambiguous++ // the city may have the number on several streets of the name
				if strings.Contains(text, c.record.ZIP.String()) {
					t.Logf("%s: %q: %v", form.name, text, err)
				}
			case address.Unmatched(err):
				missed++
				t.Logf("%s: %q: %v", form.name, text, err)
			case err != nil:
				t.Fatalf("%q: %v", text, err)
			case !c.is(got):
				wrong++
				t.Errorf("%s: %q is %s", form.name, text, got.Data.FormattedAddress)
			}
		}
		t.Logf("%s: %d streets, %d not found, %d ambiguous, %d wrong", form.name, len(cases), missed, ambiguous, wrong)
		if missed*2000 > len(cases) {
			t.Errorf("%s: %d of %d streets are not found, want at most 0.05 %%", form.name, missed, len(cases))
		}
	}
}

// is reports whether a match has the number and street of the case.
func (c *nameCase) is(m *address.Match) bool {
	got := m.Data.Components
	r := &c.record
	return got.Number == c.number && got.PreDirectional == r.PreDir && got.Suffix == r.Suffix && got.PostDirectional == r.PostDir &&
		pub28.Key(strings.TrimSpace(got.StreetPreType+" "+got.Street)) == pub28.Key(r.Street)
}
