#!/bin/sh
# Compares searches with peers, in time and in results, and keeps the tables of
# docs/performance.md and docs/accuracy.md. Needs go, node, npm, a network and
# Debian 12, where it installs PostgreSQL and PostGIS.
# Run it by hand on a quiet machine; it takes some minutes:
#
#   sh bench/peers/run.sh [-mirror DIR] [-rounds N]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../postgis.sh"
. "$here/../results.sh"
work=$(mktemp -d)
trap 'stop_postgis; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

npm install --silent --no-audit --no-fund --prefix "$work" zipcodes@8.0.0
cp "$here/spatial.js" "$work/"
install_postgis
start_postgis
PATH=$postgres_bin:$PATH
export PATH
cd "$here/../.."

go -C bench build -o "$work/peers" ./peers
searches() { # a chain, because "set -e" has no effect in keep
	echo && echo "node $(node --version), $(psql -XAtc "SELECT 'PostgreSQL ' || current_setting('server_version') || ', PostGIS ' || postgis_lib_version()")" &&
		"$work/peers" -work "$work" "$@"
}
keep peers searches "$@"
