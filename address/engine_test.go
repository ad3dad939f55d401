package address_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// sampleEngine returns an engine on the embedded sample.
func sampleEngine(t testing.TB) (*address.Engine, *store.Dataset) {
	t.Helper()
	d := lookuptest.Sample(t)
	r := lookuptest.Reader(t, d)
	return address.NewEngine(r), d
}

// addressOf writes a record as an address.
func addressOf(d *store.Dataset, r *store.ZIP4Record) string {
	row, _ := d.ZIP(r.ZIP)
	words := []string{strings.TrimLeft(r.AddrLow, "0"), r.PreDir, r.Street, r.Suffix, r.PostDir, r.SecAbbr, strings.TrimLeft(r.SecLow, "0")}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return strings.Join(words, " ") + ", " + row.City + ", " + r.State + " " + r.ZIP.String()
}

// placedRecords yields street records of the sample that have points.
func placedRecords(t *testing.T, d *store.Dataset, yield func(r *store.ZIP4Record)) {
	t.Helper()
	for row := range d.ZIPs() {
		n := 0
		for r, err := range d.StreetRecords(t.Context(), row.ZIP) {
			check(t, err)
			if !r.NoPlus4 && (r.RecordType == 'S' || r.RecordType == 'H') && r.AddrLow != "" && r.Location.IsValid() && !r.Alternate && n < 5 {
				n++
				yield(&r.ZIP4Record)
			}
		}
	}
}

