// Package packaging_test checks what is packaged, as far as a test can.
package packaging_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/checktest"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	check(t, err)
	return string(data)
}

// systemd accepts the unit completely. A program of this machine replaces the
// installed one.
func TestUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	here, err := exec.LookPath("true")
	if err != nil {
		t.Skip("there is no program true")
	}
	unit := strings.ReplaceAll(read(t, "postgeo.service"), "/usr/local/bin/postgeo", here)
	path := filepath.Join(t.TempDir(), "postgeo.service")
	check(t, os.WriteFile(path, []byte(unit), 0o644))
	out, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", path).CombinedOutput()
	if err != nil {
		t.Fatalf("systemd-analyze verify: %v\n%s", err, out)
	}
	for line := range strings.SplitSeq(string(out), "\n") {
		if strings.Contains(line, "postgeo.service") {
			t.Error(line)
		}
	}
	pull := filepath.Join(t.TempDir(), "postgeo-pull.service")
	text := strings.ReplaceAll(read(t, "postgeo-pull.service"), "/usr/local/bin/postgeo", here)
	for name, text := range map[string]string{pull: text, strings.TrimSuffix(pull, "service") + "timer": read(t, "postgeo-pull.timer")} {
		check(t, os.WriteFile(name, []byte(text), 0o644))
	}
	if out, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", strings.TrimSuffix(pull, "service")+"timer").CombinedOutput(); err != nil || strings.Contains(string(out), "postgeo-pull") {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
	broken := strings.Replace(unit, "ProtectSystem=strict", "ProtectSystem=strictly\nNoSuchSetting=1", 1)
	check(t, os.WriteFile(path, []byte(broken), 0o644))
	if out, _ := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", path).CombinedOutput(); !strings.Contains(string(out), "NoSuchSetting") {
		t.Errorf("a unit that is wrong is not found wrong:\n%s", out)
	}
}

// The image is built with the toolchain of go.mod, and its files are in the
// places of the recipe.
func TestDockerfile(t *testing.T) {
	recipe := read(t, "Dockerfile")
	want := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "../go.mod"))
	if want == nil || !strings.Contains(recipe, "FROM golang:"+want[1]+"-") {
		t.Errorf("the Dockerfile does not build with Go %v of go.mod", want)
	}
	for _, path := range []string{"../go.mod", "../go.sum", "../cmd/postgeo"} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// The files that .goreleaser.yaml names exist, and so do the variables that it sets.
func TestRelease(t *testing.T) {
	text := read(t, "../.goreleaser.yaml")
	for _, m := range regexp.MustCompile(`src: "?([^",}\n]+)`).FindAllStringSubmatch(text, -1) {
		if found, err := filepath.Glob("../" + m[1]); len(found) == 0 && !strings.HasPrefix(m[1], "bin/release/") { // scripts/release-files.sh writes these
			t.Errorf("there is no file %s: %v", m[1], err)
		}
	}
	variables := regexp.MustCompile(`-X github.com/postgeo/postgeo/(\S+)\.(\w+)=`).FindAllStringSubmatch(text, -1)
	if len(variables) != 3 {
		t.Errorf("%d variables are set, expected 3", len(variables))
	}
	for _, v := range variables {
		files, err := filepath.Glob("../" + v[1] + "/*.go")
		check(t, err)
		declared := regexp.MustCompile(`(?m)^(var |\t)` + v[2] + `\s+string`)
		if !slices.ContainsFunc(files, func(f string) bool { return declared.MatchString(read(t, f)) }) {
			t.Errorf("%s has no variable %s", v[1], v[2])
		}
	}
}

// Alerts, panels and proxies name metrics and settings that exist.
func TestOperators(t *testing.T) {
	page := read(t, "../docs/operating.md")
	for _, file := range []string{"alerts.yml", "grafana.json"} {
		names := regexp.MustCompile(`postgeo_[a-z_]+`).FindAllString(read(t, file), -1)
		if len(names) < 5 {
			t.Errorf("%s names %d metrics", file, len(names))
		}
		for _, name := range names {
			if name = strings.TrimSuffix(name, "_bucket"); !strings.Contains(page, "`"+name) {
				t.Errorf("%s: docs/operating.md has no metric %s", file, name)
			}
		}
	}
	var panels struct{ Panels []struct{ Title string } }
	if err := json.Unmarshal([]byte(read(t, "grafana.json")), &panels); err != nil || len(panels.Panels) == 0 {
		t.Errorf("grafana.json: %v, %d panels", err, len(panels.Panels))
	}
	for _, file := range []string{"Caddyfile", "nginx.conf"} {
		if text := read(t, file); !strings.Contains(text, "127.0.0.1:8080") || strings.Contains(text, "8081") {
			t.Errorf("%s does not pass requests to the address for callers", file)
		}
	}
	// With a negative interval Caddy hides from the server that a client has disconnected.
	if m := regexp.MustCompile(`(?m)^\s*flush_interval.*`).FindString(read(t, "Caddyfile")); m != "" {
		t.Errorf("the Caddyfile has %s", m)
	}
	for _, tool := range [][]string{{"promtool", "check", "rules", "alerts.yml"}, {"caddy", "validate", "--config", "Caddyfile"}} {
		if path, err := exec.LookPath(tool[0]); err == nil {
			if out, err := exec.CommandContext(t.Context(), path, tool[1:]...).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", tool, err, out)
			}
		}
	}
}

var check = checktest.Check
