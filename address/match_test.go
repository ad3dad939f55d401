package address_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
)

// outcome writes what came of an address: the formatted address with
// confidence and notices, or the code of the failure.
func outcome(t testing.TB, m *address.Engine, text string) string {
	t.Helper()
	got, err := m.Match(context.Background(), text, address.Options{})
	failure := envelope.FaultOf(err)
	switch {
	case failure != nil:
		return string(failure.Code)
	case err != nil:
		t.Fatalf("%q: %v", text, err)
	}
	var codes []string
	for _, n := range got.Notices {
		codes = append(codes, string(n.Code))
	}
	return fmt.Sprintf("%s (%s) %s", got.Data.FormattedAddress, got.Data.Confidence, strings.Join(codes, " "))
}

// outcomes compares what comes of addresses with what is wanted.
func outcomes(t *testing.T, m *address.Engine, tests []struct{ text, want string }) {
	t.Helper()
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, outcome(t, m, tt.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestMatch(t *testing.T) {
	tests := []struct{ text, want string }{
		// Found by its own parts.
		{"150 North Main Street, Springfield, MN 55001", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (high) MATCHED"},
		{"150 n main st springfield mn", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (high) MATCHED"},
		{"150 N MAIN ST 55001", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (high) MATCHED"},
		{"150 N MAIN ST, NORTH SPRINGFIELD MN 550011001", "150 N MAIN ST, NORTH SPRINGFIELD MN 55001-1001 (high) MATCHED"},
		{"15 Mt Pleasant Road, Springfield 55001 MN", "15 MOUNT PLEASANT RD, SPRINGFIELD MN 55001-1012 (high) MATCHED"},
		{"15 11th St, Springfield, MN 55001", "15 ELEVENTH ST, SPRINGFIELD MN 55001-1013 (high) MATCHED"},
		{"410 CR 12, Springfield, MN 55001", "410 COUNTY ROAD 12, SPRINGFIELD MN 55001-1015 (high) MATCHED"},
		{"12 West St, Springfield, MN 55001", "12 WEST ST, SPRINGFIELD MN 55001-1016 (high) MATCHED"},
		{"92-11 Queens Blvd, Springfield, MN 55001", "92-11 QUEENS BLVD, SPRINGFIELD MN 55001-1018 (high) MATCHED"},
		{"151 1/2 N Main St, Springfield, MN 55001", "151 1/2 N MAIN ST, SPRINGFIELD MN 55001-1002 (high) MATCHED"},
		{"110 St James Place, Springfield MN 55002", "110 SAINT JAMES PL, SPRINGFIELD MN 55002-1003 (high) MATCHED"},
		{"Jane Doe, c/o ACME, 150 N Main St, Springfield, MN 55001", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (high) MATCHED"},
		{"110 Cedar Ln, St Cloud, MN", "110 CEDAR LN, SAINT CLOUD MN 55005-1001 (high) MATCHED"},
		// Corrections.
		{"150 N Main Ave, Springfield, MN 55001", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (medium) MATCHED STREET_CORRECTED"},
		{"550 N Park Ave, Springfield, MN 55001", "550 PARK AVE N, SPRINGFIELD MN 55001-1017 (medium) MATCHED STREET_CORRECTED"},
		{"550 Park Ave, Springfield, MN 55001", "550 PARK AVE N, SPRINGFIELD MN 55001-1017 (medium) MATCHED STREET_CORRECTED"},
		{"110 Stillharbor Cir, Springfield, MN 55001", "110 STILL HARBOR CIR, SPRINGFIELD MN 55001-1014 (medium) MATCHED STREET_CORRECTED"},
		{"150 N Mian St, Springfield, MN 55001", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (medium) MATCHED STREET_CORRECTED"},
		{"110 Cedra Lane, Springfield, MN", "110 CEDAR LN, SPRINGFIELD MN 55002-1002 (medium) MATCHED STREET_CORRECTED"},
		{"120 N Elm St, Springfield, MN 55001", "120 N ELM ST, SPRINGFIELD MN 55002-1001 (medium) MATCHED ZIP_CORRECTED"},
		{"150 N Main St, Mudville, MN 55001", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (high) MATCHED CITY_CORRECTED"},
		{"150 N Main St, Sprngfield, MN", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (high) MATCHED CITY_CORRECTED"},
		{"150 N Main St, Springfield, WI 55001", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (medium) MATCHED STATE_CORRECTED"},
		{"120 N Elm Ave, Springfield, WI 55002", "120 N ELM ST, SPRINGFIELD MN 55002-1001 (low) MATCHED STATE_CORRECTED STREET_CORRECTED"},
		{"210 Route 9, Springfield, MN 55001", "210 OAK AVE, SPRINGFIELD MN 55001-1004 (medium) MATCHED STREET_CORRECTED"},
		{"8010 Old Mill Rd, Springfield, MN 55001", "8010 GATEWAY PKWY, SPRINGFIELD MN 55001-1021 (medium) MATCHED STREET_CORRECTED"},
		{"150 N Main St (ring twice), Springfield, MN 55001", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (high) MATCHED INPUT_NOT_USED"},
		{"150 N Main St (call 555-0100), Springfield, MN 55001", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (low) MATCHED INPUT_NOT_USED"},
		// Units.
		{"300 Oak Ave, Springfield, MN 55001", "300 OAK AVE, SPRINGFIELD MN 55001-1007 (medium) PARTIAL_MATCH SECONDARY_NEEDED"},
		{"300 Oak Ave Apt 5, Springfield, MN 55001", "300 OAK AVE APT 5, SPRINGFIELD MN 55001-1008 (high) MATCHED"},
		{"300 Oak Ave # 5, Springfield, MN 55001", "300 OAK AVE APT 5, SPRINGFIELD MN 55001-1008 (high) MATCHED"},
		{"300 Oak Ave Unit B Springfield MN", "300 OAK AVE APT B, SPRINGFIELD MN 55001-1009 (high) MATCHED"},
		{"300B Oak Ave, Springfield, MN 55001", "300 OAK AVE APT B, SPRINGFIELD MN 55001-1009 (high) MATCHED"},
		{"300 Oak Ave, Suite 110, Springfield, MN 55001", "300 OAK AVE STE 110, SPRINGFIELD MN 55001-1010 (high) MATCHED"},
		{"300 Oak Ave 110, Springfield, MN 55001", "300 OAK AVE STE 110, SPRINGFIELD MN 55001-1010 (high) MATCHED"},
		{"Acme Widgets, 300 Oak Ave, Springfield, MN 55001", "300 OAK AVE, SPRINGFIELD MN 55001-1011 (high) MATCHED"},
		{"300 Oak Ave Apt 77, Springfield, MN 55001", "300 OAK AVE APT 77, SPRINGFIELD MN 55001-1007 (medium) PARTIAL_MATCH SECONDARY_NOT_VERIFIED"},
		{"210 Oak Ave Apt 3, Springfield, MN 55001", "210 OAK AVE APT 3, SPRINGFIELD MN 55001-1004 (medium) MATCHED SECONDARY_NOT_VERIFIED"},
		// Boxes and routes.
		{"P.O. Box 17, Springfield, MN 55003", "PO BOX 17, SPRINGFIELD MN 55003-0017 (high) MATCHED"},
		{"Post Office Drawer 70 Springfield MN", "PO BOX 70, SPRINGFIELD MN 55003-0061 (high) MATCHED"},
		{"PO Box 17, Springfield, MN 55001", "PO BOX 17, SPRINGFIELD MN 55003-0017 (medium) MATCHED ZIP_CORRECTED"},
		{"RFD 2 Box #12, Springfield, MN 55001", "RR 2 BOX 12, SPRINGFIELD MN 55001-9202 (high) MATCHED"},
		{"Star Route 68 Box 12, Springfield, MN 55001", "HC 68 BOX 12, SPRINGFIELD MN 55001-9203 (high) MATCHED"},
		{"Rural Route 2, Springfield, MN 55001", "RR 2, SPRINGFIELD MN 55001-9201 (low) PARTIAL_MATCH"},
		{"Gen. Delivery, Springfield, MN 55001", "GENERAL DELIVERY, SPRINGFIELD MN 55001-9999 (high) MATCHED"},
		{"PSC 10 Box 132, APO AE 09012", "PSC 10 BOX 132, APO AE 09012-0001 (high) MATCHED"},
		{"Anything at all, Springfield, MN 55004", "BIG COMPANY, SPRINGFIELD MN 55004-1001 (low) PARTIAL_MATCH"},
		// Right or silent.
		{"999 N Main St, Springfield, MN 55001", "NOT_FOUND"},
		{"151 S Main St, Springfield, MN 55001", "NOT_FOUND"}, // the odd side is the north's
		{"151 E Main St, Springfield, MN 55001", "NOT_FOUND"},
		{"12 Zorble St, Springfield, MN 55001", "NOT_FOUND"},
		{"16 11th St, Springfield, MN 55001", "NOT_FOUND"},
		{"15 12th St, Springfield, MN 55001", "NOT_FOUND"},
		{"PO Box 5000, Springfield, MN 55003", "NOT_FOUND"},
		{"150 N Main St, Springfield, MN 55999", "150 N MAIN ST, SPRINGFIELD MN 55001-1001 (medium) MATCHED ZIP_CORRECTED"},
		{"150 N Main St 55999", "NOT_FOUND"},
		{"110 Main St, Springfield, MN 55001", "AMBIGUOUS"}, // north or south
		{"210 Oak, Springfield, MN 55001", "AMBIGUOUS"},     // avenue or court
		{"750 Lakeshde Dr, Springfield, MN 55001", "750 LAKESIDE DR, SPRINGFIELD MN 55001-1020 (medium) MATCHED STREET_CORRECTED"},
		{"110 Birch St, Springfield, MN 55001", "AMBIGUOUS"}, // a direction more here, or as given in 55002
		{"110 Birch St, Springfield, MN 55001-1022", "110 N BIRCH ST, SPRINGFIELD MN 55001-1022 (medium) MATCHED STREET_CORRECTED"},
		{"110 Birch St, Springfield, MN", "110 BIRCH ST, SPRINGFIELD MN 55002-1005 (high) MATCHED"},
		{"150 N Main St, Springfield", "INSUFFICIENT_INPUT"},
		{"150 N Main St, MN", "INSUFFICIENT_INPUT"},
		{"Springfield, MN 55001", "INSUFFICIENT_INPUT"},
	}
	m := town(t).engine(t)
	outcomes(t, m, tests)
}

// TestMatchPBSA finds the street address of a post office's box.
func TestMatchPBSA(t *testing.T) {
	got, err := town(t).engine(t).Match(t.Context(), "3094 Center St, Springfield, MN 55002", address.Options{})
	check(t, err)
	if !got.Data.PBSA || got.Data.Details.RecordType.Code != "P" {
		t.Errorf("pbsa_indicator %t, record type %s; want true and P", got.Data.PBSA, got.Data.Details.RecordType.Code)
	}
}

// TestMatchLength verifies both sides of the limits, in characters after
// cleanup and as given.
func TestMatchLength(t *testing.T) {
	m := town(t).engine(t)
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
	m := town(t).engine(t)
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
	m := town(f).engine(f)
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
