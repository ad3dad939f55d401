package server_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// checkItem compares what the server writes of an item with encoding/json.
func checkItem(t *testing.T, item any) {
	t.Helper()
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(item); err != nil {
		t.Fatal(err)
	}
	got, err := encode.Marshal(item)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(got)+"\n"); diff != "" {
		t.Errorf("differs from encoding/json (-json +appended):\n%s", diff)
	}
}

// TestItemsFieldByField sets one field of every item after the other, so that
// a field that an encoder does not know fails the test.
func TestItemsFieldByField(t *testing.T) {
	for _, item := range []any{&lookup.QuickRecord{}, &lookup.Record{}, &radius.DistanceResult{}} {
		t.Run(reflect.TypeOf(item).String(), func(t *testing.T) { fillAndCheck(t, item) })
	}
}

func fillAndCheck(t *testing.T, full any) {
	checkItem(t, full)
	var set func(v reflect.Value)
	fields := 0
	set = func(v reflect.Value) {
		for i := range v.NumField() {
			f := v.Field(i)
			switch f.Interface().(type) {
			case acs.Years:
				f.Set(reflect.ValueOf(surveyed(t)))
			case lookup.CodeType:
				f.Set(reflect.ValueOf(lookup.Postal))
			case lookup.Flag:
				f.Set(reflect.ValueOf(lookup.False))
			case geo.LatLng:
				f.Set(reflect.ValueOf(geo.MustLatLng(-0.0000004, 179.9999995)))
			case lookup.Classification:
				f.Set(reflect.ValueOf(lookup.POBox))
			case lookup.ClassificationName:
				f.Set(reflect.ValueOf(lookup.ClassificationName("PO Box")))
			case []string:
				f.Set(reflect.ValueOf([]string{"310"}))
			case lookup.OwnLayers:
				f.Set(reflect.ValueOf(lookup.OwnLayers{"b": {Source: "<s>", Areas: []lookup.OwnArea{{ID: "é"}}}, "a": {Areas: []lookup.OwnArea{}}}))
			case radius.InputType:
				f.SetString(string(radius.InputCode))
			case []envelope.Notice:
				f.Set(reflect.ValueOf([]envelope.Notice{notice.Normalized("<a>", "b")}))
			default:
				switch f.Kind() {
				case reflect.String:
					f.SetString("Cañon & \"City\" " + v.Type().Field(i).Name)
				case reflect.Bool:
					f.SetBool(true)
				case reflect.Int, reflect.Int64:
					f.SetInt(7)
				case reflect.Float64:
					f.SetFloat(-3.5)
				case reflect.Pointer:
					f.Set(reflect.New(f.Type().Elem()))
					checkItem(t, full)
					if f.Elem().Kind() == reflect.Struct {
						set(f.Elem())
					}
					continue
				case reflect.Struct:
					set(f)
					continue
				case reflect.Slice:
					f.Set(reflect.MakeSlice(f.Type(), 2, 2))
					set(f.Index(1))
					continue
				default:
					t.Fatalf("the test does not know how to set %s of %s", v.Type().Field(i).Name, v.Type())
				}
			}
			fields++
			checkItem(t, full)
		}
	}
	set(reflect.ValueOf(full).Elem())
	if fields < 25 {
		t.Errorf("the item has %d fields only", fields)
	}
}

// surveyed is a pair of years with a metric of every sort.
func surveyed(t *testing.T) acs.Years {
	t.Helper()
	var years acs.Years
	if err := json.Unmarshal([]byte(`{"current":{"source":"<a>","product":"","year":2024,"geo_id":"","geography_level":"zcta","published":true,"social":null,"economic":{
		"income":{"median_household_income":{"est":86801,"moe":null}},"poverty":{"people":{"est":null,"moe":null,"pct":12.5,"pct_moe":2}}}},
		"2011":{"source":"b","product":"","year":2011,"geo_id":"","geography_level":"zcta","published":false,"note":"none","social":null,"economic":null}}`), &years); err != nil {
		t.Fatal(err)
	}
	return years
}
