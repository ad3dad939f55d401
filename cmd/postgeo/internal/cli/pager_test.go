package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// TestPager shows a code with 40 lines of facts.
func TestPager(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	shown := filepath.Join(t.TempDir(), "shown")
	script := func(text string) string {
		path := filepath.Join(t.TempDir(), "pager")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	all, first := script(`cat > "$1"; echo shown`)+" "+shown, script("head -n 1")
	plain := world{terminal: true}.run("lookup", "90210")
	if plain.code != cli.Done || !strings.Contains(plain.stdout, "\nlocation\n  lat ") {
		t.Fatalf("without a pager: %v", plain)
	}
	for name, tt := range map[string]struct {
		pager, args, want string // of standard output
	}{
		"a table":         {all, "lookup 90210", "shown\n"},
		"left early":      {first, "lookup 90210", plain.stdout[:strings.IndexByte(plain.stdout, '\n')+1]},
		"off":             {"cat", "lookup 90210", plain.stdout},
		"absent":          {"/nowhere/pager", "lookup 90210", plain.stdout},
		"another format":  {all, "lookup 90210 --columns code -f csv", "code\n90210\n"},
		"a failed lookup": {all, "lookup 99999", ""},
	} {
		r := world{terminal: true, vars: map[string]string{"PAGER": tt.pager}}.run(strings.Fields(tt.args)...)
		if r.stdout != tt.want && tt.want != "" || (r.code == cli.Done) != (tt.want != "") {
			t.Errorf("%s: %v", name, r)
		}
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: file, Stderr: os.Stderr, StdoutTerminal: true, Getenv: func(name string) string {
		return map[string]string{"PAGER": script("test -f /dev/stdout && echo itself; cat > /dev/null")}[name]
	}}
	if code := cli.Run(t.Context(), []string{"lookup", "90210"}, env); code != cli.Done {
		t.Errorf("exit code %d", code)
	}
	if data, err := os.ReadFile(file.Name()); string(data) != "itself\n" || err != nil {
		t.Errorf("the pager writes %q, and not to the terminal itself; error %v", data, err)
	}
	if data, err := os.ReadFile(shown); err != nil || string(data) != plain.stdout {
		t.Errorf("the pager got %q, error %v", data, err)
	}
}
