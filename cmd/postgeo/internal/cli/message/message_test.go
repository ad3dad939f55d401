package message_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

// prints are the functions that format a message for standard error, with the
// index of the format.
var prints = map[string]int{"Usage": 0, "UsageOf": 1, "Failure": 0, "Report": 0, "Fail": 0, "Missing": 0, "MissingOfMany": 0, "Incomplete": 0}

// Every message of the command line is in the table, every entry is used, and the
// list of all is a golden file.
func TestTable(t *testing.T) {
	table := entries(t)
	var b strings.Builder
	for _, e := range table {
		fmt.Fprintf(&b, "%s\n\t%s\n", e.name, e.text)
	}
	const golden = "testdata/messages.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got); rewrite with -update if it is meant:\n%s", golden, diff)
	}

	used := map[string]bool{}
	walk(t, func(set *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "message" {
					used[n.Sel.Name] = true
				}
			case *ast.CallExpr:
				if text := inline(n); text != "" {
					t.Errorf("%s: the message %s is not in the table", set.Position(n.Pos()), text)
				}
			}
			return true
		})
	})
	for _, e := range table {
		if !used[e.name] {
			t.Errorf("message %s is not used", e.name)
		}
	}
}

// inline returns the format of a call whose message is not in the table, or "".
func inline(call *ast.CallExpr) string {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	index, ok := prints[name]
	if !ok || index >= len(call.Args) {
		return ""
	}
	format, ok := call.Args[index].(*ast.BasicLit)
	if !ok || slices.Contains([]string{`"%s"`, `"%v"`}, format.Value) {
		return ""
	}
	return format.Value
}

type entry struct{ name, text string }

// entries lists the table in its order.
func entries(t *testing.T) []entry {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "message.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []entry
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, entry{spec.Names[0].Name, text})
		}
	}
	return list
}

// walk parses the files of the command line without tests.
func walk(t *testing.T, visit func(*token.FileSet, *ast.File)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err == nil {
			visit(set, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
