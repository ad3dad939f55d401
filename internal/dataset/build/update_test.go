package build_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/dataset/build"
)

// TestUpdate changes one source after the other. An update takes the results of the
// steps that the source does not reach, and its file has the bytes of a whole build.
func TestUpdate(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many datasets")
	}
	dir, cache := inventedMirror(t), t.TempDir()
	run := func(update bool) ([]byte, *build.Report) {
		t.Helper()
		out := filepath.Join(t.TempDir(), "out.db")
		r, err := build.Build(t.Context(), build.Options{Mirror: dir, Cache: cache, Output: out, Layers: []string{"all"}, Update: update})
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return file, r
	}
	const (
		layers, names, packing, shares = "areas that codes are compared with", "names for suggestions", "outlines: packing", "time zones: shares"
		outlines, residents, spellings = "outlines", "ZIP Codes: residents", "place names"
	)
	for _, tt := range []struct {
		change   string // glob below the mirror
		old, new string // in a text
		want     []string
	}{
		{"", "", "", nil},
		{"", "", "", []string{layers, names, packing, shares, outlines, residents, spellings}},
		{"aux.local/elevation/zip_code_elevations.csv", "\n", ".5\n", []string{layers, packing, shares, outlines, residents, spellings}},
		{"download.geonames.org/export/zip/US.zip", "", "", []string{layers, names, packing, shares, outlines, residents, spellings}}, // the same rows
		{"www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_cd119_500k.zip", "", "", []string{names, packing, shares, outlines, residents, spellings}},
	} {
		if tt.change != "" {
			change(t, dir, tt.change, tt.old, tt.new)
		}
		got, report := run(true)
		want, whole := run(false)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the updated file differs from that of a whole build", tt.change)
		}
		var kept []string
		for _, s := range report.Steps {
			if s.Kept {
				kept = append(kept, s.Name)
			}
		}
		slices.Sort(kept)
		slices.Sort(tt.want)
		if diff := cmp.Diff(tt.want, kept); diff != "" {
			t.Errorf("%s: kept steps (-want +got):\n%s", tt.change, diff)
		}
		if diff := cmp.Diff(whole.Checks, report.Checks); diff != "" {
			t.Errorf("%s: checks of the report (-whole +update):\n%s", tt.change, diff)
		}
		if diff := cmp.Diff(whole.Rules, report.Rules); diff != "" {
			t.Errorf("%s: rules of the report (-whole +update):\n%s", tt.change, diff)
		}
		if diff := cmp.Diff(whole.Sources, report.Sources); diff != "" {
			t.Errorf("%s: sources of the report (-whole +update):\n%s", tt.change, diff)
		}
	}
	files, err := filepath.Glob(filepath.Join(cache, "steps", "*.kept"))
	if err != nil || len(files) != 7 {
		t.Fatalf("kept results %q, %v", files, err)
	}
	for _, f := range files { // a damaged result is as good as none
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(f, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, report := run(true)
	if want, _ := run(false); !bytes.Equal(got, want) {
		t.Error("after damage of the results the file differs")
	}
	for _, s := range report.Steps {
		if s.Kept {
			t.Errorf("step %q took a damaged result", s.Name)
		}
	}
}

// change replaces text in the rows of a file of a mirror. A zip file gets a comment,
// which changes only its checksum.
func change(t *testing.T, dir, glob, old, text string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, glob))
	if err != nil || len(paths) != 1 {
		t.Fatalf("%s matches %q, %v", glob, paths, err)
	}
	data, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(glob, ".zip") {
		data[len(data)-2] = 1 // length of the comment
		data = append(data, '!')
	} else {
		head, rows, _ := bytes.Cut(data, []byte("\n"))
		data = append(append(head, '\n'), bytes.ReplaceAll(rows, []byte(old), []byte(text))...)
		data = append(data, '\n')
	}
	if err := os.WriteFile(paths[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
}
