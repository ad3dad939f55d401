//go:build ignore

// Platforms checks the types of all packages and tests of the module in this folder as
// other platforms see them. "go vet" for another platform compiles all dependencies
// first, which takes minutes instead of seconds.
//
//	go run -modfile=tools.mod scripts/platforms.go windows/amd64 darwin/arm64
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	for _, platform := range os.Args[1:] {
		system, arch, _ := strings.Cut(platform, "/")
		list, err := packages.Load(&packages.Config{
			Mode:  packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedModule,
			Tests: true,
			Env:   append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch),
		}, "./...")
		if err != nil {
			log.Fatalf("platforms: %s: %v", platform, err)
		}
		if n := packages.PrintErrors(list); n > 0 {
			log.Fatalf("platforms: %s: %d errors", platform, n)
		}
		fmt.Printf("platforms: %s: %d packages and tests\n", platform, len(list))
	}
}
