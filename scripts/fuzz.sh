#!/usr/bin/env bash
# Runs every fuzz target of the given packages, one after the other, and ends
# with a table of the executions of each. Nested modules are part of ./..., and
# their packages are named by their folders as all others are.
#
#   scripts/fuzz.sh DURATION [PACKAGE...]
#
# FUZZ_WORKERS is how many executions run at once; without it, one for each
# processor. FUZZ is a pattern that narrows the targets. A target that fails
# does not keep the others from running.
set -euo pipefail
cd "$(dirname "$0")/.."

duration=${1:-20s}
shift || true
packages=("$@")
[ ${#packages[@]} -gt 0 ] || packages=(./...)

table=$(mktemp)
output=$(mktemp)
trap 'rm -f "$table" "$output"' EXIT
nested=()
while IFS= read -r mod; do nested+=("$(dirname "$mod")"); done < <(git ls-files --cached --others --exclude-standard '*/go.mod')

# list prints the folder of a module and a package of it, for each package of
# a pattern.
list() {
	local pattern=${1#./} module
	for module in "${nested[@]}"; do
		case $pattern in
		"...") list_in "$module" ./... ;;
		"$module" | "$module"/*) list_in "$module" "./${pattern#"$module"}" && return ;;
		esac
	done
	list_in . "./$pattern"
}

list_in() { # folder, pattern
	go -C "$1" list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' "${2//\/\//\/}" | sed "/^$/d; s|^|$1 |"
}

root=$(go list -m)/
found=0 failed=0
while read -r module package; do
	targets=$(grep -ohsE '^func Fuzz[A-Za-z0-9_]*' "$(go -C "$module" list -f '{{.Dir}}' "$package")"/*_test.go | sed 's/^func //' | grep -E "${FUZZ:-.}" | sort || true)
	for target in $targets; do
		found=$((found + 1))
		echo "== $package $target ($duration)"
		result=passed
		# One target for each process, because go test -fuzz takes one. Minimizing an input may
		# take 60 seconds by default, which is longer than most runs.
		go -C "$module" test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" -fuzzminimizetime 2s -parallel "${FUZZ_WORKERS:-$(nproc)}" "$package" 2>&1 |
			tee "$output" || { result=FAILED; failed=$((failed + 1)); }
		executions=$(sed -n 's/^fuzz: elapsed: .*, execs: \([0-9]*\) .*/\1/p' "$output" | tail -1)
		printf '| %s | %s | %s | %s |\n' "${package#"$root"}" "$target" "${executions:-0}" "$result" >>"$table"
	done
done < <(for pattern in "${packages[@]}"; do list "$pattern"; done)

if [ "$found" -eq 0 ]; then
	echo "fuzz: no fuzz target in ${packages[*]}" >&2
	exit 1
fi
printf '\n| package | target | executions | |\n|---|---|---|---|\n'
cat "$table"
echo "fuzz: $found targets of $duration each, $failed failed"
[ "$failed" -eq 0 ]
