package lookup_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/lookup"
)

// TestParseCode compares the codes of texts, and the failures of others, with
// testdata/codes.txt.
func TestParseCode(t *testing.T) {
	lookuptest.Table(t, "codes.txt", *update, func(text string) string {
		if strings.HasPrefix(text, `"`) {
			in, err := strconv.Unquote(text)
			check(t, err)
			text = in
		}
		return parsed(t, text)
	})
	for in, want := range map[string]string{
		strings.Repeat(" ", 60) + "90210": "ZIP 90210",
		strings.Repeat("９", 50):           string(envelope.ValidationInvalidZIP),
		strings.Repeat("９", 51):           string(envelope.ValidationInputTooLong),
		strings.Repeat("9", 51):           string(envelope.ValidationInputTooLong),
		"9 " + strings.Repeat("0", 49):    string(envelope.ValidationInputTooLong),
		strings.Repeat("x", 1<<20):        string(envelope.ValidationInputTooLong),
	} {
		if got := parsed(t, in); !strings.HasPrefix(got, want) {
			t.Errorf("ParseCode(%.60q): %s, want %s", in, got, want)
		}
	}
}

// parsed returns the code of a text with its type, or its failure.
func parsed(t *testing.T, in string) string {
	t.Helper()
	code, err := lookup.ParseCode(in)
	if err != nil {
		var failure *envelope.Failure
		if !errors.As(err, &failure) || !errors.Is(err, envelope.ErrInvalidCode) || code.IsValid() || failure.Input != in || len(failure.Error()) > 1000 {
			t.Errorf("ParseCode(%.60q) = %v, %.1000v", in, code, err)
		}
		e := (envelope.Links{}).Error(err)
		return fmt.Sprintf("%s %.150q", e.Code, e.Message)
	}
	if again := lookup.MustParseCode(code.String()); again != code || !code.IsValid() {
		t.Errorf("%q and %q are different codes", in, code)
	}
	answer := string(code.Type()) + " " + code.String()
	if code.Normalizes(in) {
		answer += ", normalized"
	}
	return answer
}

