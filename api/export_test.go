package api

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Module is the path of the module.
const Module = "github.com/postgeo/postgeo"

// List returns a line for everything that the packages below root export. It
// reads declarations as they are written and does not resolve types.
func List(root string) ([]string, error) {
	var lines []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if base := d.Name(); name != root && (base == "internal" || base == "testdata" || base == "cmd" || base == "examples" || base == "bench" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != root {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		found, err := listPackage(name, path.Join(Module, filepath.ToSlash(rel)))
		lines = append(lines, found...)
		return err
	})
	slices.Sort(lines)
	return slices.Compact(lines), err
}

// listPackage lists the package in a folder; nothing for a program.
func listPackage(dir, importPath string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var lines []string
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if f.Name.Name == "main" {
			return nil, nil
		}
		l := lister{fset: fset, pkg: "pkg " + importPath + ", "}
		for _, d := range f.Decls {
			l.decl(d)
		}
		lines = append(lines, l.lines...)
	}
	return lines, nil
}

type lister struct {
	fset   *token.FileSet
	pkg    string
	public func(string) string // replaces the names of types; may be nil
	lines  []string
}

func (l *lister) add(format string, args ...any) {
	l.lines = append(l.lines, l.pkg+fmt.Sprintf(format, args...))
}

// text returns source on one line.
func (l *lister) text(node any) string { return strings.Join(strings.Fields(l.source(node)), " ") }

// types returns the source of a type on one line, with public names.
func (l *lister) types(node any) string {
	if text := l.text(node); l.public == nil {
		return text
	} else {
		return l.public(text)
	}
}

func (l *lister) source(node any) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, l.fset, node); err != nil {
		panic(err) // it was parsed
	}
	return b.String()
}

func (l *lister) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		l.function(d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					l.typeSpec(spec)
				}
			case *ast.ValueSpec:
				l.values(d.Tok.String(), spec)
			}
		}
	}
}

func (l *lister) function(d *ast.FuncDecl) {
	if !d.Name.IsExported() {
		return
	}
	bare := &ast.FuncType{TypeParams: d.Type.TypeParams, Params: unnamed(d.Type.Params), Results: unnamed(d.Type.Results)}
	signature := strings.TrimPrefix(l.types(bare), "func")
	if d.Recv == nil {
		l.add("func %s%s", d.Name.Name, signature)
		return
	}
	receiver := l.types(d.Recv.List[0].Type)
	if base := strings.TrimLeft(receiver, "*"); ast.IsExported(base) {
		l.add("method (%s) %s%s", receiver, d.Name.Name, signature)
	}
}

// unnamed leaves the names of parameters out, which callers do not see.
func unnamed(fields *ast.FieldList) *ast.FieldList {
	if fields == nil {
		return nil
	}
	out := &ast.FieldList{}
	for _, f := range fields.List {
		for range max(1, len(f.Names)) {
			out.List = append(out.List, &ast.Field{Type: f.Type})
		}
	}
	return out
}

func (l *lister) typeSpec(spec *ast.TypeSpec) {
	name := l.types(spec.Name)
	if spec.TypeParams != nil {
		var params []string
		for _, p := range spec.TypeParams.List {
			for _, n := range p.Names {
				params = append(params, n.Name+" "+l.types(p.Type))
			}
		}
		name += "[" + strings.Join(params, ", ") + "]"
	}
	switch t := spec.Type.(type) {
	case *ast.StructType:
		l.add("type %s struct", name)
		for _, f := range t.Fields.List {
			typ := l.types(f.Type)
			if len(f.Names) == 0 {
				if ast.IsExported(typ[strings.LastIndexAny(typ, ".*")+1:]) {
					l.add("type %s struct, embeds %s", name, typ)
				}
				continue
			}
			for _, n := range f.Names {
				if n.IsExported() {
					l.add("type %s struct, %s %s", name, n.Name, typ)
				}
			}
		}
	case *ast.InterfaceType:
		l.add("type %s interface", name)
		for _, m := range t.Methods.List {
			if f, ok := m.Type.(*ast.FuncType); ok && len(m.Names) == 1 {
				bare := &ast.FuncType{Params: unnamed(f.Params), Results: unnamed(f.Results)}
				l.add("type %s interface, %s%s", name, m.Names[0].Name, strings.TrimPrefix(l.types(bare), "func"))
			} else {
				l.add("type %s interface, embeds %s", name, l.types(m.Type))
			}
		}
	default:
		equals := " "
		if spec.Assign.IsValid() {
			equals = " = "
		}
		l.add("type %s%s%s", name, equals, l.types(spec.Type))
	}
}

func (l *lister) values(kind string, spec *ast.ValueSpec) {
	for i, n := range spec.Names {
		if !n.IsExported() {
			continue
		}
		line := kind + " " + n.Name
		if spec.Type != nil {
			line += " " + l.types(spec.Type)
		}
		if kind == "const" && i < len(spec.Values) {
			if _, literal := spec.Values[i].(*ast.BasicLit); literal {
				line += " = " + l.text(spec.Values[i])
			}
		}
		l.add("%s", line)
	}
}
