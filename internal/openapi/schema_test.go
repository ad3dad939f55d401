package openapi_test

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/openapi"
)

var check = checktest.Check

type (
	head struct {
		OK   bool   `json:"ok"`
		Note string `json:"note,omitzero"`
	}
	tree struct {
		head
		Count    int               `json:"count"`
		Share    *float64          `json:"share"` // null is deliberate
		Part     *leaf             `json:"part"`
		Maybe    *leaf             `json:"maybe,omitzero"`
		Children []tree            `json:"children,omitempty"`
		ByYear   map[string]*leaf  `json:"by_year,omitzero"`
		Own      shaped            `json:"own"`
		Level    level             `json:"level"`
		Text     text              `json:"text"`
		Hidden   string            `json:"-"`
		Sizes    [2]uint8          `json:"sizes"`
		Named    map[string]string `json:",omitzero"`
		Perhaps  *leaf             `json:"perhaps,omitzero" shape:"null"`
		Figure   figure            `json:"figure"`
		Detail   struct {
			Size int `json:"size" doc:"in bytes"`
		} `json:"detail" component:"Detail" doc:"more"`
		inner int
	}
	leaf   struct{ Name string }
	shaped struct{}
	level  string
	closed struct{}
	figure struct{}
)

func (figure) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

func (shaped) MarshalJSON() ([]byte, error) { return []byte(`{"years":[]}`), nil }

func (closed) MarshalJSON() ([]byte, error) { return nil, nil }

type text uint8

func (text) MarshalText() ([]byte, error) { return nil, nil }

// TestSchemas checks the schema of each kind of field.
func TestSchemas(t *testing.T) {
	_ = tree{inner: 0}
	s := openapi.NewSchemas(openapi.Options{
		Shapes: map[reflect.Type]*openapi.Schema{reflect.TypeFor[level](): openapi.OneOf("low", "high")},
		Likes: map[reflect.Type]any{
			reflect.TypeFor[figure](): (*float64)(nil),
			reflect.TypeFor[shaped](): struct {
				Years []int `json:"years"`
			}{},
		},
		Comments: map[string]string{"openapi_test.tree": "A tree.", "openapi_test.tree.Count": "How many."},
	})
	ref := s.Of(reflect.TypeFor[*tree]())
	if ref.Ref != "#/components/schemas/Openapi_testTree" || s.Component(ref) == nil {
		t.Errorf("reference %q", ref.Ref)
	}
	want, err := os.ReadFile("testdata/schemas.json")
	check(t, err)
	got, err := json.Marshal(s.Components())
	check(t, err)
	if diff := cmp.Diff(compact(t, want), compact(t, got)); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string(nil), s.Opaque()); diff != "" {
		t.Errorf("types taken for anything: %s", diff)
	}
}

// compact removes blanks and keeps the order of members.
func compact(t *testing.T, data []byte) string {
	t.Helper()
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	out, err := json.Marshal(raw)
	check(t, err)
	return string(out)
}

// TestOpaque checks that types that reflection cannot describe are reported.
func TestOpaque(t *testing.T) {
	s := openapi.NewSchemas(openapi.Options{})
	for _, typ := range []reflect.Type{reflect.TypeFor[closed](), reflect.TypeFor[any](), reflect.TypeFor[func()](), reflect.TypeFor[closed]()} {
		if got := s.Of(typ); !reflect.DeepEqual(got, &openapi.Schema{}) {
			t.Errorf("%s has the schema %+v, want anything", typ, got)
		}
	}
	if diff := cmp.Diff([]string{"func()", "interface {}", "openapi_test.closed"}, s.Opaque()); diff != "" {
		t.Errorf("Opaque (-want +got):\n%s", diff)
	}
}
