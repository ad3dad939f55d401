#!/usr/bin/env bash
# Writes the files of a release that programs print into bin/release: completions, manual
# pages, and the licenses of all linked modules.
# .goreleaser.yaml runs it: release-files.sh VERSION COMMIT SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1 commit=$2 day=$(date -u -d "@$3" +%F)
out=$PWD/bin/release
rm -rf "$out"
mkdir -p "$out"/{completions,man}

stamp=github.com/postgeo/postgeo/cmd
go build -trimpath -ldflags "-X $stamp/postgeo/internal/cli/command.stampedVersion=$version -X $stamp/postgeo/internal/cli/command.stampedRevision=$commit" -o "$out/postgeo" ./cmd/postgeo
"$out/postgeo" completion bash >"$out/completions/postgeo.bash"
"$out/postgeo" completion zsh >"$out/completions/_postgeo"
"$out/postgeo" completion fish >"$out/completions/postgeo.fish"
rm "$out/postgeo"
go run -ldflags "-X $stamp/postgeo/internal/cli/command.stampedVersion=$version" ./cmd/postgeo/internal/man "$out/man" "$day"

# The modules of both programs on all systems, and the standard library: licenses require
# their text beside each binary. A module without a license ends the release.
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
