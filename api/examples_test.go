package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/api"
)

// TestExamples verifies that the examples of the package documentation call
// every function and method of the list, but for exceptions, each with its
// reason, and that each example has an output, so that it runs. A name that is
// not listed yet may still wait for its example.
func TestExamples(t *testing.T) {
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	called, examples := calls(t)
	operations, missing, used := 0, map[string][]string{}, map[string]bool{}
	for line := range strings.Lines(string(data)) {
		op, ok := operation(line)
		if !ok {
			continue
		}
		if at := slices.IndexFunc(exceptions, func(e exception) bool { return e.holds(op) }); at >= 0 {
			used[exceptions[at].String()] = true
			continue
		}
		operations++
		if !called[op.pkg+" "+op.name] {
			missing[op.pkg] = append(missing[op.pkg], op.String())
		}
	}
	for pkg, names := range missing {
		t.Errorf("no Example of any package calls these %d of %s:\n\t%s", len(names), api.Module+pkg, strings.Join(names, "\n\t"))
	}
	for _, e := range exceptions {
		if !used[e.String()] {
			t.Errorf("nothing is excepted by %s; drop the line", e)
		}
	}
	if operations < 200 || examples < 90 {
		t.Errorf("only %d operations and %d examples were looked at", operations, examples)
	}
	t.Logf("%d operations, %d examples", operations, examples)
}

// An op is an exported function, or a method of a type.
type op struct{ pkg, typ, name string }

func (o op) String() string {
	if o.typ != "" {
		return o.typ + "." + o.name
	}
	return o.name
}

// operation reads a line of the list.
func operation(line string) (op, bool) {
	head, rest, _ := strings.Cut(strings.TrimPrefix(line, "pkg "+api.Module), ", ")
	kind, rest, _ := strings.Cut(rest, " ")
	o := op{pkg: head}
	switch kind {
	case "func":
		o.name = rest[:strings.IndexAny(rest, "[(")]
	case "method":
		typ, method, _ := strings.Cut(strings.TrimPrefix(rest, "("), ") ")
		o.typ = strings.TrimPrefix(typ, "*")
		o.name = method[:strings.IndexByte(method, '(')]
	default:
		return o, false
	}
	return o, true
}

// calls are the names that the examples of the module call, with the packages
// that they may be of: that of the example, and those that its file imports.
func calls(t *testing.T) (called map[string]bool, examples int) {
	t.Helper()
	called = map[string]bool{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			if strings.Contains(name, "testdata") {
				return nil
			}
			return err
		}
		var of []string
		for _, imported := range file.Imports {
			p, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				return err
			}
			if rel, ours := strings.CutPrefix(p, api.Module); ours {
				of = append(of, rel)
			}
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			switch {
			case strings.HasPrefix(f.Name.Name, "Example"):
				examples++
				if !hasOutput(file, f) {
					t.Errorf("%s: %s has no output, and so does not run", name, f.Name.Name)
				}
			case !strings.HasSuffix(name, "example_test.go"): // the calls of examples are checked with them
				continue
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					for _, pkg := range of {
						called[pkg+" "+s.Sel.Name] = true
					}
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return called, examples
}

// hasOutput reports whether a comment in the function describes its output.
func hasOutput(file *ast.File, f *ast.FuncDecl) bool {
	return slices.ContainsFunc(file.Comments, func(c *ast.CommentGroup) bool {
		text := strings.ToLower(c.Text())
		return f.Body.Pos() < c.Pos() && c.Pos() < f.Body.End() && (strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:"))
	})
}

// An exception leaves operations out: those of a package whose type and name
// match the patterns of [path.Match].
type exception struct{ pkg, typ, name, why string }

func (e exception) String() string { return e.pkg + " " + e.typ + "." + e.name }

func (e exception) holds(o op) bool {
	match := func(pattern, s string) bool {
		ok, err := path.Match(pattern, s)
		return err == nil && ok
	}
	return (e.pkg == "*" || e.pkg == o.pkg) && match(e.typ, o.typ) && match(e.name, o.name)
}

var exceptions = []exception{
	{"*", "?*", "IsZero", "of encoding/json's omitzero"},
	{"*", "*", "String", "of fmt.Stringer"},
	{"*", "?*", "Error", "of error"},
	{"*", "?*", "Unwrap", "of errors.Unwrap"},
	{"*", "?*", "Is", "of errors.Is"},
	{"*", "?*", "MarshalText", "of encoding.TextMarshaler"},
	{"*", "?*", "UnmarshalText", "of encoding.TextUnmarshaler"},
	{"*", "?*", "MarshalJSON", "of json.Marshaler"},
	{"*", "?*", "UnmarshalJSON", "of json.Unmarshaler"},
	{"*", "?*", "AppendJSON", "of envelope.Appender"},
	{"*", "?*", "AppendText", "of encoding.TextAppender"},
	{"*", "?*", "ContractCode", "of envelope.Failure"},
	{"*", "?*", "ContractMessage", "of envelope.Failure"},
}

// The documentation of a promised package begins with what it is for, and
// describes its use.
func TestPackageComments(t *testing.T) {
	for _, pkg := range promised {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.FromSlash(pkg), "doc.go"), nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Error(err)
			continue
		}
		text := file.Doc.Text()
		if !strings.HasPrefix(text, "Package "+file.Name.Name+" ") {
			t.Errorf("%s%s: the comment begins with %.30q", api.Module, pkg, text)
		}
		if !strings.Contains(text, "\n# Usage\n") {
			t.Errorf("%s%s: the comment has no section Usage", api.Module, pkg)
		}
	}
}
