package bundle

import (
	"context"
	"io"
	"time"
)

// Entry is an entry of an archive.
type Entry struct {
	Name       string
	Data       string
	Executable bool
}

func files(entries []Entry) []file {
	var out []file
	for _, e := range entries {
		out = append(out, file{name: e.Name, data: []byte(e.Data), executable: e.Executable})
	}
	return out
}

// Tar and Zip write archives.
func Tar(w io.Writer, folder string, entries []Entry, date time.Time) error {
	return tarred(w, folder, files(entries), date)
}

func Zip(w io.Writer, folder string, entries []Entry, date time.Time) error {
	return zipped(w, folder, files(entries), date)
}

// BOM is the bill of materials of the program at path, whose module is in dir.
func BOM(ctx context.Context, dir, path string) (bom, texts []byte, err error) {
	modules, err := modulesOf(ctx, dir, path)
	if err != nil {
		return nil, nil, err
	}
	modules = unique(append(modules, modules...))
	r := &release{version: "v1.2.3", revision: "abc", date: time.Unix(1750000000, 0).UTC()}
	bom, err = r.bom(target{"linux", "arm64"}, []file{{name: "postgeo", data: []byte("program")}}, modules)
	return bom, notices(modules), err
}

var LicensesOf = licensesOf

// Debian writes a Debian package of the entries to a folder.
func Debian(version, out, tmp string, entries []Entry) error {
	r := &release{version: version, out: out, date: time.Unix(1750000000, 0).UTC()}
	return r.debian(target{"linux", "arm64"}, files(entries), tmp)
}
