package tzif

import (
	"archive/tar"
	"io"
)

// WriteArchive writes all zones in the layout of python/tzdata, as a tar
// archive that is not compressed.
func WriteArchive(w io.Writer, release string) error {
	const folder = "tzdata-2026.6/src/tzdata/zoneinfo/"
	t := tar.NewWriter(w)
	put := func(name, content string) error {
		err := t.WriteHeader(&tar.Header{Name: folder + name, Mode: 0o644, Size: int64(len(content)), ModTime: since, Format: tar.FormatUSTAR})
		if err == nil {
			_, err = io.WriteString(t, content)
		}
		return err
	}
	for _, name := range Names() {
		if err := put(name, Zone(name)); err != nil {
			return err
		}
	}
	if err := put("tzdata.zi", "# version "+release+"\n"); err != nil {
		return err
	}
	return t.Close()
}
