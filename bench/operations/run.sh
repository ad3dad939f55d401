#!/bin/sh
# Runs the benchmarks of the operations and keeps the figures for docs/performance.md.
# With -before it prints them beside those of an older checkout, and keeps nothing. Run it
# by hand on a quiet machine; it takes some minutes:
#
#   sh bench/operations/run.sh [-count N] [-before CHECKOUT]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../results.sh"
cd "$here/../.."
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
go -C bench build -o "$built/operations" ./operations
case " $* " in
*" -before "*) "$built/operations" "$@" ;;
*) keep operations "$built/operations" "$@" ;;
esac
