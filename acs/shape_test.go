package acs_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/door"
)

// TestShapes verifies that the shapes have the members that are written, in their
// order.
func TestShapes(t *testing.T) {
	likes := door.Take[func() map[reflect.Type]any]()()
	block := acs.Block{
		Published: new(false), Note: "none", Requested: []acs.Profile{acs.Demographic, acs.Social, acs.Economic, acs.Housing},
	}
	for name, tt := range map[string]struct {
		shape   any
		written any
		absent  []string
	}{
		"block":  {likes[reflect.TypeFor[acs.Block]()], &block, nil},
		"metric": {likes[reflect.TypeFor[acs.Metric]()], acs.Metric{Estimate: acs.Decimal(1, 0), MOE: acs.Decimal(1, 0), Percent: acs.Decimal(1, 0), PercentMOE: acs.Decimal(1, 0)}, []string{"column"}},
	} {
		t.Run(name, func(t *testing.T) {
			want := slices.DeleteFunc(memberNames(t, tt.shape), func(s string) bool { return slices.Contains(tt.absent, s) })
			if diff := cmp.Diff(want, writtenNames(t, tt.written)); diff != "" {
				t.Errorf("members (-shape +written):\n%s", diff)
			}
		})
	}
}

func memberNames(t *testing.T, shape any) (names []string) {
	t.Helper()
	typ := reflect.TypeOf(shape)
	for i := range typ.NumField() {
		tag := typ.Field(i).Tag.Get("json")
		for j, c := range tag {
			if c == ',' {
				tag = tag[:j]
				break
			}
		}
		names = append(names, tag)
	}
	return names
}

func writtenNames(t *testing.T, v any) (names []string) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	depth := 0
	for name := true; ; {
		token, err := dec.Token()
		if err != nil {
			return names
		}
		switch d, ok := token.(json.Delim); {
		case ok && (d == '{' || d == '['):
			depth++
			name = true
		case ok:
			depth--
			name = true
		case depth == 1 && name:
			names = append(names, token.(string))
			name = false
		default:
			name = true
		}
	}
}
