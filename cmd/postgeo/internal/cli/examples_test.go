package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// notRun lists the beginnings of examples whose names alone are checked. They serve,
// build, or need accounts, programs or files of the reader.
var notRun = []string{"serve", "dataset build", "dataset add", "dataset pull", "dataset publish", "dataset key", "dataset verify", "dataset diff", "dataset check", "account", "key", "credits", "completion", "map 90210 --layer layers.sales"}

var redirection = regexp.MustCompile(` ([<>]) (\S+)$`)

// Every command shows an example, and the examples do what they say, on the
// sample.
func TestExamples(t *testing.T) {
	skipShort(t)
	examples := cli.HelpExamples()
	for _, command := range cli.Leaves() {
		if len(examples[command]) == 0 {
			t.Errorf("the help of %s shows no example", command)
		}
	}
	for command, lines := range examples {
		if !slices.Contains(cli.Leaves(), command) {
			t.Errorf("there are examples of %q, which is no command", command)
		}
		for _, line := range lines {
			t.Run(line, func(t *testing.T) {
				stdin := ""
				if m := redirection.FindStringSubmatch(line); m != nil {
					line = strings.TrimSuffix(line, m[0])
					stdin = map[string]string{"codes.txt": "90210\n10001\n90211\n", "area.geojson": area}[m[2]]
					if m[1] == "<" && stdin == "" {
						t.Fatalf("no %s is known here", m[2])
					}
				}
				line = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(line, "source <("), " | source"), ")")
				args := words(strings.TrimPrefix(line, "postgeo "))
				if err := cli.CheckCommand(args); err != nil {
					t.Fatal(err)
				}
				if slices.ContainsFunc(notRun, func(name string) bool {
					return command == name || strings.HasPrefix(command, name+" ") || strings.HasPrefix(line, "postgeo "+name+" ")
				}) {
					return
				}
				t.Chdir(t.TempDir())
				for name, text := range map[string]string{"area.geojson": area, "customers.csv": "street,city,zip\n350 5th Ave,New York,10118\n", "mixed.csv": "zip,lat,lon\n90210,,\n,34.09,-118.41\n", "clients.csv": "zip,clients\n10118,40\n90210,7\n", "tracts.csv": "tract,a,b\n01113000100,1,2\n"} {
					if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.WriteFile("new.db", []byte(strings.Repeat(" ", 10)), 0o600); err != nil {
					t.Fatal(err)
				}
				if slices.Contains(args, "new.db") {
					args[slices.Index(args, "new.db")] = filepath.Join(sampleFile(t))
				}
				if r := (world{stdin: stdin}).run(args...); r.code != cli.Done {
					t.Errorf("exit code %d: %s", r.code, r.stderr)
				}
			})
		}
	}
}

const area = `{"type":"Polygon","coordinates":[[[-118.5,34],[-118.3,34],[-118.3,34.2],[-118.5,34.2],[-118.5,34]]]}`