// TestCodeText checks that codes as text read back, and that others are refused.
func TestCodeText(t *testing.T) {
	for _, text := range []string{"90210", "90210-1234", "K1A", "K1A 0B1", "34.0901,-118.4065", ""} {
		var c lookup.Code
		if err := c.UnmarshalText([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got, err := c.MarshalText(); err != nil || string(got) != text || c.IsValid() != (text != "") {
			t.Errorf("%q is written as %q: %v", text, got, err)
		}
	}
	c := lookup.MustParseCode("90210")
	if err := c.UnmarshalText([]byte("9021")); !errors.Is(err, envelope.ErrInvalidCode) || c.IsValid() {
		t.Errorf("9021: %v, %v", c, err)
	}
}

func TestCodeAccessors(t *testing.T) {
	zip, _ := postcode.ParseZIP("90210")
	fsa, _ := postcode.ParseFSA("K1A")
	postal, _ := postcode.ParsePostalCode("K1A 0B1")
	point := geo.MustLatLng(1.5, -2)
	for _, c := range []struct {
		code   lookup.Code
		text   string
		parent string
	}{
		{lookup.ZIPCode(zip), "90210", ""},
		{lookup.ZIP4Code(zip, 34), "90210-0034", "90210"},
		{lookup.FSACode(fsa), "K1A", ""},
		{lookup.PostalCode(postal), "K1A 0B1", "K1A"},
		{lookup.PointCode(point), "1.5,-2", ""},
		{lookup.Code{}, "", ""},
		{lookup.PointCode(geo.LatLng{}), "", ""},
	} {
		if c.code.String() != c.text || c.code.Parent().String() != c.parent {
			t.Errorf("%#v is %q under %q, want %q under %q", c.code, c.code, c.code.Parent(), c.text, c.parent)
		}
		if c.text != "" && lookup.MustParseCode(c.text) != c.code {
			t.Errorf("%q reads back as another code", c.text)
		}
	}
	if c := lookup.ZIP4Code(zip, 34); c.LatLng().IsValid() {
		t.Errorf("%v has parts of other kinds", c)
	}
	if c := lookup.PointCode(point); c.LatLng() != point {
		t.Errorf("%v has parts of other kinds", c)
	}
}

func FuzzParseCode(f *testing.F) {
	for _, s := range []string{
		"90210", "90210-1234", "123456789", "K1A", "k1a 0b1", "K1A–0B1", "34.0901,-118.4065", "９０２１０", "", " ",
		"1e2,3", "1e-300,1e-300", "89.99999999999999,179.9999999999999", strings.Repeat(" ", 60) + "90210", "ſ1A", strings.Repeat("9", 51),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := lookup.ParseCode(s)
		if err != nil {
			failure := envelope.FaultOf(err)
			if failure == nil || c != (lookup.Code{}) {
				t.Fatalf("ParseCode(%q) = %v, %v; want a Failure", s, c, err)
			}
			if status := failure.Code.Status(); status != 400 || failure.Message == "" {
				t.Fatalf("ParseCode(%q) fails with %s, status %d", s, failure.Code, status)
			}
			return
		}
		canonical := c.String()
		back, err := lookup.ParseCode(canonical)
		if err != nil || back != c {
			t.Fatalf("ParseCode(%q) = %q, which reads back as %v, %v", s, canonical, back, err)
		}
		if c.Normalizes(canonical) {
			t.Fatalf("the canonical %q of %q is said to differ from itself", canonical, s)
		}
		if !c.Normalizes(s) && !strings.EqualFold(strings.TrimSpace(s), canonical) {
			t.Fatalf("%q became %q without notice", s, canonical)
		}
	})
}

// TestPointCodeIsShort checks coordinates with more digits than a code may have.
// They are rounded to 1e-12 degrees.
func TestPointCodeIsShort(t *testing.T) {
	for _, p := range []geo.LatLng{
		geo.MustLatLng(34.123456789012345, -118.12345678901234),
		geo.MustLatLng(0.000012345678901234567, -179.12345678901234),
		geo.MustLatLng(-1.2345678901234567e-30, 0.0000000012345678901234567),
		geo.MustLatLng(89.99999999999999, 1.2345678901234567e-290),
		geo.MustLatLng(1e-40, -180),
	} {
		c := lookup.PointCode(p)
		q := c.LatLng()
		if len(c.String()) > lookup.MaxCodeLength || math.Abs(q.Lat()-p.Lat()) > 0.6e-12 || math.Abs(q.Lng()-p.Lng()) > 0.6e-12 {
			t.Errorf("%v is %v", p, c)
		}
		if len(p.String()) <= lookup.MaxCodeLength && q != p {
			t.Errorf("%v is rounded to %v", p, q)
		}
		if again, err := lookup.ParseCode(c.String()); err != nil || again != c {
			t.Errorf("%v is read as %v, %v", c, again, err)
		}
	}
}

func TestParseOptions(t *testing.T) {
	got, unknown := lookup.ParseOptions([]string{
		"timezone", " Census ", "state-leg,cd", "SCHOOL_DISTRICT", "demographics", "medicare", "Quality", "likely", "",
		"acs_social", "acs-housing-2019", "acs_social", "geography", "acs_social_1999", "geography", "cd",
	})
	want := lookup.Options{Likely: true, Include: lookup.Include{
		Timezone: true, Census: true, CongressionalDistrict: true, StateLegislative: true, SchoolDistrict: true,
		Demographics: true, Medicare: true, Quality: true,
		ACS: []acs.Tag{{Profile: acs.Social}, {Profile: acs.Housing, Year: 2019}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("include (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"geography", "acs_social_1999"}, unknown); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
	flags := []string{
		"timezone", "census", "cd", "state_leg", "school_district", "demographics", "medicare", "quality", "likely",
		"acs_social", "acs_housing_2019",
	}
	if diff := cmp.Diff(flags, got.Flags()); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
	again, unknown := lookup.ParseOptions(got.Flags())
	if diff := cmp.Diff(got, again); diff != "" || unknown != nil {
		t.Errorf("the flags read back differ, unknown %v (-want +got):\n%s", unknown, diff)
	}
}

// TestOnly checks that a selection of everything changes nothing but the notices
// about coordinates.
func TestOnly(t *testing.T) {
	r := newReader(t)
	opt, _ := lookup.ParseOptions([]string{"timezone,census,cd,state_leg,school_district,demographics,medicare,quality,cd_next,state_leg_next,acs_social"})
	all := door.Selection{Details: true}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[lookup.CensusPeriod]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		all.Census = append(all.Census, name)
	}
	for _, input := range []string{"90210", "K1A", "K1A 0B1", "99999", "34.0901,-118.4065", "45.42,-75.69", "0,0", "x"} {
		record := func(only *door.Selection) string {
			rec, err := lookup.Full(r, t.Context(), input, opt, only)
			if err != nil {
				return err.Error()
			}
			rec.Notices = nil
			text, err := json.Marshal(rec)
			check(t, err)
			return string(text)
		}
		if diff := cmp.Diff(record(nil), record(&all)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", input, diff)
		}
	}
}
