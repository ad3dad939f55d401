#!/bin/sh
# Measures suggestions on one machine: ours first, then SQLite FTS5, vellum and
# bleve over the same names, then ours again.
#
#   sh bench/suggest/run.sh national.db
set -eu
data=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"
go test -c -o "$scratch/ours" ./internal/lookup/suggest
go -C bench build -o "$scratch/peers" ./suggest
ours() { POSTGEO_NATIONAL=$data "$scratch/ours" -test.run '^$' -test.bench "Suggest|New" -test.benchtime 300ms -test.cpu 1; }
cd "$scratch"
ours
GOMAXPROCS=1 ./peers "$data"
ours
