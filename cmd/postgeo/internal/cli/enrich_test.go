package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/tables"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/sampletest"
)

var took = regexp.MustCompile(` rows in [0-9.]+m?s`)

// areaFeature is a feature in GeoJSON.
func areaFeature(properties, coordinates string) string {
	return `{"type":"Feature","properties":` + properties + `,"geometry":{"type":"Polygon","coordinates":` + coordinates + `}}`
}

func areaCollection(features ...string) []byte {
	return []byte(`{"type":"FeatureCollection","features":[` + strings.Join(features, ",") + `]}`)
}

func parseAreas(data []byte) (*enrich.Areas, error) {
	list, err := command.ParseFeatures(data)
	if err != nil {
		return nil, err
	}
	return tables.AreasOf(list)
}

const californian = "[[[-125,32],[-114,32],[-114,42],[-125,42],[-125,32]]]"

// TestAreaProperties checks the cells of properties.
func TestAreaProperties(t *testing.T) {
	db := sampletest.Open(t)
	for value, want := range map[string]string{
		`12345678901234567890`: "12345678901234567890",
		`9007199254740993`:     "9007199254740993", // no float64 has it
		`-0.50`:                "-0.50",
		`"a \"b\" <c>"`:        `a "b" <c>`,
		`null`:                 "",
		`true`:                 "true",
		`{"b": "<&>", "a": 1}`: `{"b":"<&>","a":1}`,
		`[1, "x"]`:             `[1,"x"]`,
	} {
		areas, err := parseAreas(areaCollection(areaFeature(`{"id":`+value+`}`, californian)))
		check(t, err)
		e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Areas: areas, Add: []string{"in_area.id", "in_area.row"}})
		check(t, err)
		values, _, err := e.Row(t.Context(), "90210", nil)
		if err != nil || values[0].String() != want || values[1].Int() != 1 {
			t.Errorf("%s: %v, %v, want %q", value, values, err, want)
		}
	}
}

// TestAreasRefused refuses properties that need too much memory.
func TestAreasRefused(t *testing.T) {
	tags := make([]string, 4500) // each feature with a property of its own
	for i := range tags {
		tags[i] = areaFeature(fmt.Sprintf(`{"tag %d":1}`, i), californian)
	}
	const want = "4500 features have properties of 4500 names, more than 20000000 cells"
	if _, err := parseAreas(areaCollection(tags...)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// FuzzAreas reads any text as areas, and asks which of them a code lies in.
func FuzzAreas(f *testing.F) {
	for _, seed := range []string{
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1,"b":[true,null]},"geometry":{"type":"Polygon","coordinates":[[[-125,32],[-114,32],[-114,42],[-125,32]]]}}]}`,
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":{"type":"MultiPolygon","coordinates":[[[[170,0],[-170,0],[-170,9],[170,0]]],[null],null]}}]}`,
		`{"type":"FeatureCollection","features":[null,{}]}`,
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[]}}]}`,
	} {
		f.Add([]byte(seed))
	}
	db := sampletest.Open(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		areas, err := parseAreas(data)
		if err != nil {
			return
		}
		add := []string{"in_area.row"}
		e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Areas: areas, Add: add})
		check(t, err)
		for _, key := range []string{"90210", "0,180", "90,0"} {
			values, out, err := e.Row(t.Context(), key, nil)
			if err != nil || !out.Status.Answered() && out.Status != enrich.NoData || len(values) > 0 && values[0].Int() > int64(areas.Len()) {
				t.Fatalf("Row(%q): %v, %v, %v", key, values, out, err)
			}
		}
	})
}

// A full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// A run that fails ends although its input, which has no end, has nothing to
// give.
func TestEnrichSilentInput(t *testing.T) {
	rows := "id,zip\n" + strings.Repeat("1,90210\n", 3000)
	tests := []struct {
		name, text, want string
		out              io.Writer
	}{
		{"no room", rows, "no room", full{}},
		{"broken row", "id,zip\n1,90210,x\n" + rows, "line 2", io.Discard},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, w := io.Pipe()
			defer w.Close()
			go func() { _, _ = io.WriteString(w, tt.text) }() // and no end
			var said bytes.Buffer
			code := cli.Run(t.Context(), []string{"enrich", "-q"}, cli.Env{Stdin: in, Stdout: tt.out, Stderr: &said, Getenv: func(string) string { return "" }})
			if code != cli.Failed || !strings.Contains(said.String(), tt.want) || strings.Contains(said.String(), "cancel") {
				t.Errorf("exit code %d, %q; want %d and %q", code, said.String(), cli.Failed, tt.want)
			}
		})
	}
}

var check = checktest.Check
