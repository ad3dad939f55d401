#!/usr/bin/env bash
# Checks the types of every package and test of the module and of postgeo-mcp as
# all platforms of a release see them, without compiling for them.
set -euo pipefail
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

others=()
for platform in {linux,darwin,windows}/{amd64,arm64}; do
	[ "$platform" = "$(go env GOOS)/$(go env GOARCH)" ] || others+=("$platform")
done
go build -modfile=tools.mod -o "$tmp/platforms" scripts/platforms.go
"$tmp/platforms" "${others[@]}"
(cd cmd/postgeo-mcp && "$tmp/platforms" "${others[@]}")
