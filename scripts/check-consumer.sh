#!/usr/bin/env bash
# Uses the library as a stranger does: makes a module proxy of files with this
# checkout as a version, and in a throw-away module outside of it gets the
# library, tests and runs a program with it, and installs the command line.
# It gets nothing from the checkout but the proxy.
set -euo pipefail
cd "$(dirname "$0")/.."

module=github.com/postgeo/postgeo
version=v0.999.$$ # of this process, because the go command never reads a version again
tmp=$(mktemp -d)
cache=$(go env GOMODCACHE)
# The version goes into the machine's module cache, because a second one takes
# hundreds of megabytes, and is removed at the end.
clean() {
	chmod -R u+w "$tmp" "$cache/$module@$version" 2>/dev/null || true
	rm -rf "$tmp" "$cache/$module@$version" "$cache/cache/download/$module/@v/$version".*
}
trap clean EXIT

# The version: the files of the checkout, without the nested modules, as the go
# command itself would pack them.
at=$tmp/proxy/$module/@v
mkdir -p "$at" "$tmp/pack/$module@$version"
nested=()
while IFS= read -r mod; do nested+=(":(exclude)$(dirname "$mod")"); done < <(git ls-files --cached --others --exclude-standard '*/go.mod')
git ls-files -z --cached --others --exclude-standard -- . "${nested[@]}" |
	while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
	tar --null -T - -cf - | tar -xf - -C "$tmp/pack/$module@$version"
cat >"$tmp/pack.go" <<'GO'
package main

import (
	"archive/zip"
	"io/fs"
	"log"
	"os"
)

func main() {
	w := zip.NewWriter(os.Stdout)
	tree := os.DirFS(os.Args[1])
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() { // a ZIP file of a module has no folders
			return err
		}
		f, err := w.Create(name)
		if err != nil {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
}
GO
go run "$tmp/pack.go" "$tmp/pack" >"$at/$version.zip"
cp go.mod "$at/$version.mod"
printf '{"Version":"%s","Time":"2026-01-01T00:00:00Z"}\n' "$version" >"$at/$version.info"
echo "$version" >"$at/list"
rm -rf "$tmp/pack"

# Other modules come from the usual proxy. The checksum database does not know the version.
# HOME and the other variables hide a dataset and settings of this machine.
GOPROXY="file://$tmp/proxy,$(go env GOPROXY)"
export GOPROXY GONOSUMDB="$module" GOMODCACHE="$cache" GOFLAGS="-mod=mod -trimpath" GOBIN="$tmp/bin" GOWORK=off
GOCACHE=$(go env GOCACHE)
GOPATH=$tmp/go
export GOCACHE GOPATH HOME="$tmp" XDG_DATA_HOME="$tmp" POSTGEO_DATA=

mkdir "$tmp/consumer"
cd "$tmp/consumer"
go mod init example.com/consumer 2>/dev/null
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/lookup"
)

func main() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	r, err := db.QuickLookup(context.Background(), "90210", lookup.QuickOptions{Timezone: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.City, r.State, r.Timezone.IANAName)
}
GO
go get "$module@$version"
go mod tidy
got=$(go run .)
if [ "$got" != "Beverly Hills CA America/Los_Angeles" ]; then
	echo "consumer: the program says $got" >&2
	exit 1
fi
go vet ./...
go mod verify >/dev/null

# A program with the library links what the library needs and nothing of the
# server, the builder or the command line.
go list -deps . >"$tmp/linked"
for other in prometheus/client_golang jackc/pgx gomodule/redigo andybalholm/brotli modelcontextprotocol; do
	if grep -q "$other" "$tmp/linked"; then
		echo "consumer: a program with the library links $other" >&2
		exit 1
	fi
done
modules=$(go list -deps -f '{{with .Module}}{{.Path}}{{end}}' . | sort -u | grep -vc '^example.com/consumer$')

# A program that opens a file stays small. Its limits are 12 MiB with symbols and
# eleven linked modules, this one included.
mkdir plain
sed 's/postgeo.OpenSample()/postgeo.Open("postgeo.db")/' main.go >plain/main.go
CGO_ENABLED=0 go build -o "$tmp/plain" ./plain
size=$(wc -c <"$tmp/plain")
if [ "$size" -gt $((12 << 20)) ] || [ "$modules" -gt 11 ]; then
	echo "consumer: a program has $size bytes and links $modules modules; expected at most 12 MiB and 11 modules" >&2
	exit 1
fi

cd "$tmp"
go install "$module/cmd/postgeo@$version"
bin/postgeo version --format json >answer
grep -q "\"version\":\"$version\"" answer
bin/postgeo lookup 90210 --format json >answer
grep -q '"city":"Beverly Hills"' answer
echo "consumer: a module that uses $module runs, has $size bytes, links $modules modules, and go install gives $(bin/postgeo version --format json)"
