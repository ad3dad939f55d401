// Package disktest has a disk for tests that can be full, fail, and lose its
// power, and with it all data that is not durable.
package disktest

import (
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/disk"
)

// A Disk keeps files in memory, and for each also the durable state that
// remains after a power failure. Paths are relative. It is not safe for
// concurrent use.
type Disk struct {
	names   map[string]*inode // current
	kept    map[string]*inode // durable
	changes []change          // of names, since their folders were synced

	// Fail is called before each operation that makes changes, which fails with
	// its error. Half of the data of a failed write is written.
	Fail func(op, path string) error
}

// A change is a name that got a file, or none.
type change struct {
	path string
	to   *inode
}

type inode struct {
	folder  bool
	data    []byte
	durable []byte
	pending []write // since the last sync
}

// A write puts bytes at an offset, or cuts the file there.
type write struct {
	at   int64
	data []byte // nil: a cut
}

func (w write) apply(data []byte) []byte {
	if w.data == nil {
		return resize(data, w.at)
	}
	if end := w.at + int64(len(w.data)); int64(len(data)) < end {
		data = resize(data, end)
	}
	copy(data[w.at:], w.data)
	return data
}

func resize(data []byte, size int64) []byte {
	if size <= int64(len(data)) {
		return data[:size]
	}
	return append(data, make([]byte, size-int64(len(data)))...)
}

// New returns an empty disk.
func New() *Disk {
	return &Disk{names: make(map[string]*inode), kept: make(map[string]*inode)}
}

// Names lists the files, with a slash after folders.
func (d *Disk) Names() []string {
	var list []string
	for _, path := range slices.Sorted(maps.Keys(d.names)) {
		if d.names[path].folder {
			path += "/"
		}
		list = append(list, path)
	}
	return list
}

// Cut returns the disk after a power failure. Synced names and data remain;
// later changes are kept or lost at random, in part and in any order of the
// files.
func (d *Disk) Cut(random *rand.Rand) *Disk {
	names := maps.Clone(d.kept)
	late := make(map[string]bool) // names whose further changes are lost
	for _, c := range d.changes {
		if late[c.path] = late[c.path] || random.IntN(2) == 0; late[c.path] {
			continue
		}
		set(names, c.path, c.to)
	}
	left := New()
	seen := make(map[*inode]*inode)
	for _, path := range slices.Sorted(maps.Keys(names)) {
		if parent := filepath.Dir(path); parent != "." && names[parent] == nil {
			continue // its folder is lost
		}
		old := names[path]
		n := seen[old]
		if n == nil {
			n = &inode{folder: old.folder, data: old.cut(random)}
			n.durable = slices.Clone(n.data)
			seen[old] = n
		}
		left.names[path], left.kept[path] = n, n
	}
	return left
}

// cut returns the content of a file after a crash.
func (n *inode) cut(random *rand.Rand) []byte {
	data := slices.Clone(n.durable)
	for _, w := range n.pending {
		switch random.IntN(3) {
		case 0: // lost
		case 1:
			data = w.apply(data)
		default: // a part of it
			if len(w.data) > 0 {
				data = write{w.at, w.data[:random.IntN(len(w.data))+1]}.apply(data)
			}
		}
	}
	return data
}

func set(names map[string]*inode, path string, to *inode) {
	if to == nil {
		delete(names, path)
	} else {
		names[path] = to
	}
}

func (d *Disk) change(path string, to *inode) {
	set(d.names, path, to)
	d.changes = append(d.changes, change{path, to})
}

func (d *Disk) fail(op, path string) error {
	if d.Fail != nil {
		if err := d.Fail(op, path); err != nil {
			return &fs.PathError{Op: op, Path: path, Err: err}
		}
	}
	return nil
}

// Create implements [disk.Disk].
func (d *Disk) Create(path string) (disk.File, error) {
	if d.names[path] != nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	if err := d.fail("create", path); err != nil {
		return nil, err
	}
	n := &inode{}
	d.change(path, n)
	return &file{disk: d, path: path, inode: n}, nil
}

// Open implements [disk.Disk].
func (d *Disk) Open(path string) (disk.File, error) {
	n := d.names[path]
	if n == nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return &file{disk: d, path: path, inode: n}, nil
}

// Stat implements [disk.Disk].
func (d *Disk) Stat(path string) (fs.FileInfo, error) {
	n := d.names[path]
	if n == nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	return info{filepath.Base(path), n}, nil
}

// Mkdir implements [disk.Disk].
func (d *Disk) Mkdir(path string) error {
	if d.names[path] != nil {
		return &fs.PathError{Op: "mkdir", Path: path, Err: fs.ErrExist}
	}
	if err := d.fail("mkdir", path); err != nil {
		return err
	}
	d.change(path, &inode{folder: true})
	return nil
}

// Rename implements [disk.Disk].
func (d *Disk) Rename(from, to string) error {
	n := d.names[from]
	if n == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	if err := d.fail("rename", from); err != nil {
		return err
	}
	d.change(to, n)
	d.change(from, nil)
	return nil
}

// RemoveAll implements [disk.Disk].
func (d *Disk) RemoveAll(path string) error {
	for _, name := range slices.Sorted(maps.Keys(d.names)) {
		if name != path && !strings.HasPrefix(name, path+"/") {
			continue
		}
		if err := d.fail("remove", name); err != nil {
			return err
		}
		d.change(name, nil)
	}
	return nil
}

// Sync implements [disk.Disk].
func (d *Disk) Sync(folder string) error {
	if err := d.fail("sync", folder); err != nil {
		return err
	}
	d.changes = slices.DeleteFunc(d.changes, func(c change) bool {
		if filepath.Dir(c.path) != folder {
			return false
		}
		set(d.kept, c.path, c.to)
		return true
	})
	return nil
}

// A file is open on a Disk.
type file struct {
	disk  *Disk
	path  string
	inode *inode
	at    int64
}

func (f *file) Name() string { return f.path }
func (f *file) Close() error { return nil }

func (f *file) Size() (int64, error) { return int64(len(f.inode.data)), nil }

func (f *file) ReadAt(p []byte, at int64) (int, error) {
	if at >= int64(len(f.inode.data)) {
		return 0, io.EOF
	}
	n := copy(p, f.inode.data[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) Write(p []byte) (int, error) {
	err := f.disk.fail("write", f.path)
	if err != nil {
		p = p[:len(p)/2]
	}
	w := write{f.at, append([]byte{}, p...)}
	f.do(w)
	f.at += int64(len(p))
	return len(p), err
}

func (f *file) do(w write) {
	f.inode.data = w.apply(f.inode.data)
	f.inode.pending = append(f.inode.pending, w)
}

func (f *file) Truncate(size int64) error {
	if err := f.disk.fail("truncate", f.path); err != nil {
		return err
	}
	f.do(write{at: size})
	f.at = size
	return nil
}

func (f *file) Sync() error {
	if err := f.disk.fail("sync", f.path); err != nil {
		return err
	}
	f.inode.durable, f.inode.pending = slices.Clone(f.inode.data), nil
	return nil
}

type info struct {
	name  string
	inode *inode
}

func (i info) Name() string     { return i.name }
func (i info) Size() int64      { return int64(len(i.inode.data)) }
func (i info) IsDir() bool      { return i.inode.folder }
func (i info) Sys() any         { return nil }
func (info) ModTime() time.Time { return time.Time{} }

func (i info) Mode() fs.FileMode {
	if i.inode.folder {
		return fs.ModeDir
	}
	return 0
}
