#!/usr/bin/env bash
# Rewrites golden files: runs with -update the tests of every package that
# defines that flag.
set -euo pipefail
cd "$(dirname "$0")/.."

dirs=$(grep -rlE --include='*_test.go' 'flag\.Bool\("update"' . | xargs -r -n1 dirname | sort -u)
if [ -z "$dirs" ]; then
	echo "golden: no package has golden files" >&2
	exit 1
fi
for dir in $dirs; do
	(cd "$dir" && go test . -count=1 -update) # may be of a nested module
done
git --no-pager diff --stat
