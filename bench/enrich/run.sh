#!/bin/sh
# Measures the enrichment of tables, and compares DuckDB, which joins them with exported
# codes. It keeps the tables of docs/performance.md. Needs go, node, npm and a network.
# Run it by hand on a quiet machine; it takes some minutes:
#
#   sh bench/enrich/run.sh national.db
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
data=$(realpath "$1")
cd "$here/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
npm install --silent --no-audit --no-fund --prefix "$scratch/duckdb" @duckdb/node-api@1.4.4-r.1
go build -o "$scratch/postgeo" ./cmd/postgeo
go -C bench build -o "$scratch/enrich" ./enrich
keep enrich "$scratch/enrich" --data "$data" --duckdb "$scratch/duckdb" --program "$scratch/postgeo"
