package file

import (
	"bytes"
	"cmp"
	"context"
	"database/sql/driver"
	"errors"

	"github.com/postgeo/postgeo/dataset"
)

// maxProblems is how many findings a verification reports before it ends. A file that
// lost its second half has thousands.
const maxProblems = 20

// VerifyPages compares every page of the file with its checksum. It joins at most
// twenty findings; each matches [ErrDamaged].
func (f *File) VerifyPages(ctx context.Context) error { return f.verify(ctx, (*verification).pages) }

// Verify reads the whole file. It checks every page and loads every section. It compares
// the caches with their queries, and the digests of the tables and of the manifest. It runs
// the queries that find nothing in a sound file, and SQLite's own check. It joins at most
// twenty findings; each matches [ErrDamaged].
func (f *File) Verify(ctx context.Context) error {
	// SQLite's check comes last: it reports an unreadable page as a damaged one. The others
	// distinguish them.
	type v = verification
	return f.verify(ctx, (*v).pages, (*v).description, (*v).sections, (*v).caches, (*v).tables, (*v).structure)
}

type verification struct {
	*File
	c        *Connection
	problems []error
}

var errEnough = errors.New("too many findings")

func (f *File) verify(ctx context.Context, checks ...func(*verification, context.Context) error) error {
	return f.pool.scan(ctx, func(ctx context.Context, c *Connection) error {
		v := verification{File: f, c: c}
		for _, check := range checks {
			if err := check(&v, ctx); errors.Is(err, errEnough) {
				break
			} else if err != nil {
				return errors.Join(append(v.problems, cmp.Or(ctx.Err(), readError(f.path, "the file", err)))...)
			}
		}
		return errors.Join(v.problems...)
	})
}

// found records a problem and returns an error after the last one to report.
func (v *verification) found(problem error) error {
	v.problems = append(v.problems, problem)
	if len(v.problems) >= maxProblems {
		return errEnough
	}
	return nil
}

// pages checks every page. More checks of a file with damaged pages would only meet
// them again.
func (v *verification) pages(ctx context.Context) error {
	if err := v.File.pages.verify(ctx, v.found); err != nil {
		return err
	}
	if len(v.problems) > 0 {
		return errEnough
	}
	return nil
}

// structure runs SQLite's check of its pages and indexes.
func (v *verification) structure(context.Context) error {
	err := v.c.Query("PRAGMA integrity_check(5)", func(row []driver.Value) error {
		if row[0] != "ok" {
			return v.found(v.Damaged("SQLite's integrity check reports: %v", row[0]))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return v.checkSchema(v.c)
}

// description reads the manifest again and compares it with the one that Open read.
func (v *verification) description(context.Context) error {
	m, err := readManifest(v.c)
	if err == nil && m.Digest != v.manifest.Digest {
		err = v.found(v.Damaged("the manifest's digest is %s, was %s when the file was opened", m.Digest, v.manifest.Digest))
	}
	return err
}

// sections loads what is not in memory yet.
func (v *verification) sections(ctx context.Context) error {
	err := v.Prepare(ctx)
	if errors.Is(err, ErrDamaged) {
		return v.found(err)
	}
	return err
}

// caches compares the caches with their queries.
func (v *verification) caches(ctx context.Context) error {
	return v.EncodeCaches(v.c, func(name string, want []byte) error {
		if data, err := v.c.Blob("cache", name); err != nil || !bytes.Equal(data, want) {
			return v.found(v.Damaged("the cache %s differs from the tables", name))
		}
		return ctx.Err()
	})
}

// tables compares the digests of all tables with the manifest, and runs the checks.
func (v *verification) tables(ctx context.Context) error {
	want := map[string]dataset.Table{}
	for _, t := range v.manifest.Tables {
		want[t.Name] = t
	}
	for _, t := range Contents() {
		got, err := DigestTable(ctx, v.c, t.Name)
		if w := want[t.Name]; err == nil && got != w {
			err = v.found(v.Damaged("table %s has %d rows with the digest %s, expected %d with %s", t.Name, got.Rows, got.SHA256, w.Rows, w.SHA256))
		}
		if err != nil {
			return err
		}
	}
	return v.c.Check(func(sentence, row string) error { return v.found(v.Damaged("%s: %s", sentence, row)) })
}
