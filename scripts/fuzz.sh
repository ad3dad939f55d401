#!/usr/bin/env bash
# Runs every fuzz target of the given packages, one after the other.
#
#   scripts/fuzz.sh DURATION [PACKAGE...]
set -euo pipefail
cd "$(dirname "$0")/.."

duration=${1:-20s}
shift || true
packages=("$@")
[ ${#packages[@]} -gt 0 ] || packages=(./...)

found=0
while read -r package; do
	targets=$(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true)
	for target in $targets; do
		found=$((found + 1))
		echo "== $package $target ($duration)"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" "$package"
	done
done < <(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' "${packages[@]}" | sed '/^$/d')

if [ "$found" -eq 0 ]; then
	echo "fuzz: no fuzz target in ${packages[*]}" >&2
	exit 1
fi
echo "fuzz: $found targets, no failure"
