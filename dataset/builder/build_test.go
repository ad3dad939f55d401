package builder_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
)

// TestManifest checks the manifest of a dataset.
func TestManifest(t *testing.T) {
	w := newWorld(t)
	w.zctaElevation = []string{"43901,100"}
	epoch := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	b := w.buildWith(builder.Options{SourceDateEpoch: epoch, Version: "sample-7", Sample: true, Builder: "test 1"})
	m := b.Manifest()
	if m.Version != "sample-7" || !m.Sample || !m.Built.Equal(epoch) || m.Builder != "test 1" || len(m.Layers) != 1 || m.Layers[0] != "identity" {
		t.Errorf("the manifest is %+v", m)
	}
	sources := map[string]dataset.Source{}
	for _, s := range m.Sources {
		sources[s.ID] = s
	}
	if s := sources["elevation-zcta"]; s.Rows != 1 || s.URL != "" {
		t.Errorf("the manifest has of the elevations %+v, want no address", s)
	}
	if len(m.Gaps) == 0 {
		t.Error("the manifest tells no gaps")
	}
	m = newWorld(t).build().Manifest()
	for _, s := range m.Sources {
		if s.ID == "geonames-us" && (s.Rows != 1 || s.License != "CC BY 4.0" || s.URL != "https://download.geonames.org/export/zip/US.zip") {
			t.Errorf("the manifest has of GeoNames %+v", s)
		}
	}
	if m.Built.Format(time.DateOnly) != "2025-01-01" || m.Version != "2025-01-01" {
		t.Errorf("without a build time the manifest says %v, %q, want the newest vintage, 2025", m.Built, m.Version)
	}
}

// TestRefusedRows checks that a row with an impossible value is left out and
// reported with file and line.
func TestRefusedRows(t *testing.T) {
	w := newWorld(t)
	w.geoNames = append(w.geoNames,
		"US\t4390\tShort\tOhio\tOH\tAmber\t901\t\t\t40\t-83\t",
		"US\t43902\t\tOhio\tOH\tAmber\t901\t\t\t40\t-83\t",
		"US\t43903\tBeyond\tOhio\tOH\tAmber\t901\t\t\t94\t-83\t",
		"US\t43904\tLast\tOhio\tOH\tAmber\t901\t\t\t40\t-83\t")
	b := w.build()
	for code, want := range map[string]bool{"43901": true, "43902": false, "43903": false, "43904": true} {
		if b.hasZIP(code) != want {
			t.Errorf("%s in the dataset: %v, want %v", code, !want, want)
		}
	}
	var text bytes.Buffer
	check(t, b.report.WriteText(&text))
	for _, want := range []string{"geonames-us: bad code", "geonames-us: bad place", "geonames-us: bad latitude", "US.zip:US.txt:2", "(3 refused)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report does not mention %q:\n%s", want, &text)
		}
	}
	var out bytes.Buffer
	check(t, b.report.WriteJSON(&out))
	var back builder.Report
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || len(back.Refused) != len(b.report.Refused) {
		t.Errorf("the report as JSON does not read back: %v", err)
	}
}

// TestOptions checks which options are refused.
func TestOptions(t *testing.T) {
	w := newWorld(t)
	root, out := w.write(), filepath.Join(t.TempDir(), "out.db")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name    string
		ctx     context.Context
		o       builder.Options
		mention string
	}{
		{"no output", context.Background(), builder.Options{Mirror: root}, "output"},
		{"unknown layer", context.Background(), builder.Options{Mirror: root, Output: out, Layers: []string{"moon"}}, "moon"},
		{"points without records", context.Background(), builder.Options{Mirror: root, Output: out, ZIP4Points: "x"}, "ZIP+4"},
		{"missing file", context.Background(), builder.Options{Mirror: root, Output: out, ZIPDatabase: filepath.Join(root, "none.csv")}, "none.csv"},
		{"ended context", ended, builder.Options{Mirror: root, Output: out}, "canceled"},
		{"empty mirror", context.Background(), builder.Options{Mirror: t.TempDir(), Output: out}, "US.zip"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := builder.Build(test.ctx, test.o)
			if err == nil || !strings.Contains(err.Error(), test.mention) {
				t.Errorf("the error is %v, want one that mentions %q", err, test.mention)
			}
		})
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused build left a file: %v", err)
	}
}

