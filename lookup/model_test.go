package lookup_test

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup"
)

// keys returns the JSON keys of a struct, those of embedded structs in place.
func keys(t *testing.T, typ reflect.Type) []string {
	t.Helper()
	var out []string
	for f := range fields(typ) {
		if f.Anonymous && f.Tag.Get("json") == "" {
			out = append(out, keys(t, f.Type)...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			t.Errorf("%s.%s has no JSON name", typ, f.Name)
		}
		if options != "" {
			name += "?"
		}
		out = append(out, name)
	}
	return out
}

func fields(typ reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range typ.NumField() {
			if f := typ.Field(i); f.IsExported() && !yield(f) {
				return
			}
		}
	}
}

// keptNulls are the members that may be null because the contract says so:
// "Type.Field". A family that was looked for without finding anything is
// {"current": null}. The lists are required and never nil where their period
// exists.
var keptNulls = map[string]bool{
	"Census.Current": true, "CongressionalDistricts.Current": true, "FederalDistricts.Current": true,
	"StateLegislature.Current": true, "SchoolDistricts.Current": true,
	"TimeZones.Zones": true, "OwnLayer.Areas": true, "CongressPeriod.Districts": true, "FederalPeriod.Districts": true, "SchoolPeriod.Districts": true,
}

// TestModels compares the keys of all objects with testdata/keys.txt. Null properties are
// omitted: whatever can be nil or unknown must be left out then, and nothing may be of a type
// whose nulls cannot be controlled.
func TestModels(t *testing.T) {
	seen := map[string]reflect.Type{}
	for _, v := range []any{lookup.QuickRecord{}, lookup.Record{}} {
		omitsNulls(t, reflect.TypeOf(v), seen)
		js, err := json.Marshal(v)
		if err != nil || strings.Contains(string(js), "null") {
			t.Errorf("a zero %T is %s, %v", v, js, err)
		}
	}
	lookuptest.Table(t, "keys.txt", *update, func(name string) string {
		typ := seen[name]
		if typ == nil {
			t.Fatalf("no record has a %s", name)
		}
		delete(seen, name)
		return strings.Join(keys(t, typ), " ")
	})
	for name, typ := range seen {
		if strings.HasSuffix(typ.PkgPath(), "/lookup") {
			t.Errorf("testdata/keys.txt lacks %s", name)
		}
	}
}

func omitsNulls(t *testing.T, typ reflect.Type, seen map[string]reflect.Type) {
	t.Helper()
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || seen[typ.Name()] == typ || typ == reflect.TypeFor[geo.LatLng]() || typ == reflect.TypeFor[acs.Block]() {
		return // they write their own JSON
	}
	seen[typ.Name()] = typ
	for f := range fields(typ) {
		name := typ.Name() + "." + f.Name
		_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch f.Type.Kind() {
		case reflect.Map: // layers of the user
			if options == "" || f.Type.Elem().Kind() != reflect.Struct {
				t.Errorf("%s or a value of it can be null", name)
			}
			omitsNulls(t, f.Type.Elem(), seen)
		case reflect.Interface, reflect.Chan, reflect.Func:
			t.Errorf("%s is a %s", name, f.Type.Kind())
		case reflect.Pointer, reflect.Slice:
			if options == "" && !keptNulls[name] {
				t.Errorf("%s can be null and is not left out then", name)
			}
		case reflect.Bool, reflect.Int, reflect.Float64:
			if options != "" && f.Name != "Retryable" {
				t.Errorf("%s is left out when it is zero, which is a value; make it a pointer or a Flag", name)
			}
		}
		if (f.Type == reflect.TypeFor[geo.LatLng]() || f.Type == reflect.TypeFor[lookup.Flag]()) && options != "omitzero" {
			t.Errorf("%s can be null and is not left out then", name)
		}
		omitsNulls(t, f.Type, seen)
	}
}

