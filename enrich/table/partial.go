package table

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/disk"
)

// Files of an unfinished output.
const (
	partialSuffix    = ".partial"
	checkpointSuffix = ".checkpoint"
	newSuffix        = ".new" // of a checkpoint or Excel file that is written
)

// Create starts or continues a table in a file (see [Output]). Until the table
// is complete, its path has the suffix ".partial" and a checkpoint lies next to
// it. An unfinished Parquet file is a folder. Only [Run] may use the Sink.
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
	zipped = zipped && !opt.Format.Binary()
	s, head, open, err := newSink(src, e, &opt)
	if err != nil {
		return nil, err
	}
	if s.disk = opt.disk; s.disk == nil {
		s.disk = disk.OS{}
	}
	s.path = path
	s.zipped = zipped
	s.state.Settings = settings(src, e, k, opt)
	if s.state.Input, err = src.identity(); err != nil {
		return nil, err
	}
	ended, err := s.ended(src, opt)
	if err != nil {
		return nil, err
	}
	if err := checkPlace(s.disk, path, src, opt.Overwrite || ended != nil); err != nil {
		return nil, err
	}
	if err := s.find(src, opt, ended); err != nil {
		return nil, err
	}
	switch {
	case s.target != nil: // settled
	case open != nil:
		s.target, err = openParts(s.disk, path, open, s.resumed)
	default:
		var p *partial
		if p, err = openPartial(s.disk, path, s.resumed); err == nil {
			text := &textFile{p, bufio.NewWriterSize(p.file, 1<<18)}
			s.target = text
			if opt.Format == XLSX {
				sheet := &sheetFile{textFile: *text, src: src}
				if s.resumed != nil {
					sheet.n = s.resumed.Summary.Rows
				}
				s.target = sheet
			}
			if s.resumed == nil {
				err = s.begin(text, head)
			}
		}
	}
	if err != nil {
		return nil, named(err, path)
	}
	if s.resumed != nil {
		return s, src.seek(s.resumed.At, s.resumed.Line)
	}
	return s, nil
}

func (s *Sink) begin(t *textFile, head []byte) (err error) {
	if s.zipped {
		var z zipper
		if head, err = z.member(head); err != nil {
			return err
		}
	}
	return t.write(&chunk{text: head})
}

// checkPlace refuses a path that the output must not replace.
func checkPlace(d disk.Disk, path string, src *Source, overwrite bool) error {
	if path == "" {
		return errors.New("table: the name of the output is empty; expected that of a file")
	}
	if info, err := d.Stat(path + partialSuffix); err == nil && src.file != nil && sameFile(info, src.file) {
		return fmt.Errorf("table: %s, which %s would be written to, is the input; write to another file, or rename the input", path+partialSuffix, path)
	}
	info, err := d.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("table: %w", err)
	case info.IsDir():
		return fmt.Errorf("table: %w", &fs.PathError{Op: "write", Path: path, Err: syscall.EISDIR})
	case !info.Mode().IsRegular():
		return fmt.Errorf("table: %s is a device or a pipe, which no file can take the place of; write to a stream", path)
	case src.file != nil && sameFile(info, src.file):
		return fmt.Errorf("table: %s is the input; write to another file", path)
	case !overwrite:
		return fmt.Errorf("table: %s exists already; name another file, or have it overwritten", path)
	default:
		return nil
	}
}

func sameFile(info os.FileInfo, f *os.File) bool {
	other, err := f.Stat()
	return err == nil && os.SameFile(info, other)
}

// named returns an error of the system with the name of the output in place of
// its unfinished file.
func named(err error, path string) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) && e.Path == path+partialSuffix {
		e.Path = path
	}
	return err
}

// ended returns the checkpoint of a run whose rows were all written, or nil.
func (s *Sink) ended(src *Source, opt Output) (*checkpoint, error) {
	if !opt.Resume || src.file == nil {
		return nil, nil
	}
	c, err := readCheckpoint(s.disk, s.path+checkpointSuffix)
	if err != nil || c == nil || !c.Whole || c.Settings != s.state.Settings || c.Input != s.state.Input {
		return nil, err
	}
	return c, nil
}

// A settled output has its name and misses nothing but the end of the clean-up.
type settled struct {
	disk disk.Disk
	path string
}

func (settled) write(*chunk) error   { return errors.New("table: the output is complete") }
func (settled) mark() (int64, error) { return 0, nil }
func (settled) abandon()             {}
func (o settled) finish() error      { return tidy(o.disk, o.path) }

