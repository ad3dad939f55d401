package table

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
)

// parts write Parquet to a folder of small files, one for each row group, which
// become one file at the end: the footer of a Parquet file, which tells of all
// of it, could not be gone on with.
type parts struct {
	path   string // of the file that they become
	schema *parquet.Schema
	file   *os.File // of the part that is written; nil before its first row
	w      *parquet.GenericWriter[any]
	n      int64 // parts that are whole
}

// maxParts is how many row groups a Parquet file can have.
const maxParts = parquet.MaxRowGroups

func openParts(path string, schema *parquet.Schema, c *checkpoint) (*parts, error) {
	p := &parts{path: path, schema: schema}
	if c == nil {
		if err := os.Mkdir(path+partialSuffix, 0o755); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		return p, nil
	}
	p.n = c.Output
	if tail, err := p.tail(p.n); err != nil || tail != c.Tail {
		return nil, errors.Join(fmt.Errorf("table: the parts in %s are not what its checkpoint knows; have it overwritten", path+partialSuffix), err)
	}
	return p, nil
}

func (p *parts) name(i int64) string {
	return filepath.Join(p.path+partialSuffix, fmt.Sprintf("%05d.parquet", i))
}

func (p *parts) write(c *chunk) error {
	if p.file == nil {
		if p.n >= maxParts {
			return fmt.Errorf("table: a Parquet file has at most %d row groups; write the table in parts (shards)", maxParts)
		}
		f, err := os.Create(p.name(p.n))
		if err != nil {
			return fmt.Errorf("table: %w", err)
		}
		p.file, p.w = f, newParquetWriter(f, p.schema)
	}
	if _, err := p.w.WriteRows(c.rows); err != nil {
		return fmt.Errorf("table: write Parquet: %w", err)
	}
	return nil
}

// mark ends a part.
func (p *parts) mark() (int64, error) {
	if p.file == nil {
		return p.n, nil
	}
	if err := errors.Join(p.w.Close(), p.file.Sync(), p.file.Close()); err != nil {
		return 0, fmt.Errorf("table: write Parquet: %w", err)
	}
	p.file = nil
	p.n++
	return p.n, nil
}

// tail is the digest of the lengths of the parts and of the last one.
func (p *parts) tail(n int64) (string, error) {
	var sizes []int64
	for i := range n {
		info, err := os.Stat(p.name(i))
		if err != nil {
			return "", fmt.Errorf("table: %w", err)
		}
		sizes = append(sizes, info.Size())
	}
	h := sha256.New()
	if n > 0 {
		f, err := os.Open(p.name(n - 1))
		if err != nil {
			return "", fmt.Errorf("table: %w", err)
		}
		defer f.Close()
		if _, err := io.Copy(h, f); err != nil {
			return "", fmt.Errorf("table: %w", err)
		}
	}
	return digest(sizes, hex.EncodeToString(h.Sum(nil))), nil
}

// finish makes one file of the parts.
func (p *parts) finish() error {
	if _, err := p.mark(); err != nil {
		return err
	}
	whole := filepath.Join(p.path+partialSuffix, "whole")
	f, err := os.Create(whole)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	w := newParquetWriter(f, p.schema)
	for i := range p.n {
		if err := copyPart(w, p.name(i)); err != nil {
			f.Close()
			return err
		}
	}
	if err := errors.Join(w.Close(), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("table: write Parquet: %w", err)
	}
	if err := settle(whole, p.path); err != nil {
		return err
	}
	return os.RemoveAll(p.path + partialSuffix)
}

// copyPart appends the row group of a part as it is.
func copyPart(w *parquet.GenericWriter[any], name string) (err error) {
	defer rescue(&err)
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	part, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return fmt.Errorf("table: read back %s: %w", name, err)
	}
	for _, g := range part.RowGroups() {
		if _, err := w.WriteRowGroup(g); err != nil {
			return fmt.Errorf("table: copy %s: %w", name, err)
		}
		if err := w.Flush(); err != nil {
			return fmt.Errorf("table: copy %s: %w", name, err)
		}
	}
	return nil
}

func (p *parts) abandon() {
	if p.file != nil {
		p.file.Close()
	}
}
