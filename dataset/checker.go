package dataset

import (
	"context"
	"fmt"
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

// A checker looks at a file while it is in service. It reads the file itself:
// SQLite's connections keep pages in memory. On Linux it also reads past the
// system's page cache if the file system can do that, so that it meets a disk
// that has failed and leaves the cache to requests.
type checker struct {
	d      *Dataset
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

func newChecker(d *Dataset, f readable) (*checker, error) {
	k := &checker{d: d, file: f}
	var err error
	if k.opened, err = f.Stat(); err != nil {
		return nil, unreadable(d.path, "the file", err)
	}
	k.patrol.modified = k.opened.ModTime()
	if err := k.describe(); err != nil {
		return nil, err
	}
	if k.disk, _ = f.(*os.File); k.disk == nil {
		return k, nil
	}
	k.path, err = filepath.Abs(d.path)
	return k, err
}

// reader returns a reader of the file.
func (k *checker) reader() *pageReader {
	k.once.Do(func() {
		if k.disk != nil {
			k.fresh, k.close = openFresh(k.disk)
		}
	})
	return &pageReader{path: k.d.path, file: k.file, size: k.opened.Size(), fresh: k.fresh}
}

// end closes what reader opened. Nobody uses the checker any more.
func (k *checker) end() (err error) {
	k.ended.Do(func() {
		if k.close != nil {
			err = k.close()
		}
	})
	return err
}

// stat returns the state of the open file, or damage if its size is not what
// it was.
func (k *checker) stat() (fs.FileInfo, error) {
	info, err := k.file.Stat()
	if err != nil {
		return nil, unreadable(k.d.path, "the file", err)
	}
	if info.Size() != k.opened.Size() {
		return info, damaged(k.d.path, "it has %d bytes, had %d when it was opened", info.Size(), k.opened.Size())
	}
	return info, nil
}

// describe remembers the pages with the header, the schema and the manifest,
// which have no checksums of their own that can be told from another dataset's.
func (k *checker) describe() error {
	k.fixed = map[uint32]uint32{}
	p := &pageReader{path: k.d.path, file: k.file, size: k.opened.Size()}
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

// isSame reads the pages that describe the file and compares them with those
// of Open: another dataset that was copied over it has good checksums too.
func (k *checker) isSame(p *pageReader) error {
	b := newPage()
	for _, number := range slices.Sorted(maps.Keys(k.fixed)) {
		if err := p.read(b, number); err != nil {
			return err
		}
		if got, want := crc32.Checksum(b, castagnoli()), k.fixed[number]; got != want {
			return damaged(k.d.path, "page %d, which describes the dataset, has the CRC-32C %08x, had %08x when the file was opened", number, got, want)
		}
	}
	return nil
}

// nounOf returns how errors call a row of a table.
func nounOf(table string) func(int64) string {
	for _, t := range coldTables {
		if t.name == table {
			return t.noun
		}
	}
	return func(id int64) string { return fmt.Sprintf("row %d of table %s", id, table) }
}

// A canary reads a little of every table, each time the next part.
type canary struct {
	mu     sync.Mutex
	p      *pageReader
	tables []canaryTable
}

type canaryTable struct {
	pass   *tablePass
	failed error // of the row from which pass goes on
	row    int64
}

// pagesOfFailed is how many pages one probe reads of a row that failed.
const pagesOfFailed = 64

// Probe reads one page of every table of the file, past every cache, and
// checks the rows on it; the next call reads the next page. It also checks the
// size of the file and that it still is the dataset that Open read. It sees a truncated file and one that another was copied over at once,
// a failing disk at once on Linux, and a few changed bytes when it comes to
// them. Damage is reported by every call until the same row can be read again.
// It does not look at the path, as [Dataset.Moved] does.
//
// A file of [OpenFS] that cannot be read at any place is read as Ping does.
func (d *Dataset) Probe(ctx context.Context) error {
	if d.check == nil {
		return d.Ping(ctx)
	}
	return d.cold.use(ctx, func(*connection) error { return d.check.probe(ctx) })
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
		for _, t := range k.d.manifest.Tables {
			c.tables = append(c.tables, canaryTable{pass: newPass(c.p, t.Name, k.roots[t.Name], nounOf(t.Name))})
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
