package bundle

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/gzip"
	"io"
	"path"
	"slices"
	"time"
)

// A file is an entry of an archive.
type file struct {
	name       string // with slashes
	data       []byte
	executable bool
}

func (f *file) mode() int64 {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// sorted returns the files by name, below a folder unless it is "".
func sorted(folder string, files []file) []file {
	out := slices.Clone(files)
	for i := range out {
		out[i].name = path.Join(folder, out[i].name)
	}
	slices.SortFunc(out, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return out
}

func tarred(w io.Writer, folder string, files []file, date time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range sorted(folder, files) {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(f.data)), Mode: f.mode(), ModTime: date, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
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

func zipped(w io.Writer, folder string, files []file, date time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range sorted(folder, files) {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(0o644)
		if f.executable {
			h.SetMode(0o755)
		}
		e, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := e.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}

// compressed returns data in gzip's format, without name and date.
func compressed(data []byte) ([]byte, error) {
	var b writer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	return b, z.Close()
}

type writer []byte

func (w *writer) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}
