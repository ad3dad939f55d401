package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// TestPager looks up a code with 40 lines of facts on terminals of several heights.
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
		w          world
		args, want string // of standard output
	}{
		"long":            {world{height: 24, vars: map[string]string{"PAGER": all}}, "lookup 90210", "shown\n"},
		"short":           {world{height: 200, vars: map[string]string{"PAGER": all}}, "lookup 90210", plain.stdout},
		"own setting":     {world{height: 24, vars: map[string]string{"PAGER": first, "POSTGEO_PAGER": all}}, "lookup 90210", "shown\n"},
		"left early":      {world{height: 24, vars: map[string]string{"PAGER": first}}, "lookup 90210", plain.stdout[:strings.IndexByte(plain.stdout, '\n')+1]},
		"off":             {world{height: 24, vars: map[string]string{"POSTGEO_PAGER": "cat", "PAGER": all}}, "lookup 90210", plain.stdout},
		"absent":          {world{height: 24, vars: map[string]string{"PAGER": "/nowhere/pager"}}, "lookup 90210", plain.stdout},
		"another format":  {world{height: 1, vars: map[string]string{"PAGER": all}}, "lookup 90210 --columns code -f csv", "code\n90210\n"},
		"unknown height":  {world{vars: map[string]string{"PAGER": all}}, "lookup 90210", plain.stdout},
		"a failed lookup": {world{height: 24, vars: map[string]string{"PAGER": all}}, "lookup 99999", ""},
	} {
		tt.w.terminal = true
		r := tt.w.run(strings.Fields(tt.args)...)
		if r.stdout != tt.want && tt.want != "" || (r.code == cli.Done) != (tt.want != "") {
			t.Errorf("%s: %v", name, r)
		}
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: file, Stderr: os.Stderr, StdoutTerminal: true, Height: 24, Getenv: func(name string) string {
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
