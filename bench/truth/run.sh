#!/bin/sh
# Compares package geo with PostGIS and GeographicLib and keeps the tables of
# docs/accuracy.md. Needs go and Debian 12, where it installs PostgreSQL,
# PostGIS and GeographicLib's tools; it runs for some minutes. Run it by hand:
#
#   sh bench/truth/run.sh [-mirror DIR] [-seed N] [-part shares,contains,geodesics,overlaps]
#                         [-stored] [-outline METERS] [-edge METERS]
#
# The folder holds the publishers' files under their addresses, as
# `postgeo dataset build --mirror` takes it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../postgis.sh"
. "$here/../results.sh"
work=$(mktemp -d)
trap 'stop_postgis; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

install_postgis
start_postgis
cd "$here/../.."
go -C bench build -o "$work/truth" ./truth
compare() { # a chain, because "set -e" has no effect in keep
	echo && psql -XAtc 'SELECT postgis_full_version()' && nice "$work/truth" "$@"
}
keep truth compare "$@"
