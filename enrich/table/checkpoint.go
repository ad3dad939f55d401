package table

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/disk"
)

// A checkpoint is the progress of a run: how much of the input is read, and how
// much of the output for it is on disk.
type checkpoint struct {
	Settings string `json:"settings"` // digest of everything that the output depends on but the input
	Input    string `json:"input"`    // digest of the input's size and beginning

	At      int64   `json:"at"`     // next position in the input
	Line    int64   `json:"line"`   // of it
	Output  int64   `json:"output"` // length, of Parquet the number of parts
	Tail    string  `json:"tail"`   // digest of the end of the output
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

// settings is the digest of what the output depends on.
func settings(src *Source, e *enrich.Enricher, k Keys, opt Output) string {
	return digest(e.Signature(), k.Kind.String(), k.Columns, k.Names, k.fields, k.To, src.Header(), src.format, src.noHead, src.shard,
		opt.Format, opt.Status, opt.Reason, opt.NeutralizeFormulas, opt.RowGroup)
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
