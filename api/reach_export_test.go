package api

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
)

// Reachable replaces the aliases in a list of promised packages by their types'
// exported fields and methods, under public names. It adds the internal types that
// parameters, results and fields show. unnamed are those without a public name.
func Reachable(root string, promised, list []string, names string) (lines, unnamed []string, err error) {
	a, err := newAliaser(root, names)
	if err != nil {
		return nil, nil, err
	}
	r := reacher{aliaser: a, seen: map[string]bool{}, expanded: map[string]bool{}}
	for _, dir := range promised {
		dir = strings.TrimPrefix(dir, "/")
		s, err := r.load(dir)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range s.sorted() {
			for _, d := range s.files[name].Decls {
				r.promise(dir, s.files[name], d)
			}
		}
	}
	for len(r.queue) > 0 {
		next := r.queue[0]
		r.queue = r.queue[1:]
		if slices.Contains(opaque, next[0]+"."+next[1]) {
			continue
		}
		if !r.named(next[0], next[1]) {
			unnamed = append(unnamed, next[0]+"."+next[1])
		}
		if err := r.follow(next[0], next[1]); err != nil {
			return nil, nil, err
		}
	}
	r.lines = append(r.lines, slices.DeleteFunc(list, func(line string) bool {
		before, _, ok := strings.Cut(line, " = ")
		return ok && r.expanded[before]
	})...)
	slices.Sort(r.lines)
	return slices.Compact(r.lines), unnamed, nil
}

// A reacher follows types from declaration to declaration.
type reacher struct {
	*aliaser
	seen     map[string]bool
	queue    [][2]string // folder and name
	lines    []string
	expanded map[string]bool // declarations of aliases whose types are listed
}

// add queues a type of an internal package once.
func (r *reacher) add(dir, name string) {
	if key := dir + "." + name; ast.IsExported(name) && strings.HasPrefix(dir, "internal/") && !r.seen[key] {
		r.seen[key] = true
		r.queue = append(r.queue, [2]string{dir, name})
	}
}

// types queues the types that an expression names.
func (r *reacher) types(dir string, file *ast.File, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field: // not its name
			r.types(dir, file, n.Type)
			return false
		case *ast.SelectorExpr:
			if of, name, ok := imported(file, n); ok {
				r.add(of, name)
			}
			return false
		case *ast.Ident:
			r.add(dir, n.Name)
		}
		return true
	})
}

// promise queues the types that an exported declaration shows.
func (r *reacher) promise(dir string, file *ast.File, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(r.receiver(dir, d))) {
			r.types(dir, file, d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					r.fields(dir, file, spec.Type)
				}
			case *ast.ValueSpec:
				if spec.Type != nil && spec.Names[0].IsExported() {
					r.types(dir, file, spec.Type)
				}
			}
		}
	}
}

// receiver returns the name of a method's type.
func (r *reacher) receiver(dir string, d *ast.FuncDecl) string {
	l := lister{fset: r.packages[dir].fset}
	name, _, _ := strings.Cut(strings.TrimLeft(l.text(d.Recv.List[0].Type), "*"), "[")
	return name
}

// fields queues the types of exported and embedded fields.
func (r *reacher) fields(dir string, file *ast.File, typ ast.Expr) {
	s, ok := typ.(*ast.StructType)
	if !ok {
		r.types(dir, file, typ)
		return
	}
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 || slices.ContainsFunc(f.Names, (*ast.Ident).IsExported) {
			r.types(dir, file, f.Type)
		}
	}
}

// ours are methods that only the packages of this module call, of all types or of
// one. They are exported and not promised.
var ours = []string{
	"AppendJSON", "AppendMembers", "AppendPieces", "JSONShape", "SetInput", // to write results
	"Areas.Delivered", "Areas.Unavailable", "Auto.MaxMiles", "Include.Enrichments", "Include.Families", "Match.Delivered", "Match.Unavailable", "Record.Delivered", // to charge for results
	"Code.Normalizes", "Code.Retryable", "Code.Thing", "Error.Lasting", "ID.Section", "Links.Failed", "Links.OrOwn", // to report errors and notices
	"Field.Agrees", "Mark.Sign", "Tag.TractFlag", "Value.Decimals", "Years.Tags", // to read and write the survey
}

// isOurs reports whether a method is one of them.
func isOurs(typ, method string) bool {
	return slices.Contains(ours, method) || slices.Contains(ours, typ+"."+method)
}

// opaque are types that programs only pass from one promised package to another.
// Their fields and methods are not promised.
var opaque = []string{"internal/billing.Access"}

// folder returns the package that names a type, the root before others. The alias
// there gives way to the type's declaration.
func (r *reacher) folder(dir, name string) string {
	canonical := r.canonical(dir, name)
	for _, of := range slices.Sorted(maps.Keys(r.names)) { // "." is the first
		for _, x := range r.names[of] {
			if x.canonical == canonical {
				r.expanded["pkg "+path.Join(Module, of)+", type "+x.name] = true
				return of
			}
		}
	}
	return dir
}

// follow lists a type of an internal package, with its methods.
func (r *reacher) follow(dir, name string) error {
	s, err := r.load(dir)
	if err != nil {
		return err
	}
	r.dir = r.folder(dir, name)
	l := lister{fset: s.fset, pkg: "pkg " + path.Join(Module, r.dir) + ", "}
	for _, fileName := range s.sorted() {
		file := s.files[fileName]
		l.public = func(text string) string { return r.public(dir, file, text) }
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, sp := range d.Specs {
					if t, ok := sp.(*ast.TypeSpec); ok && t.Name.Name == name {
						l.typeSpec(t)
						r.fields(dir, file, t.Type)
					}
				}
			case *ast.FuncDecl:
				if d.Recv != nil && d.Name.IsExported() && r.receiver(dir, d) == name && !isOurs(name, d.Name.Name) {
					l.function(d)
					r.types(dir, file, d.Type)
				}
			}
		}
	}
	r.lines = append(r.lines, l.lines...)
	return nil
}
