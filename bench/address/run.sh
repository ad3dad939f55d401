#!/bin/sh
# Matches the reference cases with the geocoder of PostGIS over the same records
# and reads the labelled lines with its address standardizer, compares both with
# this package, and keeps the tables of docs/address.md. Needs go, the shared data
# beside the repository and Debian 12, where it installs PostgreSQL and PostGIS.
# Run it by hand on a quiet machine; it takes some minutes:
#
#   sh bench/address/run.sh
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../postgis.sh"
start_geocoder address_standardizer address_standardizer_data_us
cd "$here/../.."
POSTGEO_SCORES=write POSTGEO_TEST_ADDRESS_PEERS=1 go test ./address -run '^TestPeers$' -count 1 -timeout 60m -v
