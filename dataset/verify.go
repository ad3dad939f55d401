package dataset

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// VerifyOptions say how [Dataset.VerifyWith] works. The zero value does what
// [Dataset.Verify] does.
type VerifyOptions struct {
	// Progress is called now and then with the number of rows that were
	// checked and the number that the manifest tells; nil: nothing is called.
	Progress func(done, total int64)
}

// maxProblems is how many findings a verification reports before it ends.
const maxProblems = 20

// progressRows is how many rows lie between two calls of Progress.
const progressRows = 1000

// Verify reads the whole file and checks everything that can be checked:
// SQLite's own structure, every checksum, every row's coding, that the rows
// are those that the resident tables promise, and the digests of the tables
// and of the manifest. It joins at most twenty findings, each of which matches
// [ErrDamaged].
func (d *Dataset) Verify(ctx context.Context) error {
	return d.VerifyWith(ctx, VerifyOptions{})
}

// VerifyWith is Verify with options.
func (d *Dataset) VerifyWith(ctx context.Context, o VerifyOptions) error {
	return d.cold.scan(ctx, func(ctx context.Context, c *connection) error {
		v := verification{d: d, c: c, progress: o.Progress}
		for _, t := range d.manifest.Tables {
			v.total += t.Rows
		}
		err := v.run(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errors.Join(append(v.problems, err)...)
	})
}

type verification struct {
	d           *Dataset
	decoded     *Dataset // what the columns hold; nil: they are damaged
	c           *connection
	progress    func(done, total int64)
	done, total int64
	problems    []error
}

var errEnough = errors.New("too many findings")

// found notes a problem and says whether to go on.
func (v *verification) found(format string, args ...any) error {
	v.problems = append(v.problems, damaged(v.d.path, format, args...))
	if len(v.problems) >= maxProblems {
		return errEnough
	}
	return nil
}

func (v *verification) step(ctx context.Context) error {
	v.done++
	if v.done%progressRows == 0 {
		v.report()
		return ctx.Err()
	}
	return nil
}

func (v *verification) report() {
	if v.progress != nil {
		v.progress(v.done, v.total)
	}
}

func (v *verification) run(ctx context.Context) error {
	v.report()
	// The structure comes last: SQLite's check takes a page that the disk does
	// not deliver for a damaged one, the others tell the two apart.
	for _, check := range []func(context.Context) error{v.manifest, v.columns, v.rows, v.structure} {
		if err := check(ctx); errors.Is(err, errEnough) {
			return nil
		} else if err != nil {
			return readError(v.d.path, "the file", err)
		}
	}
	v.report()
	return nil
}

// structure asks SQLite to check its pages and indexes.
func (v *verification) structure(ctx context.Context) error {
	err := v.c.each(ctx, "PRAGMA integrity_check(5)", func(r *scanner) error {
		if s := r.text(); r.err == nil && s != "ok" {
			return v.found("SQLite's integrity check reports: %s", s)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return checkSchema(ctx, v.c)
}

// manifest reads the manifest again and holds it against what Open read.
func (v *verification) manifest(ctx context.Context) error {
	m, err := readManifest(ctx, v.c)
	if err != nil {
		return err
	}
	if m.Digest != v.d.manifest.Digest {
		return v.found("the manifest's digest is %s, was %s when the file was opened", m.Digest, v.d.manifest.Digest)
	}
	var want []string
	for _, t := range coldTables {
		want = append(want, t.name)
	}
	want = append(want, "column_data")
	var got []string
	for _, t := range m.Tables {
		got = append(got, t.Name)
	}
	if !slices.Equal(got, want) {
		return v.found("the manifest lists the tables %q, expected %q", got, want)
	}
	return nil
}

// columns reads and decodes the resident tables again.
func (v *verification) columns(ctx context.Context) error {
	list, err := readColumns(ctx, v.c, "")
	if err != nil {
		return err
	}
	hash := newTableHash()
	for i, c := range list {
		hash.column(int64(i+1), c)
		if err := v.step(ctx); err != nil {
			return err
		}
	}
	if err := v.compare(hash.table("column_data")); err != nil {
		return err
	}
	d := newDataset(v.d.path)
	if err := d.decodeAll(&columnSet{list: list}); err != nil {
		return v.found("%v", err)
	}
	v.decoded = d
	return v.indexes(ctx, d)
}

// indexes holds every point against its place in the tree and unpacks every
// outline, which Open does not.
func (v *verification) indexes(ctx context.Context, d *Dataset) error {
	for name, index := range d.indexes() {
		if err := index.Verify(); err != nil {
			if err := v.found("column %s: %v", name, err); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// compare holds a table's digest against the manifest.
func (v *verification) compare(got Table) error {
	for _, want := range v.d.manifest.Tables {
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

// rows reads all tables of rows from end to end.
func (v *verification) rows(ctx context.Context) error {
	if v.decoded == nil {
		return nil // nothing is known of what the rows should be
	}
	for _, t := range rowTables() {
		if err := v.table(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func (v *verification) table(ctx context.Context, t rowTable) error {
	promised, stop := iter.Pull(t.ids(v.decoded))
	defer stop()
	want, more := promised()
	hash, last := newTableHash(), int64(-1)
	err := v.c.each(ctx, "SELECT id, data FROM "+t.name+" ORDER BY id", func(r *scanner) error {
		id, data := r.int(), r.blob()
		if r.err != nil {
			return r.err
		}
		if id <= last {
			return fmt.Errorf("row %d of table %s comes after row %d", id, t.name, last)
		}
		last = id
		for more && want < id {
			if err := v.found("%s is missing", t.noun(want)); err != nil {
				return err
			}
			want, more = promised()
		}
		hash.row(id, data)
		if err := v.step(ctx); err != nil {
			return err
		}
		if !more || want != id {
			return v.found("table %s holds the row %d, which no resident table promises", t.name, id)
		}
		want, more = promised()
		payload, err := unseal(t.name, id, data)
		if err == nil {
			err = t.check(v.decoded, id, payload)
		}
		if err != nil {
			return v.found("%s: %v", t.noun(id), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for ; more; want, more = promised() {
		if err := v.found("%s is missing", t.noun(want)); err != nil {
			return err
		}
	}
	return v.compare(hash.table(t.name))
}
