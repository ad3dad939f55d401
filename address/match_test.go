package address_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// TestMatchPBSA finds the street address of a post office's box.
func TestMatchPBSA(t *testing.T) {
	got, err := world(t, "town").engine(t).Match(t.Context(), "3094 Center St, Springfield, MN 55002", address.Options{})
	check(t, err)
	if !got.Data.PBSA || got.Data.Details.RecordType.Code != "P" {
		t.Errorf("pbsa_indicator %t, record type %s; want true and P", got.Data.PBSA, got.Data.Details.RecordType.Code)
	}
}

// TestMatchLength verifies both sides of the limits, in characters after
// cleanup and as given.
func TestMatchLength(t *testing.T) {
	m := world(t, "town").engine(t)
	pad := func(n int) string { return strings.Repeat("X", n-len("1 A ST 55001 ")) + " 1 A ST 55001" }
	tests := []struct {
		text string
		want envelope.Code
	}{
		{"1 A St 55", envelope.InsufficientInput},
		{"1 A St 5", envelope.ValidationInputTooShort},
		{"  1  A  St  5  ...", envelope.ValidationInputTooShort},
		{pad(300), envelope.NotFound},
		{pad(301), envelope.ValidationInputTooLong},
		{strings.Repeat(" ", 492) + "1 A St 55", envelope.ValidationInputTooLong},
		{strings.Repeat(" ", 480) + "1 A St 55", envelope.InsufficientInput},
		{"!!!!!!!!!!????????", envelope.ValidationInputTooShort},
		{"", envelope.ValidationInputTooShort},
		{"😀😀😀😀😀😀😀😀😀😀", envelope.ValidationInputTooShort},
	}
	for _, tt := range tests {
		_, err := m.Match(t.Context(), tt.text, address.Options{})
		failure := envelope.FaultOf(err)
		if failure == nil || failure.Code != tt.want {
			t.Errorf("%.40q (%d bytes): %v, want %s", tt.text, len(tt.text), err, tt.want)
		}
		if short := tt.want == envelope.ValidationInputTooShort || tt.want == envelope.ValidationInputTooLong; short != (address.Check(tt.text) != nil) {
			t.Errorf("Check(%.40q) = %v", tt.text, address.Check(tt.text))
		}
	}
}

// badInputs holds texts that are not valid addresses.
var badInputs = []string{
	strings.Repeat("1", 300), strings.Repeat("APT 1 ", 49), strings.Repeat("APT ", 70), strings.Repeat("# ", 140), strings.Repeat("(", 300), strings.Repeat(")", 300),
	strings.Repeat("1 - ", 70), strings.Repeat("A.", 140), strings.Repeat("1/2 ", 70), strings.Repeat("N ", 140), strings.Repeat("ST ", 99), strings.Repeat("PO BOX ", 40),
	"1 A St\x00, Springfield, MN 55001", "1 A St\x1b[31m, MN 55001", "\xff\xfe1 Main St\xc3, MN 55001", "شارع 12, MN 55001", "\u202e1 Main St 55001",
	"'; DROP TABLE zips; -- 55001", `"main" OR "oak" NEAR/3 55001`, "1 * Main* St^2 55001", "100 % Main _ St 55001", "<script>1 Main St</script> 55001",
	"１５０　Ｎ　Ｍａｉｎ　Ｓｔ　５５００１", "12 Straße 55001", "RR BOX", "HC HC HC HC", "PSC APO AE", "GENERAL", "GEN DEL 55001", "55001 55001 55001", "MN MN MN MN",
	"NEW YORK NEW YORK NEW YORK", "UNITED STATES OF AMERICA", "1 US", "AND AND AND 55001", "C/O C/O C/O 55001", "ATTN ATTN, 55001-0000",
}

func FuzzMatch(f *testing.F) {
	for _, text := range badInputs {
		f.Add(text)
	}
	for _, text := range []string{
		"150 N Main St, Springfield, MN 55001", "300 Oak Ave Apt 5 springfield mn", "RR 2 Box 12, Springfield MN 55001", "URB LAS FLORES, 12 CALLE 3, PONCE PR 00730",
		"N6W23001 Bluemound Rd, Pewaukee WI", "150 S 300 W, Provo UT 84601", "Unit 100 Box 4190, APO AP 96278", "1 Main St and 2nd Ave, Springfield, MN",
	} {
		f.Add(text)
	}
	m := world(f, "town").engine(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := address.Parse(text)
		if err == nil {
			if clean := address.Clean(text); address.Clean(clean) != clean {
				t.Errorf("Clean(%q) = %q, and cleaned again %q", text, clean, address.Clean(clean))
			}
			for _, a := range p {
				for _, part := range []string{a.Number, a.Street, a.City, a.ZIP, a.Secondary.Number} {
					if strings.ContainsAny(part, "\x00(),") || !utf8.ValidString(part) || part != strings.TrimSpace(part) {
						t.Errorf("Parse(%q) has the part %q", text, part)
					}
				}
			}
		}
		got, err := m.Match(context.Background(), text, address.Options{})
		switch {
		case err != nil && envelope.FaultOf(err) == nil:
			t.Errorf("Match(%q): %v", text, err)
		case err == nil && got.Data.Details.RecordType.Code != "G" && got.Data.Components.Number != "":
			// The number is the caller's.
			digits := func(s string) string {
				return strings.Map(func(r rune) rune {
					if r >= '0' && r <= '9' {
						return r
					}
					return -1
				}, address.Clean(s))
			}
			if number := digits(got.Data.Components.Number); !strings.Contains(digits(text), number) && !strings.ContainsAny(strings.ToUpper(text), "EIOUA½¼¾") {
				t.Errorf("Match(%q) has the number %q", text, got.Data.Components.Number)
			}
		}
	})
}

