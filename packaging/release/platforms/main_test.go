package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// An error that only another platform has is found, in packages and in tests.
func TestPlatforms(t *testing.T) {
	program := filepath.Join(t.TempDir(), "platforms.exe")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "module example.com/m\n\ngo 1.26\n",
		"m.go":          "package m\n\nimport \"os\"\n\nvar _ = os.Getuid() + onlyHere\n",
		"m_windows.go":  "package m\n\nconst onlyHere = 1\n",
		"m_other.go":    "//go:build !windows && !darwin\n\npackage m\n\nconst onlyHere = 2\n",
		"m_test.go":     "package m_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/part\"\n)\n\nfunc TestX(*testing.T) { part.X() }\n",
		"part/part.go":  "//go:build unix\n\npackage part\n\nfunc X() {}\n",
		"part/other.go": "package part\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ platform, want string }{
		{"linux/arm64", "platforms: linux/arm64: 3 packages have no error in "},
		{"darwin/arm64", "m.go:5:23: undefined: onlyHere\nplatforms: darwin/arm64: 1 errors\n"},
		{"windows/amd64", "m_test.go:9:31: undefined: part.X\nplatforms: windows/amd64: 1 errors\n"},
		{"plan10", "platforms: plan10: no platform; expected one such as windows/amd64\n"},
	} {
		cmd := exec.CommandContext(t.Context(), program, tt.platform)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if !strings.Contains(string(out), tt.want) || (err == nil) != strings.HasPrefix(tt.platform, "linux") {
			t.Errorf("%s: %v\n%s", tt.platform, err, out)
		}
	}
}
