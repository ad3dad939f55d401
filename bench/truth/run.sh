#!/bin/sh
# Compares package geo with PostGIS and GeographicLib and prints the tables of
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
trap stop_postgis EXIT
trap 'exit 1' INT TERM

install_postgis
start_postgis
psql -XAtc 'SELECT postgis_full_version()' >&2
cd "$here/../.."
nice go -C bench run ./truth "$@"