// TestEngine asks for everything around records of the sample.
func TestEngine(t *testing.T) {
	e, d := sampleEngine(t)
	asked := []string{"coordinates,census,cd,state_leg,school_district,acs_tract_social,acs_tract_housing_2023"}
	opt, unknown := address.ParseOptions(asked)
	if len(unknown) > 0 {
		t.Fatal(unknown)
	}
	matched, postal, tracts, blocks := 0, 0, 0, 0
	placedRecords(t, d, func(r *store.ZIP4Record) {
		text := addressOf(d, r)
		m, err := e.Match(t.Context(), text, opt)
		if errors.Is(err, envelope.ErrAmbiguous) {
			return // the sample has the same name in both directions
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			return
		}
		if matched++; matched == 1 { // no enrichment appears unasked
			plain, err := e.Match(t.Context(), text, address.Options{})
			check(t, err)
			if d := plain.Data; d.Location != nil || d.Census != nil || d.ACS != nil || len(d.Delivered) > 0 || d.DPV != nil {
				t.Errorf("unasked: %+v", d)
			}
		}
		data := m.Data
		if data.Components.ZIP != r.ZIP.String() || m.Input == nil || m.Input.Address != text {
			t.Errorf("%s: ZIP %s, input %v", text, data.Components.ZIP, m.Input)
		}
		if data.Location == nil || !strings.Contains(string(must(json.Marshal(data.Location))), `"latitude":`) {
			t.Errorf("%s: location %v", text, data.Location)
		}
		if all := slices.Concat(m.Data.Delivered, m.Data.Unavailable); len(all) != len(opt.Enrichments()) || len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
			t.Errorf("%s: delivered %v and unavailable %v are not what was asked for, %v", text, m.Data.Delivered, m.Data.Unavailable, opt.Enrichments())
		}
		if noted := slices.ContainsFunc(m.Notices, func(n envelope.Notice) bool { return n.Code == envelope.EnrichmentUnavailable }); noted != (len(m.Data.Unavailable) > 0) {
			t.Errorf("%s: notices %v, unavailable %v", text, m.Notices, m.Data.Unavailable)
		}
		if c := data.CongressionalDistrict; c != nil && c.Current != nil {
			if c.Current.Primary.Basis == lookup.USPSRecord {
				postal++
				if want := r.Congress; want != "AL" && !strings.HasSuffix(c.Current.Primary.GEOID, want) {
					t.Errorf("%s: primary district %s, the record's is %s", text, c.Current.Primary.GEOID, want)
				}
			}
		}
		if data.ACS != nil {
			tracts++
			for i := range data.ACS.Tract {
				if b := &data.ACS.Tract[i]; b.Level != "tract" || !strings.HasPrefix(b.GeoID, "1400000US") {
					t.Errorf("%s: block of %s %s", text, b.Level, b.GeoID)
				}
			}
		}
		if data.Details.LocationBlockGroup != "" {
			blocks++
		}
	})
	t.Logf("%d matched, %d with the record's district, %d with tract profiles, %d with a block group", matched, postal, tracts, blocks)
	if matched < 10 {
		t.Errorf("%d records of the sample matched, want at least 10", matched)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestEngineCanceled(t *testing.T) {
	e, _ := sampleEngine(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Match(ctx, "150 N Main St, Springfield, MN 55001", address.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a match whose context is done: %v", err)
	}
}

// TestParseOptions reads flags. The years of tract profiles follow the dataset's newest one.
func TestParseOptions(t *testing.T) {
	tests := []struct {
		in             string
		last           []int
		flags, unknown string
	}{
		{"", nil, "", ""},
		{"Coordinates, state-leg,coordinates", nil, "coordinates state_leg", ""},
		{"acs_tract_social,acs_tract_social_2024", nil, "acs_tract_social", ""},
		{"acs_tract_social_2023,acs_tract_social_2022,acs_tract_social_2021", nil, "acs_tract_social_2023 acs_tract_social_2022", "acs_tract_social_2021"},
		{"timezone,acs_social,demographics,acs_tract_", nil, "", "timezone acs_social demographics acs_tract_"},
		{"acs_tract_social_2025,acs_tract_social,acs_tract_housing_2024,acs_tract_social_2022", []int{2025}, "acs_tract_social acs_tract_housing_2024", "acs_tract_social_2022"},
	}
	for _, tt := range tests {
		opt, unknown := address.ParseOptions([]string{tt.in}, tt.last...)
		if diff := cmp.Diff([]string{tt.flags, tt.unknown}, []string{strings.Join(opt.Flags(), " "), strings.Join(unknown, " ")}); diff != "" {
			t.Errorf("%q, flags and unknown ones (-want +got):\n%s", tt.in, diff)
		}
	}
}

// TestNoRecords holds that an engine on a dataset without streets knows nothing
// of any address, but still what is no address (decision D33).
func TestNoRecords(t *testing.T) {
	e := engineOn(t, lookuptest.OpenFile(t, lookuptest.Bare(t)))
	for _, text := range []string{"400 N Sample Dr 90210", "400 N Sample Dr, Nowhere"} {
		_, err := e.Match(t.Context(), text, address.Options{})
		var none *envelope.Failure
		if !errors.As(err, &none) || none.Input != text || !errors.Is(err, envelope.ErrUnavailable) || address.Unmatched(err) ||
			(envelope.Links{}).Error(err).Code != envelope.ServiceUnavailable {
			t.Errorf("%q: %v; want ErrUnavailable", text, err)
		}
	}
	var length *envelope.Failure
	if _, err := e.Match(t.Context(), "1 A St", address.Options{}); !errors.As(err, &length) {
		t.Errorf("too short: %v", err)
	}
}

// TestRanges matches an address in the ranges of a segment, which has no county.
func TestRanges(t *testing.T) {
	f := fixture{more: func(w *storewrite.Writer) {
		check(t, w.AddRoad(store.Road{Area: store.CodeOfZIP(55731), RoadName: store.RoadName{Name: "ELM", Suffix: "ST"}, Segments: []store.RoadSegment{{
			Line: []geo.LatLng{geo.MustLatLng(47.9, -91.86), geo.MustLatLng(47.9, -91.85)}, Left: store.NumberRange{From: 1, To: 99, Parity: 'B'},
		}}}))
	}}
	f.AddZIP(55731, store.General, "", []store.CityName{{Name: "ELY", Mailing: true, Preferred: true, State: "MN"}})
	m, err := f.engine(t).Match(t.Context(), "12 Elm St, Ely MN", address.Options{Include: address.Include{Coordinates: true, Census: true}})
	check(t, err)
	if d := m.Data; d.FormattedAddress != "12 ELM ST, ELY MN 55731" || d.Location == nil || d.Details.County != nil {
		t.Errorf("%+v", d)
	}
}

// TestDocumentedAddresses holds the table of docs/address.md against what the
// sample answers, and that it has every notice and failure.
func TestDocumentedAddresses(t *testing.T) {
	f, err := os.Open("../docs/address.md")
	check(t, err)
	defer f.Close()
	e, _ := sampleEngine(t)
	shown := map[string]bool{}
	lines := bufio.NewScanner(f)
	for in := false; lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "## ") {
			in = line == "## On the sample"
		}
		cells := strings.Split(line, "|")
		if !in || len(cells) != 4 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		text, want := strings.Trim(cells[1], " `"), strings.Fields(strings.ReplaceAll(cells[2], "`", ""))
		for _, code := range want {
			shown[code] = true
		}
		var got []string
		m, err := e.Match(t.Context(), text, address.Options{})
		failure := envelope.FaultOf(err)
		switch {
		case failure != nil:
			got = []string{string(failure.Code)}
		case err != nil:
			t.Fatalf("%s: %v", text, err)
		default:
			for _, n := range m.Notices {
				got = append(got, string(n.Code))
			}
		}
		if !slices.Equal(want, got) {
			t.Errorf("%s: %v, the table says %v", text, got, want)
		}
	}
	check(t, lines.Err())
	for _, code := range []envelope.Code{
		envelope.Matched, envelope.PartialMatch, envelope.ZIPCorrected, envelope.CityCorrected, envelope.StateCorrected, envelope.StreetCorrected,
		envelope.SecondaryNeeded, envelope.SecondaryNotVerified, envelope.InputNotUsed,
		envelope.Ambiguous, envelope.NotFound, envelope.InsufficientInput, envelope.ValidationInputTooShort,
	} {
		if !shown[string(code)] {
			t.Errorf("the table has no example of %s", code)
		}
	}
}

