package api

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Aliases returns the file types.go of each folder below root that names.txt lists.
// It declares an alias for each name, with the comment and the declaration of the
// type, without tags and methods of encodings.
func Aliases(root, names string) (map[string][]byte, error) {
	a, err := newAliaser(root, names)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for dir, list := range a.names {
		if files[filepath.Join(root, filepath.FromSlash(dir), "types.go")], err = a.file(dir, list); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// newAliaser reads names.txt.
func newAliaser(root, names string) (*aliaser, error) {
	a := &aliaser{root: root, packages: map[string]*sources{}, names: map[string][]alias{}}
	for line := range strings.Lines(names) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		if len(f) < 3 || len(f) > 4 || !strings.Contains(f[2], ".") {
			return nil, fmt.Errorf("%q: expected a folder, a name, a type and perhaps a prefix", line)
		}
		at := strings.LastIndexByte(f[2], '.')
		x := alias{name: f[1], dir: f[2][:at], typ: f[2][at+1:]}
		if x.canonical = a.canonical(x.dir, x.typ); len(f) == 4 {
			x.constants, x.prefix = true, strings.Trim(f[3], "-")
		}
		a.names[f[0]] = append(a.names[f[0]], x)
	}
	return a, nil
}

// named reports whether a public package names a type or the type behind its alias.
func (a *aliaser) named(dir, typ string) bool {
	canonical := a.canonical(dir, typ)
	for _, list := range a.names {
		if slices.ContainsFunc(list, func(x alias) bool { return x.canonical == canonical }) {
			return true
		}
	}
	return false
}

// An alias names a type of a folder below the root.
type alias struct {
	name, dir, typ string
	canonical      string // folder and name behind aliases of internal packages
	constants      bool   // declares the type's constants
	prefix         string // of their names
}

type aliaser struct {
	root     string
	packages map[string]*sources // by folder below root
	names    map[string][]alias  // by folder below root
	dir      string              // folder of the file
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

// file writes the aliases of a folder.
func (a *aliaser) file(dir string, list []alias) ([]byte, error) {
	a.dir = dir
	imports := map[string]bool{}
	var body bytes.Buffer
	for _, x := range list {
		doc, block, err := a.describe(x.dir, x.typ)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.name, err)
		}
		if doc == "" {
			return nil, fmt.Errorf("%s.%s has no comment", x.dir, x.typ)
		}
		if full := x.dir + "." + x.typ; !slices.Contains(opaque, full) && !slices.Contains(texts, full) {
			doc += "\n" + block
		}
		body.WriteByte('\n')
		for line := range strings.Lines(strings.TrimSuffix(doc, "\n")) {
			body.WriteString(strings.TrimRight("// "+strings.TrimSuffix(line, "\n"), " ") + "\n")
		}
		imports[x.dir] = true
		fmt.Fprintf(&body, "type %s = %s.%s\n", x.name, path.Base(x.dir), x.typ)
		if x.constants {
			a.declareConstants(&body, x)
		}
	}
	var b bytes.Buffer
	pkg := "postgeo"
	if dir != "." {
		pkg = path.Base(dir)
	}
	fmt.Fprintf(&b, "// Code generated from api/names.txt by \"go test ./api -update\"; DO NOT EDIT.\n\npackage %s\n\nimport (\n", pkg)
	for _, of := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&b, "\t%q\n", path.Join(Module, of))
	}
	b.WriteString(")\n")
	b.Write(body.Bytes())
	return format.Source(b.Bytes())
}

// declareConstants writes the constants of a type under their public names.
func (a *aliaser) declareConstants(b *bytes.Buffer, x alias) {
	dir := x.canonical[:strings.LastIndexByte(x.canonical, '.')]
	fmt.Fprintf(b, "\n// The values of [%s].\nconst (\n", x.name)
	for _, c := range a.packages[dir].constants(x.canonical[len(dir)+1:]) {
		fmt.Fprintf(b, "%s%s = %s.%s\n", x.prefix, c, path.Base(x.dir), c)
	}
	b.WriteString(")\n")
}

// name returns the public name of a type, or "".
func (a *aliaser) name(dir, typ string) string {
	canonical := a.canonical(dir, typ)
	for _, of := range []string{a.dir, "."} {
		for _, x := range a.names[of] {
			switch {
			case x.canonical != canonical:
			case of != a.dir:
				return "postgeo." + x.name
			default:
				return x.name
			}
		}
	}
	return ""
}

var typeName = regexp.MustCompile(`(?:\b([a-z]\w*)\.)?\b([A-Z]\w*)\b`)

// public replaces the types of internal packages in Go source text by their public
// names.
func (a *aliaser) public(dir string, file *ast.File, text string) string {
	return typeName.ReplaceAllStringFunc(text, func(s string) string {
		of, name := dir, s
		if pkg, typ, ok := strings.Cut(s, "."); ok {
			if of, name, ok = imported(file, &ast.SelectorExpr{X: ast.NewIdent(pkg), Sel: ast.NewIdent(typ)}); !ok {
				return s
			}
		}
		return cmp.Or(a.name(of, name), s)
	})
}

