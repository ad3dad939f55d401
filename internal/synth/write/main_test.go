package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mirror")
	var out bytes.Buffer
	if err := run(context.Background(), []string{"-zips", "300", "-zip4", "2000", "-segments", "600", "-points", "1200", dir}, &out); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"country:", "streets: 600 segments,", "mirror:", "zip4.txt: 2000 rows", "zip4_points.csv:", "ctystate.txt:", "delstat.txt:"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the output does not have %q:\n%s", part, out.String())
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "usps", "zip4.txt")); err != nil || info.Size() != 182*2001 {
		t.Errorf("zip4.txt: %v, %v", info, err)
	}
}

func TestRunRefusesWrongUse(t *testing.T) {
	for _, args := range [][]string{{}, {"-zips", "1", t.TempDir()}, {"-zips", "many", t.TempDir()}, {"a", "b"}} {
		if err := run(context.Background(), args, &bytes.Buffer{}); err == nil {
			t.Errorf("run(%v) gave no error", args)
		}
	}
}
