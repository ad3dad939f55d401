#!/usr/bin/env bash
# Proves that the import rules of .golangci.yml bite. Each line of the table
# below is a forbidden import; all of them are planted into a copy of the
# repository, and the linter has to refuse every single one by the rule that
# is named there. A rule without a line is an error too.
set -euo pipefail
cd "$(dirname "$0")/.."

module=github.com/postgeo/postgeo

# rule, folder, forbidden import. A folder that ends in "/..." is planted with
# a new folder below it, any other gets a new file in its own package.
plants="
geo                   geo/...                   $module/internal/dataset
geo                   geo/...                   $module/internal/envelope
internal-disk         internal/disk/...         $module/geo
internal-plain        internal/plain/...        $module/geo
internal-rings        internal/rings/...        $module/geo
internal-cache        internal/cache/...        $module/geo
internal-admission    internal/admission/...    $module/geo
internal-foreign      internal/foreign/...      $module/server
internal-function     internal/function/...     $module/server
internal-xlsx         internal/xlsx/...         $module/geo
internal-sampletest   internal/sampletest/...   $module/server
internal-scoretest    internal/scoretest/...    $module/server
fault                 internal/fault/...                 $module/internal/lookup
fault                 internal/fault/...                 $module/internal/envelope
internal-wording      internal/wording/...     $module/internal/envelope
internal-notice       internal/notice/...       $module/internal/fault
envelope              internal/envelope/...              $module/geo
envelope              internal/envelope/...              $module/internal/dataset
internal-comments     internal/comments/...     $module/internal/lookup
internal-edit         internal/edit/...         $module/geo
internal-enum         internal/enum/...         $module/geo
dataset-pub28         internal/dataset/pub28/...         $module/internal/dataset
dataset               internal/dataset                   $module/internal/envelope
dataset               internal/dataset                   github.com/jonas-p/go-shp
dataset-store         internal/dataset/internal/store    $module/internal/dataset/pub28
dataset-codes         internal/dataset/internal/codes    $module/internal/dataset/pub28
dataset-layers        internal/dataset/internal/layers   $module/internal/dataset/internal/survey
dataset-streets       internal/dataset/internal/streets  $module/internal/dataset/internal/layers
dataset-roads         internal/dataset/internal/roads    $module/internal/dataset/internal/layers
dataset-survey        internal/dataset/internal/survey   $module/internal/dataset/pub28
dataset-tables        internal/dataset/internal/tables   $module/internal/dataset/internal/survey
dataset-rooms         internal/dataset/internal/rooms    $module/internal/dataset/pub28
dataset-namekey       internal/dataset/namekey/...       $module/internal/dataset
internal-tzif         internal/tzif/...         $module/internal/lookup
dataset-build         internal/dataset/build             $module/internal/lookup
dataset-build-plan    internal/dataset/build/internal/plan/...       $module/internal/dataset/build/internal/draft
dataset-build-catalog   internal/dataset/build/internal/catalog/... $module/internal/dataset/build/internal/plan
dataset-build-spelling internal/dataset/build/internal/spelling/...  $module/internal/dataset
dataset-build-shape   internal/dataset/build/internal/shape/...      $module/internal/dataset/build/internal/draft
dataset-build-draft   internal/dataset/build/internal/draft/...      $module/internal/dataset/build/internal/codes
dataset-build-themes  internal/dataset/build/internal/codes/...      $module/internal/dataset/build/internal/layers
dataset-build-themes  internal/dataset/build/internal/layers/...     $module/internal/dataset/build/internal/codes
dataset-build-source  internal/dataset/build/source/...  $module/internal/dataset/build/fetch
dataset-build-format  internal/dataset/build/format/...  $module/internal/dataset
dataset-build-fetch   internal/dataset/build/fetch/...   $module/internal/dataset/build/source
dataset-packed        internal/dataset/packed/...        $module/internal/dataset/build/fetch
dataset-channel       internal/dataset/channel/...       $module/internal/dataset/build
pack                  pack/...                           $module/internal/dataset/channel
dataset-synth         internal/dataset/synth/...         $module/internal/dataset/build
dataset-sample        internal/dataset/sample            $module/internal/lookup
acs                   internal/acs/...                   $module/internal/lookup
lookup                internal/lookup/...                $module/internal/radius
lookup                internal/lookup/...                $module/internal/billing
radius                internal/radius/...                $module/internal/billing
address               internal/address/...               $module/internal/radius
address               internal/address/...               $module/internal/billing
geocode               internal/geocode/...               $module/internal/radius
price                 price/...                 $module/internal/dataset
price                 price/...                 $module/internal/billing
billing               internal/billing/...               $module/price
billing               internal/billing/...               $module/internal/dataset
billing-book          internal/billing/internal/book/... $module/internal/lookup
billing-service       internal/billing/service/... $module/internal/lookup
billing-store         internal/billing/internal/store/... $module/internal/lookup
billing-sqlite        internal/billing/sqlite/...        $module/internal/lookup
billing-postgres      internal/billing/postgres/...      $module/internal/lookup
billing-redis         internal/billing/redis/...         $module/internal/lookup
storetest             internal/storetest/...    $module/internal/lookup
root                  .                         $module/internal/dataset/build
root                  .                         github.com/parquet-go/parquet-go
server                server/...                $module/internal/dataset/build
server                server/...                github.com/parquet-go/parquet-go
internal-operation    internal/operation/...    $module/server
internal-openapi      internal/openapi/...       $module/internal/envelope
internal-shapes       internal/shapes/...        $module/internal/billing
server-client         server/client/...         $module/server
enrich                enrich/...                $module/server
enrich                enrich/...                github.com/parquet-go/parquet-go
enrich-table          enrich/table/...          $module/server
export                export/...                $module/server
cmd                   cmd/postgeo/internal/cli/...  github.com/parquet-go/parquet-go
cmd-mcp               cmd/postgeo-mcp/internal/tools/...  github.com/google/uuid
examples              examples/...              $module/internal/dataset
http                  internal/lookup/...                net/http
http                  internal/dataset                   net/http/httptest
http                  cmd/postgeo/internal/cli/...  net/http
sqlite                server/...                modernc.org/sqlite
sqlite                internal/lookup/...                database/sql
sqlite                internal/dataset/build/source/...  database/sql
build-only            internal/lookup/...                $module/internal/dataset/build
build-only            .                         $module/internal/dataset/synth
test-only             geo/...                   github.com/google/go-cmp/cmp
test-only             geo/...                   github.com/getkin/kin-openapi/openapi3
stale                 internal/envelope/...              math/rand
logging               server/...                log
silence               internal/lookup/...                log/slog
"

