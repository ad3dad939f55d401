#!/usr/bin/env bash
# Runs go generate and fails if it changes, adds or removes a file. Edits that
# are not committed yet do not matter, only the changes that go generate makes.
set -euo pipefail
cd "$(dirname "$0")/.."

snapshot() {
	git ls-files -z --cached --others --exclude-standard | LC_ALL=C sort -z |
		while IFS= read -r -d '' file; do
			if [ -f "$file" ]; then
				printf '%s %s\n' "$(git hash-object -- "$file")" "$file"
			fi
		done
}

# Hashes of contents, and not git diff: that would also show edits that are not committed.
before=$(snapshot)
go generate ./...
after=$(snapshot)
if [ "$before" != "$after" ]; then
	echo "go generate changed files; commit what it writes:" >&2
	diff <(echo "$before") <(echo "$after") | sed -n 's/^[<>] [0-9a-f]* /  /p' | sort -u >&2
	exit 1
fi
echo "go generate: nothing changed"
