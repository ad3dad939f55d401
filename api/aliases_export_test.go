package api

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Aliases returns the Go files in a folder below root whose comments change if each
// alias of a type repeats the declaration of its type. The declaration is an
// indented block at the end of the comment, without tags and methods of encodings.
func Aliases(root, dir string) (map[string][]byte, error) {
	a := aliaser{root: root, packages: map[string]*sources{}}
	here, err := a.load(dir)
	if err != nil {
		return nil, err
	}
	changed := map[string][]byte{}
	for name, file := range here.files {
		was, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text, err := a.rewrite(here.fset, file, was)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(text, was) {
			changed[name] = text
		}
	}
	return changed, nil
}

type aliaser struct {
	root     string
	packages map[string]*sources // by folder below root
}

// sources are the parsed files of a package.
type sources struct {
	fset  *token.FileSet
	files map[string]*ast.File
}

func (a *aliaser) load(dir string) (*sources, error) {
	if s := a.packages[dir]; s != nil {
		return s, nil
	}
	names, err := filepath.Glob(filepath.Join(a.root, filepath.FromSlash(dir), "*.go"))
	if err != nil {
		return nil, err
	}
	s := &sources{fset: token.NewFileSet(), files: map[string]*ast.File{}}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if s.files[name], err = parser.ParseFile(s.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return nil, err
		}
	}
	a.packages[dir] = s
	return s, nil
}

// rewrite replaces the blocks of one file.
func (a *aliaser) rewrite(fset *token.FileSet, file *ast.File, text []byte) ([]byte, error) {
	for _, d := range slices.Backward(file.Decls) {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE || decl.Doc == nil || len(decl.Specs) != 1 {
			continue
		}
		spec := decl.Specs[0].(*ast.TypeSpec)
		dir, name, ok := imported(file, spec.Type)
		if !ok || !spec.Assign.IsValid() || slices.Contains(opaque, dir+"."+name) || slices.Contains(texts, dir+"."+name) {
			continue
		}
		block, err := a.describe(dir, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", spec.Name.Name, err)
		}
		var doc bytes.Buffer
		for _, c := range decl.Doc.List {
			if c.Text == "//" || strings.HasPrefix(c.Text, "//\t") {
				break
			}
			fmt.Fprintln(&doc, c.Text)
		}
		doc.WriteString("//\n")
		for line := range strings.Lines(block) {
			doc.WriteString("//\t" + line)
		}
		from, to := fset.Position(decl.Doc.Pos()).Offset, fset.Position(decl.Pos()).Offset
		text = slices.Concat(text[:from], doc.Bytes(), text[to:])
	}
	return text, nil
}

// imported returns the folder and the name of a type of another package of the
// module.
func imported(file *ast.File, typ ast.Expr) (dir, name string, ok bool) {
	s, ok := typ.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	pkg, ok := s.X.(*ast.Ident)
	if !ok {
		return "", "", false
	}
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return "", "", false
		}
		if rel, ours := strings.CutPrefix(path, Module+"/"); ours && (rel == pkg.Name || strings.HasSuffix(rel, "/"+pkg.Name)) {
			return rel, s.Sel.Name, true
		}
	}
	return "", "", false
}

// describe returns the declarations of a type, of its constants and methods, and
// of the types that it embeds.
func (a *aliaser) describe(dir, name string) (string, error) {
	s, err := a.load(dir)
	if err != nil {
		return "", err
	}
	for _, file := range s.files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, sp := range decl.Specs {
				spec := sp.(*ast.TypeSpec)
				if spec.Name.Name != name {
					continue
				}
				if dir, name, ok := imported(file, spec.Type); ok {
					return a.describe(dir, name)
				}
				return a.declaration(s, dir, file, spec)
			}
		}
	}
	return "", fmt.Errorf("package %s has no type %s", dir, name)
}

func (a *aliaser) declaration(s *sources, dir string, file *ast.File, spec *ast.TypeSpec) (string, error) {
	var b strings.Builder
	var embedded []string
	l := lister{fset: s.fset}
	if t, ok := spec.Type.(*ast.StructType); ok {
		b.WriteString("type " + spec.Name.Name + " struct {\n")
		for _, f := range t.Fields.List {
			text, err := a.field(&l, f)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
			if len(f.Names) > 0 || text == "" {
				continue
			}
			of, name, ok := imported(file, f.Type)
			if !ok {
				of, name = dir, strings.TrimLeft(l.text(f.Type), "*")
			}
			more, err := a.describe(of, name)
			if err != nil {
				return "", err
			}
			embedded = append(embedded, more)
		}
		b.WriteString("}\n")
	} else {
		b.WriteString("type " + spec.Name.Name + " " + l.source(spec.Type) + "\n")
	}
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return "", err
	}
	return string(text) + s.constants(spec.Name.Name) + s.methods(spec.Name.Name) + strings.Join(embedded, ""), nil
}

// field returns an exported field with its comment and without its tag.
func (a *aliaser) field(l *lister, f *ast.Field) (string, error) {
	names := make([]string, 0, len(f.Names))
	for _, n := range f.Names {
		if n.IsExported() {
			names = append(names, n.Name)
		}
	}
	typ := l.text(f.Type)
	if len(names) == 0 && (len(f.Names) > 0 || !ast.IsExported(typ[strings.LastIndexAny(typ, ".*")+1:])) {
		return "", nil
	}
	var b strings.Builder
	for _, c := range comments(f.Doc) {
		b.WriteString(c + "\n")
	}
	b.WriteString(strings.Join(names, ", ") + " " + typ)
	for _, c := range comments(f.Comment) {
		b.WriteString(" " + c)
	}
	return b.String() + "\n", nil
}

func comments(g *ast.CommentGroup) (list []string) {
	if g != nil {
		for _, c := range g.List {
			list = append(list, c.Text)
		}
	}
	return list
}

// constants lists the exported constants of a type.
func (s *sources) constants(typ string) string {
	var names []string
	for _, name := range s.sorted() {
		for _, d := range s.files[name].Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.CONST {
				continue
			}
			of := ""
			for _, sp := range decl.Specs {
				spec := sp.(*ast.ValueSpec)
				if id, ok := spec.Type.(*ast.Ident); ok {
					of = id.Name
				} else if len(spec.Values) > 0 {
					of = ""
				}
				for _, n := range spec.Names {
					if of == typ && n.IsExported() {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "const " + strings.Join(names, ", ") + "\n"
}

// texts are types of text whose constants have no public names.
var texts = []string{"internal/envelope.Code"}

// plumbing are the methods of encodings, which callers do not call.
var plumbing = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "AppendJSON", "AppendText", "JSONShape"}

// methods lists the other exported methods of a type.
func (s *sources) methods(typ string) string {
	var b strings.Builder
	for _, name := range s.sorted() {
		for _, d := range s.files[name].Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() || slices.Contains(plumbing, f.Name.Name) {
				continue
			}
			l := lister{fset: s.fset}
			if strings.TrimLeft(l.text(f.Recv.List[0].Type), "*") != typ {
				continue
			}
			b.WriteString(l.source(&ast.FuncDecl{Recv: f.Recv, Name: f.Name, Type: f.Type}) + "\n")
		}
	}
	return b.String()
}

func (s *sources) sorted() []string {
	var names []string
	for name := range s.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
