package envelope_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/operation"
)

// shapes are the roots of everything that a caller can see of this package.
var shapes = []any{
	envelope.Response[operation.RadiusRequest, *thing]{},
	operation.FailedResponse{},
	envelope.HealthResponse{},
	thing{},
	operation.RadiusRequest{},
	operation.SearchesRequest{},
	operation.PairsRequest{},
	operation.PathRequest{},
	envelope.Debug{},
}

// TestOmissions walks every field: what may have no value is left out when it
// has none, nothing is of an open type, and nothing is a map but the credits
// of the flags.
func TestOmissions(t *testing.T) {
	marshaler := reflect.TypeFor[json.Marshaler]()
	seen := map[reflect.Type]bool{}
	var walk func(typ reflect.Type, path string)
	walk = func(typ reflect.Type, path string) {
		if typ == reflect.TypeFor[*thing]() {
			return // what a route delivers is the route's affair
		}
		if typ.Implements(marshaler) && !strings.HasPrefix(typ.Name(), "Result[") && typ != reflect.TypeFor[envelope.Enrichments]() {
			return // written by its own method, which other tests hold
		}
		switch typ.Kind() {
		case reflect.Interface:
			t.Errorf("%s is of the open type %s", path, typ)
		case reflect.Map:
			if typ != reflect.TypeFor[envelope.Enrichments]() {
				t.Errorf("%s is a map", path)
			}
		case reflect.Pointer, reflect.Slice:
			walk(typ.Elem(), path+"[]")
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			name := path + "." + f.Name
			if f.Anonymous {
				walk(f.Type, name)
				continue
			}
			tag, tagged := f.Tag.Lookup("json")
			if !tagged {
				if !strings.HasPrefix(typ.Name(), "Result[") {
					t.Errorf("%s has no JSON name", name)
				}
				walk(f.Type, name)
				continue
			}
			omits := strings.Contains(tag, ",omitzero") || strings.Contains(tag, ",omitempty")
			nullable := f.Type.Kind() == reflect.Pointer || f.Type.Kind() == reflect.Slice || f.Type.Kind() == reflect.Map
			if nullable && !omits && !f.Type.Implements(marshaler) {
				t.Errorf("%s would be written as null", name)
			}
			walk(f.Type, name)
		}
	}
	for _, v := range shapes {
		walk(reflect.TypeOf(v), reflect.TypeOf(v).String())
	}
	if len(seen) < len(shapes) {
		t.Errorf("walked %d types only", len(seen))
	}
}

// TestZeroValuesHaveNoNulls holds the same for what is written.
func TestZeroValuesHaveNoNulls(t *testing.T) {
	for _, v := range shapes {
		got, err := encode.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(got), "null") {
			t.Errorf("zero %T is written as %s", v, got)
		}
	}
}

func TestParseFlags(t *testing.T) {
	tests := []struct {
		name string
		in   []string
		want envelope.Flags
	}{
		{"none", nil, nil},
		{"blank", []string{" , ,"}, nil},
		{"one string", []string{"Timezone, CENSUS,state-leg"}, envelope.Flags{"timezone", "census", "state_leg"}},
		{"list", []string{"cd", "acs-social-2019,cd", "CD "}, envelope.Flags{"cd", "acs_social_2019"}},
		{"unknown kept", []string{"weather"}, envelope.Flags{"weather"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := envelope.ParseFlags(tt.in...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ParseFlags (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzParseFlags(f *testing.F) {
	f.Add("timezone, Census,,state-leg")
	f.Add("\u00a0İ,ﬀ")
	f.Fuzz(func(t *testing.T, s string) {
		flags := envelope.ParseFlags(s)
		seen := map[string]bool{}
		for _, flag := range flags {
			if flag == "" || seen[flag] || strings.ContainsAny(flag, ",-") {
				t.Errorf("ParseFlags(%q) = %q", s, flags)
			}
			seen[flag] = true
		}
		if diff := cmp.Diff(flags, envelope.ParseFlags(strings.Join(flags, ","))); diff != "" {
			t.Errorf("ParseFlags(%q) is not stable:\n%s", s, diff)
		}
	})
}
