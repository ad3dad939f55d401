package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// spoolBytes is the memory of the pages of a row group that wait until its columns
// are written one behind the other.
const spoolBytes = 64 << 20

// A spool keeps bytes in memory, and beyond its room in a temporary file.
type spool struct {
	room    int
	mem     bytes.Buffer
	file    *os.File
	removed bool // the file has no name any more
}

func (s *spool) Write(text []byte) (int, error) {
	if s.file == nil && s.mem.Len()+len(text) <= s.room {
		return s.mem.Write(text)
	}
	if s.file == nil {
		f, err := os.CreateTemp("", "postgeo-*.pages")
		if err != nil {
			return 0, fmt.Errorf("table: keep pages in a temporary file: %w", err)
		}
		s.file = f
		s.removed = os.Remove(f.Name()) == nil // ends with the process, if the system allows it
		if _, err := s.mem.WriteTo(f); err != nil {
			return 0, fmt.Errorf("table: keep pages in a temporary file: %w", err)
		}
	}
	return s.file.Write(text)
}

// copyTo writes all bytes, once.
func (s *spool) copyTo(w io.Writer) error {
	if s.file == nil {
		_, err := s.mem.WriteTo(w)
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, s.file)
	return err
}

func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if !s.removed {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	s.file = nil
	return err
}
