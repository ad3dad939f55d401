// Command platforms checks the types of every package and its tests, as another
// platform sees them, without compiling anything.
//
// # Usage
//
//	go -C packaging/release build -o platforms ./platforms
//	platforms windows/amd64 darwin/arm64
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
	"errors"
	"fmt"
	"go/types"
	"os"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := len(os.Args) < 2
	if failed {
		fmt.Fprintln(os.Stderr, "platforms: name platforms, e.g. windows/amd64")
	}
	for _, platform := range os.Args[1:] {
		begun := time.Now()
		checked, err := check(platform)
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

// check checks the packages of the module in this folder, and returns their
// number. It checks only the exported part of packages of other modules.
func check(platform string) (checked int, err error) {
	system, arch, ok := strings.Cut(platform, "/")
	if !ok || types.SizesFor("gc", arch) == nil {
		return 0, errors.New("no platform; expected one such as windows/amd64")
	}
	list, err := packages.Load(&packages.Config{
		Mode:  packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedModule,
		Tests: true,
		Env:   append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch),
	}, "./...")
	if err != nil {
		return 0, err
	}
	if n := packages.PrintErrors(list); n > 0 {
		return 0, fmt.Errorf("%d errors", n)
	}
	for _, p := range list {
		if !strings.HasSuffix(p.ID, ".test") { // the go command's own main of tests
			checked++
		}
	}
	return checked, nil
}
