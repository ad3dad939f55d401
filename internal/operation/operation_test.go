package operation_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// invented is the input of a made-up operation with a parameter of each kind.
type invented struct {
	Code    string           `arg:"" is:"code" aliases:"zip" help:"A code."`
	HowMany int              `least:"1" most:"9" default:"3" help:"A count."`
	Limit   *int             `least:"1" help:"A limit."`
	Miles   geo.Miles        `range:"at least 0 miles" help:"A distance."`
	Angle   *float64         `least:"-90" most:"90" help:"An angle."`
	Ratio   float64          `help:"Any number."`
	Max     operation.Reach  `required:"" values:"auto" help:"A reach."`
	Mode    radius.Mode      `name:"way" values:"centroid,spatial" help:"A mode."`
	Include envelope.Flags   `values:"timezone" help:"Flags."`
	Exact   bool             `help:"A switch."`
	Polygon json.RawMessage  `help:"A polygon."`
	Codes   []string         `is:"code" size:"50" help:"Codes."`
	Pairs   []operation.Ends `help:"Pairs."`
	operation.Clock
	hidden int
}

// TestParams describes each kind of field.
func TestParams(t *testing.T) {
	_ = invented{hidden: 0}.hidden
	params := operation.Params(reflect.TypeFor[invented]())
	want := map[string]operation.Kind{
		"code": operation.Text, "how_many": operation.Integer, "limit": operation.Integer, "miles": operation.Number, "angle": operation.Number, "ratio": operation.Number,
		"max": operation.NumberOrText, "way": operation.Text, "include": operation.Text, "exact": operation.Bool, "polygon": operation.Object,
		"codes": operation.Items, "pairs": operation.Items, "at": operation.Time,
	}
	got := map[string]operation.Kind{}
	byName := map[string]*operation.Param{}
	for _, p := range params {
		got[p.Name], byName[p.Name] = p.Kind, p
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if p := byName["code"]; !p.Required || p.Chars != lookup.MaxCodeLength || len(p.Codes) == 0 || !slices.Equal(p.Aliases, []string{"zip"}) {
		t.Errorf("code: %+v", p)
	}
	if p := byName["codes"]; p.MaxItems() != 50 || p.Entry.Chars != lookup.MaxCodeLength || p.Chars != 0 {
		t.Errorf("codes: %+v, entry %+v", p, p.Entry)
	}
	if p := byName["pairs"]; p.MaxItems() != operation.MaxItems || len(p.Fields) != 2 {
		t.Errorf("pairs: %+v", p)
	}
	if p := byName["max"]; !p.Required || byName["limit"].Required || !byName["include"].List {
		t.Errorf("max: %+v", p)
	}
}

// TestSet parses values of each kind.
func TestSet(t *testing.T) {
	byName := map[string]*operation.Param{}
	for _, p := range operation.Params(reflect.TypeFor[invented]()) {
		byName[p.Name] = p
	}
	var in invented
	for name, text := range map[string]string{
		"code": "90210", "how_many": " 9 ", "limit": "7", "miles": "2.5", "angle": "-90", "ratio": "-1e3", "max": "auto", "way": " spatial ",
		"include": "Time-Zone, census", "exact": "true", "at": "2027-01-31",
	} {
		if err := byName[name].Set(reflect.ValueOf(&in).Elem(), text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	want := invented{
		Code: "90210", HowMany: 9, Limit: new(7), Miles: 2.5, Angle: new(-90.0), Ratio: -1000, Max: operation.Reach{Auto: radius.Density}, Mode: radius.Spatial,
		Include: envelope.Flags{"time_zone", "census"}, Exact: true,
	}
	want.At = time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)
	if diff := cmp.Diff(want, in, cmp.AllowUnexported(invented{})); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}

	lookuptest.Table(t, "refused.txt", false, func(row string) string {
		name, text, _ := strings.Cut(row, "=")
		err := byName[name].Set(reflect.ValueOf(&in).Elem(), text)
		e := envelope.AsFailure(err)
		if !errors.Is(err, envelope.ErrInvalidParam) || e.Input != text {
			t.Fatalf("%s: %+v", row, e)
		}
		return e.Range
	})
}

// TestValues compares the listed flags and bounds with those of the library.
func TestValues(t *testing.T) {
	const profiles = "acs_demographic,acs_social,acs_economic,acs_housing"
	values := func(o *operation.Operation) []string { return o.Param("include").Values }
	if _, unknown := lookup.ParseOptions(values(operation.Lookup)); unknown != nil {
		t.Errorf("lookup: unknown flags %v", unknown)
	}
	inc, unknown := radius.ParseInclude(values(operation.Radius))
	if unknown != nil || inc.Dropped != nil || !inc.Timezone {
		t.Errorf("radius: unknown flags %v, dropped %v", unknown, inc.Dropped)
	}
	if _, unknown := address.ParseOptions(values(operation.Address)); unknown != nil {
		t.Errorf("address: unknown flags %v", unknown)
	}
	types, err := suggest.ParseTypes(values(operation.Suggest))
	if err != nil || len(types) != len(values(operation.Suggest)) {
		t.Errorf("suggest: types %v, %v", types, err)
	}
	opt, _ := lookup.ParseOptions([]string{profiles})
	full := &opt.Include
	full.Timezone, full.Census, full.CongressionalDistrict, full.StateLegislative = true, true, true, true
	full.SchoolDistrict, full.Demographics, full.Medicare, full.Quality, full.CongressNext, full.StateLegislativeNext, opt.Likely = true, true, true, true, true, true, true
	if diff := cmp.Diff(opt.Flags(), values(operation.Lookup)); diff != "" {
		t.Errorf("flags of lookup (-library +description):\n%s", diff)
	}
	if p := operation.Suggest.Param("limit"); p.Most != suggest.MaxLimit || operation.Suggest.Param("query").Chars != suggest.MaxQueryLength {
		t.Errorf("suggest: limit %+v", p)
	}
	if p := operation.Radius.Param("max"); p.Most != float64(radius.MaxCentroidMiles) {
		t.Errorf("radius: max %+v", p)
	}
}
