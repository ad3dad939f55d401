package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	reps := []rep{{"Ada", "98107"}, {"Ben", "98052"}, {"Cyn", "98118"}}
	var out, summary bytes.Buffer
	check(t, run(t.Context(), &out, &summary, "42660", reps))
	var got struct {
		Features []struct {
			Properties struct {
				ZIP, Rep   string
				Households int
			}
			Geometry struct{ Type string }
		}
	}
	check(t, json.Unmarshal(out.Bytes(), &got))
	total, of, owner := 0, map[string]int{}, map[string]string{}
	for _, f := range got.Features {
		p := f.Properties
		if owner[p.ZIP] != "" {
			t.Errorf("%s stands twice", p.ZIP)
		}
		owner[p.ZIP] = p.Rep
		total += p.Households
		of[p.Rep] += p.Households
		if f.Geometry.Type != "Polygon" && f.Geometry.Type != "MultiPolygon" {
			t.Errorf("%s has the geometry %q", p.ZIP, f.Geometry.Type)
		}
	}
	if len(owner) < 20 || total == 0 {
		t.Fatalf("%d codes with %d households", len(owner), total)
	}
	for _, r := range reps {
		if owner[r.home] != r.name {
			t.Errorf("%s, the home of %s, belongs to %s", r.home, r.name, owner[r.home])
		}
		if part := float64(of[r.name]) / float64(total); part < 0.2 || part > 0.4 {
			t.Errorf("%s has %.2f of the households", r.name, part)
		}
	}
	if !strings.Contains(summary.String(), "Ada") {
		t.Errorf("summary:\n%s", summary.String())
	}
}

// A name of any bytes, as spreadsheets of other encodings have them, stays a
// string of JSON.
func TestRunForeignName(t *testing.T) {
	var out bytes.Buffer
	check(t, run(t.Context(), &out, io.Discard, "42660", []rep{{"Jos\xe9 \x1b", "98107"}}))
	if !json.Valid(out.Bytes()) || !strings.Contains(out.String(), `"rep":"Jos\ufffd \u001b"`) {
		t.Errorf("%.200s", out.String())
	}
}

func TestReadReps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.csv")
	for text, want := range map[string]string{
		"name,home\n":           "mine.csv has no representative; expected a row for each",
		"name,zip\nAda,98101\n": "mine.csv: the columns are name, zip, expected one of them to be home",
	} {
		check(t, os.WriteFile(file, []byte(text), 0o600))
		if _, err := readReps(file); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	check(t, os.WriteFile(file, []byte("home,name\n98101,Ada\n"), 0o600))
	if reps, err := readReps(file); err != nil || len(reps) != 1 || reps[0] != (rep{"Ada", "98101"}) {
		t.Errorf("%v, %v", reps, err)
	}
	if err := run(t.Context(), io.Discard, io.Discard, "99999", []rep{{"Ada", "98101"}}); err == nil || !strings.Contains(err.Error(), "99999") {
		t.Errorf("an area that is not there: %v", err)
	}
}

// check ends the test with an error.
func check(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
