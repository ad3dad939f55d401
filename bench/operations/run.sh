#!/bin/sh
# Runs the benchmarks of the operations, builds national datasets, and keeps the
# figures for docs/performance.md. Run it by hand on a quiet machine; it takes about
# ten minutes:
#
#   sh bench/operations/run.sh [-mirror DIR] [-count N]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
keep_built "$@"
