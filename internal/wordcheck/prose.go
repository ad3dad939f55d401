package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A paragraph is text of one kind that begins at a line of a file.
type paragraph struct {
	kind string
	file string
	line int
	text string
}

// Root returns the folder that holds go.mod, at or above the working directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "tools.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no folder with tools.mod at or above the working directory")
		}
		dir = parent
	}
}

// prose returns the paragraphs of every Go and Markdown file below root.
func prose(root string) ([]paragraph, error) {
	var all []paragraph
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || name == "dist" || name == "bin") {
				return fs.SkipDir
			}
			return nil
		}
		file, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		switch filepath.Ext(name) {
		case ".md":
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all = append(all, markdown("doc", file, 1, string(data))...)
		case ".go":
			more, err := source(path, file)
			if err != nil {
				return err
			}
			all = append(all, more...)
		}
		return nil
	})
	return all, err
}

// markdown returns the paragraphs of text outside fenced code and quotations
// of others. The text begins at a line of the file.
func markdown(kind, file string, first int, text string) []paragraph {
	var all []paragraph
	var lines []string
	start, code := 0, false
	flush := func() {
		all = add(all, kind, file, start, strings.Join(lines, " "))
		lines = nil
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			code = !code
		case code:
		case line == "" || strings.HasPrefix(line, "> "):
			flush()
		default:
			if strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "#") {
				flush()
			}
			if lines == nil {
				start = first + i
			}
			lines = append(lines, line)
		}
	}
	flush()
	return all
}

// source returns the comments of a Go file without their code blocks and,
// outside tests, its string literals with prose. Of the tags of a struct it returns
// the help. Generated files have none.
func source(path, file string) ([]paragraph, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(parsed) {
		return nil, nil
	}
	test := strings.HasSuffix(file, "_test.go")
	kind := "comment"
	if test {
		kind = "test"
	}
	var all []paragraph
	for _, group := range parsed.Comments {
		line := fset.Position(group.Pos()).Line
		for text := range strings.SplitSeq(group.Text(), "\n\n") {
			var lines []string
			for l := range strings.SplitSeq(text, "\n") {
				if strings.HasPrefix(l, "  - ") { // an item of a list
					all = add(all, kind, file, line, strings.Join(lines, " "))
					lines = nil
				}
				if !strings.HasPrefix(l, "\t") {
					lines = append(lines, l)
				}
			}
			all = add(all, kind, file, line, strings.Join(lines, " "))
		}
	}
	if test {
		return all, nil
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Tag != nil {
			tag, _ := strconv.Unquote(field.Tag.Value)
			all = add(all, "string", file, fset.Position(field.Tag.Pos()).Line, reflect.StructTag(tag).Get("help"))
			field.Tag = nil // names and values are not prose
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && isProse(s) {
				all = append(all, markdown("string", file, fset.Position(lit.Pos()).Line, s)...)
			}
		}
		return true
	})
	return all, nil
}

// code begins statements of SQL, which are not prose.
var code = regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|WHERE|FROM)\b|^\s*#compdef|\) NOT NULL|TEXT NOT NULL`)

// words are two words in a row with lower-case letters, unlike lists of codes.
var words = regexp.MustCompile(`[a-z%]{2}\w*[,:]? [a-z%]\w*`)

// isProse reports whether a string has three words that a person reads.
func isProse(s string) bool {
	return strings.Count(s, " ") >= 2 && words.MatchString(s) && !code.MatchString(s)
}

// add appends the paragraph unless its text has no printable character.
func add(all []paragraph, kind, file string, line int, text string) []paragraph {
	printable := func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}
	if text = strings.Join(strings.Fields(strings.Map(printable, text)), " "); text != "" {
		all = append(all, paragraph{kind, file, line, text})
	}
	return all
}
