// Package pack opens datasets that Go modules embed. The command "postgeo dataset
// module" writes such a module.
//
// # Usage
//
//	//go:embed data.postgeo
//	var data []byte
//
//	db, err := pack.Open(data)
package pack

import (
	"bytes"
	"fmt"
	"io/fs"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/dataset/packed"
)

// maxSize is the most bytes of a dataset in memory.
const maxSize = 256 << 20

// Open returns the dataset of a pack. It unpacks the whole dataset in memory, in
// less than a second for the layer identity.
func Open(data []byte) (*postgeo.DB, error) {
	b, err := packed.Unpack(data, maxSize)
	if err != nil {
		return nil, fmt.Errorf("pack: %w; expected the file of \"postgeo dataset module\"", err)
	}
	return postgeo.OpenFS(memory(b), name, postgeo.OpenOptions{})
}

// name is the file of a memory.
const name = "postgeo.db"

// A memory is a file system with one file.
type memory []byte

// Open implements [fs.FS].
func (m memory) Open(string) (fs.File, error) { return &file{Reader: bytes.NewReader(m)}, nil }

// A file is the file of a memory.
type file struct{ *bytes.Reader }

// Stat implements [fs.File].
func (f *file) Stat() (fs.FileInfo, error) { return f, nil }

// Close implements [fs.File].
func (f *file) Close() error { return nil }

// Name implements [fs.FileInfo].
func (f *file) Name() string { return name }

// Mode implements [fs.FileInfo].
func (f *file) Mode() fs.FileMode { return 0o444 }

// ModTime implements [fs.FileInfo].
func (f *file) ModTime() time.Time { return time.Time{} }

// IsDir implements [fs.FileInfo].
func (f *file) IsDir() bool { return false }

// Sys implements [fs.FileInfo].
func (f *file) Sys() any { return nil }
