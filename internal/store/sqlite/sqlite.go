// Package sqlite opens dataset files. It links SQLite, which package store itself does
// not, so that clients of a server need not.
package sqlite

import (
	"io"
	"io/fs"

	"modernc.org/sqlite"
	"modernc.org/sqlite/vfs"

	"github.com/postgeo/postgeo/internal/store"
)

// Open is [store.Open].
func Open(path string) (*store.Dataset, error) { return store.Open(Engine(), path) }

// OpenFS is [store.OpenFS].
func OpenFS(fsys fs.FS, name string) (*store.Dataset, error) {
	return store.OpenFS(Engine(), fsys, name)
}

type engine struct{ *sqlite.Driver }

// Engine returns SQLite.
func Engine() store.Engine { return engine{new(sqlite.Driver)} }

// Register implements store.Engine.
func (engine) Register(files fs.FS) (string, io.Closer, error) { return vfs.New(files) }
