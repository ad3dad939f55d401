package bundle

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/licensecheck"
)

// A module is a module linked into a program.
type module struct {
	path, version, sum string
	license            string // SPDX expression
	texts              string // of its license and notices
}

// self is the path of the module that is released.
const self = "github.com/postgeo/postgeo"

// modulesOf returns the modules linked into a program, including the standard
// library. Their licenses come from the module cache.
func modulesOf(ctx context.Context, dir, path string) ([]module, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	std, err := read("std", strings.TrimPrefix(info.GoVersion, "go"), "", strings.TrimSpace(string(root)))
	if err != nil {
		return nil, err
	}
	out := []module{std}
	for _, m := range info.Deps {
		if m.Path == self {
			continue
		}
		cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", m.Path)
		cmd.Dir = dir
		where, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list -m %s: %w", m.Path, err)
		}
		part, err := read(m.Path, m.Version, m.Sum, strings.TrimSpace(string(where)))
		if err != nil {
			return nil, err
		}
		out = append(out, part)
	}
	return out, nil
}

var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|unlicense)([.-].*)?$`)

func read(path, version, sum, dir string) (module, error) {
	m := module{path: path, version: version, sum: sum}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return m, fmt.Errorf("license of %s: %w", path, err)
	}
	var texts bytes.Buffer
	var ids []string
	for _, e := range entries {
		if e.IsDir() || !licenseFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return m, fmt.Errorf("license of %s: %w", path, err)
		}
		fmt.Fprintf(&texts, "%s\n", bytes.TrimSpace(text))
		ids = append(ids, licensesOf(text)...)
	}
	slices.Sort(ids)
	m.license = strings.Join(slices.Compact(ids), " AND ")
	if m.texts = texts.String(); m.license == "" {
		return m, fmt.Errorf("license of %s: unknown in %s; extend licensesOf, or drop the module", path, dir)
	}
	return m, nil
}

// licensesOf returns the sorted SPDX identifiers of the licenses in a text, or
// nil if no license covers most of it.
func licensesOf(text []byte) (ids []string) {
	cover := licensecheck.Scan(text)
	for _, m := range cover.Match {
		if !m.IsURL && !slices.Contains(ids, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// unique sorts modules and leaves each once.
func unique(modules []module) []module {
	slices.SortFunc(modules, func(a, b module) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.version, b.version)) })
	return slices.CompactFunc(modules, func(a, b module) bool { return a.path == b.path && a.version == b.version })
}

func notices(modules []module) []byte {
	var b bytes.Buffer
	b.WriteString("The programs are linked with these modules, under these licenses.\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "\n%s\n%s %s (%s)\n\n%s", strings.Repeat("=", 78), m.path, m.version, m.license, m.texts)
	}
	return b.Bytes()
}

// bom returns the bill of materials of a platform's programs in CycloneDX 1.6.
func (r *release) bom(t target, programs []file, modules []module) ([]byte, error) {
	purl := func(path, version string) string { return "pkg:golang/" + path + "@" + version }
	licenses := func(expression string) *cyclonedx.Licenses {
		if strings.Contains(expression, " ") {
			return &cyclonedx.Licenses{{Expression: expression}}
		}
		return &cyclonedx.Licenses{{License: &cyclonedx.License{ID: expression}}}
	}
	main := cyclonedx.Component{
		Type: cyclonedx.ComponentTypeApplication, BOMRef: purl(self, r.version), Name: "postgeo", Version: r.version, PackageURL: purl(self, r.version), Licenses: licenses("MIT"),
		Properties: &[]cyclonedx.Property{{Name: "platform", Value: t.String()}, {Name: "revision", Value: r.revision}, {Name: "toolchain", Value: runtime.Version()}},
	}
	var components []cyclonedx.Component
	var refs []string
	for _, p := range programs {
		components = append(components, cyclonedx.Component{
			Type: cyclonedx.ComponentTypeFile, BOMRef: p.name, Name: p.name, Version: r.version,
			Hashes: &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: fmt.Sprintf("%x", sha256.Sum256(p.data))}},
		})
	}
	for _, m := range modules {
		c := cyclonedx.Component{
			Type: cyclonedx.ComponentTypeLibrary, BOMRef: purl(m.path, m.version), Name: m.path, Version: m.version, PackageURL: purl(m.path, m.version), Licenses: licenses(m.license),
		}
		if m.sum != "" {
			c.Properties = &[]cyclonedx.Property{{Name: "go.sum", Value: m.sum}}
		}
		components = append(components, c)
		refs = append(refs, c.BOMRef)
	}
	doc := cyclonedx.NewBOM()
	doc.Metadata = &cyclonedx.Metadata{Timestamp: r.date.Format(time.RFC3339), Component: &main}
	doc.Components = &components
	doc.Dependencies = &[]cyclonedx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	var out bytes.Buffer
	err := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(doc, cyclonedx.SpecVersion1_6)
	return out.Bytes(), err
}
