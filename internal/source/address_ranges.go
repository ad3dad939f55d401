package source

import (
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// A StreetRange is a range of house numbers out of a public file. State is the
// file's, or "".
type StreetRange struct {
	store.StreetRecord
	Record int // line or record in the file, from 1
}

// rangeColumns are the columns of range files, with their headers in small
// letters and without anything but letters and digits.
var rangeColumns = []struct {
	name     string
	optional bool
	headers  []string
}{
	{"low", false, []string{"addrlow", "addresslow", "lowaddress", "lowaddr", "addrprimarylowno", "addrprimarylow", "primarylow", "low", "fromaddr", "addrlo"}},
	{"high", false, []string{"addrhigh", "addresshigh", "highaddress", "highaddr", "addrprimaryhighno", "addrprimaryhigh", "primaryhigh", "high", "toaddr", "addrhi"}},
	{"parity", true, []string{"oddeven", "oddevenind", "oddevencode", "addrprmryoddevencod", "addrprimaryoddevencode", "parity"}},
	{"predir", true, []string{"predir", "streetpredir", "streetpredirabbrev", "streetpredirectional", "streetpredirectabbrev"}},
	{"street", false, []string{"street", "streetname", "fullstreet"}},
	{"suffix", true, []string{"suffix", "streetsuffix", "streetsuffixabbrev"}},
	{"postdir", true, []string{"postdir", "streetpostdir", "streetpostdirabbrev", "streetpostdirectional", "streetpostdirectabbrev"}},
	{"zip", false, []string{"zip", "zipcode", "zip5"}},
	{"plus4", true, []string{"plus4", "zipplus4", "zip4", "zipext", "zipextension", "zipcodeextension"}},
}

func plainHeader(header string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(header))
}

// ReadAddressRanges reads a delimited file of ranges of house numbers with
// their ZIP Codes and, if it has a column of them, add-ons. Examples are the
// address file of the State of Washington's Department of Revenue and a
// boundary file under the Streamlined Sales Tax Agreement. The columns are
// found by a header row; a file without one is refused. The street is one
// column, or name, suffix and directions are separate columns.
//
// An error that matches [format.ErrValue] is about one row, and reading
// continues after it; any other error is the last pair.
func ReadAddressRanges(in *format.Input) iter.Seq2[StreetRange, error] {
	columns := make([]format.Column, len(rangeColumns))
	for i, c := range rangeColumns {
		columns[i] = format.Column{Name: c.name, Optional: c.optional, Match: func(header string) bool {
			return slices.Contains(c.headers, plainHeader(header))
		}}
	}
	return table(in, format.TableOptions{Quoted: true, Columns: columns}, addressRange)
}

func addressRange(row format.Row) (StreetRange, error) {
	r := StreetRange{Record: row.Line()}
	r.RecordType = 'S'
	var ok bool
	if r.ZIP, ok = dataset.ParseZIP(row.Get("zip")); !ok {
		return r, row.Errorf("zip", "%q, expected five digits", row.Get("zip"))
	}
	switch p := row.Get("plus4"); p {
	case "", "0", "0000":
		r.NoPlus4 = true
	default:
		if r.Low, ok = dataset.ParsePlus4(p); !ok {
			return r, row.Errorf("plus4", "%q, expected four digits", p)
		}
		r.High = r.Low
	}
	street := strings.Join([]string{row.Get("predir"), row.Get("street"), row.Get("suffix"), row.Get("postdir")}, " ")
	if strings.TrimSpace(row.Get("street")) == "" || len(street) > 60 {
		return r, row.Errorf("street", "%q, expected a name of at most 60 bytes", street)
	}
	setStreet(&r.ZIP4Record, street)
	if r.Street == "" { // it was signs only
		return r, row.Errorf("street", "%q, expected a name with letters or digits", street)
	}
	if err := setRange(&r.ZIP4Record, row.Get("low"), row.Get("high"), row.Get("parity")); err != nil {
		return r, row.Errorf("low", "%v", err)
	}
	return r, nil
}
