#!/usr/bin/env bash
# Runs the queries of docs/engines.md in DuckDB, over tables that "postgeo
# export" writes of the sample, and compares the results with those on the page;
# -update writes the page. It also checks that Parquet and CSV hold the same
# rows, that a join gives the rows of "postgeo enrich", and that tables which
# DuckDB writes in its ways are enriched without a change. DuckDB comes
# from its npm package; without node or the registry nothing is run.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v npm >/dev/null || { echo "duckdb: skipped, npm is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm init -y >/dev/null 2>&1 && npm install --no-audit --no-fund '@duckdb/node-api@1.5.6-r.1' >install.log 2>&1) ||
	{ echo "duckdb: skipped, the npm package could not be installed: $(tail -1 "$work/install.log")"; exit 0; }

go build -o "$work/postgeo" ./cmd/postgeo
postgeo() { env -u POSTGEO_DATA XDG_DATA_HOME="$work/none" "$work/postgeo" "$@" 2>>"$work/postgeo.log" || { tail -1 "$work/postgeo.log" >&2; return 1; }; }
for format in parquet csv; do
	postgeo export codes -o "$work/codes.$format"
	postgeo export acs --field economic.income.median_household_income,demographic.sex_and_age.total_population -o "$work/acs.$format"
	postgeo export areas zip county -o "$work/areas.$format"
done
postgeo export areas zip county -o "$work/areas.geojson"
cp docs/customers.csv "$work/"
postgeo enrich docs/customers.csv --add county_fips,acs.economic.income.median_household_income -o "$work/enriched.parquet"

cp scripts/duckdb.mjs "$work/"
node "$work/duckdb.mjs" docs/engines.md "$work" "${1:-}"

[ -z "${1:-}" ] || exit 0
cp scripts/duckdb-foreign.mjs "$work/"
mkdir "$work/foreign"
node "$work/duckdb-foreign.mjs" write "$work/foreign"
for in in "$work"/foreign/*; do
	out=${in%.gz}
	how=()
	case $in in
	*semicolon*) how=(--delimiter ';') ;;
	*tab*) how=(--delimiter tab) ;;
	*lz4*) # refused, because the library reads some pages wrongly: see enrich/table/parquet.go
		if postgeo enrich -q "$in" --add city -o "${out%.*}.out.parquet" 2>/dev/null; then
			echo "duckdb: LZ4 was read" >&2
			exit 1
		fi
		grep -q 'LZ4_RAW, which is not read' "$work/postgeo.log"
		continue
		;;
	esac
	postgeo enrich -q "$in" "${how[@]}" --add city -o "${out%.*}.out.parquet"
done
node "$work/duckdb-foreign.mjs" check "$work/foreign"
