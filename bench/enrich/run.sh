#!/bin/sh
# Measures the enrichment of tables, and compares DuckDB, which joins them with exported
# codes. It keeps the tables of docs/performance.md. Needs go, node, npm and a network.
# Run it by hand on a quiet machine; it takes some minutes:
#
#   sh bench/enrich/run.sh national.db [-rows N]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
data=$(realpath "$1")
shift
peer=$(mktemp -d)
npm install --silent --no-audit --no-fund --prefix "$peer" @duckdb/node-api@1.4.4-r.1
keep_built --data "$data" --duckdb "$peer" "$@"
rm -rf "$peer"
