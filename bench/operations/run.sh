#!/bin/sh
# Runs the benchmarks of the operations, builds national datasets, and keeps the
# figures for docs/performance.md. Run it by hand on a quiet machine; it takes about
# ten minutes:
#
#   sh bench/operations/run.sh [-mirror DIR] [-count N]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
cd "$here/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
go build -o "$scratch/postgeo" ./cmd/postgeo
go -C bench build -o "$scratch/operations" ./operations
keep operations "$scratch/operations" -program "$scratch/postgeo" "$@"
