// Command platforms checks the types of every package and its tests, as another
// platform sees them, without compiling anything.
//
// # Usage
//
//	go run ./packaging/platforms windows/amd64 darwin/arm64
//
// It finds names that do not exist on the platform, or that a build constraint
// excludes. "go vet" for another platform finds them, too, but first compiles all
// dependencies for it, which takes minutes instead of seconds.
//
// # Errors
//
// Type errors are written to standard error with their positions; the exit code
// is then 1.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	failed := len(os.Args) < 2
	if failed {
		fmt.Fprintln(os.Stderr, "platforms: name platforms, e.g. windows/amd64")
	}
	for _, platform := range os.Args[1:] {
		begun := time.Now()
		checked, err := check(context.Background(), platform, os.Stderr)
		if err != nil {
			fmt.Fprintf(os.Stderr, "platforms: %s: %v\n", platform, err)
			failed = true
			continue
		}
		fmt.Printf("platforms: %s: %d packages have no error in %.0f s\n", platform, checked, time.Since(begun).Seconds())
	}
	if failed {
		os.Exit(1)
	}
}

// A listed is a package as the go command describes it. A package with tests
// has several.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	Module     *struct {
		Main      bool
		GoVersion string
	}
}

// check checks the packages of the module in this folder, and returns their
// number.
func check(ctx context.Context, platform string, w io.Writer) (checked int, err error) {
	system, arch, ok := strings.Cut(platform, "/")
	sizes := types.SizesFor("gc", arch)
	if !ok || sizes == nil {
		return 0, errors.New("no platform; expected one such as windows/amd64")
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Module", "./...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
	cmd.Stderr = w
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	c := checker{sizes: sizes, packages: map[string]*types.Package{"unsafe": types.Unsafe}, w: w}
	for d := json.NewDecoder(out); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return 0, fmt.Errorf("go list: %w", err)
		}
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") { // the go command's own main of tests
			continue
		}
		if err := c.check(&p); err != nil {
			return 0, err
		}
	}
	if err := cmd.Wait(); err != nil {
		return 0, fmt.Errorf("go list: %w", err)
	}
	if c.errors > 0 {
		return 0, fmt.Errorf("%d errors", c.errors)
	}
	return c.own, nil
}

// A checker checks packages, each after those that it imports.
type checker struct {
	sizes    types.Sizes
	packages map[string]*types.Package
	own      int // packages of the module
	errors   int
	w        io.Writer
}

// An importer finds the packages that one imports.
type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// check checks a package. It checks only the exported part of packages of other
// modules.
func (c *checker) check(p *listed) error {
	ours := p.Module != nil && p.Module.Main
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		f, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		parsed = append(parsed, f)
	}
	config := types.Config{
		Sizes: c.sizes, IgnoreFuncBodies: !ours, FakeImportC: true,
		Importer: importer(func(path string) (*types.Package, error) {
			if mapped, ok := p.ImportMap[path]; ok {
				path = mapped
			}
			if found := c.packages[path]; found != nil {
				return found, nil
			}
			return nil, fmt.Errorf("%s is not listed before %s", path, p.ImportPath)
		}),
		Error: func(err error) {
			if ours {
				c.errors++
				fmt.Fprintln(c.w, err)
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	c.packages[p.ImportPath], _ = config.Check(path, files, parsed, nil) // errors were reported
	if ours {
		c.own++
	}
	return nil
}
