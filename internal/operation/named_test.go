package operation_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
)

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
	for layer, name := range map[string]string{"county": "99999", "place": "Nowhereville"} {
		in := operation.CodesInArea{LayerInput: operation.LayerInput{Layer: layer}, GEOID: name}
		if found, err := in.Find(t.Context(), db); envelope.AsFailure(err) == nil || envelope.AsFailure(err).Kind != envelope.KindNotFound {
			t.Errorf("%s %s: %v %v", layer, name, found, err)
		}
	}
}
