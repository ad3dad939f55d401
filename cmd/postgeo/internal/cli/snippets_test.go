package cli_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// known are the packages that a block of Go may name without importing them.
var known = []string{
	"context", "errors", "fmt", "io", "log", "net/http", "os", "slices", "time", "iter",
	"github.com/paulmach/orb",
	"github.com/postgeo/postgeo", "github.com/postgeo/postgeo/acs", "github.com/postgeo/postgeo/address", "github.com/postgeo/postgeo/billing",
	"github.com/postgeo/postgeo/internal/store", "github.com/postgeo/postgeo/enrich", "github.com/postgeo/postgeo/enrich/table",
	"github.com/postgeo/postgeo/envelope", "github.com/postgeo/postgeo/internal/export", "github.com/postgeo/postgeo/geo",
	"github.com/postgeo/postgeo/geo/geojson", "github.com/postgeo/postgeo/geo/svg", "github.com/postgeo/postgeo/lookup",
	"github.com/postgeo/postgeo/lookup/suggest", "github.com/postgeo/postgeo/radius", "github.com/postgeo/postgeo/server",
	"github.com/postgeo/postgeo/server/client",
}

// Every block of Go in the pages compiles, as a program or as the inside of a
// function that has a dataset.
func TestSnippets(t *testing.T) {
	skipShort(t)
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string]string{}
	dir := t.TempDir()
	add := func(name, text string) {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(top, "docs", "snippets", filepath.FromSlash(name))] = file
	}
	blocks := 0
	for _, p := range pages(t) {
		for _, f := range p.fence {
			if f.language != "go" {
				continue
			}
			blocks++
			name := fmt.Sprintf("%s_%d", strings.TrimSuffix(strings.ReplaceAll(p.name, "/", "_"), ".md"), f.line)
			if strings.HasPrefix(strings.TrimSpace(f.text), "package ") {
				add("program"+name+"/main.go", f.text)
				continue
			}
			text, err := function("snippet", f.text)
			if err != nil {
				t.Errorf("%s, line %d: %v", p.name, f.line, err)
				continue
			}
			add("in"+name+"/snippet.go", text)
		}
	}
	if blocks < 5 {
		t.Fatalf("only %d blocks of Go were found", blocks)
	}
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-overlay", file, "./docs/snippets/...")
	cmd.Dir = top
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("blocks of Go in the pages: %v\n%s", err, out)
	}
}

// function makes a file of statements: what they use is imported or given, and
// what they make counts as used.
func function(name, body string) (string, error) {
	const head = "package snippets\n\nfunc f() error {\n"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", head+body+"\nreturn nil\n}\n", 0)
	if err != nil {
		return "", err
	}
	made, used := map[string]bool{}, map[string]bool{}
	block := file.Decls[0].(*ast.FuncDecl).Body
	for _, s := range block.List {
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, l := range a.Lhs {
				made[l.(*ast.Ident).Name] = true
			}
		}
	}
	ast.Inspect(block, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", name)
	imported := map[string]bool{}
	for _, p := range known {
		if base := path.Base(p); (used[base] || slices.Contains([]string{"context", "io", "orb", "postgeo"}, base)) && !made[base] {
			fmt.Fprintf(&b, "\t%q\n", p)
			imported[base] = true
		}
	}
	b.WriteString(")\n\nfunc show(ctx context.Context, db *postgeo.DB, w io.Writer, g orb.Geometry, code, key string, codes, fields []string) error {\n")
	b.WriteString(body)
	for name := range made {
		if name != "_" {
			fmt.Fprintf(&b, "\t_ = %s\n", name)
		}
	}
	b.WriteString("\treturn nil\n}\n")
	return b.String(), nil
}
