package storewrite

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// A spool keeps rows on disk until Finish writes them into the file in the
// order of their numbers. The file's bytes therefore do not depend on the order
// of adding tables. In memory it has one place per row.
type spool struct {
	file   *os.File
	w      *bufio.Writer
	size   int64
	places map[string]map[int64][]spooledRow
}

type spooledRow struct {
	offset int64
	size   uint32
}

func createSpool(path string) (*spool, error) {
	f, err := createFile(path)
	if err != nil {
		return nil, err
	}
	return &spool{places: map[string]map[int64][]spooledRow{}, file: f, w: bufio.NewWriterSize(f, 1<<20)}, nil
}

// keep keeps rows of a table for Finish. Rows of a number keep their order.
func (w *Writer) keep(table string, id int64, data []byte) error {
	s := w.spool
	if _, err := s.w.Write(data); err != nil {
		w.err = fmt.Errorf("dataset: writing %s: %w", s.file.Name(), err)
		return w.err
	}
	if s.places[table] == nil {
		s.places[table] = map[int64][]spooledRow{}
	}
	s.places[table][id] = append(s.places[table][id], spooledRow{s.size, uint32(len(data))})
	s.size += int64(len(data))
	return nil
}

// spooled returns the numbers of the rows of a table, ascending.
func (w *Writer) spooled(table string) []int64 {
	return slices.Sorted(maps.Keys(w.spool.places[table]))
}

// readSpooled decodes the rows of a number and appends them.
func readSpooled[T any](w *Writer, into []T, table string, id int64, decode func([]byte) ([]T, error)) ([]T, error) {
	s := w.spool
	for _, p := range s.places[table][id] {
		b := make([]byte, p.size)
		if err := s.w.Flush(); err != nil {
			return nil, fmt.Errorf("dataset: writing %s: %w", s.file.Name(), err)
		}
		if _, err := s.file.ReadAt(b, p.offset); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("dataset: reading %s: %w", s.file.Name(), err)
		}
		rows, err := decode(b)
		if err != nil {
			return nil, err
		}
		into = append(into, rows...)
	}
	return into, nil
}

func (s *spool) remove() error { return errors.Join(s.file.Close(), removeFile(s.file.Name())) }

// createFile makes a new file, in place of one that may be left from a build
// that died. A build that still runs keeps the file that it has open.
func createFile(path string) (*os.File, error) {
	if err := removeFile(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