# Two copies: a nested module would not build with the imports planted into the
# module that it needs.
mcp=cmd/postgeo-mcp
copies=$(mktemp -d)
trap 'rm -rf "$copies"' EXIT
mkdir "$copies/main"
git ls-files -z --cached --others --exclude-standard |
	while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
	tar --null -T - -cf - | tar -xf - -C "$copies/main"
cp -r "$copies/main" "$copies/mcp"

rules=$(awk '/^    depguard:/ {on = 1} /^  exclusions:/ {on = 0} on && /^        [a-z-]+:$/ {sub(":", "", $1); print $1}' .golangci.yml)
failed=0
n=0
expected=()
while read -r rule dir import; do
	[ -n "$rule" ] || continue
	base=${dir%/...}
	if ! compgen -G "$base/*.go" >/dev/null && { [ "$base" = "$dir" ] || ! compgen -G "$base/*/*.go" >/dev/null; }; then
		echo "layers: $base has no code yet, $rule is not tried there"
		continue
	fi
	n=$((n + 1))
	copy=$copies/main
	case $base in "$mcp"*) copy=$copies/mcp ;; esac
	if [ "$base" = "$dir" ]; then
		package=$(go list -f '{{.Name}}' "./$base")
		file=${base#.}
		file=${file:+$file/}zzplanted$n.go
	else
		package=zzplanted$n
		file=$base/zzplanted$n/planted.go
		mkdir -p "$copy/$base/zzplanted$n"
	fi
	printf '// Package %s is planted.\npackage %s\n\nimport _ "%s" // planted\n' "$package" "$package" "$import" >"$copy/$file"
	expected+=("$rule $file $import")
done <<<"$plants"

for rule in $rules; do
	if ! grep -q "^$rule " <<<"$plants"; then
		echo "layers: rule $rule of .golangci.yml has no planted import" >&2
		failed=1
	fi
done

linter=$(go tool -n -modfile=tools.mod golangci-lint)
look() { # copy, folder of the module in it
	(cd "$copies/$1/$2" && "$linter" run --path-prefix "$2" --allow-parallel-runners --enable-only depguard --max-issues-per-linter 0 --max-same-issues 0 --uniq-by-line=false ./... 2>&1 || true)
}
report=$(look main "" && look mcp "$mcp")

for line in "${expected[@]}"; do
	read -r rule file import <<<"$line"
	if ! grep -qF "import '$import' is not allowed from list '$rule'" <(grep -F "$file:" <<<"$report"); then
		echo "layers: $file imports $import and rule $rule did not refuse it" >&2
		failed=1
	fi
done
if [ "$failed" -ne 0 ]; then
	echo "$report" >&2
	exit 1
fi
echo "layers: ${#expected[@]} planted imports, all refused"
