#!/bin/sh
# Compares quick lookups and distances with the npm package zipcodes on this
# machine, one after the other. Needs go, node, npm and a network. Run it by
# hand on a quiet machine: sh bench/peers/run.sh
#
# Everything is in-process: nothing goes through a socket. The peer returns a
# shared object without parsing or checking its input; postgeo parses any code
# and returns a record of its own.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npm install --silent --no-audit --no-fund --prefix "$work" zipcodes@8.0.0
cp "$here/zipcodes.js" "$work/"

echo "npm zipcodes@8.0.0, node $(node --version), median of 9"
node "$work/zipcodes.js"

echo
echo "postgeo, a Go map and database/sql, $(go version | cut -d' ' -f3)"
cd "$here/../.."
go test -run '^$' -bench '^Benchmark(QuickLookup|Distance)$/^(zip)?$' -count 5 .
