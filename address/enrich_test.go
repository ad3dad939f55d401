package address_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
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
		matched++
		data := m.Data
		if data.Components.ZIP != r.ZIP.String() || m.Input == nil || m.Input.Address != text {
			t.Errorf("%s: ZIP %s, input %v", text, data.Components.ZIP, m.Input)
		}
		if data.Location == nil || !strings.Contains(string(must(json.Marshal(data.Location))), `"latitude":`) {
			t.Errorf("%s: location %v", text, data.Location)
		}
		if all := slices.Concat(m.Delivered(), m.Unavailable()); len(all) != len(opt.Enrichments()) || len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
			t.Errorf("%s: delivered %v and unavailable %v are not what was asked for, %v", text, m.Delivered(), m.Unavailable(), opt.Enrichments())
		}
		if told := slices.ContainsFunc(m.Notices, func(n envelope.Notice) bool { return n.Code == envelope.EnrichmentUnavailable }); told != (len(m.Unavailable()) > 0) {
			t.Errorf("%s: notices %v, unavailable %v", text, m.Notices, m.Unavailable())
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

// TestEngineNothingAsked holds that no enrichment appears unasked.
func TestEngineNothingAsked(t *testing.T) {
	e, d := sampleEngine(t)
	done := false
	placedRecords(t, d, func(r *store.ZIP4Record) {
		if done {
			return
		}
		m, err := e.Match(t.Context(), addressOf(d, r), address.Options{})
		if err != nil {
			return
		}
		done = true
		if m.Data.Location != nil || m.Data.Census != nil || m.Data.ACS != nil || len(m.Delivered()) > 0 || m.Data.DPV != nil {
			t.Errorf("unasked: %+v", m.Data)
		}
	})
	if !done {
		t.Error("nothing in the sample matched")
	}
}

func TestEngineCanceled(t *testing.T) {
	e, _ := sampleEngine(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Match(ctx, "150 N Main St, Springfield, MN 55001", address.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a match whose context is done: %v", err)
	}
}

func TestParseOptions(t *testing.T) {
	tests := []struct {
		in      string
		flags   []string
		unknown []string
	}{
		{"", nil, nil},
		{"Coordinates, state-leg,coordinates", []string{"coordinates", "state_leg"}, nil},
		{"acs_tract_social,acs_tract_social_2024", []string{"acs_tract_social"}, nil},
		{"acs_tract_social_2023,acs_tract_social_2022,acs_tract_social_2021", []string{"acs_tract_social_2023", "acs_tract_social_2022"}, []string{"acs_tract_social_2021"}},
		{"timezone,acs_social,demographics,acs_tract_", nil, []string{"timezone", "acs_social", "demographics", "acs_tract_"}},
	}
	for _, tt := range tests {
		opt, unknown := address.ParseOptions([]string{tt.in})
		if diff := cmp.Diff(tt.flags, opt.Flags()); diff != "" {
			t.Errorf("%q, flags (-want +got):\n%s", tt.in, diff)
		}
		if diff := cmp.Diff(tt.unknown, unknown); diff != "" {
			t.Errorf("%q, unknown (-want +got):\n%s", tt.in, diff)
		}
	}
}

// The years of tract profiles follow the dataset's newest one.
func TestParseOptionsLast(t *testing.T) {
	opt, unknown := address.ParseOptions([]string{"acs_tract_social_2025,acs_tract_social,acs_tract_housing_2024,acs_tract_social_2022"}, 2025)
	if diff := cmp.Diff([]string{"acs_tract_social", "acs_tract_housing_2024"}, opt.Flags()); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"acs_tract_social_2022"}, unknown); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
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
