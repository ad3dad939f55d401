#!/usr/bin/env bash
# Checks the types of every package and test of the module and of postgeo-mcp as
# all platforms of a release see them, without compiling for them.
set -euo pipefail
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

platforms=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64)
here=$(go env GOOS)/$(go env GOARCH)
others=()
for platform in "${platforms[@]}"; do [ "$platform" = "$here" ] || others+=("$platform"); done
go -C packaging/release build -o "$tmp/platforms" ./platforms
"$tmp/platforms" "${others[@]}"
(cd cmd/postgeo-mcp && "$tmp/platforms" "${others[@]}")
