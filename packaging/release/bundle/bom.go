package bundle

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A module is a module linked into a program.
type module struct {
	path, version, sum string
	licence            string // SPDX expression
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

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|unlicense)([.-].*)?$`)

// read reads the license of a module in its folder.
func read(path, version, sum, dir string) (module, error) {
	m := module{path: path, version: version, sum: sum}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return m, fmt.Errorf("license of %s: %w", path, err)
	}
	var texts bytes.Buffer
	var ids []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return m, fmt.Errorf("license of %s: %w", path, err)
		}
		fmt.Fprintf(&texts, "%s\n", bytes.TrimSpace(text))
		ids = append(ids, licencesOf(string(text))...)
	}
	slices.Sort(ids)
	m.licence = strings.Join(slices.Compact(ids), " AND ")
	if m.texts = texts.String(); m.licence == "" {
		return m, fmt.Errorf("license of %s: unknown in %s; extend licencesOf, or drop the module", path, dir)
	}
	return m, nil
}

// licencesOf recognizes licenses by their wording and returns sorted SPDX
// identifiers, or nil for an unknown text. One text may contain several.
func licencesOf(text string) (ids []string) {
	text = strings.Join(strings.Fields(text), " ")
	has := func(s string) bool { return strings.Contains(text, s) }
	for _, l := range []struct {
		id    string
		holds bool
	}{
		{"Apache-2.0", has("Apache License") && has("Version 2.0")},
		{"BSD-2-Clause", has(bsd) && !has("Neither the name") && !has("ame of the copyright holder") && !has("names of its contributors")},
		{"BSD-3-Clause", has(bsd) && (has("Neither the name") || has("ame of the copyright holder") || has("names of its contributors"))},
		{"ISC", has("Permission to use, copy, modify, and/or distribute this software") || has("Permission to use, copy, modify, and distribute this software")},
		{"MIT", has(mit) && has("The above copyright notice and this permission notice")},
		{"MIT-0", has(mit) && has("without restriction") && !has("The above copyright notice and this permission notice")},
		{"MPL-2.0", has("Mozilla Public License") && has("2.0")},
		{"Unlicense", has("This is free and unencumbered software released into the public domain")},
	} {
		if l.holds {
			ids = append(ids, l.id)
		}
	}
	return ids
}

// Beginnings of licenses that have several forms.
const (
	bsd = "Redistribution and use in source and binary forms"
	mit = "Permission is hereby granted, free of charge"
)

// unique sorts modules and leaves each once.
func unique(modules []module) []module {
	slices.SortFunc(modules, func(a, b module) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.version, b.version)) })
	return slices.CompactFunc(modules, func(a, b module) bool { return a.path == b.path && a.version == b.version })
}

// notices returns the texts of all licenses.
func notices(modules []module) []byte {
	var b bytes.Buffer
	b.WriteString("The programs are linked with these modules, under these licenses.\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "\n%s\n%s %s (%s)\n\n%s", strings.Repeat("=", 78), m.path, m.version, m.licence, m.texts)
	}
	return b.Bytes()
}

// bom is the bill of materials of a platform's programs: CycloneDX 1.6.
func (r *release) bom(t target, programs []file, modules []module) ([]byte, error) {
	type identifier struct {
		ID string `json:"id"`
	}
	type licence struct { // one of them
		License    identifier `json:"license,omitzero"`
		Expression string     `json:"expression,omitzero"`
	}
	type hash struct {
		Alg     string `json:"alg"`
		Content string `json:"content"`
	}
	type property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	type component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		PURL       string     `json:"purl,omitzero"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Licenses   []licence  `json:"licenses,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	type dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
	type document struct {
		Format   string `json:"bomFormat"`
		Spec     string `json:"specVersion"`
		Version  int    `json:"version"`
		Metadata struct {
			Timestamp string    `json:"timestamp"`
			Component component `json:"component"`
		} `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	purl := func(path, version string) string { return "pkg:golang/" + path + "@" + version }
	of := func(expression string) []licence {
		if strings.Contains(expression, " ") {
			return []licence{{Expression: expression}}
		}
		return []licence{{License: identifier{expression}}}
	}
	var d document
	d.Format, d.Spec, d.Version = "CycloneDX", "1.6", 1
	d.Metadata.Timestamp = r.date.Format(time.RFC3339)
	main := component{
		Type: "application", Ref: purl(self, r.version), Name: "postgeo", Version: r.version, PURL: purl(self, r.version), Licenses: of("MIT"),
		Properties: []property{{"platform", t.String()}, {"revision", r.revision}, {"toolchain", runtime.Version()}},
	}
	d.Metadata.Component = main
	all := dependency{Ref: main.Ref}
	for _, p := range programs {
		d.Components = append(d.Components, component{
			Type: "file", Ref: p.name, Name: p.name, Version: r.version, Hashes: []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(p.data))}},
		})
	}
	for _, m := range modules {
		c := component{Type: "library", Ref: purl(m.path, m.version), Name: m.path, Version: m.version, PURL: purl(m.path, m.version), Licenses: of(m.licence)}
		if m.sum != "" {
			c.Properties = []property{{"go.sum", m.sum}}
		}
		d.Components = append(d.Components, c)
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	d.Dependencies = []dependency{all}
	out, err := json.MarshalIndent(&d, "", "  ")
	return append(out, '\n'), err
}
