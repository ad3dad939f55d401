#!/usr/bin/env bash
# Calls every tool of postgeo-mcp over standard streams and over HTTP with the
# official TypeScript SDK, and once with the command line of the MCP
# Inspector. Both come from npm; without node or the registry nothing runs.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v npm >/dev/null || { echo "mcp: skipped, npm is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm init -y >/dev/null 2>&1 && npm install --no-audit --no-fund '@modelcontextprotocol/sdk@1.32.2' '@modelcontextprotocol/inspector@0.15.0' >install.log 2>&1) ||
	{ echo "mcp: skipped, the npm packages could not be installed: $(tail -1 "$work/install.log")"; exit 0; }

go -C cmd/postgeo-mcp build -o "$work/postgeo-mcp" .
export XDG_DATA_HOME="$work/none" POSTGEO_DATA= # so that the sample is read
cp scripts/mcp.mjs "$work/"
node "$work/mcp.mjs" "$work/postgeo-mcp"
answer=$(cd "$work" && npx --no-install mcp-inspector --cli ./postgeo-mcp --method tools/call --tool-name lookup --tool-arg code=90210 --tool-arg only=city 2>/dev/null)
case $answer in
*'\"city\":\"Beverly Hills\"'*) echo "mcp: the Inspector's call is answered" ;;
*) echo "mcp: the Inspector got $answer" >&2; exit 1 ;;
esac
