package postgeo_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notPublic are the folders without public packages.
var notPublic = regexp.MustCompile(`(^|/)(internal|testdata|bench|bindings|bin|cmd|dist|docs|examples|packaging|scripts|attack|explorer|\..+)(/|$)`)

// Each public package and exported name has a comment, and each exported field whose type
// does not describe it, so that "go doc PACKAGE.Type.Name" does.
func TestDocumented(t *testing.T) {
	packages := map[string][]*ast.File{}
	set := token.NewFileSet()
	if err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch dir := filepath.ToSlash(filepath.Dir(path)); {
		case err != nil:
			return err
		case d.IsDir() && path != "." && notPublic.MatchString(filepath.ToSlash(path)):
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
			packages[dir] = append(packages[dir], f)
			return err
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for path, files := range packages {
		check := func(name, comment string) {
			if strings.TrimSpace(comment) == "" {
				t.Errorf("%s: %s has no comment", path, name)
			}
		}
		p, err := doc.NewFromFiles(set, files, path)
		if err != nil {
			t.Fatal(err)
		}
		check("the package", p.Doc)
		for _, of := range append(p.Types, &doc.Type{Name: path, Doc: p.Doc, Decl: new(ast.GenDecl), Funcs: p.Funcs}) {
			check(of.Name, of.Doc)
			for _, f := range append(of.Funcs, of.Methods...) {
				check(of.Name+"."+f.Name, f.Doc)
			}
			ast.Inspect(of.Decl, func(n ast.Node) bool {
				s, ok := n.(*ast.StructType)
				if !ok {
					return true
				}
				for _, f := range s.Fields.List {
					if len(f.Names) > 0 && f.Names[0].IsExported() && isPlain(f.Type) {
						check(of.Name+"."+f.Names[0].Name, f.Doc.Text()+f.Comment.Text())
					}
				}
				return true
			})
		}
	}
}

// isPlain reports whether a field has a predeclared type, which describes nothing.
func isPlain(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.StarExpr:
		return isPlain(t.X)
	case *ast.ArrayType:
		return isPlain(t.Elt)
	case *ast.Ident:
		return !t.IsExported()
	}
	return false
}

// A program that imports the library links no clocks, server, builder or command, and one
// that calls a server links neither the library nor SQLite.
func TestLinks(t *testing.T) {
	const module = "github.com/postgeo/postgeo"
	for name, denied := range map[string][]string{
		".": {
			"time/tzdata", "net/http", module + "/dataset/builder", module + "/billing", module + "/enrich", module + "/server",
			module + "/internal/operation", module + "/internal/source",
		},
		"./server/client": {module, module + "/internal/store/sqlite", "modernc.org/sqlite", "database/sql", module + "/server", module + "/billing"},
	} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", name).Output()
		if err != nil {
			t.Skipf("go list: %v", err)
		}
		linked := strings.Fields(string(out))
		for _, p := range denied {
			if slices.Contains(linked, p) {
				t.Errorf("%s links %s", name, p)
			}
		}
	}
}
