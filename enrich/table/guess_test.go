package table_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
)

// keysOf finds the keys of a table that has only a header.
func keysOf(t *testing.T, header []string, n table.Names) (table.Keys, error) {
	t.Helper()
	s, err := table.Read(strings.NewReader(strings.Join(header, "\t")+"\n"), table.Input{Format: table.TSV})
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		keys, err := s.FindKeys(table.Names{})
		if err != nil || len(keys.Names) != 1 || keys.Names[0] != want {
			t.Errorf("%q: columns %q, %v; want %q", text, keys.Names, err, want)
		}
	}
}
