package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// systemText matches the words of the operating system and of Go for a file.
var systemText = regexp.MustCompile(`no such file|is a directory|not a directory|\b(open|read|stat|lstat) [/.]|: (table|build|fetch|channel): `)

// Every command names an input that it cannot read in the same words, and leaves nothing
// behind. FILE is a file that does not exist, then a folder.
func TestFiles(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, line := range []string{
		"lookup 90210 --data FILE", "enrich FILE --add city -o out.csv", "enrich in.csv --nearest-from FILE --add nearest_place.a -o out.csv",
		"enrich in.csv --areas-from FILE --add in_area.a -o out.csv", "inside FILE", "address --csv FILE --column a", "acs aggregate --polygon FILE --field economic.poverty.people",
		"apportion FILE county state --count a", "dataset info FILE", "dataset verify FILE", "dataset diff FILE FILE", "dataset history FILE", "dataset check FILE --cache empty", "dataset doctor FILE",
		"dataset publish FILE --key FILE --to out", "dataset publish in.csv --key FILE --to out", "dataset module FILE --path example.com/geodata --version v1.0.0 -o out",
		"dataset add-layer --layer a=FILE -o out.db", "dataset add-layer --table a=FILE,key=zip -o out.db", "dataset add-layer --recipe svi2022=FILE -o out.db",
		"dataset build --base FILE --layer a=in.csv --cache empty -o out.db",
		"dataset pull --from empty --trust FILE -o out.db", "serve --data FILE --listen 127.0.0.1:0", "config check --config FILE", "account list --accounts FILE", "version --verify FILE --key FILE in.csv",
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
