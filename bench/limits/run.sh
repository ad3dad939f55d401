#!/bin/sh
# Measures hot operations beside the limits of the machine, and keeps the tables of
# docs/performance.md. Run it by hand on a quiet machine; it takes some seconds:
#
#   sh bench/limits/run.sh national.db
set -eu

data=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
cd "$here/../.."
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
go -C bench build -o "$built/limits" ./limits
keep limits "$built/limits" -data "$data"