// TestCityNames finds the ZIP Codes of city names that no ZIP Code prefers:
// acceptable names, and places and county subdivisions that overlap it.
func TestCityNames(t *testing.T) {
	f := world(t, "cities")
	f.more = func(w *storewrite.Writer) {
		check(t, w.AddEntity(store.Entity{Kind: store.EntityCity, Name: "Bell", State: 1, Twin: -1, Population: store.NoPopulation, ZIPs: []postcode.ZIP{90201}},
			storewrite.EntityNames{Own: []string{"bell"}}))
		for _, z := range []postcode.ZIP{90270, 90201} { // two towns of one name
			check(t, w.AddEntity(store.Entity{Kind: store.EntityCity, Name: "Walnut", State: 1, Twin: -1, Population: store.NoPopulation, ZIPs: []postcode.ZIP{z}},
				storewrite.EntityNames{Own: []string{"walnut"}}))
		}
		check(t, w.SetLayer(storewrite.LayerData{
			Info:  store.LayerInfo{ID: store.LayerPlace, Source: "test", Vintage: "2024"},
			Areas: []store.LayerArea{{GEOID: "0600001", Name: "Cudahy Park city", State: 1}},
		}))
		check(t, w.AddOverlaps(store.CodeOfZIP(90270), store.CodeOverlaps{Layers: []store.LayerOverlaps{{Layer: store.LayerPlace, Overlaps: []store.Overlap{{Area: 0}}}}}))
	}
	worldTable(t, "cities", f)
}

// TestGovernment reports the building of a government, and no facility without one.
func TestGovernment(t *testing.T) {
	f := world(t, "numbers")
	f.records[len(f.records)-1].Government = 'B'
	m := f.engine(t)
	for text, government := range map[string]bool{"110 29th St, Northtown, VA": false, "110 Studhorse St, Northtown, VA": true} {
		got, err := m.Match(t.Context(), text, address.Options{})
		check(t, err)
		if d := got.Data.Details; d.GovernmentBuilding != government || d.Facility != nil {
			t.Errorf("%s: government building %t, facility %v; want %t and none", text, d.GovernmentBuilding, d.Facility, government)
		}
	}
}

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

// BenchmarkMatch matches the cases, all of them and by category; p50 and p99 are
// of single matches.
func BenchmarkMatch(b *testing.B) {
	cases := truthLines[matchCase](b, "match_cases.jsonl.gz")
	m := truthFixture(b).engine(b)
	for _, category := range []string{"all", "clean", "no_zip", "typo1", "typo2", "typo1_nozip", "fake_street", "po_box"} {
		list := slices.DeleteFunc(slices.Clone(cases), func(c matchCase) bool { return category != "all" && c.Category != category })
		b.Run(category, func(b *testing.B) { benchmarkMatches(b, m, list) })
	}
}

func benchmarkMatches(b *testing.B, m *address.Engine, list []matchCase) {
	took := make([]time.Duration, 0, 1<<17)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		_, err := m.Match(b.Context(), list[i%len(list)].Text, address.Options{})
		if len(took) < cap(took) {
			took = append(took, time.Since(began))
		}
		if none := (*envelope.Failure)(nil); err != nil && !errors.As(err, &none) {
			b.Fatal(err)
		}
		i++
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-us")
}

// BenchmarkMatchParallel matches the cases on all cores at once.
func BenchmarkMatchParallel(b *testing.B) {
	cases := truthLines[matchCase](b, "match_cases.jsonl.gz")
	m := truthFixture(b).engine(b)
	var next atomic.Int64
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			_, err := m.Match(b.Context(), cases[int(next.Add(1))%len(cases)].Text, address.Options{})
			if none := (*envelope.Failure)(nil); err != nil && !errors.As(err, &none) {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
}
