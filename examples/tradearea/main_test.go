package main

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/geo"
)

func TestRun(t *testing.T) {
	var b strings.Builder
	if err := run(t.Context(), &b, "98101", 3, 10); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 4+len(keys) {
		t.Fatalf("%d lines:\n%s", len(lines), b.String())
	}
	for _, line := range lines[2:] {
		if strings.Count(line, "|") != 4 || strings.Contains(line, "–") {
			t.Errorf("a row without both figures: %s", line)
		}
	}
	for _, want := range []string{"| Total population | ", "| Median household income (dollars) | ", " %) |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the profile has no %q:\n%s", want, b.String())
		}
	}
}

func TestRunWithoutFigures(t *testing.T) {
	err := run(t.Context(), new(strings.Builder), "K1A0B1", geo.Miles(1))
	if err == nil || !strings.Contains(err.Error(), "no figures") {
		t.Errorf("Canada has no American survey, got %v", err)
	}
}

func TestReadRings(t *testing.T) {
	if rings, err := readRings("1, 5"); err != nil || len(rings) != 2 || rings[1] != 5 {
		t.Errorf("%v, %v", rings, err)
	}
	if _, err := readRings("1;5"); err == nil || !strings.Contains(err.Error(), `"1;5"`) {
		t.Errorf("a list that is none: %v", err)
	}
}
