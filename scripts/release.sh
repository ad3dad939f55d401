#!/usr/bin/env bash
# Builds a release into dist: archives for six platforms, Debian
# packages, bills of materials and checksums. The arguments are those of
# packaging/release, e.g. -version v1.2.3 -targets linux/amd64.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -n "$(git status --porcelain 2>/dev/null)" ]; then
	echo "release: the checkout has changes that no commit names; commit them first" >&2
	exit 1
fi
go build -C packaging/release -o "$PWD/bin/release" .
exec bin/release "$@"
