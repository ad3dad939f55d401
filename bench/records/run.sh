#!/bin/sh
# Builds an invented country with sixty million ZIP+4 records and keeps its figures for
# docs/dataset.md. It takes half an hour and 15 GB of disk below $TMPDIR:
#
#   sh bench/records/run.sh [-records N]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
written=$(mktemp -d)
go -C "$here/../.." build -o "$written/write" ./internal/synth/write
keep_built -write "$written/write" "$@"
rm -r "$written"
