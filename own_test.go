package postgeo_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
)

// spoil changes all numbers, flags and texts that can be reached from a value.
func spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			spoil(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			spoil(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			spoil(v.Index(i))
		}
	default:
		if v.CanSet() {
			v.SetZero()
		}
	}
}

// A record is its caller's own: what a caller does to it changes no later answer.
func TestRecordsAreOwn(t *testing.T) {
	db := sampletest.Open(t)
	opt, _ := lookup.ParseOptions([]string{"timezone", "census", "cd", "school_district", "state_leg", "quality", "medicare", "demographics"})
	for _, code := range []string{"90210", "10001", "99546", "K1A", "K1A 0B1"} {
		read := func() (*lookup.Record, string) {
			r, err := db.Lookup(t.Context(), code, opt)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			return r, string(text)
		}
		r, want := read()
		spoil(reflect.ValueOf(r))
		if _, got := read(); got != want {
			t.Errorf("%s after its first record was changed:\n%s\nwant\n%s", code, got, want)
		}
	}
}
