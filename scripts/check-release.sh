#!/usr/bin/env bash
# Builds a release of the committed files twice, in two folders, and compares the bytes.
# Then it signs it with a new key, and checks signature, checksums, and the archive of
# this machine. It takes some minutes; GORELEASER is the command.
set -euo pipefail
cd "$(dirname "$0")/.."
minisign=${MINISIGN:?make release-check sets it}
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
export HOME=$tmp XDG_DATA_HOME=$tmp GOCACHE=${GOCACHE:-$(go env GOCACHE)} GOMODCACHE=${GOMODCACHE:-$(go env GOMODCACHE)} GOFLAGS=
fail() { echo "check-release: $*" >&2; exit 1; }

$minisign -G -W -s "$tmp/release.key" -p "$tmp/release.key.pub" >/dev/null
for copy in one two; do
	git clone -q . "$tmp/$copy"
	(cd "$tmp/$copy" && umask 027 && TZ=Asia/Tokyo $GORELEASER release --snapshot --clean >"$tmp/$copy.log" 2>&1) || fail "$(tail -5 "$tmp/$copy.log")"
done
cmp "$tmp/one/dist/SHA256SUMS" "$tmp/two/dist/SHA256SUMS"
echo "check-release: the same bytes twice"

cd "$tmp/one/dist"
sha256sum --quiet -c SHA256SUMS
$minisign -S -s "$tmp/release.key" -m SHA256SUMS
$minisign -V -Q -p "$tmp/release.key.pub" -m SHA256SUMS
arch=$(go env GOARCH)
name=$(basename postgeo_*_linux_"$arch".tar.gz .tar.gz)
tar -xzf "$name.tar.gz"
version=v$(sed "s/^postgeo_//; s/_linux_.*//" <<<"$name")
"$name/postgeo" version --format json | grep -qF "\"version\":\"$version\",\"revision\":\"$(git rev-parse HEAD)\"" || fail "postgeo version prints another version"
"$name/postgeo-mcp" --version | grep -qF "$version" || fail "postgeo-mcp prints another version"
"$name/postgeo" lookup 90210 --format json | grep -q 'Beverly Hills' || fail "the program finds no code"
for file in LICENSE README.md docs/cli.md postgeo.json postgeo.service alerts.yml completions/_postgeo man/postgeo.1; do
	[ -s "$name/$file" ] || fail "the archive has no $file"
done
for module in $(go version -m "$name/postgeo" "$name/postgeo-mcp" | awk '$1 == "dep" && $2 !~ "^github.com/postgeo/" {print $2}' | sort -u); do
	grep -qF "== $module v" "$name/THIRD_PARTY_LICENSES.txt" || fail "no license of $module"
	grep -qF "\"name\": \"$module\"" ./*_linux_"$arch".cdx.json || fail "no $module in the bill of materials"
done
echo "check-release: passed"
