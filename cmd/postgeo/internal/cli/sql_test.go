package cli_test

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/foreign"
	"github.com/postgeo/postgeo/internal/operation"
)

// TestSQLExitCode runs programs named postgeo-sql and compares exit codes.
func TestSQLExitCode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "postgeo-sql"), []byte("#!/bin/sh\nfor last; do :; done\nexit $last\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for statement, want := range map[string]int{"0": cli.Done, "1": cli.Failed, "2": cli.Misuse, "3": cli.Failed} {
		if got := (world{}).run("sql", statement); got.code != want {
			t.Errorf("postgeo-sql exits with %s: %s, want %d", statement, got, want)
		}
	}
}

// TestArrowProgram runs a program named postgeo-arrow and compares its arguments.
func TestArrowProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	arrow := []string{"udf", "--data", "", "--protocol", "arrow"}
	if got := (world{}).run(append(arrow, "--add", "city")...); got.code != cli.Failed || !strings.Contains(got.stderr, "postgeo-arrow of the release is not next to postgeo") {
		t.Errorf("without the program: code %d, %s", got.code, got.stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "postgeo-arrow"), []byte("#!/bin/sh\nfor a; do echo \"$a\"; done\necho $GOMAXPROCS\nprintf '\\377'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string
		opt  foreign.Options
	}{
		{
			[]string{"--function", "geo_distance", "--chunks", "--result", "r", "--workers", "3", "--restore-zeros", "--plan", "cd119", "--at", "2026-01-31T12:00:00Z"},
			"--data sample --result r --chunks=true --at 2026-01-31T12:00:00Z OPTIONS 3 \xff",
			foreign.Options{Kind: "code", Fields: []string{"miles=distance.miles"}, RestoreZeros: true, Pairs: true, Plans: operation.Plans{Plan: "cd119"}},
		},
		{
			[]string{"--key", "coordinates", "--add", "city,state", "--status"},
			"--data sample --result result --chunks=false OPTIONS 8 \xff",
			foreign.Options{Kind: "coordinates", Fields: []string{"city", "state"}, Status: true},
		},
	} {
		t.Setenv("GOMAXPROCS", "8")
		got := (world{}).run(append(arrow, tt.args...)...)
		words := strings.Fields(got.stdout)
		if got.code != cli.Done || len(words) < 3 {
			t.Fatalf("%v: code %d, %s%s", tt.args, got.code, got.stdout, got.stderr)
		}
		object := &words[len(words)-3]
		opt, err := foreign.ParseOptions(*object)
		if err != nil || !reflect.DeepEqual(opt, tt.opt) {
			t.Errorf("%v: options %s: %+v, %v; want %+v", tt.args, *object, opt, err, tt.opt)
		}
		*object = "OPTIONS"
		if all := strings.Join(words, " "); all != tt.want {
			t.Errorf("%v: arguments %s; want %s", tt.args, all, tt.want)
		}
	}
}
