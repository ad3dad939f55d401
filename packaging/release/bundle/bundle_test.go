package bundle_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/packaging/release/bundle"
)

var (
	date    = time.Unix(1750000000, 0).UTC()
	entries = []bundle.Entry{{Name: "z.txt", Data: "last"}, {Name: "a/b.txt", Data: "text"}, {Name: "program", Data: "\x7fELF", Executable: true}}
	listed  = []string{
		"-rw-r--r-- pg/a/b.txt 1750000000 text", "-rwxr-xr-x pg/program 1750000000 \x7fELF", "-rw-r--r-- pg/z.txt 1750000000 last",
	}
)

// Entries of archives are sorted by name and have one date and no owner. The
// order of the input does not matter.
func TestArchives(t *testing.T) {
	t.Run("tar", func(t *testing.T) {
		var a, b bytes.Buffer
		write(t, bundle.Tar(&a, "pg", entries, date), bundle.Tar(&b, "pg", backward(entries), date))
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Error("not the same bytes")
		}
		z, err := gzip.NewReader(&a)
		if err != nil || !z.ModTime.IsZero() || z.Name != "" {
			t.Fatalf("%v, %v", z, err)
		}
		got := readTar(t, z)
		if diff := cmp.Diff(listed, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("zip", func(t *testing.T) {
		var a, b bytes.Buffer
		write(t, bundle.Zip(&a, "pg", entries, date), bundle.Zip(&b, "pg", backward(entries), date))
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Error("not the same bytes")
		}
		z, err := zip.NewReader(bytes.NewReader(a.Bytes()), int64(a.Len()))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s %s %d %s", f.Mode(), f.Name, f.Modified.Unix(), data))
		}
		if diff := cmp.Diff(listed, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func write(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func backward(entries []bundle.Entry) []bundle.Entry {
	out := slices.Clone(entries)
	slices.Reverse(out)
	return out
}

func readTar(t *testing.T, r io.Reader) (lines []string) {
	t.Helper()
	for in := tar.NewReader(r); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Gid != 0 {
			t.Errorf("%s is of %d:%d", h.Name, h.Uid, h.Gid)
		}
		lines = append(lines, fmt.Sprintf("%s %s %d %s", h.FileInfo().Mode(), h.Name, h.ModTime.Unix(), data))
	}
}

// dpkg reads the package, whose version Debian sorts before the release.
func TestDebianPackage(t *testing.T) {
	var files []bundle.Entry
	for _, name := range []string{
		"postgeo", "postgeo-mcp", "completions/postgeo.bash", "completions/_postgeo", "completions/postgeo.fish", "README.md", "LICENSE", "CHANGELOG.md",
		"man/postgeo.1", "man/postgeo-mcp.1", "THIRD_PARTY_LICENSES.txt", "docs/a/b.md", "postgeo.json",
	} {
		files = append(files, bundle.Entry{Name: name, Data: "text of " + name})
	}
	for _, name := range []string{"postgeo.service", "postgeo-pull.service", "postgeo-pull.timer"} {
		files = append(files, bundle.Entry{Name: name, Data: "ExecStart=/usr/local/bin/postgeo"})
	}
	const name = "postgeo_1.2.3~rc.1-1_arm64.deb"
	var packages [2][]byte
	for i, entries := range [][]bundle.Entry{files, backward(files)} {
		out := t.TempDir()
		write(t, bundle.Debian("v1.2.3-rc.1", out, t.TempDir(), entries))
		var err error
		packages[i], err = os.ReadFile(filepath.Join(out, name))
		write(t, err)
	}
	if !bytes.Equal(packages[0], packages[1]) {
		t.Error("not the same bytes")
	}
	dpkg, err := exec.LookPath("dpkg-deb")
	if err != nil {
		t.Skip("dpkg-deb is not installed")
	}
	path := filepath.Join(t.TempDir(), name)
	write(t, os.WriteFile(path, packages[0], 0o600))
	out, err := exec.CommandContext(t.Context(), dpkg, "--fsys-tarfile", path).Output()
	write(t, err)
	got := readTar(t, bytes.NewReader(out))
	for _, want := range []string{
		"-rwxr-xr-x ./usr/bin/postgeo 1750000000 text of postgeo",
		"-rw-r--r-- ./etc/postgeo/postgeo.json 1750000000 text of postgeo.json",
		"-rw-r--r-- ./usr/lib/systemd/system/postgeo.service 1750000000 ExecStart=/usr/bin/postgeo",
		"-rw-r--r-- ./usr/lib/systemd/system/postgeo-pull.service 1750000000 ExecStart=/usr/bin/postgeo",
		"-rw-r--r-- ./usr/lib/systemd/system/postgeo-pull.timer 1750000000 ExecStart=/usr/bin/postgeo",
		"-rw-r--r-- ./usr/share/doc/postgeo/docs/a/b.md 1750000000 text of docs/a/b.md",
		"drwxr-xr-x ./usr/share/man/man1/ 1750000000 ",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("the package lacks %q; it contains %q", want, got)
		}
	}
	for field, want := range map[string]string{"Version": "1.2.3~rc.1-1", "Architecture": "arm64", "Recommends": "ca-certificates"} {
		if out, err = exec.CommandContext(t.Context(), dpkg, "--field", path, field).Output(); err != nil || string(out) != want+"\n" {
			t.Errorf("%s is %q, %v; want %q", field, out, err, want)
		}
	}
}

// The licenses of this build's modules are recognized; TestBillOfMaterials has
// another. A text without a license has none.
func TestLicenses(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	write(t, err)
	std, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	write(t, err)
	own, err := os.ReadFile("../../../LICENSE")
	write(t, err)
	for _, tt := range []struct {
		text []byte
		want []string
	}{
		{std, []string{"BSD-3-Clause"}},
		{own, []string{"MIT"}},
		{slices.Concat(own, []byte("\n---\n"), std, own), []string{"BSD-3-Clause", "MIT"}},
		{[]byte("Permission is hereby granted, free of charge, to look at it"), nil},
		{[]byte("All rights reserved. You may not use this."), nil},
	} {
		if diff := cmp.Diff(tt.want, bundle.LicensesOf(tt.text)); diff != "" {
			t.Errorf("%.40q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// The bill of materials names the linked modules of a program.
func TestBillOfMaterials(t *testing.T) {
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	write(t, os.WriteFile(source, []byte("package main\n\nimport \"github.com/google/go-cmp/cmp\"\n\nfunc main() { print(cmp.Equal(1, 2)) }\n"), 0o600))
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, source)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bom, notices, err := bundle.BOM(t.Context(), ".", program)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		BomFormat, SpecVersion string
		Metadata               struct {
			Component struct{ PURL, Version string }
		}
		Components []struct {
			Type, Name, Version, PURL string
			Licenses                  []struct{ License struct{ ID string } }
		}
		Dependencies []struct{ DependsOn []string }
	}
	if err := json.Unmarshal(bom, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.BomFormat != "CycloneDX" || doc.SpecVersion != "1.6" || doc.Metadata.Component.PURL != "pkg:golang/github.com/postgeo/postgeo@v1.2.3" {
		t.Errorf("head: %+v", doc)
	}
	names := map[string]int{}
	for _, c := range doc.Components {
		names[c.Name]++
		if c.Name == "github.com/google/go-cmp" && (c.Licenses[0].License.ID != "BSD-3-Clause" || c.PURL != "pkg:golang/github.com/google/go-cmp@"+c.Version) {
			t.Errorf("%+v", c)
		}
	}
	if names["github.com/google/go-cmp"] != 1 || names["std"] != 1 || names["postgeo"] != 1 || len(doc.Dependencies[0].DependsOn) != len(doc.Components)-1 {
		t.Errorf("components %v, dependencies %v", names, doc.Dependencies)
	}
	if text := string(notices); !strings.Contains(text, "github.com/google/go-cmp v") || !strings.Contains(text, "The Go Authors. All rights reserved.") {
		t.Errorf("notices: %.500s", text)
	}
}

func TestUsageErrors(t *testing.T) {
	base := []string{"-version", "v1.0.0", "-revision", "abc", "-date", "1"}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-targets", "plan9/amd64"}, "unknown target \"plan9/amd64\"; must be one of linux/amd64"},
		{[]string{"-date", "yesterday"}, "expected seconds since 1970"},
		{[]string{"-version", "1.0.0"}, "expected one such as v1.2.3"},
		{[]string{"-version", "v1 0"}, "expected one such as v1.2.3"},
	} {
		if err := bundle.Run(t.Context(), slices.Concat(base, tt.args)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v", tt.args, err)
		}
	}
}

// A folder that holds something else is not emptied.
func TestForeignFolder(t *testing.T) {
	dir := t.TempDir()
	theirs := filepath.Join(dir, "notes.txt")
	for _, name := range []string{"postgeo_1.0.0_linux_amd64.tar.gz", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := bundle.Run(t.Context(), []string{"-o", dir, "-version", "v1.2.3", "-revision", "abc", "-date", "0", "-targets", "linux/amd64"})
	if err == nil || !strings.Contains(err.Error(), "notes.txt") {
		t.Errorf("got %v, want an error that names what is there", err)
	}
	if _, err := os.Stat(theirs); err != nil {
		t.Error(err)
	}
}
