package address_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/dataset"
)

// A truthWriter writes the product files of the shared data into a dataset.
type truthWriter struct {
	t       testing.TB
	w       *dataset.Writer
	aliases map[dataset.ZIP][]address.Alias
}

func (s *truthWriter) AddZIP(z dataset.ZIP, class dataset.Class, area string, cities []address.City) {
	names := make([]dataset.CityName, len(cities))
	for i, c := range cities {
		names[i] = dataset.CityName{
			Name: c.Name, Key: c.Key, LastLineKey: c.LastLineKey, Facility: c.Facility, Mailing: c.Mailing, Preferred: c.Preferred, State: c.State,
		}
	}
	check(s.t, s.w.AddCityNames(z, area, names))
	if class != dataset.POBox && class != dataset.Unique && class != dataset.Military {
		class = dataset.General
	}
	check(s.t, s.w.AddZIP(dataset.ZIPRow{ZIP: z, City: cities[0].Name, State: 1, Class: class}, dataset.ZIPDetail{}))
}

func (s *truthWriter) AddAlias(z dataset.ZIP, a address.Alias) {
	s.aliases[z] = append(s.aliases[z], a)
}
func (s *truthWriter) AddRecord(r address.Record) { check(s.t, s.w.AddStreet(r)) }

func truthDataset(t testing.TB) *dataset.Dataset {
	t.Helper()
	path := filepath.Join(t.TempDir(), "truth.db")
	w, err := dataset.Create(path)
	check(t, err)
	check(t, w.SetStates([]dataset.State{{Country: dataset.US, Abbr: "VA", Name: "Virginia", FIPS: "51"}}))
	check(t, w.SetZones([]dataset.Zone{{Name: "America/New_York", Source: "test"}}))
	s := &truthWriter{t, w, map[dataset.ZIP][]address.Alias{}}
	fillTruth(t, s)
	for z, list := range s.aliases {
		check(t, w.AddStreetAliases(z, list))
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

// BenchmarkMatchCases matches the cases, from memory and from a dataset.
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
