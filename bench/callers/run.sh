#!/bin/sh
# Measures fields of many rows in Python, by postgeo udf and in SQL, and keeps the table of
# docs/python.md. Needs go, gcc and Debian's python3-pandas, which it
# installs. It takes some minutes:
#
#   sh bench/callers/run.sh national.db [-times N]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
data=$(realpath "$1")
shift
/usr/bin/python3 -c 'import pandas' 2>/dev/null || { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q python3-pandas; } >&2
cd "$here/../.."
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
go build -o "$built/" ./cmd/postgeo
CGO_ENABLED=0 go -C cmd/postgeo-arrow build -o "$built/" .
CGO_ENABLED=1 go -C cmd/postgeo-sql build -o "$built/" .
CGO_ENABLED=1 go -C cmd/libpostgeo build -buildmode=c-shared -o "$built/libpostgeo.so" .
go -C bench build -o "$built/callers" ./callers
export POSTGEO_LIBRARY="$built/libpostgeo.so" PYTHONPATH="$PWD/bindings/python" PYTHONDONTWRITEBYTECODE=1
keep callers "$built/callers" -program "$built/postgeo" -python "$here/columns.py" -data "$data" "$@"
