package server_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// checkQuick compares the encoder of quick records with encoding/json.
func checkQuick(t *testing.T, r *lookup.QuickRecord) {
	t.Helper()
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		t.Fatal(err)
	}
	got, err := server.AppendQuick(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(got)+"\n"); diff != "" {
		t.Errorf("differs from encoding/json (-json +appended):\n%s", diff)
	}
}

// TestQuickItemFieldByField sets one field of the record after the other, so
// that a field that the encoder does not know fails the test.
func TestQuickItemFieldByField(t *testing.T) {
	checkQuick(t, &lookup.QuickRecord{})
	full := &lookup.QuickRecord{}
	var set func(v reflect.Value)
	fields := 0
	set = func(v reflect.Value) {
		for i := range v.NumField() {
			f := v.Field(i)
			switch f.Interface().(type) {
			case lookup.CodeType:
				f.Set(reflect.ValueOf(lookup.Postal))
			case lookup.Flag:
				f.Set(reflect.ValueOf(lookup.False))
			case geo.LatLng:
				f.Set(reflect.ValueOf(geo.MustLatLng(-0.0000004, 179.9999995)))
			case []envelope.Notice:
				f.Set(reflect.ValueOf([]envelope.Notice{envelope.Normalized("<a>", "b")}))
			default:
				switch f.Kind() {
				case reflect.String:
					f.SetString("Cañon & \"City\" " + v.Type().Field(i).Name)
				case reflect.Bool:
					f.SetBool(true)
				case reflect.Int:
					f.SetInt(7)
				case reflect.Float64:
					f.SetFloat(-3.5)
				case reflect.Pointer:
					f.Set(reflect.New(f.Type().Elem()))
					checkQuick(t, full)
					if f.Elem().Kind() == reflect.Struct {
						set(f.Elem())
					}
					continue
				case reflect.Struct:
					set(f)
					continue
				default:
					t.Fatalf("the test does not know how to set %s of %s", v.Type().Field(i).Name, v.Type())
				}
			}
			fields++
			checkQuick(t, full)
		}
	}
	set(reflect.ValueOf(full).Elem())
	if fields < 30 {
		t.Errorf("the record has %d fields only", fields)
	}
}

func FuzzQuickItem(f *testing.F) {
	f.Add("90210", "Cañon", "America/Denver", 39.1, -105.2, -7.0, true)
	f.Add("\xff", "\u2028", "", -90.0, 180.0, 5.75, false)
	f.Fuzz(func(t *testing.T, code, city, zone string, lat, lng, hours float64, both bool) {
		r := &lookup.QuickRecord{}
		r.Code, r.City, r.State = code, city, zone
		if hours < -24 || hours > 24 || hours != float64(int64(hours*60))/60 {
			hours = 1.5
		}
		if p, err := geo.LatLngFromDegrees(lat, lng); err == nil {
			r.Location = p
		}
		if both {
			r.MultiCounty = lookup.True
			r.Timezone = &lookup.TimeZone{Source: city, Zone: lookup.Zone{IANAName: zone, UTCOffset: hours, UTCOffsetDST: -hours, ObservesDST: both}}
			r.Detail = &lookup.Detail{ZIP4: code}
		}
		checkQuick(t, r)
	})
}
