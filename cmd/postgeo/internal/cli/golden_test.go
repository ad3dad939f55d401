package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// What people and programs see, on the embedded sample: of it only what is
// real, so that inventing the rest anew changes nothing here.
func TestGolden(t *testing.T) {
	tests := []struct {
		name  string
		world world
		args  []string
	}{
		{"lookup-terminal-one", world{terminal: true}, []string{"lookup", "90210", "--quick"}},
		{"lookup-terminal-several", world{terminal: true}, []string{"lookup", "90210", "K1A0B1", "00601", "m5v", "99999", "--include", "timezone"}},
		{"lookup-pipe", world{}, []string{"lookup", "90210", "K1A 0B1", "--quick"}},
		{"lookup-json-one", world{}, []string{"lookup", "00601", "--format", "json", "--quick", "--include", "timezone"}},
		{"lookup-json-quick", world{}, []string{"lookup", "K1A0B1", "--quick", "--format", "json"}},
		{"lookup-json-several", world{}, []string{"lookup", "90210", "99999", "9021", "--quick", "--format", "json"}},
		{"lookup-csv", world{stdin: "00601\n90210\nK1A\nnowhere\n"}, []string{"lookup", "-", "--format", "csv", "--quick"}},
		{"lookup-tsv-columns", world{}, []string{"lookup", "00601", "K1A", "--format", "tsv", "--columns", "code,city,state,location.lat,location.lon"}},
		{"lookup-markdown", world{}, []string{"lookup", "00601", "K1A", "--format", "markdown"}},
		{"lookup-full-columns", world{}, []string{"lookup", "90210", "K1A", "--format", "csv", "--columns", "code,area_codes,metro.region,metro.msa_name,zip_info.classification_name,postal_info.fsa"}},
		{"lookup-zip3", world{terminal: true}, []string{"lookup", "902", "--columns", "code,safe_harbor"}},
		{"lookup-zip3-csv", world{}, []string{"lookup", "006", "902", "999", "--format", "csv", "--columns", "code,safe_harbor"}},
		{"lookup-missing", world{terminal: true}, []string{"lookup", "99999"}},
		{"distance-terminal", world{terminal: true}, []string{"distance", "90210", "10001"}},
		{"distance-coordinates", world{terminal: true}, []string{"distance", "K1A", "44,-60.5"}},
		{"distance-json", world{}, []string{"distance", "90210", "K1A 0B1", "--format", "json"}},
		{"distance-csv", world{}, []string{"distance", "00601", "10001", "--format", "csv"}},
		{"suggest-terminal", world{terminal: true}, []string{"suggest", "beverly", "--columns", "type,name,state,county"}},
		{"suggest-json", world{}, []string{"suggest", "k1a0b1", "--include", "ca_postal", "--format", "json"}},
		{"suggest-csv", world{}, []string{"suggest", "new york", "--include", "state,place", "--format", "csv", "--columns", "type,name,state,country"}},
		{"suggest-nothing", world{terminal: true}, []string{"suggest", "qqqqqq"}},
		{"suggest-wrong-type", world{terminal: true}, []string{"suggest", "x", "--include", "planet"}},
		{"suggest-wrong-limit", world{terminal: true}, []string{"suggest", "x", "--limit", "ten"}},
		{"suggest-wrong-state", world{terminal: true}, []string{"suggest", "x", "--state", "XX"}},
		{"suggest-empty", world{terminal: true}, []string{"suggest", "  "}},
		{"distance-missing", world{}, []string{"distance", "90210", "99999"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name, tt.world.run(tt.args...).String())
		})
	}
}

// What is told of a dataset as a whole, on one that never changes.
func TestGoldenInfo(t *testing.T) {
	path := smallDataset(t)
	tests := []struct {
		name  string
		world world
		args  []string
	}{
		{"info-terminal", world{terminal: true}, []string{"dataset", "info", path}},
		{"info-json", world{}, []string{"dataset", "info", path, "--format", "json"}},
		{"info-csv", world{}, []string{"dataset", "info", path, "--format", "csv"}},
		{"verify-terminal", world{terminal: true}, []string{"dataset", "verify", path}},
		{"verify-pipe", world{}, []string{"dataset", "verify", path}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name, strings.ReplaceAll(tt.world.run(tt.args...).String(), path, "FILE"))
		})
	}
}

// smallDataset writes a dataset without codes and returns its path.
func smallDataset(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.db")
	w, err := sqlite.Create(path)
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
