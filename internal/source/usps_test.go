package source_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// uspsRecord writes fields, each at its position from 1, into an empty record.
func uspsRecord(length int, fields map[int]string) string {
	b := []byte(strings.Repeat(" ", length))
	for at, s := range fields {
		copy(b[at-1:], s)
	}
	return string(b[:length])
}

// change writes text at a position from 1.
func change(record string, at int, s string) string {
	return record[:at-1] + s + record[at-1+len(s):]
}

func uspsCopyright(length int) string {
	return uspsRecord(length, map[int]string{1: "C", 7: "(C) INVENTED", 26: "NONE"})
}

// uspsZIP4 is a detail record with every field filled.
func uspsZIP4() string {
	return uspsRecord(182, map[int]string{
		1: "D", 2: "00123", 7: "V100000001", 17: "A", 18: "H", 19: "C007",
		23: "N", 25: "MAIN", 53: "ST", 57: "SW", 59: "0000000100", 69: "0000000198", 79: "E",
		80: "THE TOWER", 120: "APT", 124: "00000001", 132: "00000009", 140: "B",
		141: "0123", 145: "0124", 149: "A", 150: "L", 151: "F", 152: "123456", 158: "VA", 160: "059", 163: "AL",
		165: "M00001", 171: "U00001", 177: "V10001",
	})
}

func uspsInput(text string) format.File { return format.File{Path: "f", Content: []byte(text)} }

// rowsAndErrors runs a sequence to its end.
func rowsAndErrors[R any](seq iter.Seq2[R, error]) (rows []R, errs []error) {
	for r, err := range seq {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		rows = append(rows, r)
	}
	return rows, errs
}

func TestReadZIP4(t *testing.T) {
	full := uspsZIP4()
	leftJustified := change(change(full, 59, "100       "), 69, "198       ")
	blank := uspsRecord(182, map[int]string{1: "D", 2: "09001", 17: "A", 18: "G", 19: "G001", 141: "99ND", 145: "99ND", 149: "B", 158: "AE"})
	text := uspsCopyright(182) + full + change(full, 17, "D") + leftJustified + uspsCopyright(182) + blank
	want := []source.ZIP4Row{
		{ZIP4Record: store.ZIP4Record{
			ZIP: 123, Low: 123, High: 124, RecordType: 'H', CarrierRoute: "C007", PreDir: "N", Street: "MAIN", Suffix: "ST", PostDir: "SW",
			AddrLow: "0000000100", AddrHigh: "0000000198", OddEven: 'E', Building: "THE TOWER", SecAbbr: "APT", SecLow: "00000001", SecHigh: "00000009", SecOddEven: 'B',
			Alternate: true, LACS: true, Government: 'F', Finance: "123456", State: "VA", CountyFIPS: "059", Congress: "AL",
			Municipality: "M00001", Urbanization: "U00001", LastLine: "V10001",
		}, Record: 2},
		{},
		{ZIP4Record: store.ZIP4Record{ZIP: 9001, RecordType: 'G', CarrierRoute: "G001", State: "AE"}, NoDelivery: true, Record: 6},
	}
	want[1] = want[0]
	want[1].AddrLow, want[1].AddrHigh, want[1].Record = "100", "198", 4
	for _, ending := range []string{"", "\r\n"} {
		in := text
		if ending != "" {
			in = ""
			for i := 0; i < len(text); i += 182 {
				in += text[i:i+182] + ending
			}
		}
		got, errs := rowsAndErrors(source.ReadZIP4(uspsInput(in)))
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(source.ZIP4Row{}), cmp.Comparer(func(a, b geo.LatLng) bool { return a == b })); diff != "" {
			t.Errorf("rows with line end %q (-want +got):\n%s", ending, diff)
		}
	}
}

func uspsCityState() string {
	return uspsRecord(129, map[int]string{
		1: "D", 2: "22206", 7: "V20001", 13: "U", 14: "DEL RAY VILLAGE", 42: "DEL RAY VLG", 55: "N", 56: "N",
		57: "V10001", 63: "ALEXANDRIA", 91: "Y", 92: "D", 93: "Y", 94: "510140", 100: "VA", 102: "510", 105: "ALEXANDRIA CITY",
	})
}

