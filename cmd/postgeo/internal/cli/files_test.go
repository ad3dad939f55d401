package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// systemText matches the words of the operating system and of Go for a file.
var systemText = regexp.MustCompile(`no such file|is a directory|not a directory|\b(open|read|stat|lstat) [/.]|: (table|build|fetch|channel): `)

// TestOutputs refuses outputs that cannot be written.
func TestOutputs(t *testing.T) {
	for line, says := range map[string]string{
		"export codes -o x.geojson":                 `invalid -o "x.geojson": must be csv, tsv`,
		"enrich in.csv --add city -o x.shp":         "the format .shp of x.shp is not supported",
		"dataset add --layer a=in.csv -o none/x.db": "none of the output does not exist",
		"map 90210 -o folder":                       "folder is a folder; name a file",
		"export codes -o folder":                    "folder is a folder; name a file",
		"enrich in.csv --add city -o folder":        "folder is a folder; name a file",
		"radius 90210 --max 2 --svg folder -f json": "folder is a folder; name a file",
		"map 90210 --width 0 -o x.svg":              `invalid --width "0": must be a whole number from 320 to 4096`,
	} {
		t.Chdir(t.TempDir())
		if err := errors.Join(os.WriteFile("in.csv", []byte("zip\n90210\n"), 0o600), os.Mkdir("folder", 0o700)); err != nil {
			t.Fatal(err)
		}
		if r := (world{}).run(strings.Fields(line)...); r.code != cli.Misuse || r.stdout != "" || !strings.Contains(r.stderr, says) {
			t.Errorf("%s: %v; want %s", line, r, says)
		}
		if left, err := filepath.Glob("x*"); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v: %v", line, left, err)
		}
	}
	t.Chdir(t.TempDir())
	for _, line := range []string{"export codes -o x.json", "boundary 90210 -o x.json", "map 90210 -o x", "export codes -o y.csv.gz --to csv", "export codes -o y.jsonl --to jsonl", "export codes -o y.parquet --to pq", "export codes -o y.tsv --to tab"} {
		if r := (world{}).run(strings.Fields(line)...); r.code != cli.Done {
			t.Errorf("%s: %v", line, r)
		}
		if err := os.RemoveAll("x.json"); err != nil {
			t.Fatal(err)
		}
	}
	r := world{}.run("export", "acs", "--year", "1999", "-o", "x.csv")
	if _, err := os.Stat("x.csv"); r.code != cli.Failed || !strings.Contains(r.stderr, "none of the years 1999; it has 20") || err == nil {
		t.Errorf("a year without figures: %v, %v", r, err)
	}
}

// Every command names an input that it cannot read in the same words, and leaves nothing
// behind. FILE is a file that does not exist, then a folder.
func TestFiles(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, line := range []string{
		"lookup 90210 --data FILE", "enrich FILE --add city -o out.csv", "enrich in.csv --nearest-from FILE --add nearest_place.a -o out.csv",
		"enrich in.csv --areas-from FILE --add in_area.a -o out.csv", "inside FILE", "acs aggregate --polygon FILE --field economic.poverty.people",
		"apportion FILE county state --count a", "dataset info FILE", "dataset verify FILE", "dataset diff FILE FILE", "dataset check FILE --cache empty", "dataset doctor FILE",
		"dataset publish FILE --key FILE --to out", "dataset publish in.csv --key FILE --to out",
		"dataset add --layer a=FILE -o out.db",
		"dataset pull empty --trust FILE -o out.db", "serve --data FILE --listen 127.0.0.1:0", "serve --config FILE", "account list --accounts FILE",
	} {
		t.Run(line, func(t *testing.T) {
			for kind, wants := range map[string]string{"missing": `does not exist|not found|no accounts in|neither an existing folder`, "folder": `is a folder`} {
				t.Chdir(t.TempDir())
				if err := os.WriteFile("in.csv", []byte("zip\n90210\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				for _, folder := range []string{"folder", "empty"} {
					if err := os.Mkdir(folder, 0o700); err != nil {
						t.Fatal(err)
					}
				}
				r := world{}.run(strings.Fields(strings.ReplaceAll(line, "FILE", kind))...)
				last := r.stderr[strings.LastIndex(strings.TrimSpace(r.stderr), "\n")+1:]
				if r.code == cli.Done || r.stdout != "" || systemText.MatchString(last) {
					t.Errorf("%s: %v", kind, r)
				}
				if named := strings.Contains(last, kind); !named || !regexp.MustCompile(wants).MatchString(last) {
					t.Errorf("%s: %q does not name the file, or not %s", kind, last, wants)
				}
				if left, err := filepath.Glob("*"); err != nil || len(left) != 3 {
					t.Errorf("%s leaves %v: %v", kind, left, err)
				}
			}
		})
	}
}
