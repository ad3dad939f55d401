package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"os"
)

// Sections is a set of the parts of a file that are kept in memory. Open reads
// the tables of no section. Each section is read and checked when it is first
// needed.
type Sections uint64

// Load reads the sections that are not in memory yet. One goroutine reads,
// others wait until it is done or their context ends. After a failure the
// section is as unread as before: this call returns the error, and the next one
// reads it again. An error is not kept, because a network disk or a lack of memory can pass.
func (f *File) Load(ctx context.Context, s Sections) error {
	if f.Has(s) { // nearly always, so one atomic load and no lock
		return nil
	}
	select {
	case f.loading <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-f.loading }()
	return f.pool.Use(ctx, func(c *Connection) error {
		// Ascending, as a section may refer to those before it.
		for missing := s &^ Sections(f.loaded.Load()); missing != 0; missing &= missing - 1 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f.decode(1<<bits.TrailingZeros64(uint64(missing)), c); err != nil {
				return err
			}
		}
		return nil
	})
}

// Prepare reads all sections, so that no later call waits for one.
func (f *File) Prepare(ctx context.Context) error { return f.Load(ctx, ^Sections(0)) }

// Has reports whether the sections are in memory.
func (f *File) Has(s Sections) bool { return Sections(f.loaded.Load())&s == s }

// Need reads the sections for a method that cannot return an error. It panics if that fails, as
// data that cannot be read must not look like data that is not there. Servers load all
// sections before they answer, so that only short programs get here.
func (f *File) Need(s Sections) {
	if !f.Has(s) {
		if err := f.Load(context.Background(), s); err != nil {
			panic(err)
		}
	}
}

// decode loads the parts of one section, or with 0 those of Open.
func (f *File) decode(section Sections, c *Connection) error {
	// A part that fails leaves the parts before it set, and the bit of the section unset.
	for i := range f.Parts {
		if p := &f.Parts[i]; p.Section == section {
			if err := decoding(func() error { return p.Load(c) }); err != nil {
				return readError(f.path, "a section", err)
			}
		}
	}
	f.loaded.Or(uint64(section))
	return nil
}

// LoadAll loads all parts, in their order.
func (f *File) LoadAll(c *Connection) error {
	for i := range f.Parts {
		if err := f.Parts[i].Load(c); err != nil {
			return err
		}
		f.loaded.Or(uint64(f.Parts[i].Section))
	}
	return nil
}

// A readable is a file that can be read at any place by several goroutines.
type readable interface {
	fs.File
	io.ReaderAt
}

// ErrReplaced is returned by [File.Moved] if another file has been put in
// the place of the open one.
var ErrReplaced = errors.New("dataset: another file is in its place")

// Moved returns nil while the path still names the open file. After the file
// was deleted the error matches [fs.ErrNotExist], after another file replaced
// it [ErrReplaced]. The data comes from the open file in either case. A file
// that OpenFS opened does not move.
func (f *File) Moved() error {
	if f.abs == "" {
		return nil
	}
	now, err := os.Stat(f.abs)
	if err != nil {
		return fmt.Errorf("dataset: %s: %w", f.path, err)
	}
	if !os.SameFile(now, f.pages.info) {
		return fmt.Errorf("%w: %s", ErrReplaced, f.path)
	}
	return nil
}
