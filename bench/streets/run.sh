#!/bin/sh
# Builds the streets of an invented country of real size, and keeps the figures for
# docs/geocoding.md. It takes an hour and 10 GB of disk:
#
#   sh bench/streets/run.sh [-dir DIR] [-segments N] [-points N]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
keep_built "$@"
