package postgeo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"sync/atomic"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A DB serves lookups and searches from a dataset. It is safe for concurrent use, and
// [DB.Swap] replaces the dataset without failing a call in flight.
type DB struct {
	current atomic.Pointer[generation]
	options OpenOptions // of Swap too
}

// OpenOptions configures a DB. The zero value takes the defaults.
type OpenOptions struct {
	// ACSMemory limits the cache of survey columns for aggregates of many areas, in
	// bytes. 0 means 64 MiB. A negative number disables the cache, which makes an
	// aggregate of 5,000 ZIP Codes several times slower.
	ACSMemory int64
	// Now is the clock of calls whose options have no At. Nil: time.Now.
	Now func() time.Time
}

func (db *DB) at(t time.Time) time.Time {
	if t.IsZero() && db.options.Now != nil {
		return db.options.Now()
	}
	return t
}

// Open opens the dataset file at path. The error matches [ErrNotDataset],
// [ErrDamaged] or [ErrVersion] if the file is not a dataset, is damaged, or has an
// unsupported format version.
// Options hold for the datasets that [DB.Swap] brings too. At most one is used: the
// first.
func Open(path string, opt ...OpenOptions) (*DB, error) {
	d, err := sqlite.Open(path)
	if err != nil {
		return nil, fail(fmt.Errorf("postgeo: %w", err))
	}
	return newDB(d, opt)
}

// OpenFS is like [Open] but reads the file name from fsys.
func OpenFS(fsys fs.FS, name string, opt ...OpenOptions) (*DB, error) {
	d, err := sqlite.OpenFS(fsys, name)
	if err != nil {
		return nil, fail(fmt.Errorf("postgeo: %w", err))
	}
	return newDB(d, opt)
}

func newDB(d *store.Dataset, options []OpenOptions) (*DB, error) {
	opt := append(options, OpenOptions{})[0]
	g, err := newGeneration(d, opt)
	if err != nil {
		return nil, fail(err)
	}
	db := &DB{options: opt}
	db.current.Store(g)
	return db, nil
}

// Swap opens the dataset file at path and serves later calls from it. Calls
// in flight finish on the old file, which is closed after the last of them.
// Every page of the new file is verified first, and after [DB.Prepare] the new
// file is prepared too. If it is damaged or cannot be opened, the old one stays. The
// error is one of [Open], [ErrClosed] or the context's.
func (db *DB) Swap(ctx context.Context, path string) error {
	d, err := sqlite.Open(path)
	if err != nil {
		return fail(fmt.Errorf("postgeo: swap: %w", err))
	}
	if err := d.VerifyPages(ctx); err != nil {
		return errors.Join(fail(fmt.Errorf("postgeo: swap: %w", err)), d.Close())
	}
	g, err := newGeneration(d, db.options)
	if err != nil {
		return fail(err)
	}
	for {
		old := db.current.Load()
		if old == nil {
			return errors.Join(errClosed, g.release())
		}
		// Prepare may be called while this loop runs, so it is looked at again before each attempt.
		if old.prepared.Load() && !g.prepared.Load() {
			if err := g.prepare(ctx); err != nil {
				return errors.Join(fail(fmt.Errorf("postgeo: swap: %w", err)), g.release())
			}
		}
		if db.current.CompareAndSwap(old, g) {
			return old.release()
		}
	}
}

// Snapshot returns a DB that keeps the current dataset when Swap replaces that of
// db. Use it for calls whose results belong together. Close it like any other DB;
// its file stays open until then.
func (db *DB) Snapshot() (*DB, error) {
	g, err := db.acquire()
	if err != nil {
		return nil, err
	}
	s := &DB{options: db.options}
	s.current.Store(g)
	return s, nil
}

// Close closes the dataset once the calls in flight have finished. It may be
// called more than once.
func (db *DB) Close() error {
	g := db.current.Swap(nil)
	if g == nil {
		return nil
	}
	return g.release()
}

// Info describes the dataset and its sources. It returns the zero Manifest after
// Close.
func (db *DB) Info() dataset.Manifest {
	g, err := db.acquire()
	if err != nil {
		return dataset.Manifest{}
	}
	defer g.done()
	return g.data.Manifest()
}

