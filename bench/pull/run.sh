#!/bin/sh
# Measures the pull of a dataset on an empty machine, over an emulated link and over
# loopback, and keeps the figures for docs/data.md. It takes some minutes:
#
#   sh bench/pull/run.sh [-mirror DIR] [-count N]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
keep_built "$@"