func TestFlag(t *testing.T) {
	for _, c := range []struct {
		flag lookup.Flag
		json string
	}{
		{lookup.True, "true"}, {lookup.False, "false"}, {0, "null"},
	} {
		js, err := json.Marshal(c.flag)
		if err != nil || string(js) != c.json {
			t.Errorf("Flag(%d) is %s, %v", c.flag, js, err)
		}
		var back lookup.Flag
		if err := json.Unmarshal(js, &back); err != nil || back != c.flag {
			t.Errorf("%s read back is %v, %v", js, back, err)
		}
	}
	if lookup.FlagOf(true) != lookup.True || lookup.FlagOf(false) != lookup.False {
		t.Error("FlagOf mixes up true and false")
	}
	var f lookup.Flag
	if err := json.Unmarshal([]byte(`1`), &f); err == nil {
		t.Error("1 was read as a Flag")
	}
}

// A Go program can read the library's JSON back.
func TestRecordsReadBack(t *testing.T) {
	r := newReader(t)
	opt, _ := lookup.ParseOptions([]string{"timezone,census,cd,state_leg,school_district,demographics,medicare"})
	for _, code := range []string{"90210", "90210-1235", "90210-9999", "09012", "10001", "34.1,-118.41", "K1A0B1", "K1A", "H0H"} {
		rec, err := r.Full(t.Context(), code, opt)
		check(t, err)
		js, err := json.Marshal(rec)
		check(t, err)
		back := &lookup.Record{}
		if err := json.Unmarshal(js, back); err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		if diff := cmp.Diff(rec, back, cmp.Comparer(func(a, b geo.LatLng) bool { return a == b })); diff != "" {
			t.Errorf("%s read back (-want +got):\n%s", code, diff)
		}
	}
}

var update = flag.Bool("update", false, "write the golden files of testdata again")

func newReader(tb testing.TB) *lookup.Reader {
	tb.Helper()
	return lookuptest.Reader(tb, lookuptest.Dataset(tb))
}

func TestGoldenRecords(t *testing.T) {
	r := newReader(t)
	text, err := os.ReadFile("testdata/records.txt")
	check(t, err)
	records := 0
	for line := range strings.Lines(string(text)) {
		c := strings.Split(strings.TrimSpace(line), " | ")
		if line[0] == '#' {
			continue
		}
		if records++; len(c) != 4 || !slices.Contains([]string{"quick", "full", "quick full"}, c[3]) {
			t.Fatalf("testdata/records.txt: %s has no name, code, flags and lookups", line)
		}
		t.Run(c[0], func(t *testing.T) {
			opt, unknown := lookup.ParseOptions([]string{strings.Trim(c[2], "-")})
			if unknown != nil {
				t.Fatalf("unknown flags %v", unknown)
			}
			if strings.Contains(c[3], "quick") {
				quick, err := r.Quick(t.Context(), c[1], lookup.QuickOptions{Timezone: opt.Include.Timezone})
				check(t, err)
				lookuptest.Golden(t, "quick_"+c[0], quick, *update)
			}
			if strings.Contains(c[3], "full") {
				rec, err := r.Full(t.Context(), c[1], opt)
				check(t, err)
				lookuptest.Golden(t, "full_"+c[0], rec, *update)
			}
		})
	}
	if records == 0 {
		t.Error("no records")
	}
}

// The encoder of quick records writes what encoding/json would, whatever the
// fields hold.
func FuzzQuickRecordJSON(f *testing.F) {
	f.Add("Beverly Hills", "90210", uint8(2), 34.1, -118.41, true)
	f.Add("Hagåtña \"<&>\"\u2028", "\xff\x00", uint8(0), 91.0, 0.0, false)
	f.Fuzz(func(t *testing.T, city, code string, flag uint8, lat, lng float64, zone bool) {
		rec := &lookup.QuickRecord{}
		rec.Success = zone
		rec.City, rec.Code, rec.County, rec.CodeType, rec.MultiCounty = city, code, city, lookup.CodeType(flag%8), lookup.Flag(flag%3)
		rec.Location, _ = geo.LatLngFromDegrees(lat, lng)
		if zone {
			rec.Timezone = &lookup.TimeZone{Source: code}
			rec.Timezone.Name, rec.Timezone.UTCOffset = city, float64(int8(flag))/4
			rec.Detail = &lookup.Detail{ZIP4: code, Street: &lookup.Street{Name: city}}
			rec.Notices = []envelope.Notice{{Code: "X", Message: city}}
		}
		lookuptest.JSON(t, rec)
	})
}
