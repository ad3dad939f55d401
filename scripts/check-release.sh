#!/usr/bin/env bash
# Builds the release of this machine's platform twice, the second time from a
# copy in another folder, without git and with an empty build cache. The bytes
# must be equal. Then it checks the contents: programs that run and print their
# version, completions that the shells parse, a manual page, checksums, and a
# Debian package that installs into a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(go env GOOS)" != linux ]; then
	echo "check-release: not on Linux, nothing is checked"
	exit 0
fi
version=v9.8.7-check.1
arch=$(go env GOARCH)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

revision=$(git rev-parse HEAD 2>/dev/null || echo 0000000000000000000000000000000000000000)
release=(-version "$version" -revision "$revision" -date 1750000000 -targets "linux/$arch")
go build -C packaging/release -o "$tmp/release" .
"$tmp/release" -o "$tmp/one" "${release[@]}"

mkdir "$tmp/elsewhere"
git ls-files -z --cached --others --exclude-standard |
	while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
	tar --null -T - -cf - | tar -xf - -C "$tmp/elsewhere"
(cd "$tmp/elsewhere" && umask 077 && TZ=Asia/Tokyo LC_ALL=C GOCACHE="$tmp/cache" "$tmp/release" -o "$tmp/two" "${release[@]}" >/dev/null)
diff "$tmp/one/SHA256SUMS" "$tmp/two/SHA256SUMS"
echo "check-release: the same bytes twice"
rm -rf "$tmp/elsewhere" "$tmp/two" "$tmp/cache"

(cd "$tmp/one" && sha256sum --quiet -c SHA256SUMS)
name=postgeo_${version#v}_linux_$arch
tar -xzf "$tmp/one/$name.tar.gz" -C "$tmp"
folder=$tmp/$name
want() { # text, command...
	local text=$1 out
	shift
	out=$("$@" </dev/null 2>&1) || { echo "check-release: $* failed: $out" >&2; exit 1; }
	case $out in *"$text"*) ;; *) echo "check-release: $* prints $out, which lacks $text" >&2; exit 1 ;; esac
}
export HOME=$tmp XDG_DATA_HOME=$tmp
want "\"version\":\"$version\",\"revision\":\"$revision\"" "$folder/postgeo" version --format json
want "postgeo-mcp $version go" "$folder/postgeo-mcp" --version
want '"city":"Beverly Hills"' "$folder/postgeo" lookup 90210 --format json
want 'statically linked' env LC_ALL=C sh -c "ldd '$folder/postgeo' 2>&1 | sed 's/not a dynamic executable/statically linked/'"
go build -o "$tmp/sign" ./packaging/sign
(cd "$tmp" && ./sign -new release.key && ./sign -key release.key one >/dev/null)
provenance=$tmp/one/postgeo_${version#v}_provenance.json
want "\"files\":[\"$name/postgeo\",\"$name.tar.gz\"]" "$folder/postgeo" version --format json --verify "$provenance" --key "$tmp/release.key.pub" "$tmp/one/$name.tar.gz"
"$tmp/sign" -new "$tmp/other.key"
if "$folder/postgeo" version --verify "$provenance" --key "$tmp/other.key.pub" >/dev/null 2>&1; then
	echo "check-release: the signature of another key verifies" >&2; exit 1
fi
if command -v minisign >/dev/null; then
	minisign -QVm "$tmp/one/SHA256SUMS" -p "$tmp/release.key.pub" >/dev/null
fi
for file in LICENSE README.md CHANGELOG.md THIRD_PARTY_LICENSES.txt postgeo.service postgeo.json $(git ls-files docs); do
	[ -s "$folder/$file" ] || { echo "check-release: the archive has no $file" >&2; exit 1; }
done
for module in $(go version -m "$folder/postgeo" "$folder/postgeo-mcp" | awk '$1 == "dep" && $2 !~ "^github.com/postgeo/" {print $2}' | sort -u); do
	grep -q "^$module v" "$folder/THIRD_PARTY_LICENSES.txt" || { echo "check-release: no licence of $module" >&2; exit 1; }
done
for shell in bash zsh fish; do
	case $shell in zsh) file=_postgeo ;; *) file=postgeo.$shell ;; esac
	if command -v $shell >/dev/null; then
		$shell -n "$folder/completions/$file"
	else
		echo "check-release: $shell is not installed, its completions are not parsed"
	fi
done
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$folder/man/postgeo.1" "$folder/man/postgeo-mcp.1"
else
	echo "check-release: mandoc is not installed, the manual page is not read"
fi

deb=$(ls "$tmp"/one/*.deb)
if command -v dpkg-deb >/dev/null; then
	want "Version: 9.8.7~check.1-1" dpkg-deb --info "$deb"
	root=$tmp/root
	mkdir -p "$root"/var/lib/dpkg/{info,updates} && touch "$root"/var/lib/dpkg/{status,available}
	if [ "$(id -u)" -eq 0 ]; then
		want "Setting up postgeo" dpkg --root="$root" --force-architecture --force-script-chrootless --log="$tmp/dpkg.log" -i "$deb"
		want "ok installed" dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${Status}' postgeo
		(cd "$root" && md5sum --quiet -c var/lib/dpkg/info/postgeo.md5sums)
	else
		dpkg-deb -x "$deb" "$root"
	fi
	want "$version" "$root/usr/bin/postgeo" version
	want "ExecStart=/usr/bin/postgeo serve" cat "$root/usr/lib/systemd/system/postgeo.service"
	want "/etc/postgeo/postgeo.json" dpkg-deb --info "$deb" conffiles
	want '"listen"' cat "$root/etc/postgeo/postgeo.json"
	want "postgeo ${version%%-*}" gzip -dc "$root/usr/share/man/man1/postgeo.1.gz"
	if [ "$(id -u)" -eq 0 ]; then
		dpkg --root="$root" --force-script-chrootless --log="$tmp/dpkg.log" -r postgeo >/dev/null
		[ ! -e "$root/usr/bin/postgeo" ] || { echo "check-release: the package leaves files behind" >&2; exit 1; }
	fi
	if command -v lintian >/dev/null; then
		lintian --fail-on error --tag-display-limit 0 "$deb" || { echo "check-release: lintian finds errors in the package" >&2; exit 1; }
	else
		echo "check-release: lintian is not installed, the package is not held against Debian's policy"
	fi
else
	echo "check-release: dpkg-deb is not installed, the package is not looked at"
fi
echo "check-release: passed"