func (s *Sink) find(src *Source, opt Output, ended *checkpoint) error {
	partial, mark := s.path+partialSuffix, s.path+checkpointSuffix
	_, err := s.disk.Stat(partial)
	begun := err == nil
	if ended != nil && (!begun || ended.Settled || opt.Format == Parquet && s.moved(ended)) {
		if _, err := s.disk.Stat(s.path); err == nil { // killed after the last rename
			s.resumed, s.target = ended, settled{s.disk, s.path}
			return nil
		}
		return s.clear() // the output was removed since
	}
	switch {
	case !begun, opt.Overwrite && !opt.Resume:
		return s.clear()
	case !opt.Resume:
		return fmt.Errorf("table: %s is an unfinished run; continue it (resume), or have it overwritten", partial)
	case src.file == nil:
		return errors.New("table: a stream cannot be read twice; only a file can be resumed")
	}
	c, err := readCheckpoint(s.disk, mark)
	if err != nil {
		return err
	}
	if c == nil { // killed before the first one
		return s.clear()
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

// moved reports whether the only part of a whole output was renamed.
func (s *Sink) moved(ended *checkpoint) bool {
	_, err := s.disk.Stat(partName(s.path, 0))
	return ended.Output == 1 && errors.Is(err, fs.ErrNotExist)
}

// clear removes the files of an unfinished run. It removes the checkpoint first
// and makes that durable: a new output must never be found next to an old
// checkpoint.
func (s *Sink) clear() error {
	if err := forget(s.disk, s.path); err != nil {
		return err
	}
	if err := s.disk.Sync(filepath.Dir(s.path)); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	if err := s.disk.RemoveAll(s.path + partialSuffix); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}

// A partial is an output file that is not whole yet.
type partial struct {
	disk disk.Disk
	file disk.File
	path string // that it will have
}

// openPartial opens the file and cuts off bytes after the checkpoint.
func openPartial(d disk.Disk, path string, c *checkpoint) (*partial, error) {
	if c == nil {
		f, err := d.Create(path + partialSuffix)
		if err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		return &partial{d, f, path}, nil
	}
	f, err := d.Open(path + partialSuffix)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	p := &partial{d, f, path}
	if err := p.cut(c); err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

func (p *partial) cut(c *checkpoint) error {
	size, err := p.file.Size()
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	if size < c.Output {
		return fmt.Errorf("table: %s has %d bytes, fewer than the %d of its checkpoint; it was changed, have it overwritten", p.file.Name(), size, c.Output)
	}
	tail, err := p.tail(c.Output)
	if err != nil {
		return err
	}
	if tail != c.Tail {
		return fmt.Errorf("table: the end of %s does not match its checkpoint; it was changed, have it overwritten", p.file.Name())
	}
	if err := p.file.Truncate(c.Output); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}

// tail returns the digest of the bytes before an offset.
func (p *partial) tail(end int64) (string, error) {
	const most = 1 << 16
	h := sha256.New()
	from := max(0, end-most)
	if _, err := io.Copy(h, io.NewSectionReader(p.file, from, end-from)); err != nil {
		return "", fmt.Errorf("table: read %s: %w", p.file.Name(), err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func (p *partial) finish() error {
	if err := p.file.Sync(); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	if err := p.file.Close(); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return settle(p.disk, p.path+partialSuffix, p.path)
}

// settle renames a complete file and removes its checkpoint and temporary
// files.
func settle(d disk.Disk, from, path string) error {
	if err := disk.Settle(d, from, path); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return tidy(d, path)
}

// tidy removes the checkpoint and temporary files of a complete output. The
// checkpoint goes last: until then a run that is continued finds the end of
// this one.
func tidy(d disk.Disk, path string) error {
	if _, err := d.Stat(path + partialSuffix); err == nil {
		c, err := readCheckpoint(d, path+checkpointSuffix)
		if err != nil {
			return err
		}
		if c != nil && !c.Settled {
			c.Settled = true
			if err := c.save(d, path+checkpointSuffix); err != nil {
				return err
			}
		}
	}
	for _, suffix := range []string{partialSuffix, partialSuffix + newSuffix, checkpointSuffix + newSuffix, checkpointSuffix} {
		if err := d.RemoveAll(path + suffix); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	return nil
}

func forget(d disk.Disk, path string) error {
	for _, suffix := range []string{checkpointSuffix, checkpointSuffix + newSuffix, partialSuffix + newSuffix} {
		if err := d.RemoveAll(path + suffix); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	return nil
}

func (p *partial) abandon() { p.file.Close() }

// A checkpoint is the progress of a run: the position in the input, and the
// length of the output on disk that belongs to it.
type checkpoint struct {
	Settings string `json:"settings"` // digest of everything that the output depends on but the input
	Input    string `json:"input"`    // digest of the input's size and beginning

	At      int64   `json:"at"`               // next position in the input
	Line    int64   `json:"line"`             // of it
	Output  int64   `json:"output"`           // length, of Parquet the number of parts
	Tail    string  `json:"tail"`             // digest of the end of the output
	Whole   bool    `json:"whole,omitzero"`   // all rows are in the output
	Settled bool    `json:"settled,omitzero"` // the output has its name; its parts may remain
	Summary Summary `json:"summary"`
}

func digest(parts ...any) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, p := range parts {
		_ = enc.Encode(p) // to a hash, of plain values
	}
	return hex.EncodeToString(h.Sum(nil))
}

// settings is the digest of everything except the input that the output depends
// on.
func settings(src *Source, e *enrich.Enricher, k Keys, opt Output) string {
	return digest(e.Signature(), k.settings(), src.Header(), src.format, src.noHead, src.shard, src.sheetName(),
		opt.Format, opt.Status, opt.Reason, opt.Key, opt.NeutralizeFormulas, opt.RowGroup)
}

// identity is the digest of an input file; "" of a stream.
func (s *Source) identity() (string, error) {
	if s.file == nil {
		return "", nil
	}
	const most = 1 << 20
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(s.file, 0, min(most, s.size))); err != nil {
		return "", fmt.Errorf("table: read the input: %w", err)
	}
	return digest(s.size, hex.EncodeToString(h.Sum(nil))), nil
}

// readCheckpoint returns the checkpoint in a file, or nil if the file is missing.
func readCheckpoint(d disk.Disk, path string) (*checkpoint, error) {
	text, err := disk.ReadFile(d, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("table: read the checkpoint: %w", err)
	}
	var c checkpoint
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("table: the checkpoint %s is damaged: %w", path, err)
	}
	if c.At < 0 || c.Output < 0 || c.Line < 0 {
		return nil, fmt.Errorf("table: the checkpoint %s is damaged: it has negative positions", path)
	}
	return &c, nil
}

// save replaces a checkpoint and waits for the disk.
func (c *checkpoint) save(d disk.Disk, path string) error {
	text, err := json.Marshal(c)
	if err == nil {
		err = disk.WriteBy(d, path+newSuffix, path, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("table: write the checkpoint: %w", err)
	}
	return nil
}
