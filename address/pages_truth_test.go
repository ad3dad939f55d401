package address_test

import (
	"errors"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/internal/tzif"
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
	check(t, w.SetZones([]dataset.Zone{tzif.Row("America/New_York", "test")}))
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
		var none *fault.Error
		if errors.As(err, &none) {
			return []string{string(none.ContractCode())}
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

// BenchmarkMatch matches the cases, all of them and by category, from memory
// and from a dataset; p50 and p99 are of single matches.
func BenchmarkMatch(b *testing.B) {
	cases := truthLines[matchCase](b, "match_cases.jsonl.gz")
	for _, from := range []struct {
		name string
		ref  address.Reference
	}{{"memory", truthReference(b)}, {"dataset", address.NewPages(truthDataset(b))}} {
		m := address.NewMatcher(from.ref)
		for _, category := range []string{"all", "clean", "no_zip", "typo1", "typo2", "typo1_nozip", "fake_street", "po_box"} {
			list := slices.DeleteFunc(slices.Clone(cases), func(c matchCase) bool { return category != "all" && c.Category != category })
			b.Run(from.name+"/"+category, func(b *testing.B) { benchmarkMatches(b, m, list) })
		}
	}
}

func benchmarkMatches(b *testing.B, m *address.Matcher, list []matchCase) {
	took := make([]time.Duration, 0, 1<<17)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		_, err := m.Match(b.Context(), list[i%len(list)].Text)
		if len(took) < cap(took) {
			took = append(took, time.Since(began))
		}
		if none := (*fault.Error)(nil); err != nil && !errors.As(err, &none) {
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
	m := address.NewMatcher(address.NewPages(truthDataset(b)))
	var next atomic.Int64
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			_, err := m.Match(b.Context(), cases[int(next.Add(1))%len(cases)].Text)
			if none := (*fault.Error)(nil); err != nil && !errors.As(err, &none) {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
}
