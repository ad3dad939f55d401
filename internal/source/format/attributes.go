package format

import (
	"errors"
	"io"
	"iter"
)

// Attributes reads the attribute table of a shapefile that is published without
// outlines (dBASE III, UTF-8).
type Attributes struct {
	in  *Input
	dbf *dbfReader
}

// OpenAttributes opens the table at the path and checks that it has the
// required attributes.
func OpenAttributes(path string, required ...string) (*Attributes, error) {
	in, err := Open(path, OpenOptions{})
	if err != nil {
		return nil, err
	}
	charset := UTF8
	d, err := newDBF(in, &charset)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	if err := d.require(required); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return &Attributes{in, d}, nil
}

// Close closes the file.
func (a *Attributes) Close() error { return a.in.Close() }

// Shapes reads the records without deleted ones. The sequence ends with the file
// or after its first error, and can be run once.
func (a *Attributes) Shapes() iter.Seq2[Shape, error] {
	return func(yield func(Shape, error) bool) {
		for {
			values, deleted, err := a.dbf.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Shape{}, err)
				return
			}
			if !deleted && !yield(Shape{file: a.in.name, record: a.dbf.record, names: a.dbf.names, values: values}, nil) {
				return
			}
		}
	}
}
