package shapes_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/internal/shapes"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// A schema that lists values lists those that its type writes.
func TestEnums(t *testing.T) {
	known := shapes.Known()
	for _, v := range []any{
		lookup.ZIP, lookup.ZIP4, lookup.FSA, lookup.Postal,
		lookup.General, lookup.POBox, lookup.Military, lookup.Unique,
		lookup.LargestArea, lookup.USPSRecord, lookup.ContainsPoint,
		suggest.ZIP, suggest.Place, suggest.County, suggest.CBSA, suggest.FSA, suggest.State, suggest.SchoolDistrict, suggest.Postal, suggest.City,
		radius.Centroid, radius.Spatial, radius.Density, radius.Commute, radius.InputCode, radius.InputCoordinates,
	} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			t.Fatalf("%T writes %s: %v", v, data, err)
		}
		if s := known[reflect.TypeOf(v)]; s == nil || !slices.Contains(s.Enum, text) {
			t.Errorf("%T writes %q, which its schema %+v does not list", v, text, s)
		}
	}
}

// Nobody who changes a schema changes those of others.
func TestOwn(t *testing.T) {
	for key, s := range shapes.Known() {
		s.Type = openapi.Types{openapi.Null}
		if got := shapes.Known()[key]; slices.Equal(got.Type, s.Type) {
			t.Errorf("%v is shared", key)
		}
	}
}

func TestComments(t *testing.T) {
	all, err := shapes.Comments()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lookup.Identity", "lookup.Identity.City", "radius.Match.DistanceMiles", "suggest.Match.GEOID"} {
		if all[name] == "" {
			t.Errorf("%s has no comment", name)
		}
	}
}
