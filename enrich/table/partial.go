package table

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/postgeo/postgeo/enrich"
)

// What stands beside an output that is not finished.
const (
	partialSuffix    = ".partial"
	checkpointSuffix = ".checkpoint"
)

// Create begins a table in a file, or goes on with it (see [Output]). While it
// is written the file is called path + ".partial", of Parquet a folder, and a
// checkpoint stands beside it. Only [Run] may use the Sink.
func Create(path string, src *Source, e *enrich.Enricher, k Keys, opt Output) (*Sink, error) {
	if err := CheckName(path); err != nil {
		return nil, err
	}
	f, zipped, known := FormatOf(path)
	if opt.Format == 0 {
		if opt.Format = src.format; known {
			opt.Format = f
		}
	}
	zipped = zipped && opt.Format != Parquet
	s, head, schema, err := newSink(src, e, &opt)
	if err != nil {
		return nil, err
	}
	if path, err = checkPlace(path, src, opt.Overwrite); err != nil {
		return nil, err
	}
	s.path = path
	s.zipped = zipped
	s.state.Settings = settings(src, e, k, opt)
	if s.state.Input, err = src.identity(); err != nil {
		return nil, err
	}
	if err := s.find(src, opt); err != nil {
		return nil, err
	}
	if schema != nil {
		s.target, err = openParts(path, schema, s.resumed)
	} else {
		var p *partial
		if p, err = openPartial(path, s.resumed); err == nil {
			text := &textFile{p, bufio.NewWriterSize(p.file, 1<<18)}
			s.target = text
			if s.resumed == nil {
				err = s.begin(text, head)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	if s.resumed != nil {
		return s, src.seek(s.resumed.At, s.resumed.Line)
	}
	return s, nil
}

// begin writes the header.
func (s *Sink) begin(t *textFile, head []byte) (err error) {
	if s.zipped {
		var z zipper
		if head, err = z.member(head); err != nil {
			return err
		}
	}
	return t.write(&chunk{text: head})
}

// checkPlace refuses to write over what is there.
func checkPlace(path string, src *Source, overwrite bool) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return path, nil
	case err != nil:
		return path, fmt.Errorf("table: %w", err)
	case info.IsDir():
		return path, fmt.Errorf("table: %s is a folder; expected a file", path)
	case src.file != nil && sameFile(info, src.file):
		return path, fmt.Errorf("table: %s is the input; write to another file", path)
	case !overwrite:
		return path, fmt.Errorf("table: %s exists already; name another file, or have it overwritten", path)
	default:
		return path, nil
	}
}

func sameFile(info os.FileInfo, f *os.File) bool {
	other, err := f.Stat()
	return err == nil && os.SameFile(info, other)
}

// find looks for an unfinished run.
func (s *Sink) find(src *Source, opt Output) error {
	partial, mark := s.path+partialSuffix, s.path+checkpointSuffix
	_, err := os.Stat(partial)
	begun := err == nil
	switch {
	case !begun, opt.Overwrite && !opt.Resume:
		return errors.Join(os.RemoveAll(partial), remove(mark))
	case !opt.Resume:
		return fmt.Errorf("table: %s is an unfinished run; go on with it (resume), or have it overwritten", partial)
	case src.file == nil:
		return errors.New("table: a stream cannot be read again from where a run has ended; only a file can be resumed")
	}
	c, err := readCheckpoint(mark)
	if err != nil {
		return err
	}
	if c == nil { // killed before the first one
		return os.RemoveAll(partial)
	}
	if c.Settings != s.state.Settings {
		return fmt.Errorf("table: %s was begun with another dataset, other columns or other options; run it with the same ones, or have it overwritten", partial)
	}
	if c.Input != s.state.Input {
		return fmt.Errorf("table: the input is not the file that %s was made from; have it overwritten", partial)
	}
	s.resumed = c
	return nil
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}

// A partial is an output file that is not whole yet.
type partial struct {
	file *os.File
	path string // that it will have
}

// openPartial opens the file and cuts off what no checkpoint knows.
func openPartial(path string, c *checkpoint) (*partial, error) {
	if c == nil {
		f, err := os.OpenFile(path+partialSuffix, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		return &partial{f, path}, nil
	}
	f, err := os.OpenFile(path+partialSuffix, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	p := &partial{f, path}
	if err := p.cut(c); err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

func (p *partial) cut(c *checkpoint) error {
	info, err := p.file.Stat()
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	if info.Size() < c.Output {
		return fmt.Errorf("table: %s has %d bytes, fewer than the %d of its checkpoint; it was changed, have it overwritten", p.file.Name(), info.Size(), c.Output)
	}
	tail, err := p.tail(c.Output)
	if err != nil {
		return err
	}
	if tail != c.Tail {
		return fmt.Errorf("table: the end of %s is not what its checkpoint knows; it was changed, have it overwritten", p.file.Name())
	}
	if err := p.file.Truncate(c.Output); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	_, err = p.file.Seek(c.Output, io.SeekStart)
	return err
}

// tail is the digest of what stands before an offset.
func (p *partial) tail(end int64) (string, error) {
	const most = 1 << 16
	h := sha256.New()
	from := max(0, end-most)
	if _, err := io.Copy(h, io.NewSectionReader(p.file, from, end-from)); err != nil {
		return "", fmt.Errorf("table: read %s: %w", p.file.Name(), err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// finish gives the file its name.
func (p *partial) finish() error {
	if err := errors.Join(p.file.Sync(), p.file.Close()); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return settle(p.path+partialSuffix, p.path)
}

// settle renames a file that is whole, and removes its checkpoint.
func settle(from, path string) error {
	if err := os.Rename(from, path); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	syncDir(path)
	return remove(path + checkpointSuffix)
}

func (p *partial) abandon() { p.file.Close() }
