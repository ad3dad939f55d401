#!/usr/bin/env bash
# The checklist of a release: prepare-release.sh v0.1.0. Each line is a
# condition and whether it holds; the exit code is 1 if one does not. FULL=1 also
# runs the tests that take minutes.
set -uo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: prepare-release.sh VERSION, such as v0.1.0}
number=${version#v}
missing=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

check() { # what, command...
	local what=$1
	shift
	if "$@" >"$log" 2>&1; then
		echo "[ok]   $what"
	else
		echo "[open] $what"
		sed -n '1,5s/^/         /p' "$log"
		missing=$((missing + 1))
	fi
}
clean() { [ -z "$(git status --porcelain)" ] || { git status --short; return 1; }; }
free() { ! git rev-parse -q --verify "refs/tags/$version" >/dev/null || { echo "git tag -d $version removes it"; return 1; }; }
semantic() { [[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]]; }
written() { grep -Eq "^## \[$number\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || { echo "rename its heading [Unreleased] to: ## [$number] - $(date -u +%F)"; return 1; }; }
empty() { [ -z "$(awk '/^## \[Unreleased\]/ {f = 1; next} /^## / {f = 0} f && NF' CHANGELOG.md)" ] || { echo "entries stand under [Unreleased]"; return 1; }; }
tidy() { for file in $(git ls-files 'go.mod' '*/go.mod'); do go -C "$(dirname "$file")" mod tidy -diff || return 1; done; }
check "the version has the form v1.2.3" semantic
check "the tag $version is free" free
check "the checkout has no changes" clean
check "CHANGELOG.md has the section [$number] with its date" written
check "CHANGELOG.md has no entries of later changes" empty
check "docs/releasing.md has upgrade notes of $version" grep -q "^### $version" docs/releasing.md
check "the modules are tidy" tidy
check "all platforms compile" scripts/check-platforms.sh
if [ -n "${FULL:-}" ]; then
	check "formatting, linters, tests with -race (make check)" make --no-print-directory check
	check "a stranger's module builds (make consumer)" make --no-print-directory consumer
	check "the release is reproducible, installs, is signed and verifies (make release-check)" make --no-print-directory release-check
	check "no known vulnerabilities (make vuln)" make --no-print-directory vuln
else
	echo "[skip] make check, consumer, release-check and vuln: FULL=1 runs them"
fi
echo "[info] datasets have format $(sed -n 's/^\tFormatVersion = //p' internal/store/internal/file/seal.go)"
if [ $missing -gt 0 ]; then
	echo "$missing open"
	exit 1
fi
cat <<END
Ready. Then:
  git tag -s $version && make release
  make release-sign KEY=release.key
  dist/SHA256SUMS, its signature and all other files of dist are the release
END
