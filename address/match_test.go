package address_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// TestMatchPBSA finds the street address of a post office's box.
func TestMatchPBSA(t *testing.T) {
	got, err := world(t, "town").engine(t).Match(t.Context(), "3094 Center St, Springfield, MN 55002", address.Options{})
	check(t, err)
	if !got.Data.PBSA || got.Data.Details.RecordType.Code != "P" {
		t.Errorf("pbsa_indicator %t, record type %s; want true and P", got.Data.PBSA, got.Data.Details.RecordType.Code)
	}
}

// TestMatchLength verifies both sides of the limits, in characters after
// cleanup and as given.
func TestMatchLength(t *testing.T) {
	m := world(t, "town").engine(t)
	pad := func(n int) string { return strings.Repeat("X", n-len("1 A ST 55001 ")) + " 1 A ST 55001" }
	tests := []struct {
		text string
		want envelope.Code
	}{
		{"1 A St 55", envelope.InsufficientInput},
		{"1 A St 5", envelope.ValidationInputTooShort},
		{"  1  A  St  5  ...", envelope.ValidationInputTooShort},
		{pad(300), envelope.NotFound},
		{pad(301), envelope.ValidationInputTooLong},
		{strings.Repeat(" ", 492) + "1 A St 55", envelope.ValidationInputTooLong},
		{strings.Repeat(" ", 480) + "1 A St 55", envelope.InsufficientInput},
		{"!!!!!!!!!!????????", envelope.ValidationInputTooShort},
		{"", envelope.ValidationInputTooShort},
		{"😀😀😀😀😀😀😀😀😀😀", envelope.ValidationInputTooShort},
	}
	for _, tt := range tests {
		_, err := m.Match(t.Context(), tt.text, address.Options{})
		failure := envelope.FaultOf(err)
		if failure == nil || failure.Code != tt.want {
			t.Errorf("%.40q (%d bytes): %v, want %s", tt.text, len(tt.text), err, tt.want)
		}
		if short := tt.want == envelope.ValidationInputTooShort || tt.want == envelope.ValidationInputTooLong; short != (address.Check(tt.text) != nil) {
			t.Errorf("Check(%.40q) = %v", tt.text, address.Check(tt.text))
		}
	}
}

// badInputs holds texts that are not valid addresses.
var badInputs = []string{
	strings.Repeat("1", 300), strings.Repeat("APT 1 ", 49), strings.Repeat("APT ", 70), strings.Repeat("# ", 140), strings.Repeat("(", 300), strings.Repeat(")", 300),
	strings.Repeat("1 - ", 70), strings.Repeat("A.", 140), strings.Repeat("1/2 ", 70), strings.Repeat("N ", 140), strings.Repeat("ST ", 99), strings.Repeat("PO BOX ", 40),
	"1 A St\x00, Springfield, MN 55001", "1 A St\x1b[31m, MN 55001", "\xff\xfe1 Main St\xc3, MN 55001", "شارع 12, MN 55001", "\u202e1 Main St 55001",
	"'; DROP TABLE zips; -- 55001", `"main" OR "oak" NEAR/3 55001`, "1 * Main* St^2 55001", "100 % Main _ St 55001", "<script>1 Main St</script> 55001",
	"１５０　Ｎ　Ｍａｉｎ　Ｓｔ　５５００１", "12 Straße 55001", "RR BOX", "HC HC HC HC", "PSC APO AE", "GENERAL", "GEN DEL 55001", "55001 55001 55001", "MN MN MN MN",
	"NEW YORK NEW YORK NEW YORK", "UNITED STATES OF AMERICA", "1 US", "AND AND AND 55001", "C/O C/O C/O 55001", "ATTN ATTN, 55001-0000",
}

// TestBadInput has every text read and matched without harm.
func TestBadInput(t *testing.T) {
	m := world(t, "town").engine(t)
	for _, text := range badInputs {
		p, err := address.Parse(text)
		if err != nil {
			t.Errorf("Parse(%.40q): %v", text, err)
			continue
		}
		if n := len(p); n < 1 || n > address.MaxReadings {
			t.Errorf("Parse(%.40q): %d readings", text, n)
		}
		if _, err := m.Match(t.Context(), text, address.Options{}); err != nil && envelope.FaultOf(err) == nil {
			t.Errorf("Match(%.40q): %v", text, err)
		}
	}
}

