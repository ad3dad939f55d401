package table_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestExports finds the columns of addresses in the exports of other programs.
func TestExports(t *testing.T) {
	for _, section := range strings.Split(readFile(t, "testdata/exports.txt"), "\n== ")[1:] {
		lines := append(strings.Split(section, "\n"), "")
		header := strings.Split(lines[1], ";")
		k, err := keysOf(t, header, table.Names{Keys: []string{"address"}})
		if err != nil {
			t.Errorf("%s: %v", lines[0], err)
			continue
		}
		country := ""
		if len(k.Country) > 0 {
			country = header[k.Country[0]]
		}
		if diff := cmp.Diff(lines[2], strings.Join(k.Names, ";")); diff != "" || k.Kind != enrich.Address || country != lines[3] {
			t.Errorf("%s: country %q (-want +got):\n%s", lines[0], country, diff)
		}
	}
}

// TestNameKeys checks which keys texts name.
func TestNameKeys(t *testing.T) {
	header := strings.Split("id,ZIP,lat,lon,address,city,state,Breite,L\u00e4nge", ",")
	tests := []struct {
		keys []string
		want string // kinds and columns, or a part of the error
	}{
		{[]string{"zip"}, "code ZIP"},
		{[]string{"zip", "lat,lon"}, "code ZIP; coordinates lat lon"},
		{[]string{"lat, lon", "id"}, "coordinates lat lon; code id"},
		{[]string{"coordinates", "code", "address"}, "coordinates lat lon; code ZIP; address address city state ZIP"},
		{[]string{"address=address", "#2"}, "address address; code ZIP"},
		{[]string{"street=address,zip=ZIP"}, "address address ZIP"},
		{[]string{"address=street=address,city=city"}, "address address city"},
		{[]string{"coordinates=Breite,L\u00e4nge", "city,state"}, "coordinates Breite L\u00e4nge; city city state"},
		{[]string{"city=id", "code=id"}, "city id; code id"},
		{[]string{"city"}, "city city state"},
		{[]string{"Breite,L\u00e4nge"}, "do not define its kind"},
		{[]string{"coordinates=lat"}, "has 1 columns"},
		{[]string{"code=ZIP,id"}, "has 2 columns"},
		{[]string{"zip", "none"}, `there is no column "none"`},
		{[]string{""}, `there is no column ""`},
	}
	for _, tt := range tests {
		keys, err := keysOf(t, header, table.Names{Keys: tt.keys, TryNext: true})
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q: %v, want %q", tt.keys, err, tt.want)
			}
			continue
		}
		var got []string
		for _, k := range append([]table.Keys{keys}, keys.Next...) {
			got = append(got, string(k.Kind)+" "+strings.Join(k.Names, " "))
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.keys, diff)
		}
	}
	if k, err := keysOf(t, []string{"City", "Region", "ST"}, table.Names{Keys: []string{"city"}}); err != nil || k.Names[1] != "ST" {
		t.Errorf("the state of a city is in %q, %v", k.Names, err)
	}
	if _, err := keysOf(t, header, table.Names{Keys: []string{"zip", "lat,lon"}}); err == nil || !strings.Contains(err.Error(), "--try-next") {
		t.Errorf("two keys without TryNext: %v", err)
	}
}

// keysOf finds the keys of a table that has only a header.
func keysOf(t *testing.T, header []string, n table.Names) (table.Keys, error) {
	t.Helper()
	s, err := table.Read(strings.NewReader(strings.Join(header, "\t")+"\n"), table.Input{Format: table.TSV})
	check(t, err)
	return s.FindKeys(n)
}

// TestNamesOfCodes finds codes by the names of their columns.
func TestNamesOfCodes(t *testing.T) {
	for _, name := range []string{
		"Billing Zip/Postal Code", "MailingPostalCode", "ZIP_CD", "Customer Zip", "zip_code_5", "Shipping Zip", "Postal/ZIP Code", "ZIPCODE", "BillToZip", "ship-zip5",
		"PATIENT_ZIP", "Home ZCTA", "fsa of customer",
	} {
		if k, err := keysOf(t, []string{name}, table.Names{}); err != nil || k.Kind != enrich.Code {
			t.Errorf("%q is not the name of codes", name)
		}
	}
	for _, name := range []string{"zip_type", "Postal State", "zipfile", "is_zip_valid", "zipper", "unzipped", "ZIP count", `""`, "postage", "zip_lat"} {
		if _, err := keysOf(t, []string{name}, table.Names{}); err == nil {
			t.Errorf("%q is the name of codes", name)
		}
	}
}

// TestGuess finds columns of codes by their names and values together.
func TestGuess(t *testing.T) {
	for text, want := range map[string]string{
		"Code,Ship To Zip\nA-1,90210\nB-2,10001\n":           "Ship To Zip", // values decide
		"zip,Billing Zip\nyes,90210\nno,10001\n":             "Billing Zip",
		"Postal,Billing Zip\n,90210\n,10001\n":               "Billing Zip",
		"Billing Zip,zip\n90210,10001\n":                     "zip", // else the usual name
		"Billing Zip,Code\n90210,10001\n":                    "Code",
		"zip4,zip5\n1234,90210\n":                            "zip5",
		"zip,note\nnone,1\nnone,2\n":                         "zip", // the only one
		"Zip Type,Customer Zip\nStandard,=\"00501\"\n":       "Customer Zip",
		"Customer Zip,Shipping Zip,id\n90210,,1\n,,2\n":      "Customer Zip",
		"id,Dest Zip;Ship Zip\n1,'02139\n2,9.021E+04\n":      "Dest Zip;Ship Zip",
		"customer_zip,customer_zip_type\n90210,1\n10001,2\n": "customer_zip",
	} {
		s, err := table.Read(strings.NewReader(text), table.Input{})
		check(t, err)
		keys, err := s.FindKeys(table.Names{})
		if err != nil || len(keys.Names) != 1 || keys.Names[0] != want {
			t.Errorf("%q: columns %q, %v; want %q", text, keys.Names, err, want)
		}
	}
}

// TestPlaces reads the keys and cells of a list of places.
func TestPlaces(t *testing.T) {
	text := `{"id":1,"note":"x","at":{"zip":"99999"}}` + "\n" + `{"id":2,"note":"a, b","at":{"zip":90210}}` + "\n"
	src, err := table.Read(strings.NewReader(text), table.Input{})
	check(t, err)
	defer src.Close()
	keys, err := src.FindKeys(table.Names{Code: "at.zip"})
	check(t, err)
	var got []string
	for p, err := range src.Places(keys) {
		got = append(got, fmt.Sprint(p, err))
	}
	want := []string{`{99999 [1 x {"zip":"99999"}]} <nil>`, `{90210 [2 a, b {"zip":90210}]} <nil>`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A list that its format does not allow says where.
func TestBrokenListOfPlaces(t *testing.T) {
	src, err := table.Read(strings.NewReader("id,zip\n1,90210\n2\n"), table.Input{})
	check(t, err)
	defer src.Close()
	keys, err := src.FindKeys(table.Names{})
	check(t, err)
	_, err = enrich.NewPlaces(t.Context(), sampletest.Shared(t), src.Header(), src.Places(keys), enrich.PlaceOptions{Kind: keys.Kind})
	var row *table.Error
	if !errors.As(err, &row) || row.Line != 3 {
		t.Errorf("error %v, want an Error of line 3", err)
	}
}
