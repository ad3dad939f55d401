package file

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"
)

// pages is the open file. SQLite reads it through [pages.Open] only, and every page
// is checked on every read; see [pageSum] for the cost.
//
// SQLite itself notices no flipped bit: a damaged page gives a wrong population or a missing
// ZIP Code. A digest of the whole file would be compared at Open only, and takes 0.6 s for the
// national file of 205 MB. SQLite's cksumvfs extension has the same idea. Here a page also has the
// identity of its file: a file that was overwritten in place, or copied in parts of two
// versions, has pages with right checksums that do not belong together.
type pages struct {
	engine Engine
	path   string
	file   readable
	info   fs.FileInfo  // when it was opened
	id     uint64       // of every page
	bad    atomic.Int64 // the page that was found damaged last; 0: none
	// failed is why the last read failed. SQLite passes on no errors of Go, only that there
	// was one; see [pages.cause].
	failed atomic.Pointer[error]
}

// openPages reads and checks the header and the first page.
func openPages(engine Engine, path string, file readable) (*pages, error) {
	p := &pages{engine: engine, path: path, file: file}
	var err error
	if p.info, err = file.Stat(); err != nil {
		return nil, fmt.Errorf("dataset: cannot open %s: %w", path, err)
	}
	if err := checkKind(path, p.info); err != nil {
		return nil, err
	}
	b := make([]byte, PageSize)
	n, err := file.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("dataset: cannot read %s: %w", path, err)
	}
	if err := checkHeader(path, b[:n], p.info.Size()); err != nil {
		return nil, err
	}
	p.id = pageID(b) // the first page decides which identity is right
	if err := p.read(b, 1); err != nil {
		return nil, err
	}
	return p, nil
}

// read fills b with a page, counted from 1, and checks it.
func (p *pages) read(b []byte, number int64) error {
	if size := p.info.Size(); number*PageSize > size {
		return damaged(p.path, "it refers to its page %d of %d", number, size/PageSize)
	}
	n, err := p.file.ReadAt(b, (number-1)*PageSize)
	switch sum := binary.LittleEndian.Uint64(b[PageSize-sumSize:]); {
	case n < PageSize && err != nil && !errors.Is(err, io.EOF):
		return unreadable(p.path, fmt.Sprintf("page %d", number), err)
	case n < PageSize:
		err = damaged(p.path, "page %d ends after %d bytes, expected %d", number, n, PageSize)
	case sum != pageSum(b, number):
		err = damaged(p.path, "page %d has the checksum %016x, computed %016x", number, sum, pageSum(b, number))
	case p.id != pageID(b):
		err = damaged(p.path, "page %d belongs to another file", number)
	default:
		return nil
	}
	p.bad.Store(number)
	return err
}

// ping reads the first page, and the one that was found damaged last.
func (p *pages) ping() error {
	info, err := p.file.Stat()
	if err != nil {
		return unreadable(p.path, "the file", err)
	}
	if info.Size() != p.info.Size() {
		return damaged(p.path, "it has %d bytes, had %d when it was opened", info.Size(), p.info.Size())
	}
	b, bad := make([]byte, PageSize), p.bad.Load()
	if err := p.read(b, 1); err != nil || bad <= 1 {
		return err
	}
	if err := p.read(b, bad); err != nil {
		return err
	}
	p.bad.CompareAndSwap(bad, 0) // unless a read has found another one meanwhile
	return nil
}

// verify reads all pages and calls found with damage.
func (p *pages) verify(ctx context.Context, found func(error) error) error {
	b := make([]byte, PageSize)
	for number := range p.info.Size() / PageSize {
		err := p.read(b, number+1)
		if errors.Is(err, ErrDamaged) {
			err = found(err)
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// heldName is the file's name in the file system that SQLite is given.
const heldName = "dataset"

// register makes the file known to SQLite. All connections read the file that was
// opened, also when its path names another one by then, or none. So a file is replaced by
// a rename while servers read the old one. Call done after the last connection was closed; it
// closes the file.
//
// With immutable=1, SQLite takes no locks and looks for no journal ("Uniform Resource
// Identifiers", SQLite documentation), neither of which this file system has.
func (p *pages) register() (dsn string, done func() error, err error) {
	name, registered, err := p.engine.Register(p)
	if err != nil {
		return "", nil, fmt.Errorf("dataset: cannot register the file with SQLite: %w", err)
	}
	dsn = "file:" + heldName + "?mode=ro&immutable=1&vfs=" + name + readPragmas
	return dsn, func() error { return errors.Join(registered.Close(), p.file.Close()) }, nil
}

// Open implements fs.FS.
func (p *pages) Open(name string) (fs.File, error) {
	if name != heldName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &pageFile{p: p}, nil
}

// connect opens a connection.
func (p *pages) connect(dsn string) (*Connection, error) {
	c, err := Connect(p.engine, p.path, dsn)
	if err != nil {
		return nil, p.cause(err)
	}
	c.pages = p
	return c, nil
}

// cause returns the error of the read that made SQLite fail with err.
func (p *pages) cause(err error) error {
	if p != nil && hasCode(err, codeIO) {
		if failed := p.failed.Load(); failed != nil {
			return *failed
		}
	}
	return err
}

// A pageFile is a place in the file, for one connection.
type pageFile struct {
	p    *pages
	at   int64
	page [PageSize]byte // is read if only a part of it is requested
}

// Stat implements fs.File.
func (r *pageFile) Stat() (fs.FileInfo, error) { return r.p.info, nil }

// Read implements fs.File. SQLite reads whole pages, and parts of the first page and
// of overflow pages.
func (r *pageFile) Read(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		number, from := r.at/PageSize+1, r.at%PageSize
		if rest := b[n:]; from == 0 && len(rest) >= PageSize {
			err = r.p.read(rest[:PageSize], number)
			from = PageSize
		} else if err = r.p.read(r.page[:], number); err == nil {
			from = int64(copy(rest, r.page[from:]))
		}
		n, r.at = n+int(from), r.at+from
	}
	if err != nil {
		r.p.failed.Store(&err)
		return 0, err
	}
	return n, nil
}

// Seek implements io.Seeker. SQLite's files know no other whence.
func (r *pageFile) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return r.at, errors.ErrUnsupported
	}
	r.at = offset
	return offset, nil
}

// Close implements fs.File. The file itself stays open.
func (r *pageFile) Close() error { return nil }