func FuzzMatch(f *testing.F) {
	for _, text := range badInputs {
		f.Add(text)
	}
	for _, text := range []string{
		"150 N Main St, Springfield, MN 55001", "300 Oak Ave Apt 5 springfield mn", "RR 2 Box 12, Springfield MN 55001", "URB LAS FLORES, 12 CALLE 3, PONCE PR 00730",
		"N6W23001 Bluemound Rd, Pewaukee WI", "150 S 300 W, Provo UT 84601", "Unit 100 Box 4190, APO AP 96278", "1 Main St and 2nd Ave, Springfield, MN",
	} {
		f.Add(text)
	}
	m := world(f, "town").engine(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := address.Parse(text)
		if err == nil {
			if clean := address.Clean(text); address.Clean(clean) != clean {
				t.Errorf("Clean(%q) = %q, and cleaned again %q", text, clean, address.Clean(clean))
			}
			for _, a := range p {
				for _, part := range []string{a.Number, a.Street, a.City, a.ZIP, a.Secondary.Number} {
					if strings.ContainsAny(part, "\x00(),") || !utf8.ValidString(part) || part != strings.TrimSpace(part) {
						t.Errorf("Parse(%q) has the part %q", text, part)
					}
				}
			}
		}
		got, err := m.Match(context.Background(), text, address.Options{})
		switch {
		case err != nil && envelope.FaultOf(err) == nil:
			t.Errorf("Match(%q): %v", text, err)
		case err == nil && got.Data.Details.RecordType.Code != "G" && got.Data.Components.Number != "":
			// The number is the caller's.
			digits := func(s string) string {
				return strings.Map(func(r rune) rune {
					if r >= '0' && r <= '9' {
						return r
					}
					return -1
				}, address.Clean(s))
			}
			if number := digits(got.Data.Components.Number); !strings.Contains(digits(text), number) && !strings.ContainsAny(strings.ToUpper(text), "EIOUA½¼¾") {
				t.Errorf("Match(%q) has the number %q", text, got.Data.Components.Number)
			}
		}
	})
}

// TestCityNames finds the ZIP Codes of city names that no ZIP Code prefers:
// acceptable names, and places and county subdivisions that overlap it.
func TestCityNames(t *testing.T) {
	f := world(t, "cities")
	f.more = func(w *storewrite.Writer) {
		check(t, w.AddEntity(store.Entity{Kind: store.EntityCity, Name: "Bell", State: 1, Twin: -1, Population: store.NoPopulation, ZIPs: []postcode.ZIP{90201}},
			storewrite.EntityNames{Own: []string{"bell"}}))
		for _, z := range []postcode.ZIP{90270, 90201} { // two towns of one name
			check(t, w.AddEntity(store.Entity{Kind: store.EntityCity, Name: "Walnut", State: 1, Twin: -1, Population: store.NoPopulation, ZIPs: []postcode.ZIP{z}},
				storewrite.EntityNames{Own: []string{"walnut"}}))
		}
		check(t, w.SetLayer(storewrite.LayerData{
			Info:  store.LayerInfo{ID: store.LayerPlace, Source: "test", Vintage: "2024"},
			Areas: []store.LayerArea{{GEOID: "0600001", Name: "Cudahy Park city", State: 1}},
		}))
		check(t, w.AddOverlaps(store.CodeOfZIP(90270), store.CodeOverlaps{Layers: []store.LayerOverlaps{{Layer: store.LayerPlace, Overlaps: []store.Overlap{{Area: 0}}}}}))
	}
	worldTable(t, "cities", f)
}

// TestGovernment reports the building of a government, and no facility without one.
func TestGovernment(t *testing.T) {
	f := world(t, "numbers")
	f.records[len(f.records)-1].Government = 'B'
	m := f.engine(t)
	for text, government := range map[string]bool{"110 29th St, Northtown, VA": false, "110 Studhorse St, Northtown, VA": true} {
		got, err := m.Match(t.Context(), text, address.Options{})
		check(t, err)
		if d := got.Data.Details; d.GovernmentBuilding != government || d.Facility != nil {
			t.Errorf("%s: government building %t, facility %v; want %t and none", text, d.GovernmentBuilding, d.Facility, government)
		}
	}
}
