package file

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"

	"github.com/postgeo/postgeo/dataset"
)

// maxProblems is how many findings a verification reports before it ends.
const maxProblems = 20

// VerifyPages compares every page of the file with its checksum. It joins at most
// twenty findings; each matches [ErrDamaged].
func (f *File) VerifyPages(ctx context.Context) error {
	v := verification{f: f}
	return f.Cold.scan(ctx, func(ctx context.Context, _ *Connection) error {
		err := v.pages(ctx)
		if errors.Is(err, errEnough) {
			err = nil
		}
		return errors.Join(append(v.problems, err)...)
	})
}

// Verify reads the whole file. It checks every page, SQLite's own structure, the
// coding of every row and the digests of the tables and of the manifest. It
// joins at most twenty findings; each matches [ErrDamaged].
func (f *File) Verify(ctx context.Context) error {
	return f.Cold.scan(ctx, func(ctx context.Context, c *Connection) error {
		v := verification{f: f, c: c}
		err := decoding(f.Path, "the file", func() error { return v.run(ctx) })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errors.Join(append(v.problems, err)...)
	})
}

type verification struct {
	f        *File
	decoded  *File // with all parts loaded; nil if they are damaged
	c        *Connection
	problems []error
}

var errEnough = errors.New("too many findings")

// found records a problem and returns an error after the last one to report.
func (v *verification) found(format string, args ...any) error {
	return v.add(v.f.Damaged(format, args...))
}

func (v *verification) add(problem error) error {
	v.problems = append(v.problems, problem)
	if len(v.problems) >= maxProblems {
		return errEnough
	}
	return nil
}

func (v *verification) run(ctx context.Context) error {
	// The structure comes last. SQLite's check reports an unreadable page as a
	// damaged one; the others distinguish them.
	for _, check := range []func(context.Context) error{v.pages, v.manifest, v.memory, v.rows, v.structure} {
		if err := check(ctx); errors.Is(err, errEnough) {
			return nil
		} else if err != nil {
			return readError(v.f.Path, "the file", err)
		}
	}
	return nil
}

// pages checks every page. More checks of a file with damaged pages would only meet
// them again.
func (v *verification) pages(ctx context.Context) error {
	if err := v.f.pages.verify(ctx, v.add); err != nil {
		return err
	}
	if len(v.problems) > 0 {
		return errEnough
	}
	return nil
}

// structure runs SQLite's check of its pages and indexes.
func (v *verification) structure(context.Context) error {
	err := v.c.query("PRAGMA integrity_check(5)", nil, func(row []driver.Value) error {
		if row[0] != "ok" {
			return v.found("SQLite's integrity check reports: %v", row[0])
		}
		return nil
	})
	if err != nil {
		return err
	}
	return v.f.checkSchema(v.c)
}

// manifest reads the manifest again and compares it with the one that Open read.
func (v *verification) manifest(context.Context) error {
	m, err := readManifest(v.c)
	if err != nil {
		return err
	}
	if m.Digest != v.f.Manifest.Digest {
		return v.found("the manifest's digest is %s, was %s when the file was opened", m.Digest, v.f.Manifest.Digest)
	}
	return nil
}

// memory loads all parts again, with the checks that Open leaves out, and compares
// caches with their queries.
func (v *verification) memory(ctx context.Context) error {
	f := v.f.fresh()
	f.Path = v.f.Path
	m := &Memory{v.c}
	if err := f.loadAll(m); err != nil {
		return v.add(readError(f.Path, "a section", err))
	}
	v.decoded = f
	for i := range f.Parts {
		for _, q := range f.Parts[i].Queries {
			err := v.c.encodeCaches(q, func(name string, want []byte) error {
				if data, err := m.cache(name); err != nil || !bytes.Equal(data, want) {
					return v.found("the cache %s differs from the tables", name)
				}
				return ctx.Err()
			})
			if err != nil {
				return err
			}
		}
		if verify := f.Parts[i].Verify; verify != nil {
			if err := verify(); err != nil {
				if err := v.found("%v", err); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compare compares a table's digest with the manifest.
func (v *verification) compare(got dataset.Table) error {
	for _, want := range v.f.Manifest.Tables {
		if want.Name == got.Name {
			if want != got {
				return v.found("table %s has %d rows with the digest %s, expected %d with %s",
					got.Name, got.Rows, got.SHA256, want.Rows, want.SHA256)
			}
			return nil
		}
	}
	return v.found("table %s is not in the manifest", got.Name)
}

// rows compares the digests of all tables, and decodes the values of tables of rows.
func (v *verification) rows(ctx context.Context) error {
	for _, t := range contents() {
		check := func([]driver.Value) error { return nil }
		if v.decoded != nil {
			for _, b := range v.decoded.Blobs {
				if b.Table == t.name {
					check = b.Check
				}
			}
		}
		got, err := digestTable(v.c, t.name, func(values []driver.Value) error {
			if err := check(values); err != nil {
				return v.found("%s: row %v: %v", t.name, values[0], err)
			}
			return ctx.Err()
		})
		if err == nil {
			err = v.compare(got)
		}
		if err != nil {
			return err
		}
	}
	return v.c.check(func(sentence, row string) error { return v.found("%s: %s", sentence, row) })
}
