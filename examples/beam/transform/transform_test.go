package transform_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // where the files are
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"       // what runs the pipelines
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/examples/beam/transform"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

// commandLine builds the command line of the checkout.
func commandLine(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "postgeo")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", path, "./cmd/postgeo")
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// enriched runs the pipeline over files and returns what it writes.
func enriched(t *testing.T, files map[string]string, o transform.Options) (map[string]string, error) {
	t.Helper()
	in, out := t.TempDir(), t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(in, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, s := beam.NewPipelineWithRoot()
	transform.Write(s, out, transform.Enrich(s, transform.Read(s, filepath.Join(in, "*.csv"), o), o))
	if err := ptest.Run(p); err != nil {
		return nil, err
	}
	got := map[string]string{}
	for name := range files {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(text)
	}
	return got, nil
}

// The pipeline writes what the command line writes, byte for byte.
func TestSameAsCommandLine(t *testing.T) {
	var codes, mixed strings.Builder
	codes.WriteString("id,zip,name\n")
	for i := range 3000 {
		fmt.Fprintf(&codes, "%d,%05d,\"Doe, %d\"\n", i, 90001+i%400, i)
	}
	mixed.WriteString("where,note\n")
	for _, code := range []string{"90210", "K1A 0B1", "k1a9z9", "99999", "", "nonsense", "\"34.0901,-118.4065\"", "\"0,0\"", "10118-0110"} {
		mixed.WriteString(code + ",\"a \"\"note\"\"\"\n")
	}
	addresses := "street,city,state,zip\n" +
		"350 5th Ave,New York,NY,10118\n1 Nowhere Rd,New York,NY,10118\n,,,\n\"350 5th Ave, Ste 3\",New York,NY,\n"
	tests := []struct {
		name  string
		files map[string]string
		o     transform.Options
		args  []string
	}{
		{"codes", map[string]string{"a.csv": codes.String(), "b.csv": "zip\n10001\n"}, transform.Options{Code: "zip", Add: []string{"city", "county_fips", "income=acs.economic.income.median_household_income"}}, []string{"--code", "zip"}},
		{"mixed", map[string]string{"m.csv": mixed.String()}, transform.Options{Code: "where", Add: []string{"city", "location.lat", "area_codes", "nearest.2.code", "neighbors.code"}}, []string{"--code", "where"}},
		{"addresses", map[string]string{"x.csv": addresses}, transform.Options{Address: []string{"street", "city", "state", "zip"}, Add: []string{"address.formatted_address"}}, []string{"--address", "street,city,state,zip"}},
	}
	program := commandLine(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := enriched(t, tt.files, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range tt.files {
				args := append([]string{"enrich", "-", "--from", "csv", "--quiet", "--add", strings.Join(tt.o.Add, ",")}, tt.args...)
				cmd := exec.CommandContext(t.Context(), program, args...)
				home := t.TempDir()
				cmd.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME=", "POSTGEO_DATA=")
				cmd.Stdin = strings.NewReader(text)
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				want, err := cmd.Output()
				if err != nil {
					t.Fatalf("%v: %s", err, &stderr)
				}
				if diff := cmp.Diff(string(want), got[name]); diff != "" {
					t.Errorf("%s (-command line +pipeline):\n%s", name, diff)
				}
			}
		})
	}
}

// An error fails the pipeline with its reason.
func TestFailures(t *testing.T) {
	file := map[string]string{"a.csv": "zip\n90210\n"}
	tests := []struct {
		name  string
		files map[string]string
		o     transform.Options
		want  string
	}{
		{"no such column", file, transform.Options{Code: "postcode"}, `has no column "postcode"`},
		{"no such field", file, transform.Options{Code: "zip", Add: []string{"citty"}}, "citty"},
		{"no such dataset", file, transform.Options{Code: "zip", Data: filepath.Join(t.TempDir(), "none.db")}, "none.db"},
		{"no header", map[string]string{"a.csv": ""}, transform.Options{Code: "zip"}, "header"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := enriched(t, tt.files, tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want one with %s", err, tt.want)
			}
		})
	}
}

// Two files of one name are not written over each other.
func TestSameName(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	for _, folder := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(in, folder), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(in, folder, "x.csv"), []byte("zip\n90210\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := transform.Options{Code: "zip", Add: []string{"city"}}
	p, s := beam.NewPipelineWithRoot()
	transform.Write(s, out, transform.Enrich(s, transform.Read(s, filepath.Join(in, "*", "x.csv"), o), o))
	if err := ptest.Run(p); err == nil || !strings.Contains(err.Error(), "name them differently") {
		t.Errorf("got %v", err)
	}
}