// VerifyPages compares every page of the dataset file with its checksum. It takes a
// fraction of a second on a national file. Swap does the same with the new file.
func (db *DB) VerifyPages(ctx context.Context) error {
	return use(db, func(g *generation) error { return g.data.VerifyPages(ctx) })
}

// Verify checks every page, row and value of the dataset. It takes seconds on a
// national file.
func (db *DB) Verify(ctx context.Context) error {
	return use(db, func(g *generation) error { return g.data.Verify(ctx) })
}

// Ping reads the first page of the dataset file without caches, and the page that a
// read found damaged last.
func (db *DB) Ping(ctx context.Context) error {
	return use(db, func(g *generation) error { return g.data.Ping(ctx) })
}

// Moved returns why the path of the dataset no longer names the open file, or nil if it
// does. Calls go on to use the open file. The error matches [fs.ErrNotExist] if the path
// names no file. A dataset of [OpenSample] or [OpenFS] never moves.
func (db *DB) Moved() error {
	return use(db, func(g *generation) error { return g.data.Moved() })
}

// QuickLookup returns the identity of a code or of the one around a point. An
// unknown full postal code returns its FSA with a notice FALLBACK_USED. All
// lookups but those of a ZIP+4 are answered from memory.
func (db *DB) QuickLookup(ctx context.Context, place Where, opt lookup.QuickOptions) (*lookup.QuickRecord, error) {
	opt.At = db.at(opt.At)
	return read(db, func(g *generation) (*lookup.QuickRecord, error) { return g.reader.Quick(ctx, place, opt) })
}

// Lookup returns the full record of a code with the requested enrichments that are
// available. A notice names the others. Unlike [DB.QuickLookup] it never replaces a full
// postal code by its FSA. An unknown ZIP+4 of a known ZIP has a detail that is not valid.
func (db *DB) Lookup(ctx context.Context, place Where, opt lookup.Options) (*lookup.Record, error) {
	opt.At = db.at(opt.At)
	return held(db, func(g *generation) (*lookup.Record, error) { return g.reader.Full(ctx, place, opt) })
}

// Distance measures the geodesic between two codes or coordinates. The Param of an
// error is "from" or "to".
func (db *DB) Distance(ctx context.Context, from, to Where, opt radius.DistanceOptions) (*radius.DistanceResult, error) {
	opt.At = db.at(opt.At)
	return read(db, func(g *generation) (*radius.DistanceResult, error) {
		return radius.Distance(ctx, g.reader, from, to, opt)
	})
}

// QuickLookupBatch is [DB.QuickLookup] for many codes. It yields one record or error
// for each place, in order. An error of a place does not end the iteration. If ctx is
// done it ends with the context's error, which belongs to no place. All records come
// from one dataset, even if Swap replaces it during the iteration.
func (db *DB) QuickLookupBatch(ctx context.Context, places iter.Seq[Where], opt lookup.QuickOptions) iter.Seq2[*lookup.QuickRecord, error] {
	return each(ctx, db, places, func(db *DB, place Where) (*lookup.QuickRecord, error) { return db.QuickLookup(ctx, place, opt) })
}

// LookupBatch is [DB.Lookup] for many codes, as [DB.QuickLookupBatch] is for quick
// ones.
func (db *DB) LookupBatch(ctx context.Context, places iter.Seq[Where], opt lookup.Options) iter.Seq2[*lookup.Record, error] {
	return each(ctx, db, places, func(db *DB, place Where) (*lookup.Record, error) { return db.Lookup(ctx, place, opt) })
}

func each[Q, R any](ctx context.Context, db *DB, inputs iter.Seq[Q], one func(*DB, Q) (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		s, err := db.Snapshot()
		if err != nil {
			s = db // closed: every call returns the error
		} else {
			defer s.Close()
		}
		for q := range inputs {
			if err := ctx.Err(); err != nil {
				var none R
				yield(none, err)
				return
			}
			if !yield(one(s, q)) {
				return
			}
		}
	}
}
