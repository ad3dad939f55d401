package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"embed"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"
)

// debianFiles are the scripts of the package, and the overrides of its checker.
//
//go:embed debian
var debianFiles embed.FS

// debianText reads one of them.
func debianText(name string) ([]byte, error) { return debianFiles.ReadFile("debian/" + name) }

// debian writes the Debian package of a platform. Files are installed where
// Debian's policy requires; the service is not started.
func (r *release) debian(t target, files []file) error {
	at := func(name string) file {
		i := slices.IndexFunc(files, func(f file) bool { return f.name == name })
		return files[i]
	}
	overrides, err := debianText("overrides")
	if err != nil {
		return err
	}
	data := []file{
		{name: "usr/bin/postgeo", data: at("postgeo").data, executable: true},
		{name: "usr/bin/postgeo-mcp", data: at("postgeo-mcp").data, executable: true},
		{name: configFile, data: at("postgeo.json").data},
		{name: "usr/lib/systemd/system/postgeo.service", data: bytes.ReplaceAll(at("postgeo.service").data, []byte("/usr/local/bin/"), []byte("/usr/bin/"))},
		{name: "usr/share/bash-completion/completions/postgeo", data: at("completions/postgeo.bash").data},
		{name: "usr/share/zsh/vendor-completions/_postgeo", data: at("completions/_postgeo").data},
		{name: "usr/share/fish/vendor_completions.d/postgeo.fish", data: at("completions/postgeo.fish").data},
		{name: "usr/share/doc/postgeo/README.md", data: at("README.md").data},
		{name: "usr/share/doc/postgeo/copyright", data: debianCopyright(at("LICENSE").data)},
		{name: "usr/share/lintian/overrides/postgeo", data: overrides},
	}
	version := debianVersion(r.version)
	gzipped := []file{
		{name: "usr/share/man/man1/postgeo.1", data: at("man/postgeo.1").data},
		{name: "usr/share/man/man1/postgeo-mcp.1", data: at("man/postgeo-mcp.1").data},
		{name: "usr/share/doc/postgeo/changelog", data: at("CHANGELOG.md").data},
		{name: "usr/share/doc/postgeo/changelog.Debian", data: r.debianChangelog(version)},
		{name: "usr/share/doc/postgeo/THIRD_PARTY_LICENSES.txt", data: at("THIRD_PARTY_LICENSES.txt").data},
	}
	for _, f := range gzipped {
		if f.data, err = compressed(f.data); err != nil {
			return err
		}
		f.name += ".gz"
		data = append(data, f)
	}
	for _, f := range files {
		if strings.HasPrefix(f.name, "docs/") {
			data = append(data, file{name: "usr/share/doc/postgeo/" + f.name, data: f.data})
		}
	}
	control, err := r.control(t, version, data)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := deb(&out, control, data, r.date); err != nil {
		return err
	}
	return r.write(fmt.Sprintf("postgeo_%s_%s.deb", version, t.arch), out.Bytes())
}

// configFile is the configuration, which an upgrade leaves as its owner has
// changed it.
const configFile = "etc/postgeo/postgeo.json"

const debianAuthors = "The postgeo authors <postgeo@users.noreply.github.com>"

// debianCopyright returns the license in the form that Debian's policy
// requires.
func debianCopyright(licence []byte) []byte {
	var b bytes.Buffer
	b.WriteString(`Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: postgeo
Source: https://github.com/postgeo/postgeo
Comment: The programs are linked with modules of others. Their names, licenses
 and copyright notices are in THIRD_PARTY_LICENSES.txt.gz beside this file.

Files: *
Copyright: the postgeo authors
License: MIT
`)
	for line := range strings.Lines(string(licence)) {
		if line = strings.TrimSpace(line); line == "" {
			line = "."
		}
		b.WriteString(" " + line + "\n")
	}
	return b.Bytes()
}

// debianChangelog returns a list of changes in Debian's form, which refers to
// the project's own.
func (r *release) debianChangelog(version string) []byte {
	return fmt.Appendf(nil, `postgeo (%s) unstable; urgency=medium

  * Release %s.
  * What has changed is in changelog.gz.

 -- %s  %s
`, version, r.version, debianAuthors, r.date.Format(time.RFC1123Z))
}

// debianVersion is a version as Debian orders it: a pre-release comes before
// its release.
func debianVersion(v string) string {
	return strings.Replace(strings.TrimPrefix(v, "v"), "-", "~", 1) + "-1"
}

// control are the package's own files.
func (r *release) control(t target, version string, data []file) ([]file, error) {
	size := 0
	var sums strings.Builder
	for _, f := range sorted("", data) {
		size += (len(f.data) + 1023) / 1024
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.data), f.name) // the format's own choice
	}
	text := fmt.Sprintf(`Package: postgeo
Version: %s
Section: science
Priority: optional
Architecture: %s
Maintainer: %s
Installed-Size: %d
Recommends: ca-certificates
Homepage: https://github.com/postgeo/postgeo
Description: US and Canadian postal geography
 Looks up ZIP, ZIP+4 and Canadian postal codes, matches addresses, measures
 distances and searches around places from one local file: on the command
 line, over HTTP, and as tools of the Model Context Protocol.
`, version, t.arch, debianAuthors, size)
	out := []file{
		{name: "control", data: []byte(text)}, {name: "md5sums", data: []byte(sums.String())}, {name: "conffiles", data: []byte("/" + configFile + "\n")},
	}
	for _, name := range []string{"postinst", "postrm", "prerm"} {
		script, err := debianText(name)
		if err != nil {
			return nil, err
		}
		out = append(out, file{name: name, data: script, executable: true})
	}
	return out, nil
}

// deb writes a package: an ar archive of the format's version, the control
// files and the data.
func deb(w io.Writer, control, data []file, date time.Time) error {
	parts := []file{{name: "debian-binary", data: []byte("2.0\n")}}
	for name, files := range map[string][]file{"control.tar.gz": control, "data.tar.gz": data} {
		var b bytes.Buffer
		if err := packed(&b, files, date); err != nil {
			return err
		}
		parts = append(parts, file{name: name, data: b.Bytes()})
	}
	slices.SortFunc(parts[1:], func(a, b file) int { return strings.Compare(a.name, b.name) }) // control comes first
	if _, err := io.WriteString(w, "!<arch>\n"); err != nil {
		return err
	}
	for _, p := range parts {
		if _, err := fmt.Fprintf(w, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", p.name, date.Unix(), 0, 0, "100644", len(p.data)); err != nil {
			return err
		}
		if len(p.data)%2 != 0 {
			p.data = append(p.data, '\n')
		}
		if _, err := w.Write(p.data); err != nil {
			return err
		}
	}
	return nil
}

// packed writes files and their folders, as dpkg expects them.
func packed(w io.Writer, files []file, date time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	header := func(h tar.Header) error {
		h.ModTime, h.Uname, h.Gname, h.Format = date, "root", "root", tar.FormatGNU
		return t.WriteHeader(&h)
	}
	made := map[string]bool{}
	for _, f := range sorted("", files) {
		var missing []string
		for dir := path.Dir(f.name); !made[dir]; dir = path.Dir(dir) {
			made[dir] = true
			missing = append(missing, dir)
		}
		for _, dir := range slices.Backward(missing) {
			if err := header(tar.Header{Typeflag: tar.TypeDir, Name: "./" + strings.TrimPrefix(dir+"/", "./"), Mode: 0o755}); err != nil {
				return err
			}
		}
		if err := header(tar.Header{Typeflag: tar.TypeReg, Name: "./" + f.name, Size: int64(len(f.data)), Mode: f.mode()}); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}
