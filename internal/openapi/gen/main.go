// Command gen writes the comments of types with JSON fields, and of the fields, as a
// JSON object. Its keys are names such as "lookup.Street" and "lookup.Street.Prefix".
//
//	gen -o FILE PACKAGE_FOLDER...
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	out := flag.String("o", "", "file to write")
	flag.Parse()
	comments := map[string]string{}
	for _, dir := range flag.Args() {
		if err := read(dir, comments); err != nil {
			fmt.Fprintln(os.Stderr, "gen:", err)
			os.Exit(1)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(comments)
	if err == nil {
		err = os.WriteFile(*out, b.Bytes(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// read adds the comments of one package, without its tests. It parses the source: comments
// are not part of a compiled program, which has the types only.
func read(dir string, comments map[string]string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return &fs.PathError{Op: "read", Path: dir, Err: fs.ErrNotExist}
	}
	slices.Sort(paths)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if types, ok := decl.(*ast.GenDecl); ok && types.Tok == token.TYPE {
				for _, spec := range types.Specs {
					add(file.Name.Name, types.Doc, spec.(*ast.TypeSpec), comments)
				}
			}
		}
	}
	return nil
}

// add adds the comments of one type, if it has fields in JSON.
func add(pkg string, doc *ast.CommentGroup, spec *ast.TypeSpec, comments map[string]string) {
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	name := pkg + "." + spec.Name.Name
	if spec.Doc != nil {
		doc = spec.Doc
	}
	seen := false
	for _, f := range fields.Fields.List {
		if f.Tag == nil || !strings.Contains(f.Tag.Value, "json:") || strings.Contains(f.Tag.Value, `json:"-"`) {
			seen = seen || len(f.Names) == 0 // embedded
			continue
		}
		seen = true
		text := cmp.Or(f.Comment.Text(), f.Doc.Text())
		if text = plain(text); text == "" {
			continue
		}
		for _, n := range f.Names {
			comments[name+"."+n.Name] = text
		}
	}
	if text := plain(doc.Text()); seen && text != "" {
		comments[name] = text
	}
}

var links = regexp.MustCompile(`\[([A-Za-z.*]+)\]`)

// plain returns the first paragraph of a comment on one line, without the brackets
// of links and the numbers of decisions, which are for readers of the source. For the same
// reason the contract becomes the interface.
func plain(text string) string {
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	text = decisions.ReplaceAllString(text, "")
	text = links.ReplaceAllString(text, "$1")
	return strings.ReplaceAll(absent.ReplaceAllString(text, "absent"), "the contract", "the interface")
}

// absent matches nil, which means absent in JSON.
var absent = regexp.MustCompile(`\bnil\b`)

var decisions = regexp.MustCompile(`\s*\(decisions? D[^)]*\)`)
