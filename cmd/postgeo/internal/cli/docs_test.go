package cli_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	servecommand "github.com/postgeo/postgeo/cmd/postgeo/internal/cli/serve"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
)

// docs is the documentation's folder.
const docs = "../../../../docs"

// The generated parts of the documentation are what the program says of
// itself. -update writes them.
func TestDocs(t *testing.T) {
	tests := []struct {
		file, part string
		text       func(t *testing.T) string
	}{
		{"cli.md", "commands", commandHelp},
		{"accounts.md", "commands", accountsHelp},
		{"operating.md", "settings", func(*testing.T) string { return servecommand.Document() }},
		{"dataset.md", "layers", layerTable},
		{"sources.md", "attributions", attributionList},
		{"sources.md", "sources", sourceTable},
		{"acs.md", "fields", fieldTable},
		{"../README.md", "speed", readmeSpeed},
		{"../README.md", "sizes", readmeSizes},
		{"data.md", "requirements", requirements},
		{"../README.md", "bulk", readmeBulk},
		{"../README.md", "accuracy", someFigures("peers", "accuracy", "distances", "points on and near borders, in every area or not", "shares of areas inside 50 miles", "overlaps of ZIP Codes and counties")},
		{"../README.md", "addresses", readmeAddresses},
		{"performance.md", "operations", figures("operations", "operations")},
		{"performance.md", "loopback", figures("operations", "loopback")},
		{"performance.md", "formats", figures("enrich", "formats")},
		{"performance.md", "keys", figures("enrich", "keys")},
		{"performance.md", "duckdb", figures("enrich", "duckdb")},
		{"performance.md", "searches", figures("peers", "searches")},
		{"accuracy.md", "accuracy of searches", figures("peers", "accuracy")},
		{"performance.md", "growth", figures("growth", "builds")},
		{"accuracy.md", "coverage", someFigures("national", "coverage", "`county`", "`tract`", "`congressional_district`", "`state_upper`", "`state_lower`", "`census_division`", "`federal_district`")},
		{"accuracy.md", "points", figures("national", "points")},
		{"accuracy.md", "counties of record", figures("national", "counties")},
		{"address.md", "cases", someFigures("address", "cases", "with a match: recall", "matched: precision", "`NOT_FOUND`", "`INSUFFICIENT_INPUT`", "`AMBIGUOUS`", "wrong number",
			"wrong side of the street", "invented street", "two letters wrong in the name", "other spellings of the suffix")},
		{"address.md", "lines", figures("address", "lines")},
		{"suggest.md", "relevance", someFigures("suggest", "test", "city", "prefix", "typo", "typo short", "nickname", "district", "proximity", "mean of the categories")},
		{"suggest.md", "keystrokes", figures("suggest", "keystrokes")},
		{"geocoding.md", "positions", figures("geocode", "positions")},
		{"geocoding.md", "likely", figures("geocode", "likely")},
	}
	for _, tt := range tests {
		t.Run(tt.part, func(t *testing.T) {
			path := filepath.Join(docs, tt.file)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			begin := "<!-- generated: " + tt.part + " -->\n"
			head, rest, ok := strings.Cut(string(data), begin)
			was, tail, ok2 := strings.Cut(rest, "<!-- end -->")
			if !ok || !ok2 {
				t.Fatalf("%s has no part %q", path, tt.part)
			}
			want := tt.text(t)
			if *update {
				if err := os.WriteFile(path, []byte(head+begin+want+"<!-- end -->"+tail), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := gocmp.Diff(want, was); diff != "" {
				t.Errorf("%s, part %s, is out of date (-program +file); rewrite it with -update:\n%s", path, tt.part, diff)
			}
		})
	}
}

func commandHelp(t *testing.T) string {
	return helpPage(t, []string{
		"lookup", "address", "geocode", "reverse", "distance", "radius", "nearest", "inside", "codes-in", "neighbors", "boundary", "crosswalk", "enrich",
		"export codes", "export acs", "export areas", "suggest",
		"acs fields", "acs profile", "acs series", "acs aggregate", "acs compare", "map", "apportion", "serve",
		"dataset pull", "dataset build", "dataset add", "dataset info", "dataset verify", "dataset diff", "dataset doctor", "dataset check", "dataset publish", "dataset key new", "version",
	})
}

func layerTable(*testing.T) string {
	var b strings.Builder
	b.WriteString("\n| layer | content | download |\n|---|---|---|\n")
	for _, l := range builder.Layers() {
		var size int64
		for _, s := range builder.Catalog() {
			for _, of := range s.Layers {
				if of == l.Name && !s.UserSupplied && !s.MirrorOnly {
					size += s.Size
				}
			}
		}
		download := "a file for each county"
		if size > 0 {
			download = "about " + progress.Bytes(size)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", l.Name, l.About, download)
	}
	return b.String() + "\n"
}

func sourceTable(*testing.T) string {
	var b strings.Builder
	b.WriteString("\n| source | content | feeds | edition | license | renewed | publisher | size | address |\n|---|---|---|---|---|---|---|---:|---|\n")
	for _, s := range builder.Catalog() {
		title := s.Title
		switch {
		case s.UserSupplied:
			title += " (*supplied*)"
		case s.MirrorOnly:
			title += " (*mirror only*)"
		case s.Optional:
			title += " (*optional*)"
		}
		address := "—"
		if url := builder.OfficialURL(s.URL); url != "" {
			address = "<" + url + ">"
		}
		edition, size := cmp.Or(s.Vintage, "as fetched"), "—"
		if s.Size > 0 {
			size = progress.Bytes(s.Size)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s |\n", s.ID, title, strings.Join(s.Feeds, ", "), edition, s.License, s.Refresh, publisher(s.Attribution), size, address)
	}
	return b.String() + "\n"
}

// publisher is the name in an attribution.
func publisher(attribution string) string {
	first, _, _ := strings.Cut(attribution, ". Contains")
	first, _, _ = strings.Cut(first, ". Adapted")
	if who, _, ok := strings.Cut(first, ", 2021 Census"); ok {
		first = who
	}
	first, _, _ = strings.Cut(first, " (geonames")
	for _, lead := range []string{"Contains data of ", "Adapted from ", "Time zone boundaries © ", "© "} {
		first = strings.TrimPrefix(first, lead)
	}
	if strings.HasPrefix(first, "OpenStreetMap") {
		return "timezone-boundary-builder, of OpenStreetMap"
	}
	return cmp.Or(first, "your supplier")
}

// attributionList are the lines that a dataset of everything that can be
// downloaded asks for.
func attributionList(*testing.T) string {
	var m dataset.Manifest
	for _, s := range builder.Catalog() {
		if !s.UserSupplied {
			m.Sources = append(m.Sources, dataset.Source{ID: s.ID, License: s.License, Attribution: s.Attribution})
		}
	}
	return "\n> " + strings.Join(m.Attributions(), "\\\n> ") + "\n\n"
}
