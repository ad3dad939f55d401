package store

import (
	"context"
	"math/bits"
)

// Sections is a set of the parts of a file that are kept in memory. Open reads
// the tables of no section. Each section is read and checked when it is first
// needed.
type Sections uint64

// Load reads the sections that are not in memory yet. One goroutine reads,
// others wait until it is done or their context ends. After a failure the
// section is as unread as before: this call returns the error, and the next one
// reads it again.
func (f *File) Load(ctx context.Context, s Sections) error {
	if f.Has(s) {
		return nil
	}
	if s = f.Tables.needs(s); f.Has(s) {
		return nil
	}
	select {
	case f.loading <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-f.loading }()
	return f.Cold.Use(ctx, func(c *Connection) error {
		// Ascending, as a section may refer to those before it.
		for missing := s &^ Sections(f.loaded.Load()); missing != 0; missing &= missing - 1 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f.decode(1<<bits.TrailingZeros64(uint64(missing)), f.columns(c)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Has reports whether the sections are in memory.
func (f *File) Has(s Sections) bool { return Sections(f.loaded.Load())&s == s }

// Need reads the sections for a method that cannot return an error.
func (f *File) Need(s Sections) {
	if !f.Has(s) {
		if err := f.Load(context.Background(), s); err != nil {
			panic(err)
		}
	}
}

// columns returns the columns of the file, which are read as they are taken.
func (f *File) columns(c *Connection) *Columns {
	return &Columns{Heads: f.Heads, read: func(id int64) ([]byte, error) { return c.Row(ColumnRows, id) }}
}

// decode decodes the resident tables of one section, or with 0 those of Open.
func (f *File) decode(section Sections, columns *Columns) error {
	for _, t := range f.Tables.Resident {
		if t.section != section {
			continue
		}
		if err := t.decode(columns); columns.failed != nil {
			return columns.failed
		} else if err != nil {
			return f.Damaged("%v", err)
		}
	}
	f.loaded.Or(uint64(section))
	return nil
}

// DecodeAll decodes all tables, in their order. Every column must belong to one
// of them.
func (f *File) DecodeAll(columns *Columns) error {
	for _, t := range f.Tables.Resident {
		if err := t.decode(columns); err != nil {
			return err
		}
		f.loaded.Or(uint64(t.section))
	}
	return columns.end()
}
