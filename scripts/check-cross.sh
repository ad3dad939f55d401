#!/usr/bin/env bash
# Checks other platforms as far as this one can: compiles everything with its
# tests for Windows and macOS (go vet), runs the library's tests as a
# 32-bit program if the processor can, and under emulation for arm64 and
# Windows if qemu-aarch64-static and wine are installed.
#
#   scripts/check-cross.sh [PACKAGE...]   packages whose tests are run
#
# Wine 8 lacks a library that Go programs load at their start, and a call that
# os.RemoveAll makes. Where mingw is installed the library is made here, for a
# folder of Wine's own; the call is replaced in a copy of Go's source for the
# tests (-overlay).
set -euo pipefail
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export CGO_ENABLED=0

step() { # name, command...
	local name=$1 begun=$SECONDS
	shift
	echo "== $name"
	"$@"
	echo "== $name passed in $((SECONDS - begun)) s"
}

for platform in darwin/arm64 windows/amd64; do
	step "vet $platform" env GOOS="${platform%/*}" GOARCH="${platform#*/}" go vet ./...
	step "vet $platform, postgeo-mcp" env GOOS="${platform%/*}" GOARCH="${platform#*/}" go -C cmd/postgeo-mcp vet ./...
done

# Accounts and the server require 64 bits; the library does not.
packages=("$@")
[ ${#packages[@]} -gt 0 ] || packages=(./geo ./internal/spatial ./lookup ./lookup/suggest ./address ./acs ./radius)
case $(go env GOHOSTOS)/$(go env GOHOSTARCH) in
linux/amd64)
	step "tests on linux/386" env GOARCH=386 go test "${packages[@]}"
	if command -v qemu-aarch64-static >/dev/null; then
		step "tests on linux/arm64" env GOARCH=arm64 go test -short -timeout 30m -exec qemu-aarch64-static "${packages[@]}"
	else
		echo "== tests on linux/arm64: skipped, qemu-aarch64-static is not installed"
	fi
	;;
*) echo "== tests on other platforms: skipped, they are run from linux/amd64" ;;
esac

if ! command -v wine >/dev/null || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
	echo "== tests on windows/amd64: skipped, wine and gcc-mingw-w64-x86-64 are not both installed"
	exit 0
fi
export WINEPREFIX=$tmp/wine WINEDEBUG=-all
cat >"$tmp/random.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n) { return SystemFunction036(p, (ULONG)n); }
C
x86_64-w64-mingw32-gcc -shared -o "$tmp/bcryptprimitives.dll" "$tmp/random.c" -ladvapi32
wine cmd /c exit >/dev/null 2>&1 || true # makes the folder
system=$WINEPREFIX/drive_c/windows/system32
[ -e "$system/bcryptprimitives.dll" ] || cp "$tmp/bcryptprimitives.dll" "$system/"
source=$(go env GOROOT)/src/internal/syscall/windows/at_windows.go
sed 's/^	if TestDeleteatFallback {/	if true {/' "$source" >"$tmp/at_windows.go"
printf '{"Replace":{"%s":"%s"}}' "$source" "$tmp/at_windows.go" >"$tmp/overlay.json"
step "tests on windows/amd64" env GOOS=windows GOARCH=amd64 go test -overlay "$tmp/overlay.json" -exec wine "${packages[@]}" ./enrich ./internal/export
