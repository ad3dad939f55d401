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
	"unicode/utf8"
)

// An Archive is an open zip file whose directory has been checked. It must be
// closed, after the Inputs that it opened.
type Archive struct {
	path   string
	zip    *zip.Reader
	limits Limits
	file   io.Closer
}

// OpenArchive opens the zip file at the path. It refuses an archive, with an
// error that matches [ErrArchive], if any member has an absolute name, a name
// outside the archive, or is encrypted. More members than the limits allow are
// refused, too.
func OpenArchive(path string, l Limits) (*Archive, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	a, err := newArchive(f, st.Size(), path, l)
	if err != nil {
		f.Close()
		return nil, err
	}
	a.file = f
	return a, nil
}

func newArchive(r io.ReaderAt, size int64, name string, l Limits) (*Archive, error) {
	l = l.withDefaults()
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, &Error{File: name, Reason: "zip directory: " + err.Error() + "; fetch the file again", Err: ErrTruncated}
	}
	if len(z.File) > l.MaxMembers {
		return nil, &Error{File: name, Reason: fmt.Sprintf("%d members, at most %d allowed", len(z.File), l.MaxMembers), Err: ErrArchive}
	}
	for _, f := range z.File {
		if reason := badMember(f); reason != "" {
			return nil, &Error{File: name, Reason: "member " + excerpt(f.Name) + " " + reason, Err: ErrArchive}
		}
	}
	return &Archive{path: name, zip: z, limits: l}, nil
}

// badMember returns why an archive with this member may not be read, or "".
func badMember(f *zip.File) string {
	const encrypted = 1
	name := f.Name
	switch {
	case name == "" || !utf8.ValidString(name) && !f.NonUTF8 || strings.ContainsRune(name, 0):
		return "has no proper name"
	case strings.HasPrefix(name, "/") || strings.Contains(name, `\`) || len(name) > 1 && name[1] == ':':
		return "has an absolute or foreign path"
	case strings.Contains("/"+name+"/", "/../"):
		return "leads out of the archive"
	case f.Flags&encrypted != 0:
		return "is encrypted"
	case !f.Mode().IsRegular() && !f.Mode().IsDir():
		return "is not a regular file"
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return fmt.Sprintf("uses compression method %d, expected stored or deflated", f.Method)
	}
	return ""
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
	declared, packed := int64(min(f.UncompressedSize64, 1<<62)), int64(min(f.CompressedSize64, 1<<62))
	switch {
	case declared > a.limits.MaxSize:
		return nil, tooLarge(name, fmt.Sprintf("%d bytes uncompressed, at most %d allowed", declared, a.limits.MaxSize))
	case declared > ratioFree && declared/max(packed, 1) > a.limits.MaxRatio:
		return nil, tooLarge(name, fmt.Sprintf("expands %d times, at most %d allowed", declared/max(packed, 1), a.limits.MaxRatio))
	}
	r, err := f.Open()
	if err != nil {
		return nil, &Error{File: name, Reason: err.Error() + "; fetch the file again", Err: ErrTruncated}
	}
	in := NewInput(name, newBounded(r, name, packed, a.limits))
	in.closers = append(in.closers, r)
	return in, nil
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
	names := a.Names()
	list := strings.Join(names[:min(len(names), 10)], ", ")
	if len(names) > 10 {
		list += ", …"
	}
	return nil, &Error{File: a.path, Reason: fmt.Sprintf("expected %s, found %d of it among %d files: %s", want, len(found), len(names), list), Err: ErrMember}
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
func besides(name string, l Limits) (*Archive, error) {
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
	return newArchive(bytes.NewReader(b.Bytes()), int64(b.Len()), name, l)
}
