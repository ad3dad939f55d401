package address_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// TestMatchLacking verifies that an address is denied only if the dataset has
// records of its kind for its ZIP Code or city (decision D54).
func TestMatchLacking(t *testing.T) {
	m := &fixture{}
	add := func(zip postcode.ZIP, class store.Class, city, state string, records ...string) {
		m.AddZIP(zip, class, "area "+city, []store.CityName{{Name: city, Mailing: true, Preferred: true, State: state}})
		for i, street := range records {
			r := store.StreetRecord{ZIP4Record: store.ZIP4Record{
				ZIP: zip, Low: postcode.Plus4(1000 + i), High: postcode.Plus4(1000 + i), RecordType: 'S', State: state, OddEven: 'B',
				Street: street, AddrLow: "1", AddrHigh: "99",
			}}
			switch street {
			case "PO BOX":
				r.RecordType = 'P'
			case "RR 1":
				r.RecordType = 'R'
			case "GENERAL DELIVERY":
				r.RecordType, r.AddrLow, r.AddrHigh = 'G', "", ""
			}
			m.AddRecord(r)
		}
	}
	add(55101, store.General, "FULLTOWN", "MN", "OAK", "PO BOX", "RR 1", "GENERAL DELIVERY")
	add(55102, store.General, "FULLTOWN", "MN", "ELM")
	add(55103, store.POBox, "FULLTOWN", "MN")
	add(55201, store.General, "HALFTOWN", "MN", "OAK")
	add(55202, store.General, "HALFTOWN", "MN")
	add(55301, store.General, "STREETS", "MN", "OAK", "RR")
	add(55401, store.Unique, "SOLE", "MN")
	add(9012, store.Military, "APO", "AE", "PSC 12")
	add(9013, store.Military, "APO", "AE", "PO BOX")
	tests := []struct{ text, want string }{
		{"5 Oak, Fulltown, MN 55101", ""},
		{"5 Birch, Fulltown, MN 55101", "NOT_FOUND"},
		{"5 Birch, Fulltown, MN 55102", "NOT_FOUND"},
		{"PO Box 500, Fulltown, MN 55101", "NOT_FOUND"},
		{"PO Box 5, Fulltown, MN 55102", ""}, // found in the other ZIP
		{"PO Box 500, Fulltown, MN 55102", "PO Box records of ZIP Code 55102"},
		{"5 Birch, Fulltown, MN 55103", "street records of ZIP Code 55103"},
		{"RR 1 Box 500, Fulltown, MN 55101", "NOT_FOUND"},
		{"RR 1 Box 500, Fulltown, MN 55102", "route records of ZIP Code 55102"},
		{"General Delivery, Halftown, MN 55201", "general delivery records of ZIP Code 55201"},
		{"5 Birch, Fulltown, MN", "NOT_FOUND"},
		{"PO Box 500, Fulltown, MN", "NOT_FOUND"},
		{"5 Birch, Halftown, MN 55201", "NOT_FOUND"},
		{"5 Birch, Halftown, MN", "address records of ZIP Code 55202"},
		{"PO Box 5, Streets, MN", "PO Box records of STREETS, MN"},
		{"RR 1 Box 5, Streets, MN 55301", "route records of ZIP Code 55301"},
		{"5 Birch, Sole, MN 55401", "street records of ZIP Code 55401"},
		{"PSC 99 Box 5, APO, AE 09012", "NOT_FOUND"},
		{"PSC 99 Box 5, APO, AE 09013", "military records of ZIP Code 09013"},
		{"PSC 99 Box 5, APO, AE", "NOT_FOUND"},
		{"5 Birch, Nowhere, MN", "NOT_FOUND"},
		{"5 Birch, Fargo, ND", "address records of ND"},
		{"5 Birch, Fargo, ND 58102", "address records of ND"},
		{"5 Birch, Fulltown, MN 55999", "NOT_FOUND"},
	}
	matcher := m.engine(t)
	for _, tt := range tests {
		_, err := matcher.Match(t.Context(), tt.text, address.Options{})
		got := ""
		var lacks *envelope.Failure
		switch {
		case errors.As(err, &lacks) && lacks.Kind == envelope.KindUnavailable:
			got = lacks.Lacks
			if address.Unmatched(err) || !lacks.Lasting() {
				t.Errorf("%q: %v is a denial or may pass", tt.text, err)
			}
		case lacks != nil:
			got = string(envelope.Links{}.Error(err).Code)
		case err != nil:
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}
