#!/bin/sh
# Measures the tables of bench/results again, for a quiet machine, and writes them into
# the documentation. It repeats each time less often than the scripts of the folders do
# by themselves. -full repeats as often as these, and adds the slow comparisons of
# accuracy and sixty million records, which need an hour and 15 GB of disk.
#
#   sh bench/run-all.sh national.db [-full]
#
# It needs Debian 12, Go, Node, npm, a network and the shared data beside the repository.
# A measurement that fails keeps its old table; the script names it at the end.
set -u
data=$(realpath "$1")
full=${2:-}
cd "$(dirname "$0")/.."
failed=
measure() {
	name=$1
	shift
	began=$(date +%s)
	"$@" >/dev/null || failed="$failed $name"
	echo "$name: $(($(date +%s) - began)) s"
}
short() { [ -z "$full" ] && echo "$@"; }

POSTGEO_NATIONAL=$data measure scores make score score-suggest score-national
measure address sh bench/address/run.sh
measure suggest sh bench/suggest/run.sh "$data"
# shellcheck disable=SC2046 # lists of flags
{
	measure operations sh bench/operations/run.sh $(short -count 1)
	measure enrich sh bench/enrich/run.sh "$data" $(short -times 3)
	measure peers sh bench/peers/run.sh $(short -rounds 1)
}
measure geocode sh bench/geocode/run.sh
if [ -n "$full" ]; then
	measure truth sh bench/truth/run.sh
	measure records sh bench/records/run.sh
	measure blocks sh bench/blocks/run.sh
fi
go test ./cmd/postgeo/internal/cli -run TestDocs -count 1 -update >/dev/null || failed="$failed docs"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
