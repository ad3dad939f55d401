package address_test

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// truthFixture returns the records of the shared data.
func truthFixture(t testing.TB) *fixture {
	t.Helper()
	m := &fixture{}
	each := func(name string, read func(f format.File)) {
		path := filepath.Join(truthFolder, name)
		if _, err := os.Stat(path); err != nil {
			t.Skipf("%s is not there; this needs the shared data beside the repository", name)
		}
		read(format.File{Path: path})
	}
	cities, class := map[postcode.ZIP][]store.CityName{}, map[postcode.ZIP]store.Class{}
	area := map[postcode.ZIP]string{}
	each("ctystate.txt.gz", func(f format.File) {
		for r, err := range source.ReadCityState(f) {
			check(t, err)
			cities[r.ZIP], area[r.ZIP], class[r.ZIP] = append(cities[r.ZIP], r.CityName), r.Finance, r.Class
		}
		for _, z := range slices.Sorted(maps.Keys(cities)) {
			slices.SortStableFunc(cities[z], func(a, b store.CityName) int { return cmp.Compare(index(b.Preferred), index(a.Preferred)) })
			m.AddZIP(z, class[z], area[z], cities[z])
		}
		for r, err := range source.ReadStreetAliases(f) {
			check(t, err)
			m.AddAlias(r.ZIP, r.StreetAlias)
		}
	})
	each("zip4.txt.gz", func(f format.File) {
		for r, err := range source.ReadZIP4(f) {
			if check(t, err); !r.NoDelivery {
				m.AddRecord(store.StreetRecord{ZIP4Record: r.ZIP4Record})
			}
		}
	})
	return m
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A matchCase is an address with the expected result.
type matchCase struct {
	ID, Category, Text, Outcome string
	OKOutcomes                  []string `json:"ok_outcomes"`
	Zip, Plus4, Street, Number  string
	Notices                     []string
}

// caseNames names categories for readers of the scores.
var caseNames = map[string]string{
	"bad_number": "wrong number", "bad_parity": "wrong side of the street", "fake_street": "invented street",
	"typo1": "one letter wrong in the name", "typo2": "two letters wrong in the name", "variant_suffix": "other spellings of the suffix",
}

// TestMatchCases scores the matcher: a match is right only when it is the
// expected record.
func TestMatchCases(t *testing.T) {
	cases := truthLines[matchCase](t, "match_cases.jsonl.gz")
	matcher := truthFixture(t).engine(t)
	type count struct{ all, right, wrong, notices int }
	byCategory, byOutcome := map[string]*count{}, map[string]*count{}
	at := func(m map[string]*count, k string) *count {
		if m[k] == nil {
			m[k] = &count{}
		}
		return m[k]
	}
	matched, rightly := 0, 0
	for _, c := range cases {
		got, zip, plus4 := "MATCH", "", ""
		var codes []string
		m, err := matcher.Match(t.Context(), c.Text, address.Options{})
		var none *envelope.Failure
		switch {
		case errors.As(err, &none):
			got = string((envelope.Links{}).Error(err).Code)
		case err != nil:
			t.Fatalf("%s %q: %v", c.ID, c.Text, err)
		default:
			zip, plus4 = m.Data.Components.ZIP, m.Data.Components.Plus4
			for _, n := range m.Notices {
				codes = append(codes, string(n.Code))
			}
			matched++
		}
		right := got == c.Outcome && (got != "MATCH" || zip == c.Zip && plus4 == c.Plus4) || got != "MATCH" && slices.Contains(c.OKOutcomes, got)
		if got == "MATCH" && right {
			rightly++
		}
		missing := slices.DeleteFunc(slices.Clone(c.Notices), func(n string) bool {
			return slices.Contains(codes, n) || n == string(envelope.Matched) && slices.Contains(codes, string(envelope.PartialMatch))
		})
		for _, k := range []*count{at(byCategory, c.Category), at(byOutcome, c.Outcome)} {
			k.all++
			switch {
			case right:
				k.right++
			case got == "MATCH":
				k.wrong++
			}
			if right && len(missing) > 0 {
				k.notices++
			}
		}
		if !right || len(missing) > 0 {
			t.Logf("%s %s %q: %s %s-%s %v; want %s %s-%s %s %v", c.ID, c.Category, c.Text, got, zip, plus4, codes, c.Outcome, c.Zip, c.Plus4, c.Street, c.Notices)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(byCategory)) {
		c := byCategory[k]
		t.Logf("%-18s %4d of %4d right (%5.1f %%), %d wrong matches, %d without a notice", k, c.right, c.all, 100*float64(c.right)/float64(c.all), c.wrong, c.notices)
	}
	table := scoretest.Table{Title: "cases", Columns: []string{"cases", ">number", ">right", ">wrong matches"}}
	table.Rows = append(table.Rows, []any{"with a match: recall", byOutcome["MATCH"].all, scoretest.Percent(byOutcome["MATCH"].right, byOutcome["MATCH"].all), byOutcome["MATCH"].wrong},
		[]any{"matched: precision", matched, scoretest.Percent(rightly, matched), matched - rightly})
	for _, outcome := range []string{"NOT_FOUND", "INSUFFICIENT_INPUT", "AMBIGUOUS"} {
		c := byOutcome[outcome]
		table.Rows = append(table.Rows, []any{"`" + outcome + "`", c.all, scoretest.Percent(c.right, c.all), c.wrong})
	}
	for _, k := range slices.Sorted(maps.Keys(byCategory)) {
		c := byCategory[k]
		table.Rows = append(table.Rows, []any{cmp.Or(caseNames[k], strings.ReplaceAll(k, "_", " ")), c.all, scoretest.Percent(c.right, c.all), c.wrong})
	}
	scoretest.Hold(t, "address", table)
	reach := func(what string, got, all int, want float64) {
		share := 100 * float64(got) / float64(max(all, 1))
		t.Logf("%-18s %.2f %%", what, share)
		if share < want {
			t.Errorf("%s is %.2f %%, want at least %.1f %%", what, share, want)
		}
	}
	reach("recall", byOutcome["MATCH"].right, byOutcome["MATCH"].all, 98.5)
	reach("precision", rightly, matched, 99.8)
	for outcome, want := range map[string]float64{"NOT_FOUND": 99, "INSUFFICIENT_INPUT": 99, "AMBIGUOUS": 95} {
		reach(outcome, byOutcome[outcome].right, byOutcome[outcome].all, want)
	}
	for _, k := range []string{"clean", "nocomma_lower", "zip4_right", "po_box", "general_delivery"} {
		reach(k, byCategory[k].right, byCategory[k].all, 100)
	}
	for _, k := range []string{"bad_number", "bad_parity", "fake_street"} {
		if n := byCategory[k].wrong; n > 0 {
			t.Errorf("%d of %s matched, want none", n, k)
		}
	}
}
