package lookup_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
)

// people writes a dataset of ZIPs with their residents, of whom -1 are unknown, and of
// block groups with the people of their ZIPs.
func people(t *testing.T, residents map[string]int32, groups []store.Center) *lookup.Reader {
	t.Helper()
	path := filepath.Join(t.TempDir(), "people.db")
	w, err := storewrite.Create(path)
	must := lookuptest.Must(t)
	must(err)
	must(w.SetStates([]store.State{{Country: store.US, Abbr: "KS", Name: "Kansas", FIPS: "20"}}))
	for z := range postcode.ZIP(postcode.NumZIPs) {
		if n, ok := residents[z.String()]; ok {
			var detail store.ZIPDetail
			if n >= 0 {
				detail.Population = &n
			}
			must(w.AddZIP(store.ZIPRow{ZIP: z, City: "Town", State: 1, Class: store.General, Location: geo.MustLatLng(38, -99)}, detail))
		}
	}
	must(w.SetCenters(groups))
	must(w.Finish(dataset.Manifest{Version: "people", Layers: []string{"identity"}}))
	d, err := sqlite.Open(path)
	must(err)
	t.Cleanup(func() { must(d.Close()) })
	return lookuptest.Reader(t, d)
}

// TestZIP3 adds up the people of ZIPs by their first three digits: those of the survey,
// and without it those of the census (decision D82).
func TestZIP3(t *testing.T) {
	survey := map[string]int32{"00601": 20_000, "00602": 1, "66002": 15_000, "66099": 5_000, "66101": -1, "99999": 0}
	unknown := map[string]int32{"66002": -1, "66099": -1, "66101": -1}
	groups := []store.Center{
		{BlockGroup: 200050815001, At: geo.MustLatLng(38, -99), People: 30_000, ZIP: 66002, Others: []store.CenterShare{{ZIP: 66101, People: 9_000}}},
	}
	for name, tt := range map[string]struct {
		r    *lookup.Reader
		want map[string]lookup.ZIP3
	}{
		"survey": {people(t, survey, groups), map[string]lookup.ZIP3{
			"006": {Code: "006", ZIPs: 2, Population: 20_001, SafeHarbor: "006"}, " 660 ": {Code: "660", ZIPs: 2, Population: 20_000, SafeHarbor: "000"},
			"66002": {Code: "660", ZIPs: 2, Population: 20_000, SafeHarbor: "000"}, "661": {Code: "661", ZIPs: 1, SafeHarbor: "000"},
			"00601-1234": {Code: "006", ZIPs: 2, Population: 20_001, SafeHarbor: "006"}, "999": {Code: "999", ZIPs: 1, SafeHarbor: "000"},
		}},
		"census": {people(t, unknown, groups), map[string]lookup.ZIP3{
			"660": {Code: "660", ZIPs: 2, Population: 21_000, SafeHarbor: "660"}, "661": {Code: "661", ZIPs: 1, Population: 9_000, SafeHarbor: "000"},
		}},
	} {
		for code, want := range tt.want {
			want.Item = envelope.Item{Success: true}
			got, err := tt.r.ZIP3(t.Context(), code)
			if err != nil {
				t.Errorf("%s: %s: %v", name, code, err)
			} else if diff := cmp.Diff(want, *got); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", name, code, diff)
			}
		}
		for code, want := range map[string]error{"990": envelope.ErrNotFound, "K1A": envelope.ErrInvalidCode, "66": envelope.ErrInvalidCode, "": envelope.ErrInvalidCode, "6600a": envelope.ErrInvalidCode, "38,-99": envelope.ErrInvalidCode} {
			if got, err := tt.r.ZIP3(t.Context(), code); !errors.Is(err, want) {
				t.Errorf("%s: %q: %+v, %v, want %v", name, code, got, err, want)
			}
		}
	}
	if got, err := people(t, unknown, nil).ZIP3(t.Context(), "660"); !errors.Is(err, envelope.ErrUnavailable) {
		t.Errorf("without people: %+v, %v", got, err)
	}
}

// A dataset without codes of a kind cannot deny one (decision D33).
func TestNoCodesOfAKind(t *testing.T) {
	r := people(t, nil, nil)
	for _, code := range []string{"66002", "66002-1234", "K1A", "K1A 0B1"} {
		if _, err := r.Quick(t.Context(), code, lookup.QuickOptions{}); !errors.Is(err, envelope.ErrUnavailable) {
			t.Errorf("quick look-up of %s: %v", code, err)
		}
		if _, err := r.Full(t.Context(), code, lookup.Options{}); !errors.Is(err, envelope.ErrUnavailable) {
			t.Errorf("%s: %v", code, err)
		}
	}
	if _, err := r.ZIP3(t.Context(), "660"); !errors.Is(err, envelope.ErrUnavailable) {
		t.Errorf("ZIP3: %v", err)
	}
	if _, err := r.ACS().Series(t.Context(), []string{"66002"}, nil, acs.SeriesOptions{}); !errors.Is(err, envelope.ErrUnavailable) {
		t.Errorf("survey: %v", err)
	}
}
