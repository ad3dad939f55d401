#!/bin/sh
# Measures the errors of geocoding, and compares PostGIS and a table in SQLite FTS5
# over the same invented ranges. Needs go and Debian 12, where it installs PostgreSQL
# and PostGIS. The shared files are optional. It takes some minutes:
#
#   sh bench/geocode/run.sh [-mirror DIR]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../postgis.sh"
. "$here/../results.sh"
start_geocoder
cd "$here/.."
keep geocode go run ./geocode -peers "$@"
