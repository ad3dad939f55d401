package bundle

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	content "github.com/goreleaser/nfpm/v2/files"
)

// debianFiles contains the scripts of the package and the overrides for lintian.
//
//go:embed debian
var debianFiles embed.FS

const (
	debianAuthors = "The postgeo authors <postgeo@users.noreply.github.com>"
	debianRelease = "1"
	debianAbout   = `US and Canadian postal geography
Looks up ZIP, ZIP+4 and Canadian postal codes, matches addresses, measures
distances and searches around places. It reads one local file and has a
command line, an HTTP server, and tools of the Model Context Protocol.`
)

// debian writes the Debian package of a platform. Files are installed where
// Debian's policy requires. An upgrade keeps the owner's configuration, and the
// service is not started.
func (r *release) debian(t target, files []file, tmp string) error {
	p, err := newDebianPackage(r, t, files, filepath.Join(tmp, "debian_"+t.arch))
	if err != nil {
		return err
	}
	for name, to := range map[string]string{
		"postgeo": "bin/", "postgeo-mcp": "bin/",
		"completions/postgeo.bash": "share/bash-completion/completions/postgeo",
		"completions/_postgeo":     "share/zsh/vendor-completions/",
		"completions/postgeo.fish": "share/fish/vendor_completions.d/",
		"README.md":                "share/doc/postgeo/",
	} {
		p.add(name, "/usr/"+to)
	}
	for name, to := range map[string]string{
		"man/postgeo.1": "man/man1/postgeo.1", "man/postgeo-mcp.1": "man/man1/postgeo-mcp.1",
		"CHANGELOG.md": "doc/postgeo/changelog", "changelog.Debian": "doc/postgeo/changelog.Debian",
		"THIRD_PARTY_LICENSES.txt": "doc/postgeo/THIRD_PARTY_LICENSES.txt",
	} {
		p.zip(name, "/usr/share/"+to+".gz")
	}
	for _, f := range files {
		if strings.HasPrefix(f.name, "docs/") {
			p.add(f.name, "/usr/share/doc/postgeo/"+path.Dir(f.name)+"/")
		}
	}
	p.add("copyright", "/usr/share/doc/postgeo/")
	p.add("overrides", "/usr/share/lintian/overrides/postgeo")
	for _, name := range units {
		p.add(name, "/usr/lib/systemd/system/")
	}
	p.add("postgeo.json", "/etc/postgeo/").Type = content.TypeConfig
	if p.err != nil {
		return p.err
	}
	p.info.Scripts = nfpm.Scripts{PostInstall: p.source("postinst"), PreRemove: p.source("prerm"), PostRemove: p.source("postrm")}
	var out bytes.Buffer
	if err := nfpm.PrepareForPackager(p.info, "deb"); err != nil {
		return err
	}
	if err := deb.Default.Package(p.info, &out); err != nil {
		return err
	}
	return r.write(deb.Default.ConventionalFileName(p.info), out.Bytes())
}

// units are the units of systemd in the folder packaging: the server, and the timer
// that pulls datasets.
var units = [...]string{"postgeo.service", "postgeo-pull.service", "postgeo-pull.timer"}

// A debianPackage is a package whose files are collected in a folder.
type debianPackage struct {
	info   *nfpm.Info
	folder string
	err    error // of the first failure
}

// newDebianPackage writes the files of a release, and those that only the
// package contains, to the folder.
func newDebianPackage(r *release, t target, files []file, folder string) (*debianPackage, error) {
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "postgeo", Arch: t.arch, Platform: t.os, Version: r.version, Release: debianRelease,
		Section: "science", Priority: "optional", Maintainer: debianAuthors, Description: debianAbout,
		Homepage: "https://github.com/postgeo/postgeo", License: "MIT", MTime: r.date, DisableGlobbing: true,
		Overridables: nfpm.Overridables{Umask: 0o022, Recommends: []string{"ca-certificates"}, Deb: nfpm.Deb{Compression: "gzip"}},
	})
	p := &debianPackage{info: info, folder: folder}
	for _, f := range files {
		data := f.data
		switch {
		case f.name == "LICENSE":
			p.save("copyright", debianCopyright(data))
		case slices.Contains(units[:], f.name):
			data = bytes.ReplaceAll(data, []byte("/usr/local/bin/"), []byte("/usr/bin/"))
		}
		p.save(f.name, data)
	}
	scripts, err := fs.Sub(debianFiles, "debian")
	if err == nil {
		err = os.CopyFS(folder, scripts)
	}
	version := info.Version
	if info.Prerelease != "" {
		version += "~" + info.Prerelease
	}
	p.save("changelog.Debian", r.debianChangelog(version+"-"+debianRelease))
	if p.err != nil {
		err = p.err
	}
	return p, err
}

func (p *debianPackage) source(name string) string {
	return filepath.Join(p.folder, filepath.FromSlash(name))
}

func (p *debianPackage) save(name string, data []byte) {
	if p.err == nil {
		p.err = os.MkdirAll(filepath.Dir(p.source(name)), 0o755)
	}
	if p.err == nil {
		p.err = os.WriteFile(p.source(name), data, 0o644)
	}
}

// add installs a file under a path, or in a folder if the path ends in "/".
func (p *debianPackage) add(name, to string) *content.Content {
	if strings.HasSuffix(to, "/") {
		to += path.Base(name)
	}
	c := &content.Content{Source: p.source(name), Destination: to, FileInfo: &content.ContentFileInfo{Mode: 0o644, MTime: p.info.MTime}}
	if strings.HasPrefix(to, "/usr/bin/") {
		c.FileInfo.Mode = 0o755
	}
	p.info.Contents = append(p.info.Contents, c)
	return c
}

// zip installs a file in gzip's format, without name and date.
func (p *debianPackage) zip(name, to string) {
	data, err := os.ReadFile(p.source(name))
	if err == nil {
		data, err = compressed(data)
	}
	if err != nil {
		p.err = err
		return
	}
	p.save(name+".gz", data)
	p.add(name+".gz", to)
}

// debianCopyright returns the license in the form that Debian's policy
// requires.
func debianCopyright(license []byte) []byte {
	var b bytes.Buffer
	b.WriteString(`Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: postgeo
Source: https://github.com/postgeo/postgeo
Comment: The programs are linked with modules of others. Their names, licenses
 and copyright notices are in THIRD_PARTY_LICENSES.txt.gz next to this file.

Files: *
Copyright: the postgeo authors
License: MIT
`)
	for line := range strings.Lines(string(license)) {
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
  * Changes are listed in changelog.gz.

 -- %s  %s
`, version, r.version, debianAuthors, r.date.Format(time.RFC1123Z))
}
