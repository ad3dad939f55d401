#!/bin/sh
# Builds invented countries of 1, 4 and 16 times the size, and keeps their times and sizes
# for docs/performance.md. It takes some minutes and 5 GB of disk below $TMPDIR:
#
#   sh bench/growth/run.sh [-blocks N]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
keep_built "$@"
