#!/bin/sh
# Measures suggestions, and SQLite FTS5, vellum and bleve over the same names, and keeps
# the table of docs/suggest.md. It takes a minute:
#
#   sh bench/suggest/run.sh national.db
set -eu
data=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
go -C "$here/.." build -o "$scratch/suggest" ./suggest
GOMAXPROCS=1 keep suggest-speed "$scratch/suggest" "$data"
