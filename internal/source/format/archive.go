package format

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// An Archive is an open zip file. It must be closed, after the Inputs that it opened.
// Nothing is written under the names of its members.
type Archive struct {
	path    string
	zip     *zip.Reader
	maxSize int64
	file    io.Closer
}

// OpenArchive opens the zip file at the path. Members of more than maxSize bytes are
// refused; zero means 128 GiB.
func OpenArchive(path string, maxSize int64) (*Archive, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	a, err := newArchive(f, st.Size(), path, maxSize)
	if err != nil {
		f.Close()
		return nil, err
	}
	a.file = f
	return a, nil
}

func newArchive(r io.ReaderAt, size int64, name string, maxSize int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, &Error{File: name, Reason: "zip directory: " + err.Error() + "; fetch the file again", Err: ErrTruncated}
	}
	return &Archive{path: name, zip: z, maxSize: maxSize}, nil
}

// Names returns the names of the files of the archive in the order of its
// directory. It leaves out folders and the resource forks that macOS adds.
func (a *Archive) Names() []string {
	var names []string
	for _, f := range a.zip.File {
		if isContent(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

func isContent(f *zip.File) bool {
	return !f.Mode().IsDir() && !strings.HasPrefix(f.Name, "__MACOSX/") && !strings.HasPrefix(path.Base(f.Name), "._")
}

// Open opens a member: by its full name, by a pattern of path.Match for one
// member, or with "" the only file of the archive. Otherwise the error matches
// [ErrMember] and lists the members.
func (a *Archive) Open(member string) (*Input, error) {
	f, err := a.find(member)
	if err != nil {
		return nil, err
	}
	name := a.path + ":" + f.Name
	r, err := f.Open()
	if err != nil {
		return nil, &Error{File: name, Reason: err.Error() + "; fetch the file again", Err: ErrTruncated}
	}
	return newBounded(r, name, int64(min(f.CompressedSize64, 1<<62)), a.maxSize), nil
}

func (a *Archive) find(member string) (*zip.File, error) {
	var found []*zip.File
	for _, f := range a.zip.File {
		if !isContent(f) {
			continue
		}
		ok := member == "" || f.Name == member
		if !ok && strings.ContainsAny(member, "*?[") {
			ok, _ = path.Match(member, f.Name)
		}
		if ok {
			found = append(found, f)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	want := "exactly one file"
	if member != "" {
		want = "member " + excerpt(member)
	}
	return nil, &Error{File: a.path, Reason: fmt.Sprintf("expected %s, found %d of it among %s", want, len(found), list(a.Names())), Err: ErrMember}
}

// Close closes the file. It may be called again.
func (a *Archive) Close() error {
	if a.file == nil {
		return nil
	}
	f := a.file
	a.file = nil
	return f.Close()
}

// besides returns an archive of a .shp file and of the files that belong to it.
func besides(name string, maxSize int64) (*Archive, error) {
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, ext := range []string{filepath.Ext(name), ".dbf", ".prj", ".cpg"} {
		data, err := os.ReadFile(stem + ext)
		if errors.Is(err, fs.ErrNotExist) && ext != filepath.Ext(name) {
			if data, err = os.ReadFile(stem + strings.ToUpper(ext)); errors.Is(err, fs.ErrNotExist) {
				continue // a member that is required is missed later
			}
		}
		if err != nil {
			return nil, err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: filepath.Base(stem) + ext, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return newArchive(bytes.NewReader(b.Bytes()), int64(b.Len()), name, maxSize)
}
