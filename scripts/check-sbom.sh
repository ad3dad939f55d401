#!/usr/bin/env bash
# Validates the bill of materials of this platform's release with the official
# npm package of CycloneDX, and compares it with the linked modules of the
# programs: every module with version, license and checksum, and nothing else.
# Without node or the registry nothing is run.
#
#   scripts/check-sbom.sh [FOLDER]   of a release that has been built
set -euo pipefail
cd "$(dirname "$0")/.."

command -v npm >/dev/null || { echo "sbom: skipped, npm is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm init -y >/dev/null 2>&1 && npm install --no-audit --no-fund '@cyclonedx/cyclonedx-library@10.3.0' ajv ajv-formats ajv-formats-draft2019 >install.log 2>&1) ||
	{ echo "sbom: skipped, the npm packages could not be installed: $(tail -1 "$work/install.log")"; exit 0; }

dist=${1:-}
if [ -z "$dist" ]; then
	dist=$work/dist
	go build -C packaging/release -o "$work/release" .
	"$work/release" -o "$dist" -targets "$(go env GOOS)/$(go env GOARCH)" >/dev/null
fi
name=$(basename "$(ls "$dist"/*_"$(go env GOOS)_$(go env GOARCH)".cdx.json)" .cdx.json)
tar -xzf "$dist/$name.tar.gz" -C "$work" --strip-components=1
cp "$dist/$name.cdx.json" "$work/bom.json"
go version -m "$work/postgeo" "$work/postgeo-mcp" >"$work/modules.txt"
cp scripts/sbom.mjs "$work/"
node "$work/sbom.mjs" "$work"
