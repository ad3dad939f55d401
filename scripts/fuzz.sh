#!/usr/bin/env bash
# Runs every fuzz target of the given packages, one after the other, and ends
# with a table of the executions of each.
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
module=$(go list -m)/
found=0 failed=0
while read -r package; do
	targets=$(go test -list "${FUZZ:-^Fuzz}" "$package" | grep '^Fuzz' || true)
	for target in $targets; do
		found=$((found + 1))
		echo "== $package $target ($duration)"
		result=passed
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" -fuzzminimizetime 2s -parallel "${FUZZ_WORKERS:-$(nproc)}" "$package" 2>&1 |
			tee "$output" || { result=FAILED; failed=$((failed + 1)); }
		executions=$(sed -n 's/^fuzz: elapsed: .*, execs: \([0-9]*\) .*/\1/p' "$output" | tail -1)
		printf '| %s | %s | %s | %s |\n' "${package#"$module"}" "$target" "${executions:-0}" "$result" >>"$table"
	done
done < <(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' "${packages[@]}" | sed '/^$/d')

if [ "$found" -eq 0 ]; then
	echo "fuzz: no fuzz target in ${packages[*]}" >&2
	exit 1
fi
printf '\n| package | target | executions | |\n|---|---|---|---|\n'
cat "$table"
echo "fuzz: $found targets of $duration each, $failed failed"
[ "$failed" -eq 0 ]
