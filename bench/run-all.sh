#!/bin/sh
# Measures the tables of bench/results again, for a quiet machine, and writes them into
# the documentation. It needs Debian 12, Go, Node, npm, a network and the shared data beside
# the repository. A measurement that fails keeps its old table; the script names it at the end.
#
#   sh bench/run-all.sh national.db
set -u
data=$(realpath "$1")
cd "$(dirname "$0")/.."
failed=
measure() {
	name=$1
	shift
	began=$(date +%s)
	"$@" >/dev/null || failed="$failed $name"
	echo "$name: $(($(date +%s) - began)) s"
}
POSTGEO_NATIONAL=$data measure scores make score score-suggest score-national
measure operations sh bench/operations/run.sh
measure enrich sh bench/enrich/run.sh "$data"
measure limits sh bench/limits/run.sh "$data"
measure peers sh bench/peers/run.sh
measure growth sh bench/growth/run.sh
go test ./cmd/postgeo/internal/cli -run TestDocs -count 1 -update >/dev/null || failed="$failed docs"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