// canonical returns the folder and the name of a type behind the aliases of
// internal packages.
func (a *aliaser) canonical(dir, typ string) string {
	for {
		of, name, ok := a.target(dir, typ)
		if !ok {
			return dir + "." + typ
		}
		dir, typ = of, name
	}
}

// target returns the type that an alias in an internal package names.
func (a *aliaser) target(dir, name string) (of, typ string, ok bool) {
	s, err := a.load(dir)
	if err != nil {
		return "", "", false
	}
	file, spec, _ := s.find(name)
	if spec == nil {
		return "", "", false
	}
	return imported(file, spec.Type)
}

// find returns the declaration of a type.
func (s *sources) find(name string) (*ast.File, *ast.TypeSpec, *ast.CommentGroup) {
	for _, file := range s.files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, sp := range decl.Specs {
				if spec := sp.(*ast.TypeSpec); spec.Name.Name == name {
					if spec.Doc != nil {
						return file, spec, spec.Doc
					}
					return file, spec, decl.Doc
				}
			}
		}
	}
	return nil, nil, nil
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

// describe returns the comment of a type under its public name, and its declaration
// with its constants, its methods and the types that it embeds.
func (a *aliaser) describe(dir, name string) (doc, block string, err error) {
	s, err := a.load(dir)
	if err != nil {
		return "", "", err
	}
	file, spec, comment := s.find(name)
	if spec == nil {
		return "", "", fmt.Errorf("package %s has no type %s", dir, name)
	}
	if of, typ, ok := imported(file, spec.Type); ok {
		if _, block, err = a.describe(of, typ); err != nil {
			return "", "", err
		}
	} else if block, err = a.declaration(s, dir, file, spec); err != nil {
		return "", "", err
	}
	doc = comment.Text()
	if public := a.name(dir, name); public != "" {
		doc = regexp.MustCompile(`^((?:A|An) )?`+name+`\b`).ReplaceAllStringFunc(doc, func(s string) string {
			if s == name {
				return public
			}
			if strings.ContainsRune("AEIO", rune(public[0])) {
				return "An " + public
			}
			return "A " + public
		})
	}
	doc = a.links(dir, doc)
	return doc, a.links(dir, block), nil
}

var link = regexp.MustCompile(`\[([A-Z]\w*)`)

// links replaces the links to types of a package by those to their public names.
func (a *aliaser) links(dir, text string) string {
	return link.ReplaceAllStringFunc(text, func(s string) string { return "[" + cmp.Or(a.name(dir, s[1:]), s[1:]) })
}

func (a *aliaser) declaration(s *sources, dir string, file *ast.File, spec *ast.TypeSpec) (string, error) {
	var b strings.Builder
	var embedded []string
	l := lister{fset: s.fset}
	public := cmp.Or(a.name(dir, spec.Name.Name), spec.Name.Name)
	if t, ok := spec.Type.(*ast.StructType); ok {
		b.WriteString("type " + public + " struct {\n")
		for _, f := range t.Fields.List {
			text, err := a.field(dir, file, &l, f)
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
			_, more, err := a.describe(of, name)
			if err != nil {
				return "", err
			}
			embedded = append(embedded, more)
		}
		b.WriteString("}\n")
	} else {
		b.WriteString("type " + public + " " + a.public(dir, file, l.source(spec.Type)) + "\n")
	}
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return "", err
	}
	var block strings.Builder
	for line := range strings.Lines(string(text) + a.methods(s, dir, spec.Name.Name)) {
		block.WriteString("\t" + line)
	}
	return block.String() + strings.Join(embedded, ""), nil
}

// field returns an exported field with its comment and without its tag.
func (a *aliaser) field(dir string, file *ast.File, l *lister, f *ast.Field) (string, error) {
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
	b.WriteString(strings.Join(names, ", ") + " " + a.public(dir, file, typ))
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
func (s *sources) constants(typ string) (names []string) {
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
	return names
}

// texts are types of text whose constants have no public names.
var texts = []string{"internal/envelope.Code"}

// plumbing are the methods of encodings, which callers do not call.
var plumbing = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "AppendText"}

// methods lists the other exported methods of a type.
func (a *aliaser) methods(s *sources, dir, typ string) string {
	var b strings.Builder
	for _, name := range s.sorted() {
		for _, d := range s.files[name].Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() || slices.Contains(plumbing, f.Name.Name) || isOurs(typ, f.Name.Name) {
				continue
			}
			l := lister{fset: s.fset}
			if strings.TrimLeft(l.text(f.Recv.List[0].Type), "*") != typ {
				continue
			}
			text := a.public(dir, s.files[name], l.source(&ast.FuncDecl{Recv: f.Recv, Name: ast.NewIdent("_"), Type: f.Type}))
			b.WriteString(strings.Replace(text, " _(", " "+f.Name.Name+"(", 1) + "\n")
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
