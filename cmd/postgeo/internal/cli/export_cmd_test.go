package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
)

// TestExport writes every table in every format, twice: the bytes are the
// same, and a file has the bytes of the stream.
func TestExport(t *testing.T) {
	const income = "economic.income.median_household_income"
	dir := t.TempDir()
	tables := map[string][]string{
		"codes":  {"codes"},
		"acs":    {"acs", "--field", income, "--year", "2024", "--moe"},
		"tracts": {"acs", "--field", income, "--tracts"},
		"areas":  {"areas", "fsa", "state"},
	}
	for name, args := range tables {
		for _, format := range []string{"csv", "tsv", "ndjson", "parquet", "geojson"} {
			args := append([]string{"export"}, args...)
			stream := world{}.run(append(args, "--to", format)...)
			if format == "geojson" && name != "areas" {
				if stream.code != 2 {
					t.Errorf("%s as GeoJSON: %v", name, stream)
				}
				continue
			}
			if stream.code != 0 || len(stream.stdout) < 100 {
				t.Errorf("%s as %s: exit code %d, %d bytes, %s", name, format, stream.code, len(stream.stdout), stream.stderr)
				continue
			}
			path := filepath.Join(dir, name+"."+format)
			file := world{}.run(append(args, "-o", path)...)
			data, err := os.ReadFile(path)
			if err != nil || string(data) != stream.stdout || !strings.Contains(file.stderr, " rows in ") {
				t.Errorf("%s as %s: the file differs from the stream: %v, %v", name, format, err, file.stderr)
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func TestExportUse(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there.csv")
	if err := os.WriteFile(there, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	bare := lookuptest.Bare(t)
	tests := []failure{
		{"export", 2, "missing command"},
		{"export nonsense -o x", 2, "has codes, acs and areas"},
		{"export areas zip --data " + bare, 1, "no outlines of the kind zip; build one with"},
		{"export codes --data " + bare + " -o " + bare + " --overwrite", 2, "is an input"},
		{"export codes -o " + os.DevNull + " --overwrite", 2, "is a device or a pipe"},
		{"export codes -o " + there, 2, "already exists"},
		{"export codes --to xls", 2, "must be csv, tsv, ndjson, parquet or xlsx"},
		{"export areas nonsense", 2, "nonsense"},
		{"export acs --field income", 2, "full name"},
		{"export acs --field economic.income.median_household_income,economic.income.median_household_income", 2, "named twice"},
		{"export codes -o " + there + ".geojson", 2, `must be csv, tsv`},
		{"export acs --year 1999", 1, "none of the years"},
		{"export codes -o " + filepath.Join(there, "x.csv"), 1, "there.csv"},
	}
	fails(t, world{}, tests)
	if r := (world{}).run("export", "codes", "-o", there, "--overwrite"); r.code != 0 {
		t.Error(r)
	}
	once, twice := (world{}).run("export", "areas", "cd"), (world{}).run("export", "areas", "cd", "congressional_district", "cd")
	if once.code != 0 || once.stdout != twice.stdout {
		t.Errorf("a layer that is named twice gives other rows: %d and %d bytes", len(once.stdout), len(twice.stdout))
	}
}