func TestReadCityState(t *testing.T) {
	full := uspsCityState()
	preferred := change(change(change(full, 13, " "), 57, "V20001"), 56, "Y")
	text := uspsCopyright(129) + full + change(full, 1, "A") + change(full, 1, "Z") + change(full, 1, "N") + change(full, 1, "S") + change(full, 1, "P") + preferred
	got, errs := rowsAndErrors(source.ReadCityState(uspsInput(text)))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := []source.CityStateRow{
		{
			ZIP: 22206, Class: store.Unique, LastLineName: "ALEXANDRIA", CityDelivery: true, Finance: "510140", Record: 2,
			CityName: store.CityName{
				Key: "V20001", Name: "DEL RAY VILLAGE", Abbreviation: "DEL RAY VLG", Facility: 'N', LastLineKey: "V10001", State: "VA", CountyFIPS: "510",
			},
		},
		{},
	}
	want[1] = want[0]
	want[1].Class, want[1].LastLineKey, want[1].Mailing, want[1].Preferred, want[1].Record = store.General, "V20001", true, true, 8
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// refuses checks that a product's reader refuses a record with a text of its own at a position,
// and reads on, and that it refuses a record that is cut off.
func refuses[R any](t *testing.T, rows func(format.File) iter.Seq2[R, error], good, line string) {
	t.Helper()
	var at int
	var text string
	given, want, _ := strings.Cut(line, " -> ")
	_, err := fmt.Sscanf(given, "%d %q", &at, &text)
	check(t, err)
	got, errs := rowsAndErrors(rows(uspsInput(uspsCopyright(len(good)) + change(good, at, text) + good)))
	if len(errs) != 1 || !errors.Is(errs[0], format.ErrValue) || !strings.HasPrefix(errs[0].Error(), "f: record 2: ") || !strings.Contains(errs[0].Error(), want) || len(got) != 1 {
		t.Errorf("%s: %d rows and errors %v, want the row after record 2", line, len(got), errs)
	}
	if _, errs := rowsAndErrors(rows(uspsInput(good + good[:100]))); len(errs) != 1 || !errors.Is(errs[0], format.ErrTruncated) {
		t.Errorf("a record cut off gives %v", errs)
	}
}

func TestUSPSRefusals(t *testing.T) {
	for _, section := range lookuptest.Sections(t, "records.txt") {
		for line := range strings.SplitSeq(strings.TrimSpace(section[1]), "\n") {
			if section[0] == "ZIP+4" {
				refuses(t, source.ReadZIP4, uspsZIP4(), line)
			} else {
				refuses(t, source.ReadCityState, uspsCityState(), line)
			}
		}
	}
}

// uspsRoute is a Delivery Statistics record. The count of every field is its
// number in the layout, 6 to 30.
func uspsRoute(zip, action string) string {
	f := map[int]string{1: "D", 2: zip, 17: action, 18: "C001"}
	for i := range 25 {
		f[22+5*i] = fmt.Sprintf("%05d", i+6)
	}
	return uspsRecord(309, f)
}

func TestSumDeliveryStats(t *testing.T) {
	blanks := change(uspsRoute("00501", "A"), 22, "    6")
	text := uspsCopyright(309) + uspsRoute("90210", "A") + uspsRoute("90210", " ") + uspsRoute("90210", "D") + blanks
	got, rows, err := source.SumDeliveryStats(uspsInput(text))
	check(t, err)
	// Fields 6 to 17 add up to 138, 18 to 29 to 282, field 30 is 30. The boxes
	// are 10, 11, 12 and 14 to 17 of businesses, 22, 23, 24 and 26 to 29 of
	// residences.
	one := store.DeliveryPoints{TotalActive: 450, Business: 138, Residential: 282, POBox: 95 + 179}
	two := store.DeliveryPoints{TotalActive: 900, Business: 276, Residential: 564, POBox: 548}
	want := []source.ZIPDeliveryPoints{{ZIP: 501, DeliveryPoints: one}, {ZIP: 90210, DeliveryPoints: two}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sums (-want +got):\n%s", diff)
	}
	if rows != 3 {
		t.Errorf("%d rows, want 3", rows)
	}
}

func TestSumDeliveryStatsRefusals(t *testing.T) {
	tests := []struct {
		name, text string
		cause      error
		want       string
	}{
		{"letters", change(uspsRoute("90210", "A"), 27, "1x345"), format.ErrValue, `f: record 1: column "count": "1x345" at byte 27`},
		{"blank inside", change(uspsRoute("90210", "A"), 142, "1 345"), format.ErrValue, "at byte 142"},
		{"ZIP Code", uspsRoute("9021 ", "A"), format.ErrValue, "ZIP Code"},
		{"action", uspsRoute("90210", "X"), format.ErrValue, "action code"},
		{"too many", strings.Repeat(uspsRecord(309, map[int]string{1: "D", 2: "90210", 22: strings.Repeat("9", 125)}), 900), format.ErrValue, "more than can be"},
		{"cut off", uspsRoute("90210", "A") + uspsRoute("90210", "A")[:55], format.ErrTruncated, "record 2: ends after 55 of 309 bytes"},
		{"another product", uspsZIP4() + uspsZIP4(), format.ErrValue, "record 1: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := source.SumDeliveryStats(uspsInput(tt.text))
			if !errors.Is(err, tt.cause) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that contains %q", err, tt.want)
			}
		})
	}
}
