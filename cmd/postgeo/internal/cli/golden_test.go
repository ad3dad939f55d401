package cli_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store/storewrite"

	"github.com/postgeo/postgeo/dataset"
)

// TestGolden runs the command in the first line of each golden file, and compares the rest with
// its output. The line may begin with "< TEXT" for standard input, "terminal", and "data=" and the
// name of a dataset, whose path the file has as FILE. The figures are those of the sample that
// are real, so that inventing the rest anew changes nothing.
func TestGolden(t *testing.T) {
	areas := lookuptest.Path(t)
	data := map[string]string{"grid": gridDataset(t), "areas": areas, "small": smallDataset(t)}
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".golden")
		if strings.HasSuffix(name, ".svg") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			head, _, _ := strings.Cut(read(t, file), "\n")
			settings, line, _ := strings.Cut(head, "postgeo ")
			args, path := words(line), "FILE"
			w := world{terminal: strings.Contains(settings, "terminal ")}
			if _, stdin, given := strings.Cut(settings, "< "); given {
				if err := json.NewDecoder(strings.NewReader(stdin)).Decode(&w.stdin); err != nil {
					t.Fatal(err)
				}
			}
			if _, name, given := strings.Cut(settings, "data="); given {
				if path = data[strings.TrimSpace(name)]; !slices.Contains(args, "FILE") {
					args = append(args, "--data", path)
				}
			}
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "FILE", path)
			}
			got := strings.ReplaceAll(took.ReplaceAllString(w.run(args...).String(), " rows in TIME"), path, "FILE")
			golden(t, name, head+"\n"+got)
		})
	}
}

// smallDataset writes a dataset without codes and returns its path.
func smallDataset(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.db")
	w, err := storewrite.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	err = w.Finish(dataset.Manifest{
		Version: "2026-06-30", Built: time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC), Builder: "a test", Layers: []string{"identity", "places"},
		Sources: []dataset.Source{
			{
				ID: "open", Title: "An open table", URL: "https://example.test/open.zip", Vintage: "2026-06", License: "CC BY 4.0", Redistribution: dataset.WithAttribution,
				Attribution: "Contains data of somebody", Refresh: "monthly", Rows: 41_490, SHA256: strings.Repeat("0a", 32),
			},
			{ID: "mine", Title: "My own table", Vintage: "2025", License: "terms of the publisher", Redistribution: dataset.Restricted, Refresh: "irregular", UserSupplied: true, Note: "never to be handed on", Rows: 12},
			{ID: "again", Title: "More of the same", Vintage: "2026-06", License: "CC BY 4.0", Attribution: "Contains data of somebody", Refresh: "monthly", Rows: 3},
		},
		Gaps: []dataset.Gap{{Name: "ZIPs without a county", Count: 977}, {Name: "FSAs without a point", Count: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return path
}
