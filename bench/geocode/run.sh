#!/bin/sh
# Measures the errors of geocoding, and compares PostGIS and a table in SQLite FTS5
# over the same invented ranges. Needs go and Debian 12, where it installs PostgreSQL
# and PostGIS. The shared files are optional. It takes some minutes:
#
#   sh bench/geocode/run.sh
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../postgis.sh"
trap stop_postgis EXIT
trap 'exit 1' INT TERM

install_postgis postgresql-15-postgis-3-scripts
start_postgis
PATH=$postgres_bin:$PATH
export PATH
for extension in fuzzystrmatch postgis_tiger_geocoder; do
	psql -Xqc "CREATE EXTENSION $extension"
done
psql -Xqc "ALTER DATABASE bench SET search_path = public, tiger"
cd "$here/.."
go run ./geocode -peers -plot ../docs/geocode-errors.svg
