package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A spool keeps rows on disk until Finish writes them into the file in the
// order of their numbers. The file's bytes therefore do not depend on the order
// of adding tables. In memory it has one entry per row.
type spool struct {
	file    *os.File
	w       *bufio.Writer
	size    int64
	Entries map[string][]Spooled
}

// A Spooled is the place of a row in the spool.
type Spooled struct {
	Id     int64
	offset int64
	size   uint32
	Run    uint32 // rows of different runs may have one number
}

func createSpool(path string) (*spool, error) {
	f, err := createFile(path)
	if err != nil {
		return nil, err
	}
	return &spool{Entries: map[string][]Spooled{}, file: f, w: bufio.NewWriterSize(f, 1<<20)}, nil
}

func (s *spool) Add(table string, id int64, run uint32, payload []byte) error {
	if _, err := s.w.Write(payload); err != nil {
		return fmt.Errorf("dataset: writing %s: %w", s.file.Name(), err)
	}
	s.Entries[table] = append(s.Entries[table], Spooled{id, s.size, uint32(len(payload)), run})
	s.size += int64(len(payload))
	return nil
}

// Read returns the payload of an entry in a new slice.
func (s *spool) Read(e Spooled) ([]byte, error) {
	if err := s.w.Flush(); err != nil {
		return nil, fmt.Errorf("dataset: writing %s: %w", s.file.Name(), err)
	}
	b := make([]byte, e.size)
	if _, err := s.file.ReadAt(b, e.offset); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("dataset: reading %s: %w", s.file.Name(), err)
	}
	return b, nil
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
