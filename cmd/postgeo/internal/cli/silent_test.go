package cli_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

// Where a dataset cannot answer, that is said, and nothing is written that
// looks like an answer.
func TestNothingIsSilent(t *testing.T) {
	grid := gridDataset(t)
	areas, bare := lookuptest.Path(t), lookuptest.Bare(t)
	const square = `{"type":"Polygon","coordinates":[[[-79.1,42.9],[-78.9,42.9],[-78.9,43.2],[-79.1,42.9]]]}`
	tests := []struct {
		args, data string
		code       int
		says       string // part of standard error
	}{
		{"radius|90210|--max|5|--mode|spatial", bare, cli.Failed, "has no areas of ZIP Codes or FSAs, required for a spatial search; run 'postgeo dataset build --layers boundaries'"},
		{"inside|-", bare, cli.Failed, "required for --mode spatial"},
		{"neighbors|90210", bare, cli.Failed, "required for neighbors"},
		{"boundary|90210", bare, cli.Failed, "required for boundaries"},
		{"map|90210", bare, cli.Failed, "required for maps"},
		{"lookup|43,-79", bare, cli.Failed, "this dataset holds no boundaries."},
		{"codes-in|county|36063", bare, cli.Failed, "dataset: the dataset does not have the layer county"},
		{"boundary|county|36063", bare, cli.Failed, "dataset: the dataset does not have the layer county"},
		{"crosswalk|zip|county", bare, cli.Failed, "dataset: the dataset does not have the layer county"},
		{"neighbors|14099", grid, cli.Failed, "not found: 14099 has no area in this dataset, and so no neighbors; to find near codes, run 'postgeo nearest 14099 -n 5'"},
		{"neighbors|14099|--format|jsonl", grid, cli.Failed, "14099 has no area"},
		{"boundary|99999", grid, cli.Failed, "not found: ZIP code 99999 not found."},
		{"boundary|county|99999", areas, cli.Failed, `not found: the layer county has no area "99999"`},
		{"boundary|county", areas, cli.Misuse, "missing areas of county"},
		{"codes-in|tract|xyz", areas, cli.Failed, "find its ID with 'postgeo suggest'"},
		{"codes-in|06037", areas, cli.Misuse, "'postgeo codes-in county 06037'"},
		{"codes-in|county", areas, cli.Misuse, "missing area after"},
		{"codes-in|conty|06037", areas, cli.Misuse, `unknown layer "conty"; did you mean county?`},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			r := world{stdin: square}.run(append(strings.Split(tt.args, "|"), "--data", tt.data)...)
			if r.code != tt.code || !strings.Contains(r.stderr, tt.says) {
				t.Errorf("exit code %d, stderr %q; want %d and %q", r.code, r.stderr, tt.code, tt.says)
			}
			if strings.Contains(r.stdout, "FeatureCollection") || strings.Contains(r.stdout, `"success":true`) {
				t.Errorf("something was written: %q", r.stdout)
			}
		})
	}
}

// Of several boundaries those that are there are written.
func TestBoundarySome(t *testing.T) {
	areas := lookuptest.Path(t)
	r := world{}.run("boundary", "county", "06037", "99999", "--data", areas)
	if r.code != cli.Failed || strings.Count(r.stdout, `"geoid":"06037"`) != 1 || !strings.HasSuffix(r.stdout, "]}\n") {
		t.Error(r)
	}
}
