package address_test

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// truthDataset writes the product files of the shared data into a dataset.
func truthDataset(t testing.TB) *dataset.Dataset {
	t.Helper()
	text := truthText(t, "ctystate.txt.gz")
	path := filepath.Join(t.TempDir(), "truth.db")
	w, err := dataset.Create(path)
	check(t, err)
	check(t, w.SetStates([]dataset.State{{Country: dataset.US, Abbr: "VA", Name: "Virginia", FIPS: "51"}}))
	check(t, w.SetZones([]dataset.Zone{{Name: "America/New_York", Source: "test"}}))
	names, finance := map[dataset.ZIP][]dataset.CityName{}, map[dataset.ZIP]string{}
	rows := map[dataset.ZIP]dataset.ZIPRow{}
	for r, err := range source.ReadCityState(format.NewInput("ctystate", strings.NewReader(text))) {
		check(t, err)
		names[r.ZIP] = append(names[r.ZIP], dataset.CityName{
			Name: r.Name, Abbreviation: r.Abbreviation, Key: r.Key, LastLineKey: r.LastLineKey, Facility: r.Facility,
			Mailing: r.Mailing, Preferred: r.Preferred(), State: r.State, CountyFIPS: r.CountyFIPS,
		})
		finance[r.ZIP] = r.Finance
		if r.Preferred() {
			rows[r.ZIP] = dataset.ZIPRow{ZIP: r.ZIP, City: r.Name, State: 1, Class: r.Class}
		}
	}
	aliases := map[dataset.ZIP][]dataset.StreetAlias{}
	for r, err := range source.ReadStreetAliases(format.NewInput("ctystate", strings.NewReader(text))) {
		check(t, err)
		aliases[r.ZIP] = append(aliases[r.ZIP], r.StreetAlias)
	}
	for _, z := range slices.Sorted(maps.Keys(names)) {
		list := names[z]
		check(t, w.AddCityNames(z, finance[z], list))
		check(t, w.AddZIP(rows[z], dataset.ZIPDetail{}))
		if len(aliases[z]) > 0 {
			check(t, w.AddStreetAliases(z, aliases[z]))
		}
	}
	for r, err := range source.ReadZIP4(format.NewInput("zip4", strings.NewReader(truthText(t, "zip4.txt.gz")))) {
		check(t, err)
		check(t, w.AddZIP4(r.ZIP4Record))
	}
	check(t, w.Finish(dataset.Manifest{Version: "truth", Builder: "test", Built: time.Unix(0, 0)}))
	d, err := dataset.Open(path)
	check(t, err)
	t.Cleanup(func() { check(t, d.Close()) })
	return d
}

// TestPagesAnswerAsMemory matches every case to the records of a dataset and to
// the same records in memory.
func TestPagesAnswerAsMemory(t *testing.T) {
	cases := truthLines[matchCase](t, "match_cases.jsonl.gz")
	memory, pages := address.NewMatcher(truthReference(t)), address.NewMatcher(address.NewPages(truthDataset(t)))
	answer := func(m *address.Matcher, text string) []string {
		found, err := m.Match(t.Context(), text)
		var none *address.NoMatchError
		if errors.As(err, &none) {
			return []string{string(none.Code)}
		}
		check(t, err)
		list := []string{found.Data.Components.ZIP, found.Data.Components.Plus4}
		for _, n := range found.Notices {
			list = append(list, string(n.Code))
		}
		return list
	}
	different := 0
	for _, c := range cases {
		if a, b := answer(memory, c.Text), answer(pages, c.Text); !slices.Equal(a, b) {
			if different++; different <= 10 {
				t.Errorf("%s %q: from memory %v, from the dataset %v", c.ID, c.Text, a, b)
			}
		}
	}
	t.Logf("%d of %d cases differ", different, len(cases))
}

// BenchmarkMatch matches the cases, from memory and from a dataset.
func BenchmarkMatchCases(b *testing.B) {
	cases := truthLines[matchCase](b, "match_cases.jsonl.gz")
	for name, ref := range map[string]address.Reference{"memory": truthReference(b), "dataset": address.NewPages(truthDataset(b))} {
		b.Run(name, func(b *testing.B) {
			m := address.NewMatcher(ref)
			took := make([]time.Duration, 0, len(cases))
			for b.Loop() {
				took = took[:0]
				for _, c := range cases {
					start := time.Now()
					_, err := m.Match(b.Context(), c.Text)
					took = append(took, time.Since(start))
					if none := (*address.NoMatchError)(nil); err != nil && !errors.As(err, &none) {
						b.Fatal(err)
					}
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-us")
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-us")
		})
	}
}
