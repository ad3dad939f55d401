package table_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/postgeo/postgeo/enrich/table"
)

func TestNamesCode(t *testing.T) {
	for _, name := range []string{
		"Billing Zip/Postal Code", "MailingPostalCode", "ZIP_CD", "Customer Zip", "zip_code_5", "Shipping Zip", "Postal/ZIP Code", "ZIPCODE", "BillToZip", "ship-zip5",
		"PATIENT_ZIP", "Home ZCTA", "fsa of customer",
	} {
		if !table.NamesCode(name) {
			t.Errorf("%q is not the name of codes", name)
		}
	}
	for _, name := range []string{"zip_type", "Postal State", "zipfile", "is_zip_valid", "zipper", "unzipped", "ZIP count", "code", "", "postage", "zip_lat"} {
		if table.NamesCode(name) {
			t.Errorf("%q is the name of codes", name)
		}
	}
}

// TestPartsOfOtherEncodings reads the parts of files in UTF-16 and Windows-1252. Each
// row is in one part.
func TestPartsOfOtherEncodings(t *testing.T) {
	rows := []string{"1;é", "2;ü", "3;é", "4;à", "5;ç"}
	for name, e := range map[string]encoding.Encoding{
		"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16be": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
		"windows-1252": charmap.Windows1252,
	} {
		text, err := e.NewEncoder().String("n;name\n" + strings.Join(rows, "\n") + "\n")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "in.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var got []string
		const parts = 3
		for i := range parts {
			s, err := table.Open(path, table.Input{Shard: i + 1, Shards: parts})
			if err != nil {
				t.Fatal(name, err)
			}
			if s.Encoding() != name || s.Delimiter() != ';' {
				t.Errorf("%s: read as %s with %q", name, s.Encoding(), s.Delimiter())
			}
			got = append(got, s.Rows()...)
			s.Close()
		}
		if strings.Join(got, "") != strings.Join(rows, "\n")+"\n" {
			t.Errorf("%s: rows %q", name, got)
		}
	}
}
