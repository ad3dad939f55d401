package input_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/examples/internal/input"
)

func TestRead(t *testing.T) {
	table, err := input.Read("stores.csv", strings.NewReader("\ufeffName, CODE\nA,\" 90210 \"\nB,10001\n"), "name", "code")
	if err != nil {
		t.Fatal(err)
	}
	row, err := table.Next()
	if err != nil {
		t.Fatal(err)
	}
	if name, code := table.Cell(row, "name"), table.Cell(row, "code"); name != "A" || code != "90210" {
		t.Errorf("%q, %q", name, code)
	}
	if got, want := table.Errorf("no store: %w", io.ErrUnexpectedEOF), "stores.csv, line 2: no store: unexpected EOF"; got.Error() != want || !errors.Is(got, io.ErrUnexpectedEOF) {
		t.Errorf("%v, want %s", got, want)
	}
	if _, err := table.Next(); err != nil {
		t.Error(err)
	}
	if _, err := table.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("behind the last row: %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "stores.csv is empty; expected a row with the columns name, code"},
		{"spreadsheet", "PK\x03\x04", "stores.csv is a spreadsheet; save it as CSV"},
		{"UTF-16", "\xff\xfen\x00", "stores.csv is in UTF-16; save it as CSV in UTF-8"},
		{"semicolons", "name;code\nA;90210\n", `stores.csv: the cells of the first row are not separated by commas: "name;code"; save it as CSV with commas`},
		{"column", "name,zip\n", "stores.csv: the columns are name, zip, expected one of them to be code"},
		{"quote", "\"name,code\n", `stores.csv: parse error on line 1, column 12: extraneous or missing " in quoted-field`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := input.Read("stores.csv", strings.NewReader(tt.text), "name", "code"); err == nil || err.Error() != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
	table, err := input.Read("stores.csv", strings.NewReader("name,code\nA\n"), "name", "code")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Next(); err == nil || !strings.HasPrefix(err.Error(), "stores.csv: record on line 2: wrong number of fields") {
		t.Errorf("a short row: %v", err)
	}
}

func TestDataset(t *testing.T) {
	t.Setenv("POSTGEO_DATA", "")
	db, err := input.Dataset()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if !db.Info().Sample {
		t.Error("without a name it is not the sample")
	}
	t.Setenv("POSTGEO_DATA", "no-such-file.db")
	if _, err := input.Dataset(); err == nil || !strings.Contains(err.Error(), "no-such-file.db") {
		t.Errorf("a file that is not there: %v", err)
	}
}
