package address_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// townRecords are the records of an invented town with two general ZIPs, one
// of boxes and one that belongs to a firm: ZIP, add-on, type, numbers, parity,
// street, and behind a bar designator and range of units, after a second one a
// firm's name. A star before the type marks an alternate record.
const townRecords = `
55001 1001 S 100-198 E N|MAIN|ST|
55001 1002 S 101-199 O N|MAIN|ST|
55001 1003 S 100-198 E S|MAIN|ST|
55001 1004 S 200-298 E |OAK|AVE|
55001 1005 S 201-299 O |OAK|AVE|
55001 1006 S 200-298 E |OAK|CT|
55001 1007 H 300-300 E |OAK|AVE|
55001 1008 H 300-300 E |OAK|AVE| APT 1-9
55001 1009 H 300-300 E |OAK|AVE| APT A-F
55001 1010 H 300-300 E |OAK|AVE| STE 100-120
55001 1011 F 300-300 E |OAK|AVE| - ACME WIDGETS
55001 1012 S 1-99 O |MOUNT PLEASANT|RD|
55001 1013 S 1-99 O |ELEVENTH|ST|
55001 1014 S 100-198 E |STILL HARBOR|CIR|
55001 1015 S 400-498 E |COUNTY ROAD 12||
55001 1016 S 10-98 E |WEST|ST|
55001 1017 S 500-598 E |PARK|AVE|N
55001 1018 S 92-01-92-99 O |QUEENS|BLVD|
55001 1019 S 700-798 E |LAKE SHORE|DR|
55001 1020 S 700-798 E |LAKESIDE|DR|
55001 1022 S 100-198 E N|BIRCH|ST|
55002 1005 S 100-198 E |BIRCH|ST|
55001 1021 *S 8000-8098 E |OLD MILL|RD|
55001 1021 S 8000-8098 E |GATEWAY|PKWY|
55001 9999 G - B |GENERAL DELIVERY||
55001 9201 R - B |RR 2||
55001 9202 R 1-50 B |RR 2||
55001 9203 R 1-50 B |HC 68||
55002 1001 S 100-198 E N|ELM|ST|
55002 1002 S 100-198 E |CEDAR|LN|
55002 1003 S 100-198 E |SAINT JAMES|PL|
55002 1004 P 3094-3094 B |CENTER|ST|
55003 0001 P 1-60 B |PO BOX||
55003 0061 P 61-100 B |PO BOX||
55004 1001 S - B |BIG COMPANY||
55005 1001 S 100-198 E |CEDAR|LN|
09012 0001 S 1-500 B |PSC 10||
`

// town returns the reference of the town.
func town(t testing.TB) *fixture {
	t.Helper()
	m := &fixture{}
	names := func(list ...store.CityName) []store.CityName {
		for i := range list {
			list[i].State, list[i].Mailing = "MN", list[i].Facility != 'N'
			list[i].Preferred = i == 0
		}
		return list
	}
	zip := func(s string) postcode.ZIP {
		z, ok := postcode.ParseZIP(s)
		if !ok {
			t.Fatalf("bad ZIP %q", s)
		}
		return z
	}
	m.AddZIP(zip("55001"), store.General, "27001", names(store.CityName{Name: "SPRINGFIELD", Facility: 'P'}, store.CityName{Name: "NORTH SPRINGFIELD", Facility: 'B'}, store.CityName{Name: "MUDVILLE", Facility: 'N'}))
	m.AddZIP(zip("55002"), store.General, "27001", names(store.CityName{Name: "SPRINGFIELD", Facility: 'P'}))
	m.AddZIP(zip("55003"), store.POBox, "27001", names(store.CityName{Name: "SPRINGFIELD", Facility: 'P'}))
	m.AddZIP(zip("55004"), store.Unique, "27001", names(store.CityName{Name: "SPRINGFIELD", Facility: 'P'}))
	m.AddZIP(zip("55005"), store.General, "27005", names(store.CityName{Name: "SAINT CLOUD", Facility: 'P'}))
	m.AddZIP(zip("09012"), store.Military, "AE", []store.CityName{{Name: "APO", State: "AE", Mailing: true, Preferred: true}})
	for line := range strings.Lines(townRecords) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		var r store.StreetRecord
		r.ZIP, r.State, r.Finance, r.CountyFIPS = zip(f[0]), "MN", "27001", "001"
		if f[0] == "09012" {
			r.State = "AE"
		}
		p, ok := postcode.ParsePlus4(f[1])
		if !ok {
			t.Fatalf("bad add-on %q", f[1])
		}
		r.Low, r.High = p, p
		kind, alternate := strings.CutPrefix(f[2], "*")
		r.RecordType, r.Alternate, r.OddEven = kind[0], alternate, f[4][0]
		if numbers := f[3]; numbers != "-" {
			half := len(numbers) / 2 // both ends are as long
			if i := strings.IndexByte(numbers, '-'); strings.Count(numbers, "-") == 1 {
				half = i
			}
			r.AddrLow, r.AddrHigh = numbers[:half], numbers[half+1:]
		}
		if r.RecordType == 'P' && r.AddrLow == "1" {
			r.Low, r.High = 1, 60 // an add-on for each box
		}
		_, rest, _ := strings.Cut(line, " "+f[4]+" ")
		parts := strings.SplitN(strings.TrimSpace(rest), "|", 4)
		r.PreDir, r.Street, r.Suffix = parts[0], parts[1], parts[2]
		tail := strings.Fields(parts[3])
		switch {
		case len(tail) == 1: // direction behind
			r.PostDir = tail[0]
		case len(tail) > 1 && tail[0] == "-":
			r.Building = strings.Join(tail[1:], " ")
		case len(tail) == 2:
			r.SecAbbr = tail[0]
			r.SecLow, r.SecHigh, _ = strings.Cut(tail[1], "-")
			r.SecOddEven = 'B'
		}
		m.AddRecord(r)
	}
	m.AddAlias(zip("55001"), store.StreetAlias{Street: "ROUTE 9", BaseStreet: "OAK", BaseSuffix: "AVE", Type: 'O'})
	return m
}