func textOf(s suggest.Match) string {
	return s.Name + ", " + s.City + " " + s.State + " " + s.AssociatedZIPs[0]
}

// TestSuggestTyped types addresses from left to right: every keystroke has
// suggestions, and the last one has the address.
func TestSuggestTyped(t *testing.T) {
	t.Run("sample", func(t *testing.T) {
		d := lookuptest.Sample(t)
		var lines []string
		for _, c := range nameCases(t, d) {
			lines = append(lines, c.line()+", "+c.city+", "+c.record.State+" "+c.record.ZIP.String())
		}
		typeAddresses(t, engineOn(t, d), lines)
	})
	t.Run("Virginia", func(t *testing.T) {
		m := truthFixture(t).engine(t)
		n := 100
		if os.Getenv("POSTGEO_LONG") != "" {
			n = 2000
		}
		typeAddresses(t, m, realAddresses(t, m, n))
	})
}

// typeAddresses types each line from left to right.
func typeAddresses(t *testing.T, m *address.Engine, lines []string) {
	t.Helper()
	var took []time.Duration
	empty, missing := 0, 0
	for _, line := range lines {
		for n := 1; n <= len(line); n++ {
			began := time.Now()
			got, err := m.Suggest(t.Context(), line[:n], 10, geo.LatLng{}, "")
			took = append(took, time.Since(began))
			check(t, err)
			if len(got) == 0 {
				if empty++; empty <= 10 {
					t.Errorf("%q has no suggestions", line[:n])
				}
			}
			plain := strings.ReplaceAll(line, ",", "")
			if n == len(line) && !slices.ContainsFunc(got, func(s suggest.Match) bool {
				return strings.ReplaceAll(textOf(s), ",", "") == strings.ToUpper(plain)
			}) {
				if missing++; missing <= 10 {
					t.Errorf("%q is missing in %v", line, got)
				}
			}
		}
	}
	slices.Sort(took)
	t.Logf("%d addresses, %d keystrokes, %d empty, %d missing, p50 %v, p99 %v", len(lines), len(took), empty, missing, took[len(took)/2], took[len(took)*99/100])
}

// realAddresses returns addresses of the shared data that the dataset has.
func realAddresses(t *testing.T, m *address.Engine, n int) []string {
	t.Helper()
	rows := truthRows(t, "va_address_points.csv.gz")
	random := rand.New(rand.NewPCG(1, 2))
	var lines []string
	for len(lines) < n {
		r := rows[random.IntN(len(rows))]
		line := strings.Join(strings.Fields(strings.Join(r[2:7], " ")), " ") + ", " + r[8] + ", " + r[9] + " " + r[10]
		if got, err := m.Match(t.Context(), line, address.Options{}); err == nil && got.Data.AddressLine1 == strings.SplitN(line, ",", 2)[0] && strings.Contains(got.Data.AddressLine2, r[8]) {
			lines = append(lines, line)
		}
	}
	return lines
}
