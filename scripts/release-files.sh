#!/usr/bin/env bash
# Writes the files of a release that programs print into bin/release: completions, manual
# pages, the licenses of all linked modules, and what the Debian package changes.
# .goreleaser.yaml runs it: release-files.sh VERSION COMMIT SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1 commit=$2 day=$(date -u -d "@$3" +%F)
out=$PWD/bin/release
rm -rf "$out"
mkdir -p "$out"/{completions,man,systemd,doc}

stamp=github.com/postgeo/postgeo/cmd
go build -trimpath -ldflags "-X $stamp/postgeo/internal/cli/command.stampedVersion=$version -X $stamp/postgeo/internal/cli/command.stampedRevision=$commit" -o "$out/postgeo" ./cmd/postgeo
"$out/postgeo" completion bash >"$out/completions/postgeo.bash"
"$out/postgeo" completion zsh >"$out/completions/_postgeo"
"$out/postgeo" completion fish >"$out/completions/postgeo.fish"
rm "$out/postgeo"
go run -ldflags "-X $stamp/postgeo/internal/cli/command.stampedVersion=$version" ./cmd/postgeo/internal/man "$out/man" "$day"
gzip -9nk "$out"/man/*.1

# The modules of both programs on all systems, and the standard library.
{
	echo "std $(go env GOVERSION) $(go env GOROOT)"
	for system in linux darwin windows; do
		for dir in . cmd/postgeo-mcp; do
			package=. && [ "$dir" = . ] && package=./cmd/postgeo
			GOOS=$system go -C "$dir" list -deps -f '{{with .Module}}{{if and .Version (not .Replace)}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' "$package"
		done
	done
} | sort -u | while read -r module number dir; do
	files=$(find "$dir" -maxdepth 1 -type f | grep -iE '/(licen[cs]e|copying|notice|unlicense)([.-][^/]*)?$' | sort) ||
		{ echo "release-files: $module has no license" >&2; exit 1; }
	printf '\n== %s %s ==\n\n' "$module" "$number"
	# shellcheck disable=SC2086 # a list of files
	cat $files
done >"$out/THIRD_PARTY_LICENSES.txt"

# Files of the Debian package alone.
for unit in packaging/*.service packaging/*.timer; do
	sed 's|/usr/local/bin/|/usr/bin/|g' "$unit" >"$out/systemd/$(basename "$unit")"
done
debian=$(sed 's/^v//; s/-/~/' <<<"$version")
{
	printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: postgeo\nSource: https://github.com/postgeo/postgeo\n'
	printf 'Comment: THIRD_PARTY_LICENSES.txt.gz has the licenses of the linked modules.\n\nFiles: *\nCopyright: the postgeo authors\nLicense: MIT\n'
	sed 's/^ *$/./; s/^/ /' LICENSE
} >"$out/doc/copyright"
printf 'postgeo (%s-1) unstable; urgency=medium\n\n  * Release %s. changelog.gz lists the changes.\n\n -- The postgeo authors <postgeo@users.noreply.github.com>  %s\n' \
	"$debian" "$version" "$(LC_ALL=C date -u -d "@$3" -R)" | gzip -9n >"$out/doc/changelog.Debian.gz"
gzip -9n <CHANGELOG.md >"$out/doc/changelog.gz"
gzip -9n <"$out/THIRD_PARTY_LICENSES.txt" >"$out/doc/THIRD_PARTY_LICENSES.txt.gz"
