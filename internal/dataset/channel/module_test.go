package channel_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/dataset/channel"
)

// TestModule writes a module and uses it in a program, through a module proxy of
// files.
func TestModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	w := newWorld(t)
	proxy, program := t.TempDir(), t.TempDir()
	m, err := channel.WriteModule(t.Context(), channel.ModuleOptions{File: w.old, Path: "example.com/geodata", Version: "v2026.10.0", Requires: "v0.0.0", Folder: proxy})
	check(t, err)
	if m.Path != "example.com/geodata/v2026" {
		t.Errorf("the path is %s", m.Path)
	}
	if license := string(read(t, filepath.Join(m.Folder, "LICENSE"))); !strings.Contains(license, "geonames-us") || !strings.Contains(license, "MIT") {
		t.Errorf("LICENSE lacks the sources:\n%.300s", license)
	}
	checkout, err := filepath.Abs("../../..")
	check(t, err)
	for name, text := range map[string]string{
		"go.mod": string(read(t, filepath.Join(checkout, "go.mod"))),
		"go.sum": string(read(t, filepath.Join(checkout, "go.sum"))),
		"main.go": `package main

import (
	"fmt"

	geodata "example.com/geodata/v2026"
)

func main() {
	db, err := geodata.Open()
	if err != nil {
		panic(err)
	}
	defer db.Close()
	fmt.Println(db.Info().Version)
}
`,
	} {
		if name == "go.mod" {
			text = strings.Replace(text, "module github.com/postgeo/postgeo", "module example.com/program", 1) +
				"\nrequire (\n\texample.com/geodata/v2026 v2026.10.0\n\tgithub.com/postgeo/postgeo v0.0.0\n)\n\nreplace github.com/postgeo/postgeo => " + checkout + "\n"
		}
		check(t, os.WriteFile(filepath.Join(program, name), []byte(text), 0o644))
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	check(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "go", "run", "-mod=mod", ".")
	run.Dir = program
	run.Env = append(os.Environ(), "GOPROXY=file://"+proxy+",file://"+strings.TrimSpace(string(cache))+"/cache/download", "GONOSUMDB=*", "GOMODCACHE="+t.TempDir(), "GOFLAGS=-trimpath -modcacherw", "GOWORK=off", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil || strings.TrimSpace(string(out)) != "sample-2026-11" {
		t.Fatalf("%v: %s%s", err, out, &stderr)
	}
	if sum := string(read(t, filepath.Join(program, "go.sum"))); !strings.Contains(sum, "example.com/geodata/v2026 v2026.10.0 h1:") {
		t.Error("go.sum does not pin the data")
	}
	for _, bad := range [][2]string{{"geodata", "v1.0.0"}, {"example.com/Geo", "v1.0.0"}, {"example.com/../x", "v1.0.0"}, {"../x", "v1.0.0"}, {"example.com/geodata", "1.0"}} {
		if _, err := channel.WriteModule(t.Context(), channel.ModuleOptions{File: w.old, Path: bad[0], Version: bad[1], Requires: "v0.0.0", Folder: proxy}); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}
