package table

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/internal/disk"
)

// parts write Parquet to a folder of small files, one for each row group, and
// join them at the end. A single file could not be continued, because its footer
// describes all row groups.
type parts struct {
	disk disk.Disk
	path string // of the file that they become
	open partOpener
	file disk.File // of the part that is written; nil before its first row
	w    partWriter
	n    int64 // parts that are whole
}

// maxParts is how many row groups a Parquet file can have.
const maxParts = parquet.MaxRowGroups

func openParts(d disk.Disk, path string, open partOpener, c *checkpoint) (*parts, error) {
	p := &parts{disk: d, path: path, open: open}
	if c == nil {
		if err := d.Mkdir(path + partialSuffix); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		return p, nil
	}
	p.n = c.Output
	if tail, err := p.tail(p.n); err != nil || tail != c.Tail {
		return nil, errors.Join(fmt.Errorf("table: the parts in %s do not match their checkpoint; have it overwritten", path+partialSuffix), err)
	}
	return p, nil
}

func (p *parts) name(i int64) string { return partName(p.path, i) }

func partName(path string, i int64) string {
	return filepath.Join(path+partialSuffix, fmt.Sprintf("%05d.parquet", i))
}

func (p *parts) write(c *chunk) error {
	if p.file == nil {
		if p.n >= maxParts {
			return fmt.Errorf("table: a Parquet file has at most %d row groups; write the table in parts (shards)", maxParts)
		}
		f, err := disk.Replace(p.disk, p.name(p.n))
		if err != nil {
			return fmt.Errorf("table: %w", err)
		}
		p.file = f
		if p.w, err = p.open(f); err != nil {
			return parquetWriteError(err)
		}
	}
	return parquetWriteError(p.w.write(c))
}

// mark ends a part, and makes it and its name durable.
func (p *parts) mark() (int64, error) {
	if p.file == nil {
		return p.n, nil
	}
	f := p.file
	p.file = nil
	if err := whole(p.w, f); err != nil {
		return 0, err
	}
	if err := p.disk.Sync(p.path + partialSuffix); err != nil {
		return 0, fmt.Errorf("table: write Parquet: %w", err)
	}
	p.n++
	return p.n, nil
}

// whole ends a Parquet file and makes it durable.
func whole(w partWriter, f disk.File) error {
	err := w.close()
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("table: write Parquet: %w", err)
	}
	return nil
}

// tail is the digest of the lengths of the parts and of the end of the last one.
func (p *parts) tail(n int64) (string, error) {
	var sizes []int64
	for i := range n {
		info, err := p.disk.Stat(p.name(i))
		if err != nil {
			return "", fmt.Errorf("table: %w", err)
		}
		sizes = append(sizes, info.Size())
	}
	h := sha256.New()
	if n > 0 {
		f, err := p.disk.Open(p.name(n - 1))
		if err != nil {
			return "", fmt.Errorf("table: %w", err)
		}
		defer f.Close()
		const most = 1 << 20
		from := max(0, sizes[n-1]-most)
		if _, err := io.Copy(h, io.NewSectionReader(f, from, sizes[n-1]-from)); err != nil {
			return "", fmt.Errorf("table: %w", err)
		}
	}
	return digest(sizes, hex.EncodeToString(h.Sum(nil))), nil
}

func (p *parts) finish() error {
	if _, err := p.mark(); err != nil {
		return err
	}
	if p.n == 1 {
		return settle(p.disk, p.name(0), p.path)
	}
	name := filepath.Join(p.path+partialSuffix, "whole")
	if err := p.join(name); err != nil {
		return errors.Join(err, p.disk.RemoveAll(name)) // its room may be needed
	}
	return settle(p.disk, name, p.path)
}

func (p *parts) join(name string) error {
	f, err := disk.Replace(p.disk, name)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	w, err := p.open(f)
	if err != nil {
		return errors.Join(parquetWriteError(err), f.Close())
	}
	for i := range p.n {
		if err := p.copy(w, p.name(i)); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return whole(w, f)
}

// copy appends the row group of a part as it is.
func (p *parts) copy(w partWriter, name string) (err error) {
	defer rescue(&err)
	f, err := p.disk.Open(name)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	part, err := parquet.OpenFile(f, size)
	if err != nil {
		return fmt.Errorf("table: read back %s: %w", name, err)
	}
	if err := w.join(part); err != nil {
		return fmt.Errorf("table: copy %s: %w", name, err)
	}
	return nil
}

func (p *parts) abandon() {
	if p.file != nil {
		p.file.Close()
	}
	if p.w != nil {
		p.w.abandon()
	}
}
