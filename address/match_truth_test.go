package address_test

import (
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/envelope"
)

func truthText(t testing.TB, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(truthFolder, name))
	if os.IsNotExist(err) {
		t.Skipf("%s is not there; the truth tests need the shared data beside the repository", name)
	}
	check(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	check(t, err)
	b, err := io.ReadAll(z)
	check(t, err)
	return string(b)
}

// truthReference reads the product files of the shared data.
func truthReference(t testing.TB) *address.Memory {
	t.Helper()
	m := &address.Memory{}
	text := truthText(t, "ctystate.txt.gz")
	cities := map[dataset.ZIP][]address.City{}
	area, class := map[dataset.ZIP]string{}, map[dataset.ZIP]dataset.Class{}
	for r, err := range source.ReadCityState(format.NewInput("ctystate", strings.NewReader(text))) {
		check(t, err)
		cities[r.ZIP] = append(cities[r.ZIP], address.City{
			Name: r.Name, Key: r.Key, LastLineKey: r.LastLineKey, Facility: r.Facility, Mailing: r.Mailing, Preferred: r.Preferred(), State: r.State,
		})
		area[r.ZIP], class[r.ZIP] = r.Finance, r.Class
	}
	for _, z := range slices.Sorted(maps.Keys(cities)) {
		list := cities[z]
		slices.SortStableFunc(list, func(a, b address.City) int { return cmp.Compare(index(b.Preferred), index(a.Preferred)) })
		m.AddZIP(z, class[z], area[z], list)
	}
	for i := 0; i+129 <= len(text); i += 129 {
		s := text[i : i+129]
		if s[0] != 'A' {
			continue
		}
		f := func(at, n int) string { return strings.TrimSpace(s[at-1 : at-1+n]) }
		z, _ := dataset.ParseZIP(s[1:6])
		m.AddAlias(z, address.Alias{
			PreDir: f(7, 2), Street: f(9, 28), Suffix: f(37, 4), PostDir: f(41, 2),
			BasePreDir: f(43, 2), BaseStreet: f(45, 28), BaseSuffix: f(73, 4), BasePostDir: f(77, 2), Type: s[78], Low: f(88, 10), High: f(98, 10), OddEven: s[107],
		})
	}
	for r, err := range source.ReadZIP4(format.NewInput("zip4", strings.NewReader(truthText(t, "zip4.txt.gz")))) {
		check(t, err)
		m.AddRecord(address.Record{ZIP4Record: r.ZIP4Record})
	}
	m.Seal()
	return m
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A matchCase is an address with what has to come of it.
type matchCase struct {
	ID, Category, Text, Outcome string
	OKOutcomes                  []string `json:"ok_outcomes"`
	Zip, Plus4, Street, Number  string
	Notices                     []string
}

// TestMatchCases scores the matcher: a match is right only when it is the
// expected record.
func TestMatchCases(t *testing.T) {
	cases := truthLines[matchCase](t, "match_cases.jsonl.gz")
	matcher := address.NewMatcher(truthReference(t))
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
		m, err := matcher.Match(t.Context(), c.Text)
		var none *address.NoMatchError
		switch {
		case errors.As(err, &none):
			got = string(none.Code)
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
