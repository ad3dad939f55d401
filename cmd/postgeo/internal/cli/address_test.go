package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/lookuptest"
)

// TestAddressParse holds readings, which need no dataset.
func TestAddressParse(t *testing.T) {
	tests := []struct {
		name string
		args []string
	}{
		{"address-parse-json", []string{"address", "--parse", "John Q Smith, 5515-A N.W. 3rd Str Apt. 4, Alexandria VA 223111234", "--format", "json"}},
		{"address-parse-several", []string{"address", "--parse", "POB 12, Ely MN 55731", "RR 2 BOX 18 Ely MN", "--format", "csv"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name, world{}.run(tt.args...).String())
		})
	}
}

// TestAddressCSV matches rows of files whose columns have to be joined. Every
// row has a line in the answer.
func TestAddressCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.csv")
	text := "\ufeffid,Street,City,State,Zip\n1,\"100 Main St, Apt 4\",Ely,MN,55731\n2,,,,\n3,PO Box 7,\"Ely\",MN\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	short := world{}.run("address", "--parse", "--csv", path, "--column", "street,city,state,zip", "--format", "jsonl")
	if want := "line 4: 4 cells, the header has 5 (--lenient keeps such rows)"; short.code != 1 || !strings.Contains(short.stderr, want) || strings.Count(short.stdout, "\n") != 2 {
		t.Errorf("a short row: %v", short)
	}
	got := world{}.run("address", "--parse", "--csv", path, "--column", "street,city,state,zip", "--format", "jsonl", "--lenient")
	var lines []string
	for line := range strings.Lines(got.stdout) {
		var item struct {
			Kind       string
			Components struct{ Number, Street, City, ZIP string } `json:"address_components"`
		}
		if err := json.Unmarshal([]byte(line), &item); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		lines = append(lines, item.Kind+"|"+item.Components.Number+"|"+item.Components.Street+"|"+item.Components.City+"|"+item.Components.ZIP)
	}
	want := []string{"street|100|MAIN|ELY|55731", "none||||", "PO box|7|PO BOX|ELY|"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("readings (-want +got):\n%s\n%s", diff, got)
	}
}

func TestAddressUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty.csv")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	surplus := filepath.Join(t.TempDir(), "surplus.csv")
	if err := os.WriteFile(surplus, []byte("a,b\n100 Main St, Ely MN,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		args []string
		code int
		want string
	}{
		"surplus cells":  {[]string{"address", "--parse", "--csv", surplus, "--column", "a"}, 1, "line 2: 3 cells, the header has 2"},
		"delimiter":      {[]string{"address", "--parse", "--csv", path, "--column", "a", "--delimiter", "ab"}, 2, "must be one character"},
		"nothing":        {[]string{"address"}, 2, "missing address"},
		"both":           {[]string{"address", "x", "--csv", path, "--column", "a"}, 2, "exclude each other"},
		"no column":      {[]string{"address", "--csv", path}, 2, "must be used together"},
		"unknown column": {[]string{"address", "--parse", "--csv", path, "--column", "street"}, 2, "the columns are a, b"},
		"no file":        {[]string{"address", "--parse", "--csv", path + "x", "--column", "a"}, 1, "does not exist"},
		"empty file":     {[]string{"address", "--parse", "--csv", empty, "--column", "a"}, 1, "the input is empty"},
		"include":        {[]string{"address", "x", "--include", "timezone"}, 2, `unknown enrichment "timezone"`},
		"too long":       {[]string{"address", "--parse", strings.Repeat("a ", 260)}, 1, "at most 500 characters"},
		"too short":      {[]string{"address", "1 A St"}, 1, "at least 9 characters"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := world{}.run(tt.args...)
			if got.code != tt.code || !strings.Contains(got.stderr, tt.want) || tt.code == 2 && got.stdout != "" {
				t.Errorf("%v: exit code %d and %q, want %d and %q", tt.args, got.code, got.stderr, tt.code, tt.want)
			}
		})
	}
}

// TestAddressNoRecords holds that a dataset without streets denies no address:
// the command fails and tells what is missing, once for a whole file.
func TestAddressNoRecords(t *testing.T) {
	dir := t.TempDir()
	data, err := lookuptest.WriteBare(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows := filepath.Join(dir, "in.csv")
	if err := os.WriteFile(rows, []byte("a\n1 Main St 90210\n2 Main St 90210\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"1 Main St 90210"}, {"--csv", rows, "--column", "a", "--format", "jsonl"}} {
		got := world{}.run(append([]string{"address", "--data", data}, args...)...)
		want := `dataset: The address "1 Main St 90210" cannot be matched: this dataset holds no address records.`
		if got.code != 1 || got.stdout != "" || strings.Count(got.stderr, "cannot be matched") != 1 || !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, "--addrfeat") {
			t.Errorf("%v: %s\nwant exit code 1 and %s", args, got, want)
		}
	}
}

// TestAddressTables matches the same rows in every kind of table, and writes
// nothing where there is none.
func TestAddressTables(t *testing.T) {
	dir := t.TempDir()
	first := filepath.Join(dir, "in.csv")
	if err := os.WriteFile(first, []byte("id;Street;City\n1;\"100 Main St; Apt 4\";Ely MN\n2;;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"address", "--parse", "--column", "street,city", "--format", "csv", "--csv"}
	want := world{}.run(append(args, first, "--delimiter", ";")...)
	if want.code != 0 || strings.Count(want.stdout, "\n") != 3 || !strings.Contains(want.stdout, "\"100 Main St; Apt 4, Ely MN\"") {
		t.Fatal(want)
	}
	for _, format := range []string{"tsv", "ndjson", "parquet", "csv.gz"} {
		path := filepath.Join(dir, "in."+format)
		if r := (world{}).run("enrich", first, "--delimiter", ";", "--code", "id", "--add", "state", "-o", path, "-q"); r.code != 1 {
			t.Fatal(r)
		}
		more := args
		if format == "csv.gz" {
			more = append([]string{"address", "--delimiter", ";"}, args[1:]...)
		}
		if got := (world{}).run(append(more, path)...); got.stdout != want.stdout {
			t.Errorf("%s: %s", format, cmp.Diff(want.stdout, got.stdout))
		}
	}
	if got := (world{}).run(append(args, filepath.Join(dir, "nothere.csv"))...); got.code != 1 || got.stdout != "" || !strings.Contains(got.stderr, "nothere.csv") {
		t.Error(got)
	}
}
