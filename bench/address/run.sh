#!/bin/sh
# Matches the reference cases with the geocoder of PostGIS over the same records
# and reads the labelled lines with its address standardizer, compares both with
# this package, and prints the table of docs/address.md. Needs go, the shared data
# beside the repository and Debian 12, where it installs PostgreSQL and PostGIS.
# Run it by hand on a quiet machine; it takes some minutes:
#
#   sh bench/address/run.sh
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../postgis.sh"
trap stop_postgis EXIT
trap 'exit 1' INT TERM

install_postgis postgresql-15-postgis-3-scripts
start_postgis
PATH=$postgres_bin:$PATH
export PATH
for extension in fuzzystrmatch postgis_tiger_geocoder address_standardizer address_standardizer_data_us; do
	psql -Xqc "CREATE EXTENSION $extension"
done
psql -Xqc "ALTER DATABASE bench SET search_path = public, tiger"
cd "$here/../.."
POSTGEO_TEST_ADDRESS_PEERS=1 go test ./address -run '^TestPeers$' -count 1 -timeout 60m -v
