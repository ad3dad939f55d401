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
geo                   geo/...                   $module/dataset
geo                   geo/...                   $module/envelope
internal-disk         internal/disk/...         $module/geo
internal-plain        internal/plain/...        $module/geo
internal-xlsx         internal/xlsx/...         $module/geo
internal-sampletest   internal/sampletest/...   $module/server
fault                 fault/...                 $module/lookup
fault                 fault/...                 $module/envelope
internal-wording      internal/wording/...     $module/envelope
internal-notice       internal/notice/...       $module/fault
envelope              envelope/...              $module/geo
envelope              envelope/...              $module/dataset
internal-comments     internal/comments/...     $module/lookup
internal-edit         internal/edit/...         $module/geo
dataset-pub28         dataset/pub28/...         $module/dataset
dataset               dataset                   $module/envelope
dataset               dataset                   github.com/jonas-p/go-shp
dataset-store         dataset/internal/store    $module/dataset/pub28
dataset-codes         dataset/internal/codes    $module/dataset/pub28
dataset-layers        dataset/internal/layers   $module/dataset/internal/survey
dataset-streets       dataset/internal/streets  $module/dataset/internal/layers
dataset-survey        dataset/internal/survey   $module/dataset/pub28
dataset-rooms         dataset/internal/rooms    $module/dataset/pub28
dataset-namekey       dataset/namekey/...       $module/dataset
internal-tzif         internal/tzif/...         $module/lookup
dataset-build         dataset/build             $module/lookup
dataset-build-plan    dataset/build/internal/plan/...       $module/dataset/build/internal/draft
dataset-build-catalog   dataset/build/internal/catalog/... $module/dataset/build/internal/plan
dataset-build-spelling dataset/build/internal/spelling/...  $module/dataset
dataset-build-shape   dataset/build/internal/shape/...      $module/dataset/build/internal/draft
dataset-build-draft   dataset/build/internal/draft/...      $module/dataset/build/internal/codes
dataset-build-themes  dataset/build/internal/codes/...      $module/dataset/build/internal/layers
dataset-build-themes  dataset/build/internal/layers/...     $module/dataset/build/internal/codes
dataset-build-source  dataset/build/source/...  $module/dataset/build/fetch
dataset-build-format  dataset/build/format/...  $module/dataset
dataset-build-fetch   dataset/build/fetch/...   $module/dataset/build/source
dataset-synth         dataset/synth/...         $module/dataset/build
dataset-sample        dataset/sample            $module/lookup
acs                   acs/...                   $module/lookup
lookup                lookup/...                $module/radius
lookup                lookup/...                $module/billing
radius                radius/...                $module/billing
address               address/...               $module/radius
address               address/...               $module/billing
billing               billing/...               $module
billing               billing/...               $module/dataset
billing-book          billing/internal/book/... $module/lookup
billing-store         billing/internal/store/... $module/lookup
billing-sqlite        billing/sqlite/...        $module/lookup
billing-postgres      billing/postgres/...      $module/lookup
billing-redis         billing/redis/...         $module/lookup
storetest             internal/storetest/...    $module/lookup
root                  .                         $module/dataset/build
root                  .                         github.com/parquet-go/parquet-go
server                server/...                $module/dataset/build
server                server/...                github.com/parquet-go/parquet-go
internal-operation    internal/operation/...    $module/server
internal-openapi      internal/openapi/...       $module/envelope
internal-shapes       internal/shapes/...        $module/billing
server-client         server/client/...         $module/server
enrich                enrich/...                $module/server
enrich                enrich/...                github.com/parquet-go/parquet-go
enrich-table          enrich/table/...          $module/server
export                export/...                $module/server
cmd                   cmd/postgeo/internal/cli/...  github.com/parquet-go/parquet-go
cmd-mcp               cmd/postgeo-mcp/internal/tools/...  github.com/google/uuid
examples              examples/...              $module/dataset
http                  lookup/...                net/http
http                  dataset                   net/http/httptest
http                  cmd/postgeo/internal/cli/...  net/http
sqlite                server/...                modernc.org/sqlite
sqlite                lookup/...                database/sql
sqlite                dataset/build/source/...  database/sql
build-only            lookup/...                $module/dataset/build
build-only            .                         $module/dataset/synth
test-only             geo/...                   github.com/google/go-cmp/cmp
test-only             geo/...                   github.com/getkin/kin-openapi/openapi3
stale                 envelope/...              math/rand
logging               server/...                log
silence               lookup/...                log/slog
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
