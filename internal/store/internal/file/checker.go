package file

import (
	"context"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// A checker looks at a file while it is in service. It reads the file itself,
// because SQLite's connections keep pages in memory. On Linux it also reads
// past the system's page cache if the file system can do that. It thus detects
// a disk that has failed, and leaves the cache to requests.
type checker struct {
	f      *File
	file   readable
	disk   *os.File // the same; nil: not a file of the system
	path   string   // of disk, absolute
	opened fs.FileInfo
	roots  map[string]uint32 // of the tables
	fixed  map[uint32]uint32 // checksums of the pages that describe the file, by number

	once  sync.Once   // of opening fresh
	fresh io.ReaderAt // nil: no direct reads
	close func() error
	ended sync.Once

	canary canary
	patrol patrol
}

func newChecker(f *File, source readable) (*checker, error) {
	k := &checker{f: f, file: source}
	var err error
	if k.opened, err = source.Stat(); err != nil {
		return nil, unreadable(f.Path, "the file", err)
	}
	k.patrol.modified = k.opened.ModTime()
	if err := k.describe(); err != nil {
		return nil, err
	}
	if k.disk, _ = source.(*os.File); k.disk == nil {
		return k, nil
	}
	k.path, err = filepath.Abs(f.Path)
	return k, err
}

func (k *checker) reader() *pageReader {
	k.once.Do(func() {
		if k.disk != nil {
			k.fresh, k.close = openFresh(k.disk)
		}
	})
	return &pageReader{path: k.f.Path, file: k.file, size: k.opened.Size(), fresh: k.fresh}
}

// end closes the file that reader opened. The checker must not be used
// afterwards.
func (k *checker) end() (err error) {
	k.ended.Do(func() {
		if k.close != nil {
			err = k.close()
		}
	})
	return err
}

// stat returns the state of the open file, or damage if its size has changed.
func (k *checker) stat() (fs.FileInfo, error) {
	info, err := k.file.Stat()
	if err != nil {
		return nil, unreadable(k.f.Path, "the file", err)
	}
	if info.Size() != k.opened.Size() {
		return info, k.f.Damaged("it has %d bytes, had %d when it was opened", info.Size(), k.opened.Size())
	}
	return info, nil
}

// describe keeps the pages with the header, the schema and the manifest. They
// have no checksums that identify this dataset.
func (k *checker) describe() error {
	k.fixed = map[uint32]uint32{}
	p := &pageReader{path: k.f.Path, file: k.file, size: k.opened.Size()}
	p.seen = func(number uint32, b []byte) { k.fixed[number] = crc32.Checksum(b, castagnoli()) }
	var err error
	if k.roots, err = p.roots(); err != nil {
		return err
	}
	for _, table := range []string{"manifest", "source", "gap", "content"} {
		if err := p.leaves(k.roots[table], func(*treePage, int) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// isSame compares the pages that describe the file with those that Open read.
// Checksums alone do not detect another dataset that was copied over the file.
func (k *checker) isSame(p *pageReader) error {
	b := newPage()
	for _, number := range slices.Sorted(maps.Keys(k.fixed)) {
		if err := p.read(b, number); err != nil {
			return err
		}
		if got, want := crc32.Checksum(b, castagnoli()), k.fixed[number]; got != want {
			return k.f.Damaged("page %d, which describes the dataset, has the CRC-32C %08x, had %08x when the file was opened", number, got, want)
		}
	}
	return nil
}

// A canary reads a little of every table, each time the next part.
type canary struct {
	mu     sync.Mutex
	p      *pageReader
	tables []canaryTable
}

type canaryTable struct {
	pass   *tablePass
	failed error // of the row where pass continues
	row    int64
}

// pagesOfFailed is how many pages one Probe reads of a row that failed.
const pagesOfFailed = 64

// Probe reads the next page of every table past every cache and checks its rows.
// It also compares the size and the description of the file with those
// at Open. A file without random access is read as Ping does.
func (f *File) Probe(ctx context.Context) error {
	if f.check == nil {
		return f.Ping(ctx)
	}
	return f.Cold.Use(ctx, func(*Connection) error { return f.check.probe(ctx) })
}

func (k *checker) probe(ctx context.Context) error {
	c := &k.canary
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := k.stat(); err != nil {
		return err
	}
	if c.p == nil {
		c.p = k.reader()
	}
	if err := k.isSame(c.p); err != nil {
		return err
	}
	if c.tables == nil {
		for _, t := range k.f.Manifest.Tables {
			c.tables = append(c.tables, canaryTable{pass: newPass(c.p, t.Name, k.roots[t.Name], k.f.Tables.noun(t.Name))})
		}
	}
	var first error
	for i := range c.tables {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.tables[i].probe(); first == nil {
			first = err
		}
	}
	return first
}

// probe reads the next page of a table. A row that failed is read again.
func (t *canaryTable) probe() error {
	for range pagesOfFailed {
		ended, err := t.pass.advance()
		if err != nil {
			t.failed, t.row = err, t.pass.next
			t.pass.restart(t.row)
			return err
		}
		if ended {
			t.pass.restart(math.MinInt64)
		}
		if t.failed != nil && (ended || t.pass.next > t.row) {
			t.failed = nil
		}
		if t.failed == nil {
			return nil
		}
	}
	return t.failed
}
