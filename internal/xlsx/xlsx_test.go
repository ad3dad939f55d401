package xlsx_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/xlsx"
)

// A reader gets the rows that were written, and equal rows are equal files.
func TestWrite(t *testing.T) {
	rows := [][]string{{"A", "B", "C"}, {"<&> \"é\"", "", "x\ny"}, {"", "", "3"}}
	var files [2]bytes.Buffer
	for i := range files {
		if err := xlsx.Write(&files[i], `Tables & "more"`, rows); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("two files with equal rows differ")
	}
	path := filepath.Join(t.TempDir(), "f.xlsx")
	if err := os.WriteFile(path, files[0].Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := format.OpenSheet(path, format.SheetOptions{Columns: format.Columns("A", "B", "C")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var got [][]string
	for row, err := range s.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, []string{row.Field(0), row.Field(1), row.Field(2)})
	}
	if diff := cmp.Diff(rows[1:], got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}
