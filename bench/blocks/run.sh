#!/bin/sh
# Measures a national dataset with census blocks of an invented country, and keeps the
# figures for docs/boundaries.md. It takes some minutes and 2 GB of disk:
#
#   sh bench/blocks/run.sh [-blocks N] [-zips N]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
keep_built "$@"