// stopAt cancels a build when a step begins.
type stopAt struct {
	builder.Progress // has no transfers
	step             string
	cancel           func()
}

func (s stopAt) Step(name string) {
	if name == s.step {
		s.cancel()
	}
}

// TestCanceled cancels builds at their last steps. Nothing is left.
func TestCanceled(t *testing.T) {
	root := newWorld(t).write()
	for _, step := range []string{"write: codes", "write: finish", "verify"} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		_, err := builder.Build(ctx, builder.Options{Mirror: root, Output: filepath.Join(dir, "out.db"), Progress: stopAt{step: step, cancel: cancel}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", step, err)
		}
		if left := names(t, dir); len(left) > 0 {
			t.Errorf("%s: a canceled build left %v", step, left)
		}
	}
}

// TestMirrorServer checks that a mirror's server gives the same bytes as its
// folder, including files that only a user can supply. The cache then does
// without the server.
func TestMirrorServer(t *testing.T) {
	w := newWorld(t)
	w.supplied("43955", "STANDARD", "0", "Elm", "", "OH", "Amber County", "614", 40, -83)
	w.zctaElevation = []string{"43901,100"}
	root, dir := w.write(), t.TempDir()
	server := httptest.NewServer(http.FileServer(http.Dir(root)))
	defer server.Close()
	run := func(name string, o builder.Options) []byte {
		t.Helper()
		o.Output = filepath.Join(dir, name)
		if _, err := builder.Build(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(o.Output)
		check(t, err)
		return data
	}
	folder := run("folder.db", builder.Options{Mirror: root})
	remote := builder.Options{Mirror: server.URL, Cache: filepath.Join(dir, "cache")}
	if !bytes.Equal(folder, run("server.db", remote)) {
		t.Error("the server's dataset differs from the folder's")
	}
	plan, err := builder.Plan(context.Background(), remote)
	check(t, err)
	for _, p := range plan.Files {
		if p.Local {
			t.Errorf("the plan says that %s is at hand, it is on a server", p.Source.ID)
		}
	}
	server.Close()
	remote.Offline = true
	if !bytes.Equal(folder, run("offline.db", remote)) {
		t.Error("the cache's dataset differs from the folder's")
	}
}

// TestPlan checks that sizes are known before anything is fetched.
func TestPlan(t *testing.T) {
	w := newWorld(t)
	w.supplied("43901", "STANDARD", "0", "Elm", "", "OH", "Amber County", "", 40, -83)
	f, err := builder.Plan(context.Background(), builder.Options{Mirror: w.write(), Output: "x"})
	check(t, err)
	atHand := map[string]bool{}
	for _, p := range f.Files {
		atHand[p.Source.ID] = p.Local
	}
	if !atHand["geonames-us"] || !atHand["zip-database"] {
		t.Errorf("the plan says at hand: %v", atHand)
	}
	official, err := builder.Plan(context.Background(), builder.Options{Cache: t.TempDir(), Output: "x"})
	check(t, err)
	const few = 50_000_000
	if official.Download == 0 || official.Download > few {
		t.Errorf("a first run downloads %d bytes, want some and at most %d", official.Download, few)
	}
	all, err := builder.Plan(context.Background(), builder.Options{Cache: t.TempDir(), Output: "x", Layers: []string{"all"}})
	check(t, err)
	if all.Download <= official.Download {
		t.Errorf("all layers download %d bytes, no more than identity alone, %d", all.Download, official.Download)
	}
}
