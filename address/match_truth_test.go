package address_test

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/store"
)

// fixed returns the records of a product file of fixed length, each as a
// function of position from 1 and length. The first record is the copyright's.
func fixed(text string, length int) []func(at, n int) string {
	var list []func(at, n int) string
	for i := length; i+length <= len(text); i += length {
		r := text[i : i+length]
		list = append(list, func(at, n int) string { return strings.TrimSpace(r[at-1 : at-1+n]) })
	}
	return list
}

func letter(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

// truthFixture returns the records of the shared data.
func truthFixture(t testing.TB) *fixture {
	t.Helper()
	m := &fixture{}
	fillTruth(t, m)
	return m
}

// A truthSink receives the records of the product files, ZIP Codes ascending
// and first.
type truthSink interface {
	AddZIP(z postcode.ZIP, class store.Class, area string, cities []store.CityName)
	AddAlias(z postcode.ZIP, a store.StreetAlias)
	AddRecord(r store.StreetRecord)
}

// fillTruth reads the product files of the shared data, at the positions of
// their layouts.
func fillTruth(t testing.TB, m truthSink) {
	t.Helper()
	zip := func(s string) postcode.ZIP {
		z, ok := postcode.ParseZIP(s)
		if !ok {
			t.Fatalf("bad ZIP %q", s)
		}
		return z
	}
	cityState := fixed(truthText(t, "ctystate.txt.gz"), 129)
	cities := map[postcode.ZIP][]store.CityName{}
	area, class := map[postcode.ZIP]string{}, map[postcode.ZIP]store.Class{}
	for _, f := range cityState {
		if f(1, 1) != "D" {
			continue
		}
		z := zip(f(2, 5))
		cities[z] = append(cities[z], store.CityName{
			Name: f(14, 28), Key: f(7, 6), LastLineKey: f(57, 6), Facility: letter(f(55, 1)), Mailing: f(56, 1) == "Y", Preferred: f(7, 6) == f(57, 6), State: f(100, 2),
		})
		area[z], class[z] = f(94, 6), store.Class(letter(f(13, 1)))
	}
	for _, z := range slices.Sorted(maps.Keys(cities)) {
		list := cities[z]
		slices.SortStableFunc(list, func(a, b store.CityName) int { return cmp.Compare(index(b.Preferred), index(a.Preferred)) })
		m.AddZIP(z, class[z], area[z], list)
	}
	for _, f := range cityState {
		if f(1, 1) != "A" {
			continue
		}
		m.AddAlias(zip(f(2, 5)), store.StreetAlias{
			PreDir: f(7, 2), Street: f(9, 28), Suffix: f(37, 4), PostDir: f(41, 2),
			BasePreDir: f(43, 2), BaseStreet: f(45, 28), BaseSuffix: f(73, 4), BasePostDir: f(77, 2),
			Type: letter(f(79, 1)), Low: f(88, 10), High: f(98, 10), OddEven: letter(f(108, 1)),
		})
	}
	for _, f := range fixed(truthText(t, "zip4.txt.gz"), 182) {
		low, ok := postcode.ParsePlus4(f(141, 4))
		high, ok2 := postcode.ParsePlus4(f(145, 4))
		if !ok || !ok2 {
			continue // no delivery
		}
		m.AddRecord(store.StreetRecord{ZIP4Record: store.ZIP4Record{
			ZIP: zip(f(2, 5)), Low: low, High: high, RecordType: letter(f(18, 1)), CarrierRoute: f(19, 4),
			PreDir: f(23, 2), Street: f(25, 28), Suffix: f(53, 4), PostDir: f(57, 2), AddrLow: f(59, 10), AddrHigh: f(69, 10), OddEven: letter(f(79, 1)),
			Building: f(80, 40), SecAbbr: f(120, 4), SecLow: f(124, 8), SecHigh: f(132, 8), SecOddEven: letter(f(140, 1)),
			Alternate: f(149, 1) == "A", LACS: f(150, 1) == "L", Government: letter(f(151, 1)), Finance: f(152, 6), State: f(158, 2), CountyFIPS: f(160, 3),
			Congress: f(163, 2), LastLine: f(177, 6),
		}})
	}
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
