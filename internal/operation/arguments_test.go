package operation_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
)

func TestCall(t *testing.T) {
	db := sampletest.Open(t)
	lookuptest.Table(t, "calls.txt", false, func(row string) string {
		name, arguments, _ := strings.Cut(row, " ")
		res, err := operation.Find(operation.All(), name).Call(t.Context(), db, []byte(arguments))
		if f := envelope.FaultOf(err); f != nil {
			return f.Message
		}
		if err != nil || res == nil {
			t.Errorf("%s: %v, %v", row, res, err)
		}
		return "fine"
	})
	for _, o := range operation.All() {
		if operation.Find(operation.All(), o.Name) == nil {
			t.Errorf("%s: not found", o.Name)
		}
		run, ok := reflect.PointerTo(o.Input).MethodByName("Run")
		if !ok || run.Type.Out(0) != o.Result {
			t.Errorf("%s: the input has no method Run with its result", o.Name)
		}
		if _, err := o.Call(t.Context(), db, []byte(`{"nonsense":1}`)); err == nil {
			t.Errorf("%s takes nonsense", o.Name)
		}
	}
	if operation.Find(operation.All(), "nonsense") != nil {
		t.Error("nonsense found")
	}
}

// TestFormerCounty checks that a county that ended is reported with its successors, by
// its code and by its name.
func TestFormerCounty(t *testing.T) {
	db := sampletest.Open(t)
	const want = "Hartford County, CT (09003) ended in 2022; its area is now in 09110 (Capitol Planning Region)"
	for _, text := range []string{"09003", "hartford county", "Hartford County, CT"} {
		var in operation.CodesInArea
		in.Layer, in.GEOID = "county", text
		if _, err := in.Find(t.Context(), db); !errors.Is(err, postgeo.ErrNotFound) || !strings.Contains(err.Error(), want) {
			t.Errorf("codes in %q: %v; want %q", text, err, want)
		}
	}
	for query, ended := range map[string]bool{"hartford county": true, "Hartford County, CT": true, "hartford county, ma": false, "hartford cou": false, "capitol region": false} {
		r, err := db.Suggest(t.Context(), query, suggest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(r.Notices) == 1 && strings.HasPrefix(r.Notices[0].Message, want); got != ended {
			t.Errorf("suggest %q: notices %v; want the end of the county: %t", query, r.Notices, ended)
		}
		if ended && (len(r.Matches) == 0 || r.Matches[0].GEOID != "09110") {
			t.Errorf("suggest %q: %v; want the planning region", query, r.Matches)
		}
	}
}

// TestIgnored checks that Run reports unknown flags once, and RunBare does not.
func TestIgnored(t *testing.T) {
	db := sampletest.Open(t)
	place, flags := operation.Place{Code: "90210"}, envelope.Flags{"weather"}
	lookup := operation.LookupParams{Include: flags}
	around := operation.PlaceParams{Include: flags}
	for _, tt := range []struct {
		about *operation.Operation
		in    any
	}{
		{operation.Lookup, &operation.LookupInput{Place: place, LookupParams: lookup}},
		{operation.Quick, &operation.QuickInput{Place: place, LookupParams: lookup}},
		{operation.Radius, &operation.RadiusInput{Place: place, RadiusParams: operation.RadiusParams{Max: operation.Reach{Miles: 1}, Include: flags}}},
		{operation.Nearest, &operation.NearestInput{Place: place, Count: 1, Include: flags}},
		{operation.Address, &operation.AddressInput{AddressLine: operation.AddressLine{Address: operation.Address.Param("address").Example}, AddressParams: operation.AddressParams{Include: flags}}},
		{operation.Geocode, &operation.GeocodeInput{Address: "5th Ave & W 34th St, New York, NY 10001", GeocodeParams: operation.GeocodeParams{PlaceParams: around}}},
		{operation.Reverse, &operation.ReverseInput{Point: "40.7484,-73.9857", ReverseParams: operation.ReverseParams{Within: 5000, PlaceParams: around}}},
	} {
		for want, run := range map[int]func() (any, error){
			0: func() (any, error) { return tt.about.RunBare(t.Context(), db, tt.in) },
			1: func() (any, error) { return tt.about.Run(t.Context(), db, tt.in) },
		} {
			out, err := run()
			if err != nil {
				t.Errorf("%s: %v", tt.about.Name, err)
				continue
			}
			text, err := json.Marshal(out)
			if got := strings.Count(string(text), string(envelope.ValidationUnknownEnrichment)); got != want || err != nil {
				t.Errorf("%s: %d notices of the flag, want %d, %v: %.300s", tt.about.Name, got, want, err, text)
			}
		}
	}
}

func sample(t *testing.T) *postgeo.DB {
	t.Helper()
	db := sampletest.Open(t)
	return db
}

func TestResolveNames(t *testing.T) {
	db := sample(t)
	for text, want := range map[string]string{
		"90210": "90210", "34.1,-118.4": "34.1,-118.4", "Beverly Hills, CA": "34.07923,-118.402437", "beverly hills ca": "34.07923,-118.402437",
		"Beverly Hil": "Beverly Hil", "no such place": "no such place", "": "", "12 Main St": "12 Main St", "K1A 0X": "K1A 0X",
	} {
		in := &operation.NearestInput{Place: operation.Place{Code: text}}
		_, err := operation.ResolveNames(t.Context(), db, operation.Nearest.Params, reflect.ValueOf(in).Elem())
		if err != nil || in.Code != want {
			t.Errorf("%q: %q %v, want %q", text, in.Code, err, want)
		}
	}
	list := &struct {
		From []string `is:"code" help:"Codes."`
	}{[]string{"90210", "Portland, OR"}}
	found, err := operation.ResolveNames(t.Context(), db, operation.Params(reflect.TypeOf(*list)), reflect.ValueOf(list).Elem())
	if err != nil || list.From[0] != "90210" || list.From[1] != "45.536951,-122.649971" || len(found) != 1 || found[0].Text != "Portland, OR" {
		t.Errorf("%v %v %v", list.From, found, err)
	}
	in := &operation.NearestInput{Place: operation.Place{Code: "New York"}}
	_, err = operation.ResolveNames(t.Context(), db, operation.Nearest.Params, reflect.ValueOf(in).Elem())
	if e := envelope.AsFailure(err); e == nil || !strings.Contains(e.Detail, "New York, NY (40.662712,-73.938677); New York (41.106926,-74.757027)") {
		t.Errorf("a name of a city and a state: %v", err)
	}
}

// TestResolveAreas requires that the error of a name that only areas have names them.
func TestResolveAreas(t *testing.T) {
	db := sample(t)
	for text, want := range map[string]string{
		"Cook, IL": "Cook County, IL (county 17031)", "cook county il": "Cook County, IL (county 17031)",
		"Chicago-Naperville-Elgin": "Chicago-Naperville-Elgin, IL-IN (cbsa 16980)", "Peel, ON": "Peel, ON; give a code",
	} {
		in := &operation.NearestInput{Place: operation.Place{Code: text}}
		_, err := operation.ResolveNames(t.Context(), db, operation.Nearest.Params, reflect.ValueOf(in).Elem())
		if e := envelope.AsFailure(err); e == nil || !errors.Is(err, envelope.ErrInvalidParam) || !strings.Contains(e.Detail, want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

// Two places with the same other name are ambiguous, unless a place has it as its name.
func TestNamesakes(t *testing.T) {
	match := func(name string, bucket suggest.Bucket) (m suggest.Match) {
		m.Name, m.State, m.Bucket, m.Location = name, "CA", bucket, geo.MustLatLng(1, 1)
		return m
	}
	first, second, named := match("First", suggest.ExactAlias), match("Second", suggest.ExactAlias), match("Named", suggest.ExactName)
	for _, tt := range []struct {
		matches []suggest.Match
		want    int
	}{
		{[]suggest.Match{first, second}, 2},
		{[]suggest.Match{named, first, second}, 1},
		{[]suggest.Match{first, first, match("Other", suggest.Prefix)}, 1},
	} {
		if got := operation.Namesakes(tt.matches); len(got) != tt.want {
			t.Errorf("%d matches, want %d of %v", len(got), tt.want, tt.matches)
		}
	}
}

func TestCodesByName(t *testing.T) {
	db := sample(t)
	find := func(layer, name string) *lookup.CodesIn {
		t.Helper()
		in := operation.CodesInArea{LayerInput: operation.LayerInput{Layer: layer}, GEOID: name}
		found, err := in.Find(t.Context(), db)
		if err != nil {
			t.Fatalf("%s %q: %v", layer, name, err)
		}
		return found
	}
	if diff := cmp.Diff(find("county", "06037"), find("county", "Los Angeles County, CA"), cmpopts.EquateComparable(geo.LatLng{})); diff != "" {
		t.Errorf("county by name (-want +got):\n%s", diff)
	}
	for _, tt := range [][3]string{{"census_division", "toronto", "3520"}, {"csd", "Toronto", "3520005"}, {"cma", "Toronto", "535"}, {"fed", "Ottawa Centre", "35075"}} {
		if diff := cmp.Diff(find(tt[0], tt[2]), find(tt[0], tt[1]), cmpopts.EquateComparable(geo.LatLng{})); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", tt[0], tt[1], diff)
		}
	}
	for layer, name := range map[string]string{"county": "99999", "place": "Nowhereville", "fed": "Nowhereville"} {
		in := operation.CodesInArea{LayerInput: operation.LayerInput{Layer: layer}, GEOID: name}
		if found, err := in.Find(t.Context(), db); envelope.AsFailure(err) == nil || envelope.AsFailure(err).Kind != envelope.KindNotFound {
			t.Errorf("%s %s: %v %v", layer, name, found, err)
		}
	}
}
